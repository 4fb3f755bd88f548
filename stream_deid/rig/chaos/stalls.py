"""How long partitions stood still, and after what."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from stream_deid.rig.chaos.plan import STEADY, Bounds


@dataclass(frozen=True, slots=True)
class Event:
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


def stalls(found: Sequence[Wait], events: Sequence[Event], bounds: Bounds) -> list[Stall]:
    """What each wait is put down to: the last event before its end that may still be felt.

    It is over its bound where every bound that began before its end has passed: of the wait itself
    and of all events, each from when what was killed answered again.
    """
    ordered = sorted(events, key=lambda e: e.at)
    moments = [event.at for event in ordered]
    return [_stall(one, ordered[: bisect_left(moments, one.done)], bounds) for one in found]


def _stall(one: Wait, before: Sequence[Event], bounds: Bounds) -> Stall:
    size = one.size / bounds.bytes_a_second
    felt = [e for e in before if e.until + bounds.of(e.kind) + size > one.since]
    last = max(felt, key=lambda e: e.until, default=None)
    ends = [one.since + bounds.steady, *(e.until + bounds.of(e.kind) for e in before)]
    since = one.since if last is None else max(one.since, min(last.until, one.done))
    return Stall(
        one.partition,
        STEADY if last is None else last.kind,
        one.done - since,
        one.done > max(ends) + size,
    )
