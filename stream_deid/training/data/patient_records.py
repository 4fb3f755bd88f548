"""Patients' records as values in training notes (nference 2021: names and home addresses of the
structured records augment training).

A file has a record a line, as the topic of `docs/records.md` has them: the `patient` object of the
JSON envelope, or a whole envelope with one, or a FHIR Patient. A note that is drawn with a record
has its patient's name, street, town and ZIP where its own patient's were marked.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from stream_deid import config
from stream_deid.errors import Halt, NoteRejected
from stream_deid.formats import made
from stream_deid.formats.record import stated
from stream_deid.labels import PhiType, label_type
from stream_deid.note import Known
from stream_deid.training.data.corpora import WORD

_PLACES = (PhiType.STREET, PhiType.CITY, PhiType.ZIP)


@dataclass(frozen=True, slots=True)
class OwnPatient:
    """The words of a patient's name, and where the patient lives."""

    given: tuple[str, ...] = field(repr=False)
    family: tuple[str, ...] = field(repr=False)
    places: Mapping[PhiType, str] = field(repr=False)

    def name(self, old: str, particles: frozenset[str]) -> dict[str, str]:
        """What the words of a name become, by small letters: the family's in front of a comma or
        last, given names elsewhere. Those that the record has no word for are left out.
        """
        words = [w for w in WORD.findall(old) if len(w) > 1 and w.lower() not in particles]
        before = len(WORD.findall(old.partition(",")[0])) if "," in old else 0
        last = words[:before] or words[-1:]
        rest = words[before:] if before else words[:-1]
        out: dict[str, str] = {}
        for some, new in ((last, self.family), (rest, self.given)):
            for word, value in zip(some, new, strict=False):
                out.setdefault(word.lower(), value)
        return out

    def place(self, label: str, old: str) -> str | None:
        """What the record has in the place of a marked one; nothing for other labels. Spanish
        postcodes stand under the label of towns.
        """
        kind = label_type(label)
        if kind is PhiType.CITY and any(c.isdigit() for c in old):
            kind = PhiType.ZIP
        return self.places.get(kind) if kind in _PLACES else None


def is_patient(label: str) -> bool:
    """Whether a label marks a patient's name, not a relative's."""
    return label in ("PATIENT", "NOMBRE_SUJETO_ASISTENCIA")


def of(name: str, data: Path) -> tuple[OwnPatient, ...]:
    """The records of a file that lies here or in the folder of data; raises as `read` does."""
    return read(Path(name) if Path(name).is_file() else data / name)


def read(path: Path) -> tuple[OwnPatient, ...]:
    """The records of a file that have a name.

    Raises `Halt("recipe.records")` where it can't be read, one of its lines can't, or none has.
    """
    formats = made(config.Formats())
    try:
        lines = path.read_bytes().splitlines()
    except OSError as error:
        raise Halt("recipe.records", f"{path}: {error.strerror}") from None
    out = []
    for number, line in enumerate(lines, 1):
        try:
            known = stated(_own(line), formats) if line.strip() else ()
        except (NoteRejected, orjson.JSONDecodeError):
            raise Halt("recipe.records", f"{path}: line {number} is no patient's record") from None
        out.append(_record(known))
    if not (named := tuple(one for one in out if one.given and one.family)):
        raise Halt("recipe.records", f"{path}: no record of a patient's name")
    return named


def _own(line: bytes) -> bytes:
    """The record in a line; of an envelope, its `patient`."""
    body = orjson.loads(line)
    patient = body.get("patient") if isinstance(body, dict) else None
    return orjson.dumps(patient) if isinstance(patient, dict) else line


def _record(known: Sequence[Known]) -> OwnPatient:
    theirs = [one for one in known if one.person == "patient"]
    full = _words(one.value for one in theirs if one.role == "full")
    given = _words(one.value for one in theirs if one.role in ("given", "middle"))
    family = _words(one.value for one in theirs if one.role == "family")
    places: dict[PhiType, str] = {}
    for one in theirs:
        if one.type in _PLACES and "\n" not in one.value:
            places.setdefault(one.type, one.value.strip())
    return OwnPatient(given or full[:-1], family or full[-1:], places)


def _words(values: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(w for value in values for w in WORD.findall(value) if len(w) > 1))
