"""Consistency, collisions, intervals and originals in the output, over a cohort of patients.

Two processes with different hash seeds, one after the other, each replace one note of every
patient: other words, other order, partly other people. What both notes mention must agree.
"""

from __future__ import annotations

import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from dataclasses import asdict, dataclass, field, replace
from datetime import date
from itertools import combinations
from os import pathsep
from typing import Any

import orjson

from stream_deid.attack.observe import Job
from stream_deid.errors import Halt
from stream_deid.surrogate.lexicon import load_names

Advance = Callable[[], object]
Table = dict[str, Any]


@dataclass(slots=True)
class Share:
    """`kept` of `total`."""

    kept: int = 0
    total: int = 0

    def add(self, *, kept: bool) -> None:
        self.kept += kept
        self.total += 1


@dataclass(slots=True)
class Consistency:
    """The figures of a cohort.

    `same`: share of things that both notes mention which have one surrogate, by kind.
    `merged_in_note`, `merged_over_notes`: pairs of different name parts of one patient with one
    surrogate, of all such pairs, by where they stand. `merged_people`: likewise whole names.
    `intervals`: pairs of dates of a patient whose distance in days is kept.
    `spans`: by kind. `own`, `shown`: those whose value stands in their replacement, or in the note.
    `shared_names`, `shared_numbers`: (pairs of patients that share it before, after).
    `same_to_same`: pairs of patients with one real name that also share the surrogate.
    """

    patients: int = 0
    generalised: int = 0
    same: dict[str, Share] = field(default_factory=dict)
    merged_in_note: Share = field(default_factory=Share)
    merged_over_notes: dict[str, Share] = field(default_factory=dict)
    merged_people: Share = field(default_factory=Share)
    intervals: Share = field(default_factory=Share)
    spans: Counter[str] = field(default_factory=Counter)
    own: Counter[str] = field(default_factory=Counter)
    shown: Counter[str] = field(default_factory=Counter)
    shared_names: tuple[int, int] = (0, 0)
    shared_numbers: tuple[int, int] = (0, 0)
    same_to_same: int = 0


def measure(job: Job, advance: Advance) -> Consistency:
    """Run both processes and compare; `advance` is called twice for each patient.

    Raises `Halt("attack.observe")` where a process fails.
    """
    first = list(_process(replace(job, side=0), "1", advance))
    return compare(first, _process(replace(job, side=1), "2", advance))


def _process(job: Job, hash_seed: str, advance: Advance) -> Iterator[bytes]:
    command = [sys.executable, "-m", "stream_deid.attack.observe"]
    environment = {"PYTHONHASHSEED": hash_seed, "PYTHONPATH": pathsep.join(sys.path)}
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, env=environment) as process:  # noqa: S603
        assert process.stdin is not None
        assert process.stdout is not None
        process.stdin.write(orjson.dumps(asdict(job)) + b"\n")
        process.stdin.close()
        for line in process.stdout:
            advance()
            yield line
    if process.returncode:
        raise Halt("attack.observe", f"the observing process ended with {process.returncode}")


def compare(first: Iterable[bytes], second: Iterable[bytes]) -> Consistency:
    """The figures from the rows of both processes, in the order of the patients."""
    out = Consistency()
    names: Counter[tuple[str, str]] = Counter()
    numbers: Counter[tuple[str, str]] = Counter()
    for one, other in zip(first, second, strict=True):
        a, b = orjson.loads(one), orjson.loads(other)
        out.patients += 1
        for row in (a, b):
            out.spans.update(row["spans"])
            out.own.update(row["own"])
            out.generalised += row["generalised"]
            out.shown.update(row["shown"])
        _same(out, a, b)
        _merged(out, a, b)
        _intervals(out, a["dates"] | b["dates"])
        real, shown = a["people"]["patient"]
        names[real, shown] += 1
        _, number, made = a["values"]["mrn"]
        numbers[number, made] += 1
    out.shared_names = (_pairs(names, 0), _pairs(names, 1))
    out.shared_numbers = (_pairs(numbers, 0), _pairs(numbers, 1))
    out.same_to_same = sum(n * (n - 1) // 2 for n in names.values())
    return out


def _same(out: Consistency, a: Table, b: Table) -> None:
    lists = load_names()
    for part in a["parts"].keys() & b["parts"].keys():
        kind = "name parts, listed" if part in lists else "name parts, unlisted"
        out.same.setdefault(kind, Share()).add(kept=a["parts"][part] == b["parts"][part])
    for key in a["people"].keys() & b["people"].keys():
        kept = a["people"][key] == b["people"][key]
        out.same.setdefault("whole names", Share()).add(kept=kept)
    for key in a["values"].keys() & b["values"].keys():
        kept = a["values"][key] == b["values"][key]
        out.same.setdefault(f"{a['values'][key][0]}s", Share()).add(kept=kept)


def _merged(out: Consistency, a: Table, b: Table) -> None:
    lists = load_names()
    for row in (a, b):
        for (_, one), (_, two) in combinations(row["parts"].items(), 2):
            out.merged_in_note.add(kept=one == two)
    for x in a["parts"].keys() - b["parts"].keys():
        for y in b["parts"].keys() - a["parts"].keys():
            kind = "both listed" if x in lists and y in lists else "one or both unlisted"
            merged = a["parts"][x] == b["parts"][y]
            out.merged_over_notes.setdefault(kind, Share()).add(kept=merged)
    people = {tuple(v) for v in (*a["people"].values(), *b["people"].values())}
    for (real, shown), (other, other_shown) in combinations(sorted(people), 2):
        if real != other:
            out.merged_people.add(kept=shown == other_shown)


def _intervals(out: Consistency, dates: dict[str, tuple[str, str]]) -> None:
    for (before, after), (other, other_after) in combinations(dates.values(), 2):
        kept = bool(after and other_after) and _days(before, other) == _days(after, other_after)
        out.intervals.add(kept=kept)


def _days(one: str, other: str) -> int:
    return (date.fromisoformat(other) - date.fromisoformat(one)).days


def _pairs(values: Counter[tuple[str, str]], side: int) -> int:
    """Pairs of patients that share a value: `side` 0 before replacement, 1 after."""
    counts: Counter[str] = Counter()
    for value, n in values.items():
        counts[value[side]] += n
    return sum(n * (n - 1) // 2 for n in counts.values())
