"""Messages in a site's own JSON to a `Note`, by one of its maps (`site_map`).

Whole messages of other formats inside are examined as those formats do it (`embedded`).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json, search
from stream_deid.formats.hl7.values.numeric_values import is_number
from stream_deid.formats.identity import patient_key
from stream_deid.formats.json import embedded, fields
from stream_deid.formats.json.embedded import EmbeddedFormat, InnerMessage
from stream_deid.formats.json.patient import known_identifiers
from stream_deid.formats.json.pointed_values import decoded, first, ids, said, strings, tree
from stream_deid.formats.json.site_map import JsonPlace, Map, beside, places
from stream_deid.formats.language import language
from stream_deid.formats.short_values import asks_for_more, counts_days, few_words, tells_weekday
from stream_deid.labels import PhiType
from stream_deid.note import WEEKDAY, Known, Note, Part, Span

_LEAVES = (str, exact_json.ExactNumber, bool, type(None))


@dataclass(frozen=True, slots=True)
class Tree:
    """What `render` needs: the message, decoded, and what goes where.

    `coded`: how what stands at a place was encoded. `parts`: the places of the first parts,
    `searched` of the last ones. `ids`: places of the note's and the patient's id. `kept`: places
    that go out as they came. `inner`: messages of other formats, which `readers` write again.
    """

    body: dict[str, Any] = field(repr=False)
    coded: tuple[tuple[JsonPlace, str], ...] = field(repr=False)
    parts: tuple[JsonPlace, ...] = field(repr=False)
    note_ids: tuple[JsonPlace, ...] = field(repr=False)
    patient_ids: tuple[JsonPlace, ...] = field(repr=False)
    kept: tuple[JsonPlace, ...] = field(repr=False)
    searched: tuple[JsonPlace, ...] = field(repr=False)
    inner: tuple[InnerMessage, ...] = field(repr=False)
    readers: Mapping[str, EmbeddedFormat] = field(repr=False)


def parse(
    text: str, found: Map, *, language_default: str, readers: Mapping[str, EmbeddedFormat]
) -> Note:
    """Read a message that `found` takes; `readers`: the formats of messages inside, by name.

    Raises `NoteRejected`: `json.missing` and `json.type` with the pointer of the map that finds
    nothing, or something else than it should; `json.syntax` for what is not encoded as it says.
    """
    body = tree(text)
    coded = tuple(decoded(body, found))
    note_ids, patient_ids = (ids(body, one) for one in (found.note_id, found.patient_id))
    examined, dated = list(_examined(body, found)), list(_dated(body, found))
    own = [*examined, *((place, part) for place, part, _ in dated)]
    kept = _kept(body, found)
    inner = _inner(body, found, readers, len(own))
    if not examined and not inner:
        raise _nothing(found)
    told = [one.note for one in inner]
    stated = patient_key(said(patient_ids))
    patient_id = stated or next((one.patient_id for one in told if one.patient_id), "")
    apart = not stated and len(inner) > 1
    known = (
        *_facts(body, found),
        *fields.numbers(said(patient_ids), note=False),
        *(known for one in inner for known in embedded.known_of(one, patient_id, apart=apart)),
    )
    stays, searched = _searched(kept, known)
    return Note(
        note_id=said(note_ids) or told[0].note_id,
        patient_id=patient_id,
        parts=(
            *(part for _, part in own),
            *(part for one in inner for part in embedded.parts_of(one, patient_id, apart=apart)),
            *(part for _, part in searched),
        ),
        language=language(first(body, found.language))
        or next((one.language for one in told if one.language), language_default),
        known=tuple(dict.fromkeys(known)),
        note_type=fields.note_type(first(body, found.note_type)),
        written_on=_first_day([*(day for *_, day in dated), *(one.written_on for one in told)]),
        envelope=Tree(
            body, coded, tuple(place for place, _ in own), note_ids, patient_ids, stays,
            tuple(place for place, _ in searched), tuple(inner), readers,
        ),
        withheld=("(other)", *embedded.withheld_of(inner)),
    )  # fmt: skip


def _nothing(found: Map) -> NoteRejected:
    """A message in which no pointer of the map finds anything to examine."""
    nowhere = ", ".join((*found.texts, *found.results, *found.messages))
    return NoteRejected("json.missing", f"nothing stands at {nowhere}")


def _examined(body: dict[str, Any], found: Map) -> Iterator[tuple[JsonPlace, Part]]:
    """Texts, then what may be results of a few words: where, and as a part."""
    for pointer in found.texts:
        for place in strings(body, pointer):
            yield place, Part(place.value, place.pointer)
    for pointer, name in found.results.items():
        for place in strings(body, pointer):
            yield place, _result(body, place, name)


def _dated(body: dict[str, Any], found: Map) -> Iterator[tuple[JsonPlace, Part, date | None]]:
    """The dates of a message: where, as a part, and the day that each says."""
    for pointer in found.dates:
        for place in strings(body, pointer):
            if (made := fields.timestamp(place.value, place.pointer)) is not None:
                yield (place, *made)


def _result(body: dict[str, Any], place: JsonPlace, name: str) -> Part:
    """A value that may be a result of a few words; `name`: where the name of its test stands."""
    asked = first(body, beside(name, place)) if name else ""
    if tells_weekday(place.value, asked):
        return Part(place.value, place.pointer, examine=False, role=WEEKDAY)
    if counts_days(asked) and is_number(place.value):
        number = Span(0, len(place.value), PhiType.IDNUM)
        return Part(place.value, place.pointer, examine=False, declared=(number,))
    coded = few_words(place.value) and not asks_for_more(asked)
    return Part(place.value, place.pointer, coded=coded, asked=asked)


def _kept(body: dict[str, Any], found: Map) -> list[JsonPlace]:
    """The single values that the map keeps."""
    return [
        place
        for pointer in found.keep
        for place in places(body, pointer)
        if isinstance(place.value, _LEAVES)
    ]


@dataclass(frozen=True, slots=True)
class _KeptString:
    """A string that the map keeps."""

    place: JsonPlace
    public: bool = False

    @property
    def text(self) -> str:
        return str(self.place.value)


def _searched(
    kept: Sequence[JsonPlace], known: Sequence[Known]
) -> tuple[tuple[JsonPlace, ...], list[tuple[JsonPlace, Part]]]:
    """What stays of what the map keeps, and the strings in which the message's own known values
    or identifiers of fixed form stand.
    """
    strings = [_KeptString(place) for place in kept if isinstance(place.value, str)]
    own = search.numbers(known)
    searched = [
        (one.place, Part(one.text, one.place.pointer, examine=False, declared=tuple(spans)))
        for one, spans in search.hits(strings, known, dated=False)
    ]
    gone = {id(place) for place, _ in searched} | {
        id(place)
        for place in kept
        if isinstance(place.value, exact_json.ExactNumber)
        and search.is_known(place.value.text, own)
    }
    return tuple(place for place in kept if id(place) not in gone), searched


def _first_day(days: Sequence[date | None]) -> date | None:
    return next((day for day in days if day is not None), None)


def _inner(
    body: dict[str, Any], found: Map, readers: Mapping[str, EmbeddedFormat], at: int
) -> list[InnerMessage]:
    """The messages inside; their parts begin `at` so many of the note."""
    read: list[InnerMessage] = []
    for pointer, coding in found.messages.items():
        for place in places(body, pointer):
            if place.value is not None:
                read.append(embedded.read(place, coding, readers, at))
                at += len(read[-1].note.parts)
    return read


def _facts(body: dict[str, Any], found: Map) -> Iterator[Known]:
    if found.facts:
        for place in places(body, found.facts):
            if not isinstance(place.value, dict):
                raise NoteRejected("json.type", f"what stands at {found.facts} is no object")
            yield from known_identifiers(exact_json.plain(place.value))
    own: dict[str, Any] = {}
    for name, pointer in found.patient.items():
        values = [exact_json.plain(place.value) for place in places(body, pointer)]
        if values:
            own[name] = values if len(values) > 1 else values[0]
    yield from known_identifiers(own)
