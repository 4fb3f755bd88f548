"""From an order to offsets: which records of the input are read, fixed when the replay begins.

A fresh replay takes the ends of its topics as they are and commits them, with where each partition
begins, in one transaction; a replay of the same name finds them there and goes on.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from confluent_kafka import TopicPartition

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.replay.finding import Found, Search, find, search
from stream_deid.streaming.replay.order import Bound, ReplayOrder, ReplayProgress
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange, Picked, Place


@dataclass(frozen=True, slots=True)
class ReplayPlan:
    """`wanted`: what is still to be read; `progress`: of each partition; `gone`: how many records
    that were asked for the broker has deleted; `macs`: of originals that were looked for.
    `places`: everything that the group's offsets have to remember; `fresh`: it isn't there yet;
    `unknown`: pseudonyms that were asked for and that no audit record has.
    """

    wanted: Mapping[Place, OffsetRange | Picked]
    progress: Mapping[Place, ReplayProgress]
    gone: int = 0
    macs: Found = field(default_factory=dict)
    places: tuple[TopicPartition, ...] = ()
    fresh: bool = True
    unknown: tuple[str, ...] = ()

    @property
    def total(self) -> int:
        """How many offsets are to be read; some may hold no record."""
        return sum(len(wanted) for wanted in self.wanted.values())

    @property
    def done_before(self) -> bool:
        """Whether a replay of this name has done all of it."""
        return not self.fresh and not self.total


def make(
    order: ReplayOrder,
    live: Kafka,
    broker: BrokerView,
    digest: str,
    *,
    settled: bool,
    goes_on: bool,
) -> ReplayPlan:
    """The plan of an order, or what is left of it.

    `digest`: of order, release and key (`ReplayOrder.digest`); empty where nothing is written.
    `settled`: no further than the live group has come, so that no note is taken that a worker
    still has before it. `goes_on`: take up what was begun under this name. Raises
    `Halt("replay.other")` where that is another replay, `Halt("replay.expired")` where the broker
    has forgotten a part of it.
    """
    places = [place for place in broker.partitions(live.topic_in) if order.wants(place[1])]
    begun = broker.committed(places) if goes_on else {}
    if begun:
        progress = {place: _own(found, digest) for place, found in begun.items()}
        if any(one.partitions != len(begun) for one in progress.values()):
            raise _expired()
        asked = {p: OffsetRange(begun[p].offset, one.until) for p, one in progress.items()}
        where = _continued(order, live, broker)
    else:
        asked = _asked(order, live, broker, places, settled=settled)
        progress = {p: ReplayProgress(one.until, digest, len(asked)) for p, one in asked.items()}
        where = search(order, live, broker) if order.picks else Search("")
    ends = {place: broker.ends(place) for place in asked}
    kept = _places(asked, progress, where)
    if not order.picks:
        gone = sum(max(0, min(ends[p].start, s.until) - s.start) for p, s in asked.items())
        there = {p: OffsetRange(max(s.start, ends[p].start), s.until) for p, s in asked.items()}
        return ReplayPlan(there, progress, gone, {}, kept, fresh=not begun)
    found, unknown = find(order, live, broker, where)
    left, gone = _picked(found, asked, ends)
    macs = found if order.check_macs else {}
    return ReplayPlan(left, progress, gone, macs, kept, fresh=not begun, unknown=unknown)


def _own(found: TopicPartition, digest: str) -> ReplayProgress:
    progress = ReplayProgress.load(found.metadata)
    if progress is None or (digest and progress.digest != digest):
        raise Halt(
            "replay.other",
            "a replay of this name was begun with other arguments, under another release or "
            "another key; take another --id, or run it as it was begun",
        )
    return progress


def _asked(
    order: ReplayOrder, live: Kafka, broker: BrokerView, places: list[Place], *, settled: bool
) -> dict[Place, OffsetRange]:
    first, last = _offsets(order.first, broker, places), _offsets(order.last, broker, places)
    done = _done(live, places) if settled else {}
    asked = {}
    for place in places:
        ends = broker.ends(place)
        start = first.get(place, 0 if order.picks else ends.start)
        until = min(last.get(place, ends.until), ends.until, done.get(place, ends.until))
        asked[place] = OffsetRange(start, max(start, until))
    return asked


def _offsets(bound: Bound, broker: BrokerView, places: list[Place]) -> dict[Place, int]:
    if bound.time_ms is not None:
        return broker.at_time(places, bound.time_ms)
    named = {place: bound.of(place[1]) for place in places}
    return {place: offset for place, offset in named.items() if offset is not None}


def _done(live: Kafka, places: list[Place]) -> dict[Place, int]:
    """How far the workers have come."""
    offsets = Offsets(live)
    try:
        found = offsets.lag([partition for _, partition in places])
    finally:
        offsets.close()
    return {(live.topic_in, partition): done for partition, (done, _) in found.items()}


def _continued(order: ReplayOrder, live: Kafka, broker: BrokerView) -> Search:
    if not order.picks:
        return Search("")
    now = search(order, live, broker)
    until = broker.committed(now.stretches)
    if not until:
        raise _expired()
    return Search(
        now.topic,
        {p: OffsetRange(s.start, until[p].offset) for p, s in now.stretches.items() if p in until},
    )


def _expired() -> Halt:
    return Halt(
        "replay.expired",
        "the broker has forgotten how far this replay was (offsets.retention.minutes); look into "
        "its outputs, and begin another one behind them",
    )


def _places(
    asked: Mapping[Place, OffsetRange], progress: Mapping[Place, ReplayProgress], where: Search
) -> tuple[TopicPartition, ...]:
    """What the group's offsets hold when the replay goes on."""
    return (
        *(TopicPartition(*p, s.start, progress[p].dump(s.start)) for p, s in asked.items()),
        *(TopicPartition(*p, s.until) for p, s in where.stretches.items()),
    )


def _picked(
    found: Found, asked: Mapping[Place, OffsetRange], ends: Mapping[Place, OffsetRange]
) -> tuple[dict[Place, OffsetRange | Picked], int]:
    """What is there of the notes that were looked for, and how many are not."""
    wanted: dict[Place, OffsetRange | Picked] = {}
    gone = 0
    for place, stretch in asked.items():
        mine = sorted(o for p, o in found if p == place[1] and o >= stretch.start)
        there = ends[place]
        kept = [o for o in mine if there.start <= o < min(there.until, stretch.until)]
        gone += sum(o < min(there.start, stretch.until) or o >= there.until for o in mine)
        wanted[place] = Picked(kept)
    return wanted, gone
