"""Notes in the project's JSON envelope, to a `Note` and back.

In: `{"note_id", "patient_id", "text"}` and optionally `note_type`, `language`, `timestamp`,
`patient`, and any other field. Out: the same envelope, in the same order of fields, with
pseudonymous ids, clean text, shifted timestamp and `release`. `patient` and every field that is
not listed as safe are dropped; so are a `note_type` that is none of the known kinds of note (or a
LOINC code) and a `language` that is none. The audit names what was withheld only where the name
is this format's own. A note without text is released without text: there is nothing in it to lose.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any

import orjson
from lingua import IsoCode639_1

from stream_deid.errors import NoteRejected
from stream_deid.formats.json.patient import known_identifiers
from stream_deid.labels import PhiType
from stream_deid.note import Deidentified, Known, Note, Part, Span

__all__ = ["parse", "render", "split"]

# Matched against single fields, anchored at both ends.
_LOINC = re.compile(r"(?:LOINC[: ])?(\d{3,7})-(\d)")
_LANGUAGES = {name.lower() for name in dir(IsoCode639_1) if len(name) == 2}
_LANGUAGE_NAMES = {"english": "en", "spanish": "es", "español": "es", "eng": "en", "spa": "es"}
_OWN_FIELDS = frozenset({"language", "note_type", "patient", "timestamp"})
_NOTE_TYPE_WORDS = frozenset(
    {
        "admission", "alta", "anamnesis", "and", "anesthesia", "assessment", "atencion",
        "atención", "brief", "cardiology", "care", "cirugía", "clinic", "clinical",
        "clínica", "consult", "consulta", "consultation", "correspondence", "de", "del",
        "dental", "discharge", "ecg", "echo", "ed", "emergency", "evaluación",
        "evolución", "exam", "family", "follow", "followup", "h&p", "history", "home",
        "hospital", "hospitalización", "imaging", "informe", "ingreso", "initial",
        "inpatient", "interconsulta", "lab", "letter", "medical", "medicine", "médico",
        "nota", "note", "notes", "nurse", "nursing", "nutrition", "obstetrics",
        "occupational", "office", "oncology", "operative", "outpatient", "pathology",
        "patient", "pharmacy", "phone", "physical", "physician", "plan", "postoperative",
        "preoperative", "procedimiento", "procedure", "progreso", "progress",
        "psychiatry", "psychology", "quirúrgica", "radiology", "referral", "report",
        "resident", "resumen", "social", "summary", "surgery", "surgical", "telephone",
        "therapy", "transfer", "triage", "up", "urgencias", "valoración", "visit", "work",
        "ccd", "cn", "dc", "disch", "dictation", "ds", "ehr", "ekg", "er", "fax", "fu", "hp",
        "icu", "ip", "mdm", "message", "op", "or", "ot", "oru", "path", "pcp", "pn", "portal",
        "psych", "pt",
        "rad", "rx", "sn", "soap", "tel", "text",
    }
)  # fmt: skip
_ISO = re.compile(
    r"(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?(?:[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?)?)?"
    r" ?(?:Z|z|[+-]\d\d:?(?:\d\d)?)?"
)
_REQUIRED = ("note_id", "patient_id", "text")


@dataclass(frozen=True, slots=True)
class Envelope:
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
) -> Note:
    """Read one note; its language is `language_default` where it names none.

    Raises `NoteRejected`: `json.encoding` (not UTF-8), `json.syntax` (not JSON, or lone
    surrogates), `json.type` (a field is of the wrong type), `json.missing` (no text or no id).
    """
    body = _load(raw)
    for key in _REQUIRED:
        _string(body, key)
        if key not in body or (key != "text" and not body[key].strip()):
            raise NoteRejected("json.missing", f"{key} is missing or empty")
    timestamp, written_on = _timestamp(body)
    parts = (Part(body["text"], "text"), *([timestamp] if timestamp else []))
    kept, withheld = _fields(body, frozenset(safe_fields), dated=timestamp is not None)
    return Note(
        note_id=body["note_id"],
        patient_id=body["patient_id"],
        parts=parts,
        language=_language(body) or language_default,
        known=_known(body),
        note_type=_note_type(body),
        written_on=written_on,
        envelope=Envelope(kept, {key: body[key] for key, source in kept if source == "kept"}),
        withheld=withheld,
    )


def render(note: Note, clean: Deidentified) -> bytes:
    """Write the envelope with the clean text."""
    envelope = note.envelope
    assert isinstance(envelope, Envelope)
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


def _load(raw: bytes) -> dict[str, Any]:
    raw = raw.removeprefix(codecs.BOM_UTF8)
    try:
        raw.decode("utf-8")
    except UnicodeDecodeError:
        raise NoteRejected("json.encoding", "the message is not UTF-8") from None
    try:
        body = orjson.loads(raw)
    except (orjson.JSONDecodeError, RecursionError):
        raise NoteRejected("json.syntax", "the message is not well-formed JSON") from None
    if not isinstance(body, dict):
        raise NoteRejected("json.type", "the message is not a JSON object")
    return body


def _string(body: Mapping[str, Any], key: str) -> str:
    """The string under `key`, empty where there is none."""
    value = body.get(key)
    if key in body and not isinstance(value, str) and not (value is None and key not in _REQUIRED):
        raise NoteRejected("json.type", f"{key} is not a string")
    return value or ""


def _note_type(body: Mapping[str, Any]) -> str:
    """A field that names a kind of note in known words or as a LOINC code; empty where it does not.

    Any other word may be somebody's name, any other number somebody's.
    """
    value = _string(body, "note_type")
    code = _LOINC.fullmatch(value)
    if code is not None:
        return value if _check_digit(code[1]) == int(code[2]) else ""
    words = re.split(r"[\s_./-]+", value.strip().lower())
    return value if all(word in _NOTE_TYPE_WORDS for word in words) else ""


def _check_digit(number: str) -> int:
    """LOINC's check digit (mod 10; LOINC Users' Guide, appendix C)."""
    odd = sum(int(c) for c in str(2 * int(number[::-2][::-1])))
    even = sum(int(c) for c in number[-2::-2])
    return -(odd + even) % 10


def _language(body: Mapping[str, Any]) -> str:
    """The ISO 639-1 code of a stated language; empty where none is stated, or none that exists."""
    value = _string(body, "language").strip().lower()
    code = _LANGUAGE_NAMES.get(value, re.split("[-_]", value)[0])
    region = re.fullmatch(r"[a-z]{2,3}(?:[-_](?:[a-z]{2}|[0-9]{3}))?", value)
    return code if code in _LANGUAGES and (region or value in _LANGUAGE_NAMES) else ""


def _timestamp(body: Mapping[str, Any]) -> tuple[Part | None, date | None]:
    """The time stamp as a structured part: its date is declared, its time of day stays."""
    value = body.get("timestamp")
    if isinstance(value, (int, float)) and not isinstance(value, bool):
        return None, None  # seconds since 1970: dropped, see `_fields`
    text = _string(body, "timestamp")
    if not text.strip():
        return None, None
    found = _ISO.fullmatch(text)
    length = max(found.end(n) for n in (1, 2, 3)) if found else len(text)
    part = Part(
        text,
        "timestamp",
        examine=False,
        declared=(Span(0, length, PhiType.DATE),),
        role="timestamp",
    )
    try:
        written_on = date(*(int(piece) for piece in found.groups())) if found else None
    except (TypeError, ValueError):
        written_on = None
    return part, written_on


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
            withheld.append(key if key in _OWN_FIELDS else "(other)")
    return tuple(kept), tuple(withheld)


def _plain(body: Mapping[str, Any], key: str) -> bool:
    """Whether a field says what kind of note or which language this is, and nothing else."""
    return bool(
        (key == "note_type" and _note_type(body)) or (key == "language" and _language(body))
    )


def _known(body: Mapping[str, Any]) -> tuple[Known, ...]:
    patient = body.get("patient")
    if patient is not None and not isinstance(patient, dict):
        raise NoteRejected("json.type", "patient is not an object")
    ids = []
    for key, phi in (("patient_id", PhiType.MEDICALRECORD), ("note_id", PhiType.IDNUM)):
        if any(c.isdecimal() for c in body[key]) and len(body[key]) >= 4:
            ids.append(Known(phi, body[key]))
    return tuple(dict.fromkeys((*known_identifiers(patient or {}), *ids)))
