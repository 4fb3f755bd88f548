"""Wire formats: bytes of a message to a `Note`, and a `Deidentified` note back to bytes.

Each format is a module with pure functions `parse`, `render` and `split`, and a class here that
binds them to the configuration. A new one (FHIR) is a module beside these, a class below, a line
in `FORMATS` and one in `sniff`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Mapping
from types import MappingProxyType
from typing import Protocol

from stream_deid.errors import NoteRejected
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.json import note as json_note
from stream_deid.note import Deidentified, Note

__all__ = ["FORMATS", "Format", "Hl7v2", "Json", "Options", "sniff"]


class Options(Protocol):
    """What of the configuration concerns formats; `config.Formats` has it.

    `language` is that of messages which name none (`auto`: none, the pipeline looks at the
    text). `safe_fields`: JSON fields that go out as they came. `hl7_pass_segments`: HL7 segments
    outside the field map that are examined instead of withheld. `max_chars`: the longest note.
    """

    @property
    def language(self) -> str: ...
    @property
    def safe_fields(self) -> tuple[str, ...]: ...
    @property
    def hl7_pass_segments(self) -> tuple[str, ...]: ...
    @property
    def max_chars(self) -> int: ...


class Format(Protocol):
    """What the rest of the project needs of a format.

    `parse` raises `NoteRejected` with a code that begins with the format's name, or
    `note.too_long`; its errors never hold anything of the input. `render` takes the answer to
    the very note that `parse` made. `split` cuts a file into messages.
    """

    def parse(self, raw: bytes) -> Note: ...

    def render(self, note: Note, clean: Deidentified) -> bytes: ...

    def split(self, raw: bytes) -> list[bytes]: ...


class Json:
    """Notes in the project's JSON envelope; see `json_note`."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def parse(self, raw: bytes) -> Note:
        note = json_note.parse(
            raw,
            language_default=_default_language(self._options),
            safe_fields=self._options.safe_fields,
        )
        return _bounded(note, self._options.max_chars)

    render = staticmethod(json_note.render)
    split = staticmethod(json_note.split)


class Hl7v2:
    """HL7 v2 messages in ER7; see `hl7v2`."""

    def __init__(self, options: Options) -> None:
        self._options = options

    def parse(self, raw: bytes) -> Note:
        note = hl7v2.parse(
            raw,
            language_default=_default_language(self._options),
            pass_segments=self._options.hl7_pass_segments,
        )
        return _bounded(note, self._options.max_chars)

    render = staticmethod(hl7v2.render)
    split = staticmethod(hl7v2.split)


FORMATS: Mapping[str, Callable[[Options], Format]] = MappingProxyType(
    {"json": Json, "hl7v2": Hl7v2}
)
"""The formats by their name in configuration and on the command line."""


def sniff(raw: bytes) -> str:
    """The name of the format of a message, for topics that mix them.

    Raises `NoteRejected` (`format.unknown`) for anything else.
    """
    start = raw[:64].removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n")
    if start.startswith(b"{"):
        return "json"
    if start.startswith((b"MSH", b"\x0b", b"FHS", b"BHS")):
        return "hl7v2"
    raise NoteRejected("format.unknown", "the message is neither JSON nor HL7 v2")


def _default_language(options: Options) -> str:
    return "" if options.language == "auto" else options.language


def _bounded(note: Note, max_chars: int) -> Note:
    if sum(len(part.text) for part in note.parts) > max_chars:
        raise NoteRejected("note.too_long", f"the note is longer than {max_chars} characters")
    return note
