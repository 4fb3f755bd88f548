"""`stream-deid fuzz`: hostile messages through the whole pure path, and an account of it."""

from __future__ import annotations

import sys
import time
from dataclasses import dataclass, replace
from pathlib import Path

from stream_deid import atomic, ending, exits
from stream_deid.outcome import Dead, Released
from stream_deid.rig.fuzz.checks import CANARY_RELEASED, FuzzFault
from stream_deid.rig.fuzz.messages import FuzzInput
from stream_deid.rig.fuzz.run import Bench, FuzzPlan, FuzzTally, run
from stream_deid.rig.fuzz.samples import load
from stream_deid.rig.fuzz.shrink import shrunk

_TELL_S = 10.0
_SHOWN = 600


@dataclass(frozen=True, slots=True)
class FuzzOrder:
    """A plan, or `only` one input of it; `keep`: a folder for inputs that show a fault."""

    plan: FuzzPlan
    only: int = -1
    keep: Path | None = None


def main(order: FuzzOrder) -> int:
    """Try everything that the order names; 0 where all of it held, else 1."""
    ending.on_signal(ending.leave)
    if order.only >= 0:
        return _one(order)
    began = time.monotonic()
    total = run(order.plan, _Teller(order.plan, began).tell)
    lines = [
        f"{'inputs':<26}{total.inputs} in {time.monotonic() - began:.0f} s, seed {order.plan.seed}"
    ]
    lines.append(f"{'of these twice':<26}{total.twice}")
    lines += [f"{name:<26}{number}" for name, number in total.outcomes.most_common()]
    lines += [
        f"{'slowest':<26}{multiple:.1f} times an ordinary note: {seconds * 1000:.0f} ms for "
        f"{size} bytes (--only {number})"
        for multiple, number, size, seconds in total.slowest
    ]
    _say(lines)
    return _report(order, total)


class _Teller:
    """Says on standard error how far the run is and what is new, every ten seconds."""

    def __init__(self, plan: FuzzPlan, began: float) -> None:
        self._plan, self._began, self._told = plan, began, began
        self._faults: set[FuzzFault] = set()

    def tell(self, tally: FuzzTally) -> None:
        now = time.monotonic()
        if now - self._told < _TELL_S:
            return
        self._told = now
        for number, _, fault in tally.failed:
            if fault not in self._faults:
                self._faults.add(fault)
                sys.stderr.write(f"WRONG {fault} (--only {number})\n")
        rate = tally.inputs / (now - self._began)
        sys.stderr.write(
            f"{tally.inputs} of {self._plan.count}, {rate:.0f}/s, {len(tally.failed)} faults\n"
        )
        sys.stderr.flush()


def _report(order: FuzzOrder, total: FuzzTally) -> int:
    """Every kind of fault with the smallest input that showed it, made smaller still."""
    if not total.inputs:
        _say(["WRONG: nothing was tried"])
        return exits.CRASHED
    if not total.failed:
        _say(["nothing wrong"])
        return exits.OK
    by_fault: dict[FuzzFault, list[tuple[int, int]]] = {}
    for number, size, fault in total.failed:
        by_fault.setdefault(fault, []).append((size, number))
    bench = _bench(order)
    for fault, places in sorted(by_fault.items(), key=lambda item: -len(item[1])):
        number = min(places)[1]
        again = f"--seed {order.plan.seed} --only {number}"
        _say([f"WRONG {len(places):>6} times: {fault} ({again})"])
        if fault.what not in ("stuck", "process dies"):
            _say(_smallest(order, bench, bench.input(number), fault))
    return exits.CRASHED


def _bench(order: FuzzOrder) -> Bench:
    """One that looks twice at everything: a fault is to be shown again."""
    return Bench(replace(order.plan, twice=1), load(order.plan.folders))


def _one(order: FuzzOrder) -> int:
    bench = _bench(order)
    one, tally = bench.input(order.only), FuzzTally()
    found = bench.look(one, tally)
    (multiple, *_, seconds), outcome = tally.slowest[0], bench.subject.take(one).outcome
    end = outcome.code if isinstance(outcome, Dead) else type(outcome).__name__.lower()
    assert isinstance(outcome, (Released, Dead)) or found
    pace = f"{end} in {seconds * 1000:.0f} ms, {multiple:.1f} times an ordinary note"
    _say([f"{one.kind}, {one.policy}, {len(one.raw)} bytes: {pace}"])
    for fault in found:
        _say([f"WRONG {fault}", *_smallest(order, bench, one, fault)])
    if order.keep:
        _write(order.keep, f"{one.seed}-{one.number}", one.raw)
    return exits.CRASHED if found else exits.OK


def _smallest(order: FuzzOrder, bench: Bench, one: FuzzInput, fault: FuzzFault) -> list[str]:
    """The message shrunk as far as it still shows the fault; it is invented, so it may be shown."""

    def shows(raw: bytes) -> bool:
        return fault in bench.look(replace(one, raw=raw), FuzzTally())

    # without the words that tell a canary it would be no fault that it stays
    small = one.raw if fault.what == CANARY_RELEASED else shrunk(one.raw, shows)
    if order.keep:
        _write(order.keep, f"{one.seed}-{one.number}", one.raw)
        _write(order.keep, f"{one.seed}-{one.number}.small", small)
    return [f"      {len(small)} bytes, {one.policy}: {ascii(small)[:_SHOWN]}"]


def _write(folder: Path, name: str, raw: bytes) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    atomic.write(folder / name, raw)


def _say(lines: list[str]) -> None:
    sys.stdout.write("".join(f"{line}\n" for line in lines))
    sys.stdout.flush()
