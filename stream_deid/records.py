"""What is known of a note's patients beside its message: their records, looked for by their ids."""

from __future__ import annotations

from collections.abc import Mapping

from stream_deid.errors import NoteRejected, Unavailable
from stream_deid.formats import Format
from stream_deid.formats.record import joined, stated
from stream_deid.note import SHARED, Note
from stream_deid.outcome import ABSENT, PatientRecord, PatientRecords

Found = dict[str, PatientRecord | None]
"""The records of a note's patients by patient, in order."""


async def looked_up(note: Note, records: PatientRecords) -> Found:
    """The records of a note's patients. Raises what `records` does."""
    return {patient: await records.of(patient) for patient in _asked(note)}


def _asked(note: Note) -> dict[str, str]:
    """A note's patients, and what they are called in it."""
    named = {*(part.subject for part in note.parts), *(one.subject for one in note.known)}
    asked = {note.patient_id: ""} if note.patient_id else {}
    return asked | {one: one for one in sorted(named - {"", SHARED}) if one not in asked}


def beside(
    note: Note, found: Found, absent: str, readers: Mapping[str, Format]
) -> tuple[Note, list[PatientRecord]]:
    """The note with what the records of its patients state, and these records.

    `absent`: what becomes of a note whose patient has none (of a message that names no one patient:
    one of whose patients has none). Raises `NoteRejected("record....")`, and
    `Unavailable("record.absent")` where one is waited for.
    """
    asked = _asked(note)
    wanted = (note.patient_id,) if note.patient_id else tuple(found)
    if not wanted or any(found[one] is None for one in wanted):
        _refuse(absent)
    seen = {patient: record for patient, record in found.items() if record is not None}
    for patient, record in seen.items():
        note = joined(note, stated(record.value, readers), asked[patient])
    return note, list(seen.values())


def _refuse(absent: str) -> None:
    detail = "the patient has no record"
    if absent == "reject":
        raise NoteRejected(ABSENT, detail)
    if absent == "wait":
        raise Unavailable(ABSENT, detail)
