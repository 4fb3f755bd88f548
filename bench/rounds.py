"""Rounds of `stream-deid review` from end to end, on open texts, with figures a round.

    .venv-training/bin/python bench/rounds.py OUT [--rounds 3] [--most 150] [--share 0.3]

The system is a small feature CRF (`crf-en-first` on a part of its notes), the pool notes of other
authors that it has not seen. The reviewer is played: the marks that the pool's notes carry
take the place of the proposal in each sentence of the sheet. Each round picks by the last one's
doubts, takes the corrected sheet, trains on all that was taken so far, and is scored on development
texts; beside it stands a CRF that was given as many sentences at random.
"""

from __future__ import annotations

import argparse
import random
from collections.abc import Iterable, Sequence
from dataclasses import replace
from pathlib import Path

from stream_deid import cli
from stream_deid.detect.neural.feature_crf import FeatureCrf
from stream_deid.text.sentences import sentences
from stream_deid.training import recipe as recipes
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.review.take import DONE, marked_text
from stream_deid.training.scores.counts import total
from stream_deid.training.scores.offline import score_notes
from stream_deid.training.scores.tables import markdown

BASE = "crf-en-first"
POOL = "marked:en:corpora/train/en/second"
ITERATIONS = 40


def sentence(note: AnnotatedNote, start: int, end: int) -> AnnotatedNote:
    """One sentence of a note with the note's own marks, under the name that `pick` gives it."""
    spans = tuple(
        (max(a, start) - start, min(b, end) - start, label)
        for a, b, label in note.spans
        if a < end and start < b
    )
    return AnnotatedNote(f"{note.id}.{start}", note.text[start:end], spans, note.language, DONE)


def reviewed(sheet: Path, pool: Path) -> None:
    """The sheet as a person gives it back who marks what the pool's author marked."""
    notes = {note.id: note for note in corpora.marked(pool, "en")}
    rows = []
    for one in corpora.marked(sheet, "en"):
        name, _, start = one.id.rpartition(".")
        at = int(start)
        rows.append(replace(sentence(notes[name], at, at + len(one.text)), id=one.id))
    sheet.write_text(marked_text(rows, ["looked at"] * len(rows)), "utf-8")


def trained(out: Path, name: str, sets: Iterable[Path], share: float) -> FeatureCrf:
    """The base recipe's notes and the sets that were taken."""
    base = recipes.read(recipes.find(BASE))["data"]["train"]
    first = out / "first.txt"
    if not first.exists():
        notes = recipes.part([n for one in base for n in recipes.load(one, Path())], share)
        first.write_text(marked_text(notes, ["given"] * len(notes)), "utf-8")
    train = ", ".join(f'"marked:en:{path}"' for path in (first, *sets))
    recipe = out / f"{name}.toml"
    recipe.write_text(
        f'extends = "{BASE}"\n[crf]\niterations = {ITERATIONS}\n'
        f"[data]\ntrain = [{train}]\ndev = []\n",
        "utf-8",
    )
    cli.main(["train", str(recipe), "--out", str(out / name)])
    return FeatureCrf((out / name / "model.crfsuite").read_bytes())


def row(name: str, crf: FeatureCrf, dev: Sequence[AnnotatedNote], told: Sequence[str]) -> list[str]:
    score = total(score_notes(dev, [crf.detect(note.text) for note in dev]))
    figures = [f"{score[q].recall:.3f} / {score[q].precision:.3f}" for q in ("token.B", "ner")]
    return [name, *told, *figures]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("out", type=Path)
    parser.add_argument("--rounds", type=int, default=3)
    parser.add_argument("--most", type=int, default=150)
    parser.add_argument("--share", type=float, default=0.3)
    parser.add_argument("--dev", default="jsonl:en:corpora/dev/en_dev.jsonl")
    arguments = parser.parse_args()
    out: Path = arguments.out.resolve()
    out.mkdir(parents=True)
    dev, pool = recipes.load(arguments.dev, Path()), recipes.load(POOL, Path())
    every = [sentence(note, a, b) for note in pool for a, b in sentences(note.text)]
    shuffled = random.Random(1).sample(every, len(every))
    rows = [row("0", trained(out, "run-0", (), arguments.share), dev, ("", ""))]
    print(markdown(_HEADER, rows), flush=True)
    left = out / "pool.txt"
    taken: list[Path] = []
    drawn = 0
    for number in range(1, arguments.rounds + 1):
        asked = {one.id.rpartition(".")[0] for path in taken for one in corpora.marked(path, "en")}
        rest = [one for one in every if one.id not in asked and one.text.strip()]
        left.write_text(marked_text(rest, ["pool"] * len(rest)), "utf-8")
        sheet, back = out / f"sheet-{number}.txt", out / f"taken-{number}.txt"
        crf = out / f"run-{number - 1}/model.crfsuite"
        cli.main(
            ["review", "pick", f"marked:en:{left}", f"now=crf:{crf}", "patterns=patterns",
             "--out", str(sheet), "--most", str(arguments.most)]
        )  # fmt: skip
        reviewed(sheet, left)
        cli.main(["review", "take", str(sheet), "--out", str(back)])
        taken.append(back)
        drawn += len(corpora.marked(back, "en"))
        random_set = out / f"random-{number}.txt"
        random_set.write_text(marked_text(shuffled[:drawn], ["drawn"] * drawn), "utf-8")
        mine = trained(out, f"run-{number}", taken, arguments.share)
        rows.append(row(str(number), mine, dev, (str(drawn), "in doubt")))
        chance = trained(out, f"random-{number}", [random_set], arguments.share)
        rows.append(row(str(number), chance, dev, (str(drawn), "at random")))
        print(markdown(_HEADER, rows), flush=True)


_HEADER = ["round", "sentences", "picked", "binary tokens R / P", "NER R / P"]

if __name__ == "__main__":
    main()
