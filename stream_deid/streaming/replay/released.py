"""What was released for a message: looked up by the coordinates that every output carries.

One pass over the headers of the output topics notes where the outputs of each message lie, 8 bytes
for each offset of the range and topic; the outputs themselves are read when they are compared. Of
several outputs of one message the last one counts.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

import numpy as np
from confluent_kafka import Message
from numpy.typing import NDArray

from stream_deid.config import Kafka
from stream_deid.outcome import Source
from stream_deid.streaming.kafka.clients import known
from stream_deid.streaming.kafka.headers import headers_in
from stream_deid.streaming.replay.oddities import Oddities, is_replayed
from stream_deid.streaming.replay.order import Bound
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange, Picked, Place

_DAY_MS = 86_400_000
_OFFSET_BITS = 44
_NOWHERE = -1
_SEVERAL = 1 << 62


@dataclass(slots=True)
class MessageOutputs:
    """The committed outputs of one message; None where there is none (any more). `at`: where its
    clean note lies, or else its dead letter; `keys`: of the records that are there; `replayed`: a
    replay made the note.
    """

    note: bytes | None = field(default=None, repr=False)
    audit: bytes | None = field(default=None, repr=False)
    dead: bytes | None = field(default=None, repr=False)
    at: str = ""
    keys: dict[str, bytes] = field(default_factory=dict, repr=False)
    replayed: bool = False


class OutputsReader:
    """The outputs of the messages in `wanted`. Blocking; one owner."""

    def __init__(
        self,
        live: Kafka,
        broker: BrokerView,
        wanted: Mapping[Place, OffsetRange | Picked],
        since: Bound,
    ) -> None:
        self._broker = broker
        self._topics = {live.topic_out: "note", live.topic_audit: "audit", live.topic_dead: "dead"}
        self._index = {topic: _Index(wanted) for topic in self._topics}
        there = set(broker.partitions(live.topic_in))
        self.oddities = Oddities(
            live.topic_in, lambda place: broker.ends(place).until if place in there else None
        )
        for topic, index in self._index.items():
            self._look_through(topic, index, since)

    @property
    def several(self) -> int:
        """How many messages have more than one clean note, of which the last one counts."""
        (notes,) = (topic for topic, kind in self._topics.items() if kind == "note")
        return self._index[notes].several

    def of(self, sources: Iterable[Source]) -> dict[Source, MessageOutputs]:
        """What was released for each of the messages."""
        found = {source: MessageOutputs() for source in sources}
        for topic, kind in self._topics.items():
            at = {place: s for s in found if (place := self._index[topic].get(s)) is not None}
            wanted: dict[Place, list[int]] = {}
            for partition, offset in sorted(at):
                wanted.setdefault((topic, partition), []).append(offset)
            stream = self._broker.stream({p: Picked(o) for p, o in wanted.items()})
            try:
                while messages := stream.take(500):
                    for message in messages:
                        place = known(message.partition()), known(message.offset())
                        outputs = found[at[place]]
                        setattr(outputs, kind, message.value())
                        outputs.keys[kind] = message.key() or b""
                        outputs.replayed |= kind == "note" and is_replayed(message)
                        if kind == "note" or (kind == "dead" and outputs.note is None):
                            outputs.at = f"{topic}/{place[0]}/{place[1]}"
            finally:
                stream.close()
        return found

    def _look_through(self, topic: str, index: _Index, since: Bound) -> None:
        places = self._broker.partitions(topic)
        early = since.time_ms - _DAY_MS if since.time_ms else None
        first = self._broker.at_time(places, early) if early else {}
        ends = {place: self._broker.ends(place) for place in places}
        stream = self._broker.stream(
            {p: OffsetRange(max(s.start, first.get(p, 0)), s.until) for p, s in ends.items()}
        )
        try:
            while messages := stream.take(500):
                for message in messages:
                    source = source_of(message)
                    again = source is not None and index.put(
                        source, known(message.partition()), known(message.offset())
                    )
                    kind = self._topics[topic]
                    self.oddities.look(message, source, again=again, kind=kind)
        finally:
            stream.close()


class _Index:
    """For each offset of some stretches of the input: a place in one output topic."""

    def __init__(self, wanted: Mapping[Place, OffsetRange | Picked]) -> None:
        self._rows: dict[Place, tuple[int, NDArray[np.int64]]] = {}
        for place, offsets in wanted.items():
            first = offsets.next(0)
            if first is not None:
                end = offsets.until if isinstance(offsets, OffsetRange) else offsets.offsets[-1] + 1
                self._rows[place] = first, np.full(end - first, _NOWHERE, np.int64)

    def put(self, source: Source, partition: int, offset: int) -> bool:
        """Note where an output of a message lies; whether there was one before."""
        first, row = self._rows.get((source.topic, source.partition), (0, None))
        if row is None or not 0 <= source.offset - first < len(row):
            return False
        again = 0 if row[source.offset - first] == _NOWHERE else _SEVERAL
        row[source.offset - first] = again | partition << _OFFSET_BITS | offset
        return again > 0

    def get(self, source: Source) -> tuple[int, int] | None:
        """(partition, offset) in the output topic."""
        first, row = self._rows[source.topic, source.partition]
        at = int(row[source.offset - first])
        if at == _NOWHERE:
            return None
        at &= ~_SEVERAL
        return at >> _OFFSET_BITS, at & ((1 << _OFFSET_BITS) - 1)

    @property
    def several(self) -> int:
        return sum(int(np.count_nonzero(row >= _SEVERAL)) for _, row in self._rows.values())


def source_of(message: Message) -> Source | None:
    """The message that an output was made of, from its header."""
    said = dict(headers_in(message) or ()).get("source")
    if not isinstance(said, bytes):
        return None
    try:
        topic, partition, offset = said.decode().rsplit("/", 2)
        return Source(topic, int(partition), int(offset))
    except ValueError:
        return None
