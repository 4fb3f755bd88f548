"""Wire formats: bytes of a message to a `Note`, and a `Deidentified` note back to bytes.

Each format is a module with pure functions `parse`, `render` and `split`, and a class here that
binds them to the configuration. A new one is a folder beside these, a class below, a line in
`FORMATS` and one in `sniff`.
"""

from __future__ import annotations

import codecs
from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Protocol

import orjson

from stream_deid.errors import Halt, NoteRejected
from stream_deid.formats.fhir import message as fhir
from stream_deid.formats.fhir.definitions.rules import rules as fhir_rules
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.hl7.maps import interfaces
from stream_deid.formats.hl7.maps.interfaces import Interface
from stream_deid.formats.identity import wrong_authority
from stream_deid.formats.json import note as json_note
from stream_deid.formats.json import site_map
from stream_deid.formats.json.embedded import EmbeddedFormat
from stream_deid.note import NO_HEADERS, Deidentified, Headers, Note

__all__ = [
    "FORMATS", "Fhir", "Format", "Hl7v2", "Json", "Options", "hl7_interfaces", "made", "sniff",
]  # fmt: skip


class Options(Protocol):
    """What of the configuration concerns formats; `config.Formats` has it.

    `language` is that of messages which name none (`auto`: none, the pipeline looks at the
    text). `safe_fields`: JSON fields that go out as they came; `json_map_texts`: the site's own
    maps by name (`json/site_map.py`). `hl7_pass_segments`: HL7 segments outside the field map
    that are examined instead of withheld; `hl7_map_texts`: the site's own maps by name
    (`hl7.maps.interfaces`). `authorities`: what assigning authorities and systems of identifiers
    are called, empty for the site's own. `fhir_rules`: rules by path before the project's own;
    `fhir_patient`: whether a patient is known by `identifier` or by `id`; `unreadable`: whether
    documents that can't be examined are withheld or `reject` the message. `max_chars`: the longest
    note.
    """

    @property
    def language(self) -> str: ...
    @property
    def safe_fields(self) -> tuple[str, ...]: ...
    @property
    def json_map_texts(self) -> Mapping[str, str]: ...
    @property
    def hl7_pass_segments(self) -> tuple[str, ...]: ...
    @property
    def fhir_rules(self) -> Mapping[str, str]: ...
    @property
    def hl7_map_texts(self) -> Mapping[str, str]: ...
    @property
    def authorities(self) -> Mapping[str, str]: ...
    @property
    def fhir_patient(self) -> str: ...
    @property
    def unreadable(self) -> str: ...
    @property
    def max_chars(self) -> int: ...


class Format(Protocol):
    """What the rest of the project needs of a format.

    `parse` raises `NoteRejected` with a code that begins with the format's name, or
    `note.too_long`; its errors never hold anything of the input. `render` takes the answer to
    the very note that `parse` made. `split` cuts a file into messages. `headers` are those of
    the message on its topic.
    """

    def parse(self, raw: bytes, headers: Headers = NO_HEADERS) -> Note: ...

    def render(self, note: Note, clean: Deidentified) -> bytes: ...

    def split(self, raw: bytes) -> list[bytes]: ...


class Json:
    """Notes in the project's JSON envelope, or as a map says; see `json_note`.

    Raises `Halt("json.map")`.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        self._maps = site_map.read(options.json_map_texts)
        self._readers: dict[str, EmbeddedFormat] = {}
        if any(one.messages for one in self._maps):
            self._readers = {"hl7v2": Hl7v2(options), "fhir": Fhir(options)}

    def parse(self, raw: bytes, headers: Headers = NO_HEADERS) -> Note:
        """Read a message; a map may go by its headers."""
        note = json_note.parse(
            raw,
            language_default=_default_language(self._options),
            safe_fields=self._options.safe_fields,
            maps=self._maps,
            headers=headers,
            readers=self._readers,
        )
        return _bounded(note, self._options.max_chars)

    render = staticmethod(json_note.render)
    split = staticmethod(json_note.split)


class Hl7v2:
    """HL7 v2 messages in ER7; see `hl7v2`. Raises `Halt("hl7.map")`."""

    def __init__(self, options: Options) -> None:
        self._options = options
        self._interfaces = hl7_interfaces(options)

    def parse(self, raw: bytes, headers: Headers = NO_HEADERS) -> Note:  # noqa: ARG002
        """Read a message of bytes in its own character set."""
        return self._parse(raw, decoded=False)

    def inside(self, text: str) -> Note:
        """Read a message that stands as text in another one."""
        return self._parse(text.encode("utf-8"), decoded=True)

    def _parse(self, raw: bytes, *, decoded: bool) -> Note:
        note = hl7v2.parse(
            raw,
            language_default=_default_language(self._options),
            pass_segments=self._options.hl7_pass_segments,
            interfaces=self._interfaces,
            decoded=decoded,
        )
        return _bounded(note, self._options.max_chars)

    render = staticmethod(hl7v2.render)
    split = staticmethod(hl7v2.split)


class Fhir:
    """FHIR resources and Bundles in JSON; see `fhir`. Raises `Halt`: `fhir.rules`,
    `formats.authorities`.
    """

    def __init__(self, options: Options) -> None:
        self._options = options
        fhir_rules(tuple(sorted(options.fhir_rules.items())))
        _check_authorities(options)

    def parse(self, raw: bytes, headers: Headers = NO_HEADERS) -> Note:  # noqa: ARG002
        """Read a resource or Bundle."""
        options = self._options
        note = fhir.parse(
            raw,
            language_default=_default_language(options),
            site_rules=options.fhir_rules,
            authorities=options.authorities,
            by_id=options.fhir_patient == "id",
            reject_unreadable=options.unreadable == "reject",
        )
        return _bounded(note, options.max_chars)

    def inside(self, text: str) -> Note:
        """Read a resource that stands in another message."""
        return self.parse(text.encode("utf-8"))

    render = staticmethod(fhir.render)
    split = staticmethod(fhir.split)


def hl7_interfaces(options: Options) -> tuple[Interface, ...]:
    """The site's maps and what holds for all other HL7 messages. Raises `Halt`: `hl7.map`,
    `formats.authorities`.
    """
    _check_authorities(options)
    default = Interface(
        authorities=options.authorities, reject_unreadable=options.unreadable == "reject"
    )
    return interfaces.read(options.hl7_map_texts, default)


def _check_authorities(options: Options) -> None:
    if wrong := wrong_authority(options.authorities):
        raise Halt("formats.authorities", wrong)


FORMATS: Mapping[str, Callable[[Options], Format]] = MappingProxyType(
    {"json": Json, "hl7v2": Hl7v2, "fhir": Fhir}
)
"""The formats by their name in configuration and on the command line."""


def made(options: Options, names: Iterable[str] = FORMATS) -> Mapping[str, Format]:
    """Formats by name. Raises `Halt` for settings of theirs that mean nothing."""
    return MappingProxyType({name: FORMATS[name](options) for name in names})


def sniff(raw: bytes) -> str:
    """The name of the format of a message, for topics that mix them.

    Raises `NoteRejected` (`format.unknown`) for anything else.
    """
    start = raw[:64].removeprefix(codecs.BOM_UTF8).lstrip(b" \t\r\n")
    if start.startswith(b"{"):
        return "fhir" if _is_resource(raw) else "json"
    if start.startswith((b"MSH", b"\x0b", b"FHS", b"BHS")):
        return "hl7v2"
    raise NoteRejected("format.unknown", "the message is neither JSON nor HL7 v2")


def _is_resource(raw: bytes) -> bool:
    """Whether a JSON object is a FHIR resource, and no envelope of ours."""
    if b'"resourceType"' not in raw:
        return False
    try:
        body = orjson.loads(raw.removeprefix(codecs.BOM_UTF8))
    except orjson.JSONDecodeError:
        return False
    return isinstance(body.get("resourceType"), str) and "note_id" not in body


def _default_language(options: Options) -> str:
    return "" if options.language == "auto" else options.language


def _bounded(note: Note, max_chars: int) -> Note:
    if sum(len(part.text) for part in note.parts) > max_chars:
        raise NoteRejected("note.too_long", f"the note is longer than {max_chars} characters")
    return note
