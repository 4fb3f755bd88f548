"""Consistency, collisions, intervals and originals in the output, over a cohort of patients.

Two processes with different hash seeds, one after the other, each replace one note of every
patient of a block: other words, other order, partly other people. What both notes mention must
agree. Blocks run beside each other and their figures are added.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import asdict, replace
from datetime import date
from itertools import combinations
from math import ceil
from os import pathsep
from typing import Any

import orjson

from stream_deid.attack.consistency_worker import ConsistencyJob
from stream_deid.attack.figures import Consistency, Share
from stream_deid.attack.outcome import Advance
from stream_deid.errors import Halt
from stream_deid.lists.lexicon import load_names

BLOCK = 10_000
"""Patients whose rows (about 1 kB each) are held at once; starting a process costs seconds."""

Table = dict[str, Any]


def measure(
    job: ConsistencyJob, advance: Advance, jobs: int = 1, block: int = BLOCK
) -> Consistency:
    """The figures of a cohort, by `jobs` processes at a time; how many doesn't change them.

    A process works on `block` patients at most, all processes on about as many.
    `advance` is called twice for each patient, from several threads. Raises
    `Halt("attack.jobs")` for less than one process and `Halt("attack.observe")` where one fails.
    """
    if jobs < 1:
        raise Halt("attack.jobs", "jobs must be 1 or more")
    out = Consistency()
    rounds = ceil(job.patients / (jobs * block))
    size = ceil(job.patients / (jobs * rounds)) if rounds else block
    with ThreadPoolExecutor(jobs) as pool:
        for figures in pool.map(lambda part: _block(part, advance), blocks(job, size)):
            out.absorb(figures)
    return out


def blocks(job: ConsistencyJob, size: int) -> list[ConsistencyJob]:
    """The job in pieces of `size` patients or fewer, in order."""
    last = job.first + job.patients
    return [
        replace(job, first=first, patients=min(size, last - first))
        for first in range(job.first, last, size)
    ]


def _block(job: ConsistencyJob, advance: Advance) -> Consistency:
    """Run both processes over one block and compare."""
    first = list(_process(replace(job, side=0), "1", advance))
    return compare(first, _process(replace(job, side=1), "2", advance))


def _process(job: ConsistencyJob, hash_seed: str, advance: Advance) -> Iterator[bytes]:
    command = [sys.executable, "-m", "stream_deid.attack.consistency_worker"]
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
        out.names[real, shown] += 1
        _, number, made = a["values"]["mrn"]
        out.numbers[number, made] += 1
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
