"""Whole messages of another format that stand inside a JSON message, to notes and back.

HL7 v2 in a string is text already: its MSH-18 says which characters may be written into it and what
its escapes mean, not how it is decoded. In base64 it is bytes in its own character set.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from stream_deid.errors import NoteRejected
from stream_deid.formats import exact_json
from stream_deid.formats.json.site_map import JsonPlace
from stream_deid.note import Deidentified, Known, Note, Part

_BASE64 = "base64+"


class EmbeddedFormat(Protocol):
    """A format whose messages may stand inside others; `inside` reads one that is text already."""

    def parse(self, raw: bytes) -> Note: ...

    def inside(self, text: str) -> Note: ...

    def render(self, note: Note, clean: Deidentified) -> bytes: ...


@dataclass(frozen=True, slots=True)
class InnerMessage:
    """A message inside; its parts are those of the outer note from `first` on.

    `coding`: as the map says. `tree`: it stood there as an object, not as a string.
    """

    place: JsonPlace
    coding: str
    note: Note = field(repr=False)
    first: int
    tree: bool

    @property
    def parts(self) -> slice:
        """Which parts of the outer note are this message's."""
        return slice(self.first, self.first + len(self.note.parts))


def read(
    place: JsonPlace, coding: str, readers: Mapping[str, EmbeddedFormat], first: int
) -> InnerMessage:
    """The message at a place.

    Raises `NoteRejected`: as its format does, with the place; `json.type`, `json.syntax`.
    """
    value, reader = place.value, readers[coding.removeprefix(_BASE64)]
    tree = isinstance(value, dict) and coding == "fhir"
    if not tree and not isinstance(value, str):
        raise NoteRejected("json.type", f"what stands at {place.pointer} is no string")
    try:
        if coding.startswith(_BASE64):
            note = reader.parse(base64.b64decode("".join(value.split()), validate=True))
        else:
            note = reader.inside(exact_json.dump(value) if tree else value)
    except (binascii.Error, ValueError):
        raise NoteRejected("json.syntax", f"what stands at {place.pointer} is not base64") from None
    except NoteRejected as error:
        raise NoteRejected(error.code, f"at {place.pointer}: {error.detail}") from None
    return InnerMessage(place, coding, note, first, tree)


def written(inner: InnerMessage, clean: Deidentified, readers: Mapping[str, EmbeddedFormat]) -> Any:
    """What stands there after it was cleaned, in the form that it had."""
    reader = readers[inner.coding.removeprefix(_BASE64)]
    out = reader.render(inner.note, replace(clean, parts=clean.parts[inner.parts]))
    if inner.coding.startswith(_BASE64):
        return base64.b64encode(out).decode("ascii")
    text = out.decode("utf-8")
    return exact_json.load(text) if inner.tree else text


def _subject(inner: InnerMessage, stated: str, patient_id: str, *, apart: bool) -> str:
    """Whose something in a message inside is: empty where it is the outer note's patient's.

    The outer message names the number alone, the inner one may say who gave it.
    """
    own = inner.note.patient_id or (inner.note.subject if apart else "")
    subject = stated or own
    hers = subject == own and patient_id in (own, own.rpartition("@")[0] or own)
    return "" if hers else subject


def parts_of(inner: InnerMessage, patient_id: str, *, apart: bool) -> Iterator[Part]:
    """The parts of a message inside as parts of the outer note; `apart`: one that names no patient
    is a stranger's.
    """
    for part in inner.note.parts:
        path = f"{inner.place.pointer}:{part.path}"
        subject = _subject(inner, part.subject, patient_id, apart=apart)
        yield replace(part, path=path, subject=subject)


def known_of(inner: InnerMessage, patient_id: str, *, apart: bool) -> Iterator[Known]:
    """What a message inside states; its people are its own but for the outer note's patient."""
    for one in inner.note.known:
        subject = _subject(inner, one.subject, patient_id, apart=apart)
        hers = one.person == "patient" and not subject
        person = one.person if hers else f"{one.person}@{inner.place.pointer}"
        yield replace(one, person=person, subject=subject)


def withheld_of(inner: Sequence[InnerMessage]) -> tuple[str, ...]:
    """What is left out of messages inside, by place."""
    return tuple(f"{one.place.pointer}:{path}" for one in inner for path in one.note.withheld)
