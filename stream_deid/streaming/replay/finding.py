"""Which notes of the input an order means: by pseudonym through the audit, or by dead letter.

The audit and the dead letters name coordinates of the input and keyed hashes of the messages.
Nothing of a note is read for this.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

import orjson
from confluent_kafka import Message

from stream_deid.config import Kafka
from stream_deid.streaming.replay.order import ReplayOrder
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange, Place

Found = dict[tuple[int, int], str]
"""(partition, offset) of the input, and the keyed hash of the message that was there."""


@dataclass(frozen=True, slots=True)
class Search:
    """Where to look: stretches of the audit or of the dead letters, fixed for one replay."""

    topic: str
    stretches: Mapping[Place, OffsetRange] = field(default_factory=dict)


def search(order: ReplayOrder, live: Kafka, broker: BrokerView) -> Search:
    """Everything there is now, since the moment of the order."""
    topic = live.topic_audit if order.dead is None else live.topic_dead
    places = broker.partitions(topic)
    since = broker.at_time(places, order.since_ms) if order.since_ms else {}
    ends = {place: broker.ends(place) for place in places}
    return Search(
        topic,
        {p: OffsetRange(max(s.start, since.get(p, 0)), s.until) for p, s in ends.items()},
    )


def find(
    order: ReplayOrder, live: Kafka, broker: BrokerView, where: Search
) -> tuple[Found, tuple[str, ...]]:
    """The notes of an order, and pseudonyms that no record has; a dead letter that was released
    since is none when the outputs are the live ones, where it would be there twice.
    """
    records = _bodies(broker, where.stretches)
    if order.dead is None:
        met: set[str] = set()
        named = dict(_of(live.topic_in, _by_pseudonym(order, records, met)))
        return named, tuple(sorted({*order.patients, *order.notes} - met))
    codes = set(order.dead)
    found = dict(_of(live.topic_in, (b for _, b in records if not codes or b.get("code") in codes)))
    if order.live and found:
        audits = {p: broker.ends(p) for p in broker.partitions(live.topic_audit)}
        for place, _ in _of(live.topic_in, (body for _, body in _bodies(broker, audits))):
            found.pop(place, None)
    return found, ()


def _by_pseudonym(
    order: ReplayOrder, records: Iterable[tuple[str, dict[str, Any]]], met: set[str]
) -> Iterator[dict[str, Any]]:
    patients, notes = set(order.patients), set(order.notes)
    for key, body in records:
        if here := (patients & {key}) | (notes & {str(body.get("note_id"))}):
            met |= here
            yield body


def _bodies(
    broker: BrokerView, stretches: Mapping[Place, OffsetRange]
) -> Iterator[tuple[str, dict[str, Any]]]:
    """(key, body) of each record; what is no record of ours is passed over."""
    stream = broker.stream(stretches)
    try:
        while messages := stream.take(500):
            for message in messages:
                body = body_of(message)
                if body is not None:
                    yield (message.key() or b"").decode(errors="replace"), body
    finally:
        stream.close()


def body_of(message: Message) -> dict[str, Any] | None:
    """The JSON object of a record; None for anything else."""
    try:
        body = orjson.loads(message.value() or b"")
    except orjson.JSONDecodeError:
        return None
    return body if isinstance(body, dict) else None


def _of(topic: str, bodies: Iterable[dict[str, Any]]) -> Iterator[tuple[tuple[int, int], str]]:
    """Coordinates and hash, of those that came from the topic."""
    for body in bodies:
        source = body.get("source")
        if isinstance(source, dict) and source.get("topic") == topic:
            yield (int(source["partition"]), int(source["offset"])), str(body.get("input_mac", ""))
