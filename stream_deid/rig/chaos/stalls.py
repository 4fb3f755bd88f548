"""How long partitions stood still, and after what."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest

from stream_deid.rig.chaos.plan import STEADY, Bounds


@dataclass(frozen=True, slots=True)
class ChaosEvent:
    """Something done to the stream at `at`; `until`: when what was killed answers again."""

    kind: str
    at: float
    until: float


@dataclass(frozen=True, slots=True)
class Wait:
    """A note at the head of its partition: `since` when it was the next to be released there
    (it was sent and the one before it was out), `done` when it was out, in monotonic seconds.
    """

    partition: int
    since: float
    done: float
    size: int


@dataclass(frozen=True, slots=True)
class Stall:
    """A partition without a release for `seconds` after an event of a kind; `over`: too long."""

    partition: int
    kind: str
    seconds: float
    over: bool


def waits(
    sent: Mapping[tuple[int, int], tuple[float, int]],
    done: Mapping[tuple[int, int], float],
    now: float,
) -> Iterator[Wait]:
    """The wait of every note, from when each (partition, offset) was sent, with its size, and when
    it was out; what is not out yet waits until `now`, and what is behind it is no wait of its own.
    """
    before: dict[int, float] = {}
    for partition, offset in sorted(sent):
        at, size = sent[partition, offset]
        since = max(at, before.get(partition, at))
        out = done.get((partition, offset), now)
        yield Wait(partition, since, max(out, since), size)
        before[partition] = max(out, since)


def stalls(found: Iterable[Wait], events: Sequence[ChaosEvent], bounds: Bounds) -> list[Stall]:
    """The waits by the events that fell into them or may still have been felt when they began.

    A wait counts for an event from when what was killed answered again until the next event. It is
    over its bound where its time had passed before it ended: it has `bounds.steady`, and each event
    that came before its time had passed gives it a time anew. An event that comes too late for that
    (the SIGCONT of a worker whose partitions nobody took over) is no excuse.
    """
    ordered = sorted(events, key=lambda e: e.at)
    moments = [event.at for event in ordered]
    return [
        stall
        for one in found
        for stall in _stalls(one, ordered[: bisect_left(moments, one.done)], bounds)
    ]


def _stalls(one: Wait, before: Sequence[ChaosEvent], bounds: Bounds) -> Iterator[Stall]:
    size = one.size / bounds.bytes_a_second
    ends = [e.until + bounds.of(e.kind) + size for e in before]
    time_up = one.since + bounds.steady + size
    for event, end in zip(before, ends, strict=True):
        if event.at <= time_up:
            time_up = max(time_up, end)
    felt = [e for e, end in zip(before, ends, strict=True) if end > one.since]
    over = one.done > time_up
    if not felt:
        yield Stall(one.partition, STEADY, one.done - one.since, over)
    for event, following in zip_longest(felt, felt[1:]):
        until = one.done if following is None else min(one.done, following.at)
        seconds = until - max(one.since, min(event.until, until))
        yield Stall(one.partition, event.kind, max(0.0, seconds), over and following is None)
