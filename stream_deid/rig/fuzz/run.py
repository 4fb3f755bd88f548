"""The run: inputs dealt out to processes that are watched, since an input may hang or end one."""

from __future__ import annotations

import math
import multiprocessing
import os
import time
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from multiprocessing.connection import Connection, wait
from pathlib import Path
from typing import Any

from stream_deid.errors import Halt
from stream_deid.outcome import Dead, Released
from stream_deid.rig.fuzz.checks import FuzzFault, faults
from stream_deid.rig.fuzz.messages import FuzzInput, make
from stream_deid.rig.fuzz.samples import Samples, load
from stream_deid.rig.fuzz.subject import Subject
from stream_deid.rig.fuzz.time_limit import Pace

_SPEAK_S = 1.0
_START_S = 240.0
_WARM = 40


@dataclass(frozen=True, slots=True)
class FuzzPlan:
    """What to try: inputs `0 .. count-1` of `seed`, or as many of them as `seconds` allow.

    `slow`: an input may take so many times as long as an ordinary note of its size, and is not
    looked at below `slow_s` seconds. `stuck_s`: a process that finishes no input for so long, by
    the clock (and so with what a busy machine takes from it), is ended. `nice` and `jobs`: of the
    processes. `kinds`: of inputs, all where none is named. `twice`: one input of so many is
    processed a second time.
    """

    seed: int = 1
    count: int = 10_000
    seconds: float = 0.0
    folders: tuple[Path, ...] = ()
    kinds: tuple[str, ...] = ()
    jobs: int = 1
    nice: int = 0
    slow: float = 20.0
    slow_s: float = 1.0
    stuck_s: float = 600.0
    twice: int = 1


@dataclass(slots=True)
class FuzzTally:
    """What came of some inputs. `slowest`: times an ordinary note, number, bytes, seconds."""

    inputs: int = 0
    twice: int = 0
    outcomes: Counter[str] = field(default_factory=Counter)
    slowest: list[tuple[float, int, int, float]] = field(default_factory=list)
    failed: list[tuple[int, int, FuzzFault]] = field(default_factory=list)
    at: int = -1

    def add(self, other: FuzzTally) -> None:
        """Take in what another has counted."""
        self.inputs += other.inputs
        self.twice += other.twice
        self.outcomes += other.outcomes
        self.slowest = sorted([*self.slowest, *other.slowest], reverse=True)[:5]
        self.failed += other.failed


class Bench:
    """One subject with its samples and its pace: looks at inputs one by one."""

    def __init__(self, plan: FuzzPlan, samples: Samples, subject: Subject | None = None) -> None:
        self.plan, self.samples = plan, samples
        self.subject = subject or Subject()
        for number in range(_WARM):  # what is loaded at first use is no input's fault
            self.subject.take(make(0, number, samples))
        self.pace = Pace(self.subject, samples)

    def input(self, number: int) -> FuzzInput:
        """Input `number` of the plan's seed."""
        return make(self.plan.seed, number, self.samples, self.plan.kinds)

    def look(self, one: FuzzInput, tally: FuzzTally) -> list[FuzzFault]:
        """Process an input, twice where its turn is or it took long, count it, and say what is
        wrong.
        """
        first = again = self.subject.take(one)
        twice = one.number // self.plan.jobs % self.plan.twice == 0
        if twice or first.seconds > self.plan.slow_s:
            again = self.subject.take(one)
        found = faults(one, first, again)
        seconds = min(first.seconds, again.seconds)
        multiple = seconds / self.pace.of(len(one.raw))
        if seconds > self.plan.slow_s and multiple > self.plan.slow:
            found.append(FuzzFault("slow", one.kind))
        tally.inputs += 1
        tally.twice += again is not first
        tally.outcomes[_named(first.outcome)] += 1
        tally.slowest.append((multiple, one.number, len(one.raw), seconds))
        tally.failed += [(one.number, len(one.raw), fault) for fault in found]
        return found


def _named(outcome: Released | Dead | None) -> str:
    if outcome is None:
        return "raised"
    return outcome.code if isinstance(outcome, Dead) else "released"


@dataclass(frozen=True, slots=True)
class Task:
    """The share of one process: every `plan.jobs`th input from `first`, but for those `lost`.

    `at` is where it says which input it is at.
    """

    plan: FuzzPlan
    first: int
    lost: frozenset[int]
    at: Any


Progress = Callable[[FuzzTally], None]
Work = Callable[[Task, Connection], None]


def run(plan: FuzzPlan, progress: Progress, job: Work | None = None) -> FuzzTally:
    """Look at every input of the plan; `progress` is called about once a second.

    An input that hangs or ends its process is a fault of its own, and the run goes on without it.
    """
    total = FuzzTally()
    end = time.monotonic() + plan.seconds if plan.seconds else math.inf
    crew = [_Hand(plan, first, job or work) for first in range(plan.jobs)]
    try:
        while (living := [hand for hand in crew if hand.busy]) and time.monotonic() < end:
            ready = wait([hand.pipe for hand in living], timeout=1.0)
            for hand in living:
                for heard in hand.hear(ready=hand.pipe in ready):
                    total.add(heard)
            progress(total)
    finally:
        for hand in crew:
            hand.end()
    return total


class _Hand:
    """One process and what is heard of it; it is replaced when it dies or hangs."""

    def __init__(self, plan: FuzzPlan, first: int, work: Work) -> None:
        self._plan, self._work = plan, work
        self._next = first
        self._lost: set[int] = set()
        self.busy = True
        self._start()

    def _start(self) -> None:
        context = multiprocessing.get_context("spawn")
        self.pipe, theirs = context.Pipe(duplex=False)
        self._at = context.Value("q", -1)
        task = Task(self._plan, self._next, frozenset(self._lost), self._at)
        self._process = context.Process(target=self._work, args=(task, theirs), daemon=True)
        self._process.start()
        theirs.close()
        self._seen, self._since = -1, time.monotonic()

    def hear(self, *, ready: bool) -> Iterator[FuzzTally]:
        """What the process has to say, or what has become of it."""
        try:
            while ready and self.pipe.poll():
                tally = self.pipe.recv()
                if tally is None:
                    self.busy = False
                    return
                self._next = tally.at + self._plan.jobs
                yield tally
        except EOFError:
            self._process.join(10)
            yield self._replaced(FuzzFault("process dies", f"status {self._process.exitcode}"))
        if self._at.value != self._seen:
            self._seen, self._since = self._at.value, time.monotonic()
        elif time.monotonic() - self._since > max(self._plan.stuck_s, _START_S * (self._seen < 0)):
            yield self._replaced(FuzzFault("stuck", f"for {self._plan.stuck_s:g} s"))

    def _replaced(self, fault: FuzzFault) -> FuzzTally:
        """What was not told yet is done again, but for the input at fault."""
        self.end()
        number = int(self._at.value)
        if number < 0:
            raise Halt("fuzz.start", f"a process can't start: {fault}")
        self._lost.add(number)
        self._start()
        return FuzzTally(inputs=1, failed=[(number, 0, fault)])

    def end(self) -> None:
        """End the process, whatever it does."""
        if self._process.is_alive():
            self._process.kill()
        self._process.join(10)


def work(task: Task, pipe: Connection) -> None:
    """Look at the inputs of a task; say every second, and after each fault, what came of them."""
    os.nice(task.plan.nice)
    inspect(task, pipe, Bench(task.plan, load(task.plan.folders)))


def inspect(task: Task, pipe: Connection, bench: Bench) -> None:
    """The same with a bench that is there already."""
    tally, said = FuzzTally(), time.monotonic()
    for number in range(task.first, task.plan.count, task.plan.jobs):
        if number in task.lost:
            continue
        task.at.value = number
        bench.look(bench.input(number), tally)
        tally.at = number
        if tally.failed or time.monotonic() - said > _SPEAK_S:
            pipe.send(tally)
            tally, said = FuzzTally(), time.monotonic()
    if tally.inputs:
        pipe.send(tally)
    pipe.send(None)
