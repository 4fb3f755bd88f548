"""What one process sees of a cohort's surrogates.

Run as `python -m stream_deid.attack.consistency_worker`: a job comes as one JSON line on standard
input, a row for each patient goes as one JSON line to
standard output. `consistency` compares the rows of two such processes with different hash seeds.
"""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import asdict, dataclass, field
from datetime import date, datetime
from pathlib import Path
from typing import Any

import orjson

from stream_deid import unsaid
from stream_deid.attack.cohort import (
    DATE_FORMATS,
    CohortMention,
    NameSource,
    Written,
    chart_note,
    patient,
)
from stream_deid.note import Edit
from stream_deid.surrogate import Policy, Surrogates, rewrite
from stream_deid.surrogate.names.affixes import parts_of
from stream_deid.text.canonical import canonical, words
from stream_deid.text.folding import fold

WHOLE = "value as written"


@dataclass(frozen=True, slots=True)
class ConsistencyJob:
    """`patients` of a cohort, from number `first` on.

    `side` chooses which of a patient's two notes; `census` a folder of name lists or "".
    """

    patients: int
    seed: int
    side: int
    key: str = field(repr=False)
    census: str = ""
    first: int = 0


@dataclass(slots=True)
class ConsistencyRow:
    """What one note showed. Original values are in it: a row never leaves the measurement.

    `parts`: canonical name part to its surrogate. `people`: key to (original, surrogate) name.
    `values`: key to (kind, original, surrogate) of numbers and places. `dates`: key to ISO days
    before and after. `spans`: by kind. `own`, `shown`: those whose value, or for names any word
    of it, stands in their own replacement, or anywhere in the released note; `own` counts whole
    values too.
    """

    parts: dict[str, str] = field(default_factory=dict, repr=False)
    people: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    values: dict[str, tuple[str, str, str]] = field(default_factory=dict, repr=False)
    dates: dict[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    generalised: int = 0
    spans: dict[str, int] = field(default_factory=dict)
    own: dict[str, int] = field(default_factory=dict)
    shown: dict[str, int] = field(default_factory=dict)


def rows(job: ConsistencyJob) -> Iterator[ConsistencyRow]:
    """A row for each patient of the job, in order."""
    names = NameSource(Path(job.census) if job.census else None)
    maker = Surrogates(Policy.named(), bytes.fromhex(job.key))
    for number in range(job.first, job.first + job.patients):
        yield observed(maker, chart_note(patient(number, job.seed, names), job.side))


def observed(maker: Surrogates, written: Written) -> ConsistencyRow:
    """The row of one note."""
    (edits,) = maker.edits(written.note, [written.findings])
    text = rewrite(written.note.parts[0].text, edits)
    row = ConsistencyRow()
    spans: Counter[str] = Counter()
    own: Counter[str] = Counter()
    shown: Counter[str] = Counter()
    for mention, edit in zip(written.mentions, edits, strict=True):
        spans[mention.kind] += 1
        own[mention.kind] += holds(edit.replacement, mention)
        own[WHOLE] += stands(fold(mention.value), fold(edit.replacement))
        shown[mention.kind] += holds(text, mention)
        _note(row, mention, edit)
    row.spans, row.own, row.shown = dict(spans), dict(own), dict(shown)
    return row


def holds(text: str, mention: CohortMention) -> bool:
    """Whether the value of a mention stands in a text as whole words, without regard to case.

    A name counts where any of its words stands.
    """
    if mention.kind == "name":
        shown = {w.key for w in words(text)}
        return any(w.key in shown for w in words(mention.value))
    return stands(fold(mention.value), fold(text))


def stands(value: str, text: str) -> bool:
    """Whether `value` stands in `text` with no letter or digit beside it."""
    at = text.find(value)
    while at >= 0:
        edges = text[max(at - 1, 0) : at] + text[at + len(value) : at + len(value) + 1]
        if not any(c.isalnum() for c in edges):
            return True
        at = text.find(value, at + 1)
    return False


def _note(row: ConsistencyRow, mention: CohortMention, edit: Edit) -> None:
    made = edit.replacement
    if mention.kind == "name":
        before, after = _parts(mention.value), _parts(made)
        row.people[mention.key] = (" ".join(sorted(before)), " ".join(sorted(after)))
        if len(before) == len(after):
            row.parts |= dict(zip(before, after, strict=True))
    elif mention.kind == "date":
        if edit.strategy == "generalise":
            row.generalised += 1
        else:
            row.dates[mention.key] = (_iso(mention.value, mention.form), _iso(made, mention.form))
    else:
        same = canonical if mention.kind == "number" else fold
        row.values[mention.key] = (mention.kind, same(mention.value), same(made))


def _parts(name: str) -> list[str]:
    return [canonical(w.text) for w in parts_of(name)]


def _iso(text: str, form: str) -> str:
    """The day that a date means, or nothing where it can't be read in any of the formats."""
    for pattern in (form, *DATE_FORMATS, "%b %d, %Y", "%d %B %Y"):
        with suppress(ValueError):
            return day(text, pattern).isoformat()
    return ""


def day(text: str, form: str) -> date:
    """The day of a date in a format of `strptime`; raises `ValueError`."""
    return datetime.strptime(text, form).date()  # noqa: DTZ007 - days have no time zone


def main() -> int:
    """Read the job, write the rows."""
    table: dict[str, Any] = orjson.loads(sys.stdin.buffer.readline())
    out = sys.stdout.buffer
    for row in rows(ConsistencyJob(**table)):
        out.write(orjson.dumps(asdict(row)) + b"\n")
    return 0


if __name__ == "__main__":
    unsaid.reduce()
    raise SystemExit(main())
