"""The MSH segment of a message as bytes, as much as an answer to it needs.

Tolerant on purpose: also a message that can't be taken is to be answered.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from stream_deid.errors import NoteRejected

_LINE = re.compile(rb"[\r\n]")
_BOM = b"\xef\xbb\xbf"
_DELIMITERS = re.compile(rb"[!-/:-@\[-`{-~]+")  # what is neither letter, digit, space nor control
_FIELDS = 26
DATE_OF_MESSAGE = 7


@dataclass(frozen=True, slots=True)
class Header:
    """The fields of MSH; `at(n)` is MSH-n as it came, without control characters."""

    separator: bytes = b"|"
    fields: tuple[bytes, ...] = field(default=(b"MSH", b"^~\\&"), repr=False)

    def at(self, number: int) -> bytes:
        return self.fields[number - 1] if 2 <= number <= len(self.fields) else b""

    def part(self, number: int, component: int) -> bytes:
        """A component of the first repetition of a field."""
        first = self.at(number).split(self.delimiters[1:2])[0]
        parts = first.split(self.component)
        return parts[component - 1].strip() if component <= len(parts) else b""

    @property
    def delimiters(self) -> bytes:
        """MSH-2, or the usual ones where it holds none that can be used."""
        own = self.at(2)
        return own if len(own) in (4, 5) and _DELIMITERS.fullmatch(own) else b"^~\\&"

    @property
    def component(self) -> bytes:
        return self.delimiters[:1]

    @property
    def version(self) -> tuple[int, ...]:
        """MSH-12 as numbers, (2, 5, 1); empty where it is none."""
        found = re.fullmatch(rb"\d{1,3}(\.\d{1,3})*", self.part(12, 1))
        return tuple(map(int, found[0].split(b"."))) if found else ()


NO_HEADER = Header()
"""Stands for the header of something that has none, so that it can be answered."""


def read(message: bytes) -> Header:
    """The header of a message. Raises `NoteRejected("mllp.header")` where it has none."""
    return of_line(message, (b"MSH",))


def of_line(message: bytes, names: tuple[bytes, ...]) -> Header:
    """The fields of the first line, whose segment is one of `names`. Raises as `read` does."""
    line = _first_line(message)
    separator = line[3:4]
    if not line.startswith(names) or not _DELIMITERS.fullmatch(separator):
        raise NoteRejected("mllp.header", "the block begins neither with MSH nor as a batch")
    fields = line.split(separator, _FIELDS)[:_FIELDS]
    return Header(separator, tuple(_printable(value) for value in fields))


def without_date(message: bytes) -> bytes:
    """The message with MSH-7 empty: some senders write the time anew when they send again."""
    line = _first_line(message)
    start = message.index(line)
    fields = line.split(line[3:4])
    if len(fields) < DATE_OF_MESSAGE:
        return message
    fields[DATE_OF_MESSAGE - 1] = b""
    return line[3:4].join(fields) + message[start + len(line) :]


def with_original_mode(message: bytes) -> bytes:
    """The message with MSH-15 and MSH-16 empty, so that whoever gets it answers it."""
    line = _first_line(message)
    start = message.index(line)
    fields = line.split(line[3:4])
    for number in (15, 16):
        if len(fields) >= number:
            fields[number - 1] = b""
    return message[:start] + line[3:4].join(fields) + message[start + len(line) :]


def _first_line(message: bytes) -> bytes:
    return _LINE.split(message.removeprefix(_BOM).lstrip(b" \t\r\n"), maxsplit=1)[0]


def _printable(value: bytes) -> bytes:
    return value.translate(None, bytes(range(0x20)) + b"\x7f")
