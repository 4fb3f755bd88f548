"""One recipe over values of its settings, and the curves: the papers' figures of that kind.

    .venv-training/bin/python bench/sweep.py train ann-es OUT \
        data.share=.1,schedule.epochs=40 data.share=.5,schedule.epochs=12
    .venv-training/bin/python bench/sweep.py draw GOLD FILE.svg --ticks .1 .5 --label "share" \
        CRF=crf:OUT/crf-es-{}/model.crfsuite ANN=run:OUT/ann-es-{}/recipe.toml:OUT/ann-es-{}
    .venv-training/bin/python bench/sweep.py table docs/papers.md "**Figure 4**" FILE.svg

`train` makes a folder a point, named by the value that comes first, with a recipe that extends the
given one. `draw` scores every series at every tick (`{}` stands for it), prints the table, and
writes the curves. `table` draws what a table of a document says: a tick a row, a line a column, of
P / R / F1 the F1.
"""

from __future__ import annotations

import argparse
from functools import cache
from pathlib import Path

from stream_deid import config
from stream_deid.attack.plot import Panel, Series, svg
from stream_deid.training import recipe as recipes
from stream_deid.training import train
from stream_deid.training.evaluate import systems
from stream_deid.training.scores.counts import Score, total
from stream_deid.training.scores.tables import markdown

QUESTIONS = {"ner": "NER F1", "token.all": "binary tokens F1"}
_LOWEST = 20  # twentieths: curves begin at the next one below their lowest point


def point(recipe: str, settings: str, out: Path) -> None:
    """Train `recipe` with `TABLE.KEY=VALUE,...` over its own settings."""
    tables: dict[str, list[str]] = {}
    for setting in settings.split(","):
        key, _, value = setting.partition("=")
        table, _, name = key.partition(".")
        tables.setdefault(table, []).append(f"{name} = {_toml(value)}")
    folder = out / f"{recipe}-{settings.partition(',')[0].partition('=')[2]}"
    folder.mkdir(parents=True, exist_ok=True)
    text = f'extends = "{recipe}"\n'
    for table, lines in tables.items():
        text += "\n".join(["", f"[{table}]", *lines, ""])
    (folder / "recipe.toml").write_text(text, "utf-8")
    train.main(str(folder / "recipe.toml"), folder, config.data_dir())


def _toml(value: str) -> str:
    return f"0{value}" if value.startswith(".") else value


def draw(gold: str, file: Path, ticks: list[str], label: str, series: list[str]) -> None:
    """The table and the curves of all series."""
    data = config.data_dir()
    notes = recipes.load(gold, data)
    found = cache(lambda part: systems.member(part, data)(notes))
    scores: dict[str, list[Score]] = {}
    for one in series:
        name, _, spec = one.partition("=")
        said = [[found(part) for part in spec.replace("{}", t).split("+")] for t in ticks]
        scores[name] = [
            total(systems.score_system(notes, systems.united(notes, votes))) for votes in said
        ]
    rows = [
        [name, tick, *(f"{value:.3f}" for q in QUESTIONS for value in _values(score, q))]
        for name, line in scores.items()
        for tick, score in zip(ticks, line, strict=True)
    ]
    print(markdown(["", label, *(f"{q} {x}" for q in QUESTIONS for x in ("P", "R", "F1"))], rows))
    panels = []
    for question, title in QUESTIONS.items():
        lines = [Series(n, tuple(s[question].f1 for s in line)) for n, line in scores.items()]
        low = int(min(v for line in lines for v in line.values) * _LOWEST) / _LOWEST
        panels.append(Panel(title, tuple(lines), low))
    file.write_text(svg(panels, ticks, label), "utf-8")


def table(document: Path, head: str, file: Path) -> None:
    """The first table behind `head` as a picture. A tick is the recipe that its row quotes, without
    the name of the first one: "ann-es-no-vectors" is "−vectors".
    """
    lines = document.read_text("utf-8").partition(head)[2].splitlines()
    cells = [[c.strip(" *") for c in one.strip("|").split("|")] for one in _first_table(lines)]
    header, _, *rows = cells
    quoted = [row[0].partition("`")[2].partition("`")[0] or row[0] for row in rows]
    ticks = [one.removeprefix(f"{quoted[0]}-").replace("no-", "\N{MINUS SIGN}") for one in quoted]
    lines_ = [
        Series(name.partition(" P /")[0], tuple(float(r[i].split(" / ")[-1]) for r in rows))
        for i, name in enumerate(header[1:], 1)
    ]
    low = int(min(v for line in lines_ for v in line.values) * _LOWEST) / _LOWEST
    file.write_text(svg([Panel("F1", tuple(lines_), low)], ticks, ""), "utf-8")


def _first_table(lines: list[str]) -> list[str]:
    first = next(i for i, line in enumerate(lines) if line.startswith("|"))
    rest = lines[first:]
    return rest[: next((i for i, line in enumerate(rest) if not line.startswith("|")), len(rest))]


def _values(score: Score, question: str) -> tuple[float, float, float]:
    counts = score[question]
    return counts.precision, counts.recall, counts.f1


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    commands = parser.add_subparsers(dest="command", required=True)
    trained = commands.add_parser("train")
    trained.add_argument("recipe")
    trained.add_argument("out", type=Path)
    trained.add_argument("points", nargs="+")
    drawn = commands.add_parser("draw")
    drawn.add_argument("gold")
    drawn.add_argument("file", type=Path)
    drawn.add_argument("--ticks", nargs="+", required=True)
    drawn.add_argument("--label", required=True)
    drawn.add_argument("series", nargs="+")
    told = commands.add_parser("table")
    told.add_argument("document", type=Path)
    told.add_argument("head")
    told.add_argument("file", type=Path)
    arguments = parser.parse_args()
    if arguments.command == "table":
        table(arguments.document, arguments.head, arguments.file)
    elif arguments.command == "train":
        for settings in arguments.points:
            point(arguments.recipe, settings, arguments.out)
    else:
        draw(arguments.gold, arguments.file, arguments.ticks, arguments.label, arguments.series)


if __name__ == "__main__":
    main()
