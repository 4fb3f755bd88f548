"""Notes in the project's JSON envelope, to a `Note` and back.

In: `{"note_id", "patient_id", "text"}` and optionally `note_type`, `language`, `timestamp`,
`patient`, and any other field. Out: the same envelope, in the same order of fields, with
pseudonymous ids, clean text, shifted timestamp and `release`. `patient` and every field that is
not listed as safe are dropped; so are a `note_type` that is none of the known kinds of note (or a
LOINC code) and a `language` that is none. The audit names what was withheld only where the name
is this format's own, or a listed one that senders give to such a field (`noteDate`). A note without
text is released without text: there is nothing in it to lose.
"""

from __future__ import annotations

import codecs
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from types import MappingProxyType
from typing import Any

import orjson

from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json
from stream_deid.formats.identity import patient_key
from stream_deid.formats.json import fields, note_by_map, render_by_map
from stream_deid.formats.json.embedded import EmbeddedFormat
from stream_deid.formats.json.patient import known_identifiers
from stream_deid.formats.json.site_map import Map
from stream_deid.formats.language import language
from stream_deid.note import NO_HEADERS, Deidentified, Headers, Known, Note, Part

__all__ = ["parse", "render", "split"]

_OWN_FIELDS = frozenset({"language", "note_type", "patient", "timestamp"})
_REQUIRED = ("note_id", "patient_id", "text")


@dataclass(frozen=True, slots=True)
class JsonEnvelope:
    """The fields that go out, in their order: name and where its value comes from."""

    fields: tuple[tuple[str, str], ...]
    values: Mapping[str, Any]

    def __repr__(self) -> str:
        return f"Envelope({len(self.fields)} fields)"


def parse(
    raw: bytes,
    *,
    language_default: str = "",
    safe_fields: Sequence[str] = (),
    maps: Sequence[Map] = (),
    headers: Headers = NO_HEADERS,
    readers: Mapping[str, EmbeddedFormat] = MappingProxyType({}),
) -> Note:
    """Read one note; its language is `language_default` where it names none.

    `maps`: the first that takes the message and its `headers` says where everything stands in it;
    `readers`: the formats of messages that stand inside, by name.

    Raises `NoteRejected`: `json.encoding` (not UTF-8), `json.syntax` (not JSON, or lone
    surrogates), `json.depth` (nested too deeply), `json.type` (a field is of the wrong type),
    `json.missing` (no text or no id).
    """
    body = load(raw)
    for one in maps:
        if one.takes(body, headers):
            text = raw.decode("utf-8-sig")
            return note_by_map.parse(text, one, language_default=language_default, readers=readers)
    for key in _REQUIRED:
        _string(body, key)
        if key not in body or (key != "text" and not body[key].strip()):
            found = f"{key} is missing or empty{_instead(body, key)}"
            raise NoteRejected("json.missing", f"no map takes it, and {found}" if maps else found)
    timestamp, written_on = _timestamp(body)
    parts = (Part(body["text"], "text"), *([timestamp] if timestamp else []))
    kept, withheld = _fields(body, frozenset(safe_fields), dated=timestamp is not None)
    return Note(
        note_id=body["note_id"],
        patient_id=patient_key(body["patient_id"]),
        parts=parts,
        language=language(_string(body, "language")) or language_default,
        known=_known(body),
        note_type=fields.note_type(_string(body, "note_type")),
        written_on=written_on,
        envelope=JsonEnvelope(kept, {key: body[key] for key, source in kept if source == "kept"}),
        withheld=withheld,
    )


def render(note: Note, clean: Deidentified) -> bytes:
    """Write the envelope with the clean text."""
    if isinstance(note.envelope, note_by_map.Tree):
        return render_by_map.render(note, clean)
    envelope = note.envelope
    assert isinstance(envelope, JsonEnvelope)
    out: dict[str, Any] = {}
    for key, source in envelope.fields:
        match source:
            case "note_id":
                out[key] = clean.note_id
            case "patient_id":
                out[key] = clean.patient_id
            case "text":
                out[key] = clean.parts[0].text
            case "timestamp":
                out[key] = clean.parts[1].text
            case _:
                out[key] = envelope.values[key]
    out["release"] = clean.release
    return orjson.dumps(out)


def split(raw: bytes) -> list[bytes]:
    """Cut JSON Lines into notes; blank lines are none."""
    return [line for line in raw.removeprefix(codecs.BOM_UTF8).split(b"\n") if line.strip()]


def load(raw: bytes) -> dict[str, Any]:
    """The object that a message is.

    Raises `NoteRejected`: `json.encoding`, `json.syntax`, `json.depth`, `json.type`.
    """
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        raise NoteRejected("json.encoding", "the message is not UTF-8") from None
    try:
        body = orjson.loads(raw)
        exact_json.check(body)
    except orjson.JSONDecodeError:
        raise NoteRejected("json.syntax", "the message is not well-formed JSON") from None
    except exact_json.Malformed as error:
        raise NoteRejected("json.depth", error.detail) from None
    if not isinstance(body, dict):
        raise NoteRejected("json.type", "the message is not a JSON object")
    return body


def _string(body: Mapping[str, Any], key: str) -> str:
    """The string under `key`, empty where there is none."""
    value = body.get(key)
    if key in body and not isinstance(value, str) and not (value is None and key not in _REQUIRED):
        raise NoteRejected("json.type", f"{key} is not a string")
    return value or ""


def _timestamp(body: Mapping[str, Any]) -> tuple[Part | None, date | None]:
    value = body.get("timestamp")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return None, None  # seconds since 1970: dropped, see `_fields`
    return fields.timestamp(_string(body, "timestamp")) or (None, None)


def _fields(
    body: Mapping[str, Any], safe: frozenset[str], *, dated: bool
) -> tuple[tuple[tuple[str, str], ...], tuple[str, ...]]:
    kept: list[tuple[str, str]] = []
    withheld: list[str] = []
    for key in body:
        if key in _REQUIRED or (key == "timestamp" and dated):
            kept.append((key, key))
        elif key != "release" and (key in safe or _plain(body, key)):
            kept.append((key, "kept"))
        else:
            other = None if key in _OWN_FIELDS else fields.meant(key)
            told = f"{other[0]} (not read: the field is called {other[1]})" if other else "(other)"
            withheld.append(key if key in _OWN_FIELDS else told)
    return tuple(kept), tuple(withheld)


def _instead(body: Mapping[str, Any], key: str) -> str:
    """What a message has that looks like a missing field, in words."""
    found = (other[0] for one in body if (other := fields.meant(one)) and other[1] == key)
    return "".join(f"; {name} is there, and is not read as one" for name in sorted(found)[:1])


def _plain(body: Mapping[str, Any], key: str) -> bool:
    """Whether a field says what kind of note or which language this is, and nothing else."""
    if key == "note_type":
        return bool(fields.note_type(_string(body, key)))
    return key == "language" and bool(language(_string(body, key)))


def _known(body: Mapping[str, Any]) -> tuple[Known, ...]:
    patient = body.get("patient")
    if patient is not None and not isinstance(patient, dict):
        raise NoteRejected("json.type", "patient is not an object")
    ids = (
        *fields.numbers(body["patient_id"], note=False),
        *fields.numbers(body["note_id"], note=True),
    )
    return tuple(dict.fromkeys((*known_identifiers(patient or {}), *ids)))
