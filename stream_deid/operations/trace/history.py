"""Finds the records of one note: in the input, the audit, the dead letters and the clean notes.

By pseudonym the audit is read through; by coordinates everything from a day before the note came.
Clean notes lie in the same transaction as their audit records, and are looked for around its time.
Of values only their length and their keyed hash are looked at, where the key is there.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from confluent_kafka import Message

from stream_deid.audit import keyed_mac
from stream_deid.config import Kafka
from stream_deid.operations.trace.events import TraceEvent, TraceEventKind, of_audit, of_letter
from stream_deid.outcome import Source
from stream_deid.streaming import suspects
from stream_deid.streaming.kafka.clients import known
from stream_deid.streaming.kafka.headers import headers_in
from stream_deid.streaming.replay.finding import body_of
from stream_deid.streaming.replay.order import SUFFIX
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange, Picked, Place
from stream_deid.streaming.replay.released import source_of
from stream_deid.streaming.replay.sending import HEADER

_DAY_MS = 86_400_000
_BEFORE_MS, _AFTER_MS = 10_000, 120_000
"""Around the time of an audit record its transaction's other records are looked for."""
_MANY = 500
_NOBODYS = "it names no message that it was made of: nobody of ours wrote it"


@dataclass(frozen=True, slots=True)
class PartitionStanding:
    """Where the workers are in the note's partition. `tries`: processes that it has ended;
    `begin`, `end`: of the log; `committed` below 0: the group has no offset there; `nothing`: why
    there can be no message at the place.
    """

    begin: int
    end: int
    committed: int
    tries: int = 0
    nothing: str = ""


@dataclass(slots=True)
class NoteHistory:
    """Everything that was found. `macs`: keyed hashes that audits and letters name, by source."""

    events: list[TraceEvent] = field(default_factory=list)
    standings: dict[Source, PartitionStanding] = field(default_factory=dict)
    macs: dict[Source, set[str]] = field(default_factory=dict)

    @property
    def sources(self) -> list[Source]:
        """The messages that it is about."""
        return sorted({event.source for event in self.events} | set(self.standings))


class History:
    """Looks through the topics of these settings. Blocking; one owner."""

    def __init__(self, kafka: Kafka, broker: BrokerView, key: bytes | None) -> None:
        self._kafka, self._broker, self._key = kafka, broker, key
        self._topics = broker.topics()

    def of_note(self, pseudonym: str, since_ms: int) -> NoteHistory:
        """The history of a note by its pseudonym (`note_id` of audit records)."""
        trace = NoteHistory()
        self._audits(trace, since_ms, lambda _, body: body.get("note_id") == pseudonym)
        return self._completed(trace, since_ms)

    def of_place(self, place: Source, since_ms: int) -> NoteHistory:
        """The history of the message at these coordinates of the input, or of the one that the
        output there was made of.
        """
        output = self._output(place)
        source = place if output is None else source_of(output)
        if source is None:
            standing = replace(self._standing(place), nothing=_NOBODYS)
            return NoteHistory(standings={place: standing})
        trace = NoteHistory(standings={source: self._standing(source)})
        came = self._received(trace, source)
        since = max(since_ms, came - _DAY_MS) if came else since_ms
        self._audits(trace, since, lambda found, _: found == source)
        return self._completed(trace, since, output)

    def _output(self, place: Source) -> Message | None:
        """The record at these coordinates of an output topic; None where there is none."""
        outputs = (self._kafka.topic_out, self._kafka.topic_audit, self._kafka.topic_dead)
        if place.topic.removesuffix(SUFFIX) not in outputs:
            return None
        standing = self._standing(place)
        if standing.nothing or not standing.begin <= place.offset < standing.end:
            return None
        found = list(self._read({(place.topic, place.partition): Picked([place.offset])}))
        return found[0] if found else None

    def _completed(
        self, trace: NoteHistory, since_ms: int, output: Message | None = None
    ) -> NoteHistory:
        """What else there is of the messages that are known by now; `output`: a record that is
        known, wherever it lies.
        """
        wanted = set(trace.sources)
        for source in wanted - set(trace.standings):
            trace.standings[source] = self._standing(source)
            self._received(trace, source)
        if wanted:
            self._letters(trace, since_ms, wanted)
            self._clean(trace, wanted, output)
        trace.events = sorted(self._proved(trace), key=lambda e: (e.source, e.time_ms, e.at))
        return trace

    def _standing(self, source: Source) -> PartitionStanding:
        if source.topic not in self._topics:
            return PartitionStanding(0, 0, -1, nothing=f"there is no topic {source.topic}")
        place = source.topic, source.partition
        places = self._broker.partitions(source.topic)
        if place not in places:
            has = f"{source.topic} has no partition {source.partition}"
            return PartitionStanding(0, 0, -1, nothing=f"{has}: it has {len(places)}, from 0 on")
        ends = self._broker.ends(place)
        found = self._broker.committed([place]).get(place)
        tries = suspects.decode(found.metadata) if found else {}
        offset = found.offset if found else -1
        return PartitionStanding(ends.start, ends.until, offset, tries.get(source.offset, 0))

    def _received(self, trace: NoteHistory, source: Source) -> int:
        """Add the message itself, if it is still there; when it came, or 0."""
        standing = trace.standings[source]
        if not standing.begin <= source.offset < standing.end:
            return 0
        place = source.topic, source.partition
        for message in self._read({place: Picked([source.offset])}):
            facts: dict[str, Any] = {"bytes": len(message.value() or b"")}
            if self._key is not None:
                facts["mac"] = keyed_mac(self._key, message.value() or b"")
            trace.events.append(_event(TraceEventKind.RECEIVED, source, message, facts))
            return trace.events[-1].time_ms
        return 0

    def _audits(
        self, trace: NoteHistory, since_ms: int, wanted: Callable[[Source, dict[str, Any]], bool]
    ) -> None:
        for topic in self._variants(self._kafka.topic_audit):
            for source, message, body in self._bodies(topic, since_ms):
                if wanted(source, body):
                    _remember(trace, source, body)
                    facts = of_audit(body) | {"output_mac": str(body.get("output_mac", ""))}
                    trace.events.append(_event(TraceEventKind.RELEASED, source, message, facts))

    def _letters(self, trace: NoteHistory, since_ms: int, wanted: set[Source]) -> None:
        for topic in self._variants(self._kafka.topic_dead):
            for source, message, body in self._bodies(topic, since_ms):
                if source in wanted:
                    _remember(trace, source, body)
                    trace.events.append(
                        _event(TraceEventKind.DEAD, source, message, of_letter(body))
                    )

    def _clean(self, trace: NoteHistory, wanted: set[Source], output: Message | None) -> None:
        audited = [event for event in trace.events if event.kind is TraceEventKind.RELEASED]
        seen: set[Source] = set()
        for audit in audited:
            replayed = audit.at.topic.endswith(SUFFIX)
            topic = self._kafka.topic_out + (SUFFIX if replayed else "")
            if topic not in self._topics:
                continue
            around = self._around(topic, audit.time_ms)
            for message in self._read(around):
                source = source_of(message)
                if source in wanted and (at := _at(message)) not in seen:
                    seen.add(at)
                    trace.events.append(self._clean_one(source, message, audited))
        if output is None or str(output.topic()).removesuffix(SUFFIX) != self._kafka.topic_out:
            return
        if (source := source_of(output)) is not None and _at(output) not in seen:
            trace.events.append(self._clean_one(source, output, audited))

    def _clean_one(self, source: Source, message: Message, audited: list[TraceEvent]) -> TraceEvent:
        value = message.value() or b""
        facts: dict[str, Any] = {"bytes": len(value)}
        if self._key is not None:
            named = {e.facts["output_mac"] for e in audited if e.source == source}
            facts["unchanged"] = keyed_mac(self._key, value) in named
        return _event(TraceEventKind.CLEAN, source, message, facts)

    def _proved(self, trace: NoteHistory) -> Iterator[TraceEvent]:
        """The events, hashes replaced by what they prove."""
        for event in trace.events:
            facts = {k: v for k, v in event.facts.items() if k not in ("mac", "output_mac")}
            named = trace.macs.get(event.source)
            if "mac" in event.facts and named:
                facts["unchanged"] = named == {event.facts["mac"]}
            yield replace(event, facts=facts)

    def _variants(self, topic: str) -> list[str]:
        return [name for name in (topic, topic + SUFFIX) if name in self._topics]

    def _around(self, topic: str, time_ms: int) -> Mapping[Place, OffsetRange]:
        places = self._broker.partitions(topic)
        first = self._broker.at_time(places, time_ms - _BEFORE_MS)
        last = self._broker.at_time(places, time_ms + _AFTER_MS)
        return {place: OffsetRange(first[place], last[place]) for place in places}

    def _bodies(
        self, topic: str, since_ms: int
    ) -> Iterator[tuple[Source, Message, dict[str, Any]]]:
        places = self._broker.partitions(topic)
        first = self._broker.at_time(places, since_ms) if since_ms > 0 else {}
        ends = {place: self._broker.ends(place) for place in places}
        wanted = {p: OffsetRange(max(s.start, first.get(p, 0)), s.until) for p, s in ends.items()}
        for message in self._read(wanted):
            source, body = source_of(message), body_of(message)
            if source is not None and body is not None:
                yield source, message, body

    def _read(self, wanted: Mapping[Place, OffsetRange | Picked]) -> Iterator[Message]:
        stream = self._broker.stream(wanted)
        try:
            while messages := stream.take(_MANY):
                yield from messages
        finally:
            stream.close()


def _remember(trace: NoteHistory, source: Source, body: Mapping[str, Any]) -> None:
    trace.macs.setdefault(source, set()).add(str(body.get("input_mac", "")))


def _at(message: Message) -> Source:
    return Source(str(message.topic()), known(message.partition()), known(message.offset()))


def _event(
    kind: TraceEventKind, source: Source, message: Message, facts: Mapping[str, Any]
) -> TraceEvent:
    replayed = dict(headers_in(message) or ()).get(HEADER)
    more = {"replay": replayed.decode(errors="replace")} if isinstance(replayed, bytes) else {}
    return TraceEvent(kind, source, _at(message), message.timestamp()[1], {**facts, **more})
