"""The record of a patient that lies beside the notes: identifiers as a message would state them.

The `patient` object of the JSON envelope, a FHIR Patient (or Bundle), or an HL7 v2 message.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from stream_deid.errors import NoteRejected
from stream_deid.formats import Format, sniff
from stream_deid.formats.json.note import load
from stream_deid.formats.json.patient import known_identifiers
from stream_deid.note import Known, Note

UNREADABLE = "record.unreadable"


def stated(raw: bytes, formats: Mapping[str, Format]) -> tuple[Known, ...]:
    """What a record says of the patient and of the people around.

    Raises `NoteRejected("record.unreadable")` where it can't be read or says nothing: what is not
    understood can't be protected.
    """
    try:
        name = sniff(raw)
        inside = name == "json"
        known = known_identifiers(load(raw)) if inside else formats[name].parse(raw).known
    except (NoteRejected, KeyError) as error:
        code = error.code if isinstance(error, NoteRejected) else type(error).__name__
        raise NoteRejected(UNREADABLE, f"the patient's record can't be read: {code}") from None
    if not known:
        raise NoteRejected(UNREADABLE, "the patient's record states no identifier")
    return known


def joined(note: Note, known: tuple[Known, ...], subject: str) -> Note:
    """The note with what the record of one of its patients states.

    Other people of the record are not those whom the message numbers alike.
    """
    theirs = (
        replace(
            one,
            subject=subject,
            person=one.person if one.person == "patient" else f"{one.person}@record",
        )
        for one in known
    )
    return replace(note, known=tuple(dict.fromkeys((*note.known, *theirs))))
