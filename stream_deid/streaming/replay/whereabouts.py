"""Where the input's records lie, for who asked for a range that holds none."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime

from stream_deid.config import Kafka
from stream_deid.streaming.replay.order import ReplayOrder
from stream_deid.streaming.replay.plan import ReplayPlan
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange, Place

_NEAR = 10
"""So many offsets are looked at for a record: markers of transactions have offsets too."""


def whereabouts(
    order: ReplayOrder, live: Kafka, broker: BrokerView, plan: ReplayPlan, *, settled: bool
) -> Iterator[str]:
    """That nothing of the order is there, then a line for each partition that was looked into.

    `settled`: as for `plan.make`.
    """
    what = "nothing lies in the range"
    if order.picks:
        what = "none of the notes asked for lies in the range"
    if order.dead is not None and order.live:
        what += ", or all of them were released since"
    if not plan.progress:
        yield f"{what}: no partition of {live.topic_in} belongs to it"
        return
    yield what
    ends = {place: broker.ends(place) for place in sorted(plan.progress)}
    heads = {p: OffsetRange(s.start, min(s.start + _NEAR, s.until)) for p, s in ends.items()}
    tails = {p: OffsetRange(max(s.start, s.until - _NEAR), s.until) for p, s in ends.items()}
    first, last = _times(broker, heads), _times(broker, tails)
    for place, stretch in ends.items():
        name = f"{place[0]}/{place[1]}"
        if not stretch:
            yield f"{name} is empty; its next offset is {stretch.until}"
            continue
        told = f"{name} holds offsets {stretch.start} to {stretch.until - 1}"
        if place in first and place in last:
            told += f", recorded {_told(first[place][0])} to {_told(last[place][-1])}"
        yield told
    if settled:
        yield f"no note is taken that the workers of {live.group} have not done yet"


def _times(broker: BrokerView, wanted: Mapping[Place, OffsetRange]) -> dict[Place, list[int]]:
    """When the records of some stretches were recorded, in milliseconds, ascending."""
    stream = broker.stream(wanted)
    found: dict[Place, list[int]] = {}
    try:
        for message in stream.take(_NEAR * len(wanted)):
            place = str(message.topic()), int(message.partition() or 0)
            found.setdefault(place, []).append(message.timestamp()[1])
    finally:
        stream.close()
    return {place: sorted(times) for place, times in found.items()}


def _told(time_ms: int) -> str:
    return datetime.fromtimestamp(time_ms / 1000, UTC).strftime("%Y-%m-%dT%H:%M:%SZ")
