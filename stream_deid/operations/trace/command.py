"""Prints the history of one note, and what follows from it."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any, TextIO

import orjson

from stream_deid import audit, config, exits
from stream_deid.config import Settings
from stream_deid.errors import Halt
from stream_deid.operations.trace.events import (
    TraceEvent,
    TraceEventKind,
    line,
    moment,
    place,
    place_of,
)
from stream_deid.operations.trace.history import History, NoteHistory, PartitionStanding
from stream_deid.outcome import Source
from stream_deid.streaming.kafka.awaiting import Patience, await_topics
from stream_deid.streaming.observability import logs
from stream_deid.streaming.replay.order import PSEUDONYM, SUFFIX, Bound
from stream_deid.streaming.replay.reading import BrokerView

_MEET_S, _PATIENCE_S = 8.0, 30.0


def main(
    settings: Settings, note: str, since: str | None, *, as_json: bool, out: TextIO | None = None
) -> int:
    """Print everything that is known of a note; 1 where nothing is, or not as it must be.

    `note`: a pseudonym, or coordinates of the input or of an output. Raises `Halt`, `Unavailable`.
    """
    with logs.silenced():
        trace = _look(settings, note, since)
    target = out or sys.stdout
    target.write(told_as_json(trace).decode() if as_json else "".join(told(trace, note)))
    return exits.OK if trace.events and not _strange(trace) else exits.CRASHED


def _strange(trace: NoteHistory) -> bool:
    """Whether something is not what the audit names, or came out twice."""
    twice = any(len(_ends([e for e in trace.events if e.source == s])) > 1 for s in trace.sources)
    return twice or any(event.facts.get("unchanged") is False for event in trace.events)


def _look(settings: Settings, note: str, since: str | None) -> NoteHistory:
    kafka = settings.kafka
    source, since_ms = place_of(note, kafka.topic_in), _since(since)
    if source is None and not PSEUDONYM.fullmatch(note):
        told = f"{note[:40]!r} is neither a place ([TOPIC/]PARTITION/OFFSET) nor a pseudonym"
        raise Halt("replay.order", f"{told} (20 of a to z and 2 to 7, as audit records have them)")
    topics = (kafka.topic_in, kafka.topic_audit, kafka.topic_dead, kafka.topic_out)
    await_topics(kafka, topics, Patience(_MEET_S))
    broker = BrokerView(kafka, _PATIENCE_S)
    try:
        history = History(kafka, broker, _key(settings))
        if source is None:
            return history.of_note(note, since_ms)
        return history.of_place(source, since_ms)
    finally:
        broker.close()


def _key(settings: Settings) -> bytes | None:
    """The key, to compare hashes with; without it that is left out."""
    try:
        return audit.mac_key(config.read_key(settings.keys), settings.keys.tenant)
    except Halt:
        return None


def _since(text: str | None) -> int:
    moment_ms = 0 if text is None else Bound.parse(text).time_ms
    if moment_ms is None:
        raise Halt("replay.range", "--since is a date or a time")
    return moment_ms


def _live(events: list[TraceEvent]) -> list[TraceEvent]:
    """What no replay wrote."""
    return [e for e in events if not e.at.topic.endswith(SUFFIX) and "replay" not in e.facts]


def _ends(events: list[TraceEvent]) -> list[TraceEvent]:
    """How the note came out."""
    return [e for e in _live(events) if e.kind in (TraceEventKind.RELEASED, TraceEventKind.DEAD)]


def told(trace: NoteHistory, note: str) -> Iterator[str]:
    """Lines for a person."""
    if not trace.sources:
        yield f"nothing is known of {note}: no audit record names it (is the audit kept so long?)\n"
    for source in trace.sources:
        events = [event for event in trace.events if event.source == source]
        came = next((e.time_ms for e in events if e.kind is TraceEventKind.RECEIVED), None)
        name = next((e.facts["note_id"] for e in events if "note_id" in e.facts), "")
        yield f"{place(source)}{f', note {name}' if name else ''}\n"
        yield from (f"  {line(event, came)}\n" for event in events)
        yield from (f"  {said}\n" for said in conclusions(source, events, trace.standings[source]))


def conclusions(
    source: Source, events: list[TraceEvent], standing: PartitionStanding
) -> Iterator[str]:
    """What follows from the events and from where the workers are."""
    live, ends = _live(events), _ends(events)
    if standing.nothing:
        yield standing.nothing
    elif source.offset >= standing.end:
        yield f"there is no such record: the partition ends at {standing.end}"
    elif source.offset < standing.begin:
        yield "the message itself was deleted from the input (retention): it can't be replayed"
    elif not any(e.kind is TraceEventKind.RECEIVED for e in events):
        yield "no record is at this offset (a mark of a transaction, or an aborted record)"
    elif standing.committed > source.offset and not ends:
        yield "the workers have passed it, but neither audit nor dead letter is there any more"
    elif standing.committed <= source.offset and not ends:
        before = source.offset - max(standing.committed, standing.begin)
        yield f"it waits: {before} offsets of its partition are before it"
    if standing.tries:
        yield f"it has ended {standing.tries} processes; after three it becomes note.crashes"
    if len(ends) > 1:
        yield f"it came out {len(ends)} times: that must not be; tell us, with this output"
    released = any(e.kind is TraceEventKind.RELEASED for e in live)
    if released and not any(e.kind is TraceEventKind.CLEAN for e in live):
        yield "its clean note was deleted (retention), or its topic was made anew"
    yield from _unlike(events)


def _unlike(events: list[TraceEvent]) -> Iterator[str]:
    """Why something may not be what the audit names."""
    others = [place(e.at) for e in events if e.facts.get("unchanged") is False]
    if others and not any(e.facts.get("unchanged") for e in events):
        yield "nothing is what the audit names: is another key or tenant set here than then?"
    elif others:
        told = "docs/operations.md, Records that nobody of ours wrote"
        yield f"nobody of ours wrote {', '.join(others)}, or its topic was made anew: {told}"


def told_as_json(trace: NoteHistory) -> bytes:
    """A list with an object for each message: `source`, `events`, `conclusions`."""
    body: list[dict[str, Any]] = []
    for source in trace.sources:
        events = [event for event in trace.events if event.source == source]
        body.append(
            {
                "source": place(source),
                "events": [
                    {"kind": e.kind, "at": place(e.at), "time": moment(e.time_ms), **e.facts}
                    for e in events
                ],
                "conclusions": list(conclusions(source, events, trace.standings[source])),
            }
        )
    return orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
