"""Messages in a site's own JSON to a `Note` and back, by one of its maps (`site_map`).

Out: the same message with clean text, pseudonymous ids and shifted dates where the map names
them, what the map keeps as it came, and nothing else. Whole messages of other formats inside are
examined as those formats do it (`embedded`).
"""

from __future__ import annotations

import base64
import binascii
import copy
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any

from stream_deid.budget import check
from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json, search
from stream_deid.formats.hl7.values.numeric_values import is_number
from stream_deid.formats.identity import patient_key
from stream_deid.formats.json import embedded, fields
from stream_deid.formats.json.embedded import EmbeddedFormat, InnerMessage
from stream_deid.formats.json.patient import known_identifiers
from stream_deid.formats.json.site_map import Container, JsonPlace, Map, beside, places
from stream_deid.formats.language import language
from stream_deid.formats.short_values import asks_for_more, counts_days, few_words, tells_weekday
from stream_deid.labels import PhiType
from stream_deid.note import WEEKDAY, Deidentified, Known, Note, Part, Span

_GONE: Any = object()
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
    body = _tree(text)
    coded = tuple(_decoded(body, found))
    note_ids, patient_ids = (_ids(body, one) for one in (found.note_id, found.patient_id))
    texts = [place for pointer in found.texts for place in _strings(body, pointer)]
    results = [
        (place, _result(body, place, name))
        for pointer, name in found.results.items()
        for place in _strings(body, pointer)
    ]
    dated = list(_dated(body, found))
    kept = [
        place
        for pointer in found.keep
        for place in places(body, pointer)
        if isinstance(place.value, _LEAVES)
    ]
    inner = _inner(body, found, readers, len(texts) + len(results) + len(dated))
    if not texts and not results and not inner:
        raise _nothing(found)
    told = [one.note for one in inner]
    stated = patient_key(_said(patient_ids))
    patient_id = stated or next((one.patient_id for one in told if one.patient_id), "")
    apart = not stated and len(inner) > 1
    known = (
        *_facts(body, found),
        *fields.numbers(_said(patient_ids), note=False),
        *(known for one in inner for known in embedded.known_of(one, patient_id, apart=apart)),
    )
    stays, searched = _searched(kept, known)
    return Note(
        note_id=_said(note_ids) or told[0].note_id,
        patient_id=patient_id,
        parts=(
            *(Part(place.value, place.pointer) for place in texts),
            *(part for _, part in results),
            *(part for _, part, _ in dated),
            *(part for one in inner for part in embedded.parts_of(one, patient_id, apart=apart)),
            *(part for _, part in searched),
        ),
        language=language(_first(body, found.language))
        or next((one.language for one in told if one.language), language_default),
        known=tuple(dict.fromkeys(known)),
        note_type=fields.note_type(_first(body, found.note_type)),
        written_on=_first_day([*(day for *_, day in dated), *(one.written_on for one in told)]),
        envelope=Tree(
            body, coded,
            (*texts, *(place for place, _ in results), *(place for place, *_ in dated)),
            note_ids, patient_ids, stays,
            tuple(place for place, _ in searched), tuple(inner), readers,
        ),
        withheld=("(other)", *embedded.withheld_of(inner)),
    )  # fmt: skip


def _nothing(found: Map) -> NoteRejected:
    """A message in which no pointer of the map finds anything to examine."""
    nowhere = ", ".join((*found.texts, *found.results, *found.messages))
    return NoteRejected("json.missing", f"nothing stands at {nowhere}")


def _dated(body: dict[str, Any], found: Map) -> Iterator[tuple[JsonPlace, Part, date | None]]:
    """The dates of a message: where, as a part, and the day that each says."""
    for pointer in found.dates:
        for place in _strings(body, pointer):
            if (made := fields.timestamp(place.value, place.pointer)) is not None:
                yield (place, *made)


def _result(body: dict[str, Any], place: JsonPlace, name: str) -> Part:
    """A value that may be a result of a few words; `name`: where the name of its test stands."""
    asked = _first(body, beside(name, place)) if name else ""
    if tells_weekday(place.value, asked):
        return Part(place.value, place.pointer, examine=False, role=WEEKDAY)
    if counts_days(asked) and is_number(place.value):
        number = Span(0, len(place.value), PhiType.IDNUM)
        return Part(place.value, place.pointer, examine=False, declared=(number,))
    coded = few_words(place.value) and not asks_for_more(asked)
    return Part(place.value, place.pointer, coded=coded, asked=asked)


@dataclass(frozen=True, slots=True)
class _Kept:
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
    strings = [_Kept(place) for place in kept if isinstance(place.value, str)]
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
    body: dict[str, Any], found: Map, readers: Mapping[str, EmbeddedFormat], first: int
) -> list[InnerMessage]:
    """The messages inside; their parts follow the `first` ones of the note."""
    read: list[InnerMessage] = []
    for pointer, coding in found.messages.items():
        for place in places(body, pointer):
            if place.value is not None:
                read.append(embedded.read(place, coding, readers, first))
                first += len(read[-1].note.parts)
    return read


def render(note: Note, clean: Deidentified) -> bytes:
    """Write the message with what the map names, and nothing else."""
    tree = note.envelope
    assert isinstance(tree, Tree)
    made: dict[tuple[int, Any], Any] = {}
    for place in tree.kept:
        made[id(place.container), place.key] = place.value
    last = len(clean.parts) - len(tree.searched)
    parts = (*clean.parts[: len(tree.parts)], *clean.parts[last:])
    for place, part in zip((*tree.parts, *tree.searched), parts, strict=True):
        made[id(place.container), place.key] = part.text
    for one in tree.inner:
        at = (id(one.place.container), one.place.key)
        made[at] = embedded.written(one, clean, tree.readers)
    for ids, value in ((tree.note_ids, clean.note_id), (tree.patient_ids, clean.patient_id)):
        made |= {(id(place.container), place.key): value for place in ids}
    write = {(id(place.container), place.key): coding for place, coding in tree.coded}
    out = _pruned(tree.body, made, write)
    return exact_json.dump({} if out is _GONE else out).encode("utf-8")


def note_ids(clean: dict[str, Any], found: Map) -> Iterator[str]:
    """The note's id in a message as `render` wrote it, if it is this map's."""
    yield from (str(place.value) for place in _found(clean, found, found.note_id))


def texts_inside(clean: dict[str, Any], found: Map) -> Iterator[str]:
    """HL7 messages inside a message as `render` wrote it, if it is this map's."""
    for pointer, coding in found.messages.items():
        for place in _found(clean, found, pointer):
            if coding == "hl7v2" and isinstance(place.value, str):
                yield place.value


def _found(clean: dict[str, Any], found: Map, pointer: str) -> list[JsonPlace]:
    """What stands at a pointer of a map, nothing where the message is another map's."""
    body = copy.deepcopy(clean)
    try:
        for _ in _decoded(body, found):
            pass
    except NoteRejected:
        return []
    return places(body, pointer) if pointer else []


def _pruned(value: Any, made: dict[tuple[int, Any], Any], write: dict[tuple[int, Any], str]) -> Any:
    """What is left of a value: the members that are made anew, and what leads to them."""
    if not isinstance(value, (dict, list)):
        return _GONE
    check()
    members = value.items() if isinstance(value, dict) else enumerate(value)
    left = []
    for key, inner in members:
        at = (id(value), key)
        new = made[at] if at in made else _pruned(inner, made, write)
        if new is not _GONE:
            left.append((key, _encoded(new, write[at]) if at in write else new))
    if not left:
        return _GONE
    return dict(left) if isinstance(value, dict) else [new for _, new in left]


def _decoded(body: dict[str, Any], found: Map) -> Iterator[tuple[JsonPlace, str]]:
    for pointer, coding in found.decode.items():
        for place in _strings(body, pointer):
            _set(place.container, place.key, _decode(place.value, coding, pointer))
            yield place, coding


def _set(container: Container, key: Any, value: Any) -> None:
    container[key] = value


def _decode(value: str, coding: str, pointer: str) -> Any:
    try:
        if coding.startswith("base64"):
            value = base64.b64decode("".join(value.split()), validate=True).decode("utf-8")
        return exact_json.load(value) if coding.endswith("json") else value
    except (binascii.Error, ValueError, exact_json.Malformed):
        raise NoteRejected("json.syntax", f"what stands at {pointer} is not {coding}") from None


def _encoded(value: Any, coding: str) -> str:
    data = (exact_json.dump(value) if coding.endswith("json") else str(value)).encode("utf-8")
    return base64.b64encode(data).decode("ascii") if coding.startswith("base64") else data.decode()


def _tree(text: str) -> dict[str, Any]:
    try:
        body = exact_json.load(text)
    except exact_json.Malformed as error:
        raise NoteRejected("json.syntax", error.detail) from None
    assert isinstance(body, dict), "a map takes objects"
    return body


def _ids(body: dict[str, Any], pointer: str) -> tuple[JsonPlace, ...]:
    """Where an id stands; nowhere where the map leaves it to a message inside."""
    if not pointer:
        return ()
    found = tuple(place for place in places(body, pointer) if _id(place))
    if not found:
        raise NoteRejected("json.missing", f"no id stands at {pointer}")
    if len({_id(place) for place in found}) > 1:
        raise NoteRejected("json.type", f"several ids stand at {pointer}")
    return found


def _id(place: JsonPlace) -> str:
    """A string or whole number as an id; empty for all else."""
    value = place.value
    if isinstance(value, exact_json.ExactNumber):
        return value.text if value.text.lstrip("-").isdecimal() else ""
    return value if isinstance(value, str) and value.strip() else ""


def _said(ids: tuple[JsonPlace, ...]) -> str:
    return _id(ids[0]) if ids else ""


def _strings(body: dict[str, Any], pointer: str) -> list[JsonPlace]:
    found = [place for place in places(body, pointer) if place.value is not None]
    if any(not isinstance(place.value, str) for place in found):
        raise NoteRejected("json.type", f"what stands at {pointer} is no string")
    return found


def _first(body: dict[str, Any], pointer: str) -> str:
    found = places(body, pointer) if pointer else []
    return found[0].value if found and isinstance(found[0].value, str) else ""


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
