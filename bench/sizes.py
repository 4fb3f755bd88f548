"""How large marked corpora are, as the papers' tables of their data have it.

    .venv-training/bin/python bench/sizes.py meddocan=brat:es:meddocan/train \
        dev=jsonl:en:corpora/dev/en_dev.jsonl all=marked:en:A+marked:en:B

(Dernoncourt et al. 2017, table 2; Zhao et al. 2019, table 1.) A token is a word of the scores: a
run of letters or of digits; what is marked and nobody's (times, ages under 90) is no identifier.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Sequence

from stream_deid import config
from stream_deid.labels import label_type
from stream_deid.training import recipe as recipes
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate.leaks import CLASSES
from stream_deid.training.scores.metrics import words_of
from stream_deid.training.scores.tables import markdown

ROWS = ("notes", "tokens", "vocabulary", "identifiers", "tokens of identifiers")


def sizes(notes: Sequence[AnnotatedNote]) -> list[str]:
    """A cell for each of `ROWS`, then each class's share of the identifiers."""
    words = [n.text[a:b] for n in notes for a, b in words_of(n.text, 0, len(n.text))]
    of = [(n, a, b, kind) for n in notes for a, b, label in n.spans if (kind := label_type(label))]
    hidden = sum(1 for n, a, b, _ in of for _ in words_of(n.text, a, b))
    kinds = Counter(name for *_, kind in of for name, types in CLASSES.items() if kind in types)
    counts = (len(notes), len(words), len(set(words)), len(of), hidden)
    return [f"{n:,}" for n in counts] + [f"{kinds[name] / len(of):.1%}" for name in CLASSES]


def main() -> None:
    data = config.data_dir()
    columns = {}
    for one in sys.argv[1:]:
        name, _, source = one.partition("=")
        columns[name] = sizes(recipes.load_all(tuple(source.split("+")), data))
    titles = [*ROWS, *CLASSES]
    rows = [[title, *cells] for title, *cells in zip(titles, *columns.values(), strict=True)]
    print(markdown(["", *columns], rows))


if __name__ == "__main__":
    main()
