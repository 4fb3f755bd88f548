"""Recall where it may differ: names by origin and sex, and values that training never showed.

A name's origin is the one that most of its bearers gave in the US Census 2020 (`ORIGINS`), where it
is theirs by `SURE` per cent; likewise the sex of given names. Words that the lists don't hold are
"not listed", which in American text mostly means rare or foreign. A word counts as found where a
prediction of whatever type covers it: what is replaced can't leak.
"""

from __future__ import annotations

import csv
import gzip
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from stream_deid.labels import PERSONS, label_type
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.scores.counts import Counts
from stream_deid.training.scores.metrics import Mark
from stream_deid.training.scores.tables import markdown

SURE = 60.0
ORIGINS = {
    "pctwhite": "white",
    "pctblack": "black",
    "pctapi": "Asian or Pacific",
    "pctaian": "American Indian",
    "pcthispanic": "Hispanic",
}
SEXES = {"pctfemale": "female", "pctmale": "male"}
_WORD = re.compile(r"[^\W\d_]{2,}")
_FILES = ("us_surnames_2020.csv.gz", "us_first_names_2020.csv.gz")


@dataclass(frozen=True, slots=True)
class CensusGroups:
    """What the Census says of a name in capitals; names of no clear origin or sex are absent."""

    origins: Mapping[str, str]
    sexes: Mapping[str, str]
    listed: frozenset[str]

    @classmethod
    def read(cls, folder: Path) -> CensusGroups:
        """From the gazetteers' folder; surnames decide the origin of names that are both."""
        surnames, given = (_rows(folder / name) for name in _FILES)
        origins = {**_clear(given, ORIGINS), **_clear(surnames, ORIGINS)}
        listed = frozenset(r["name"] for r in (*surnames, *given))
        return cls(origins, _clear(given, SEXES), listed)

    def slices(self, word: str) -> Iterator[str]:
        """The slices that a word of a name falls in."""
        name = word.upper()
        if name not in self.listed:
            yield "name not listed"
        if name in self.origins:
            yield f"name, {self.origins[name]}"
        if name in self.sexes:
            yield f"given name, {self.sexes[name]}"


def _rows(path: Path) -> list[dict[str, str]]:
    with gzip.open(path, "rt", encoding="utf-8", newline="") as handle:
        return list(csv.DictReader(handle))


def _clear(rows: Sequence[dict[str, str]], columns: Mapping[str, str]) -> dict[str, str]:
    out = {}
    for row in rows:
        for column, meaning in columns.items():
            try:
                if float(row[column]) >= SURE:
                    out[row["name"]] = meaning
            except ValueError:
                continue  # suppressed by the Census
    return out


def values(notes: Sequence[AnnotatedNote]) -> frozenset[str]:
    """Casefolded values of all identifiers."""
    return frozenset(
        note.text[a:b].casefold()
        for note in notes
        for a, b, label in note.spans
        if label_type(label) is not None
    )


def recall(
    notes: Sequence[AnnotatedNote],
    said: Sequence[Sequence[Mark]],
    census: CensusGroups,
    seen: frozenset[str] = frozenset(),
) -> dict[str, Counts]:
    """Found and missed by slice: words of names, and whole identifiers in or not in `seen`."""
    counts: dict[str, Counts] = {}
    for note, marks in zip(notes, said, strict=True):
        for name, found in _outcomes(note, marks, census, seen):
            counts[name] = counts.get(name, Counts()) + Counts(int(found), 0, int(not found))
    return dict(sorted(counts.items()))


def _outcomes(
    note: AnnotatedNote, marks: Sequence[Mark], census: CensusGroups, seen: frozenset[str]
) -> Iterator[tuple[str, bool]]:
    covered = bytearray(len(note.text))
    for mark in marks:
        covered[mark.start : mark.end] = b"\1" * (mark.end - mark.start)

    def whole(start: int, end: int) -> bool:
        return all(covered[i] or not note.text[i].isalnum() for i in range(start, end))

    for start, end, label in note.spans:
        phi = label_type(label)
        if phi is None:
            continue
        if seen:
            known = note.text[start:end].casefold() in seen
            yield (
                ("value seen in training" if known else "value not in training"),
                whole(start, end),
            )
        if phi in PERSONS:
            for word in _WORD.finditer(note.text, start, end):
                for name in census.slices(word.group()):
                    yield name, whole(*word.span())


def table(counts: Mapping[str, Counts]) -> str:
    """Markdown: how many, and the share found."""
    rows = [
        [name, str(c.tp + c.fn), f"{c.recall:.3f}"] for name, c in counts.items()
    ]  # fmt: skip
    return markdown(["slice", "gold", "recall"], rows)
