"""A file as messages: what it holds is found out before anything starts.

JSON and FHIR: one message a line, or pretty-printed messages one after the other, or one array of
them.
HL7 v2: one or more messages. Compressed files and tables are told apart and refused with what to
do. `-` is standard input; whatever can't be read twice is copied to a file that nobody else sees.
"""

from __future__ import annotations

import codecs
import re
import stat
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

import orjson

from stream_deid.errors import Halt, NoteRejected
from stream_deid.formats import sniff
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.hl7.er7.batches import BatchSegment

STANDARD = Path("-")
_SPACE = re.compile(r"[ \t\r\n]*")
_BRACKET = re.compile(r'"[^"\\]*(?:\\.[^"\\]*)*"|[{}\[\]]', re.DOTALL)
_SNIFF_BYTES = 4096
_AT_ONCE = 1_000_000
MOST_OF_A_LINE = 64_000_000
"""Bytes without a line end: lines are held in memory, and a stream of one may never end."""
_WIDE_MARKS = {  # the longer ones first
    codecs.BOM_UTF32_LE: "UTF-32", codecs.BOM_UTF32_BE: "UTF-32",
    codecs.BOM_UTF16_LE: "UTF-16", codecs.BOM_UTF16_BE: "UTF-16",
}  # fmt: skip
_PACKED = {b"\x1f\x8b": "gzip", b"BZh": "bzip2", b"PK\x03\x04": "zip", b"\x28\xb5\x2f\xfd": "zstd"}


@dataclass(frozen=True, slots=True)
class InputFile:
    """An open input: its name for the audit, the format and layout of its messages, their number.

    `layout`: `lines`, `documents` (JSON over several lines, or an array) or `messages` (HL7).
    `held`: messages of HL7, which are cut out of the whole, and `around` the segments of a batch.
    """

    name: str
    file: BinaryIO
    format: str
    layout: str
    count: int
    around: Sequence[BatchSegment] = ()
    held: Sequence[bytes] = field(default=(), repr=False)

    def messages(self) -> Iterator[bytes]:
        """The messages in order, without line ends."""
        return iter(self.held) if self.held else _messages(self.file, self.layout)


@contextmanager
def opened(path: Path, form: str) -> Iterator[InputFile]:
    """Open and look through an input; `form` is a format or `auto`.

    Raises `Halt("file....")` where it can't be read, is empty or holds no messages.
    """
    name = "stdin" if path == STANDARD else path.name
    with ExitStack() as stack:
        try:
            file = stack.enter_context(_seekable(path, form))
            found = _found(name, file, form)
        except OSError as error:
            raise Halt("file.unreadable", f"{path}: {error.strerror}") from None
        if not found.count:
            raise Halt("file.empty", f"{name} holds no messages")
        yield found  # errors from here on are not of the input


@contextmanager
def _seekable(path: Path, form: str) -> Iterator[BinaryIO]:
    if path != STANDARD and _is_endless(path):
        raise Halt("file.unreadable", f"{path} is a device; name a file, or - for stdin")
    if path == STANDARD or not stat.S_ISREG(path.stat().st_mode):
        with tempfile.TemporaryFile() as copy:  # without a name, gone with this process
            if path == STANDARD:
                _copy(sys.stdin.buffer, copy, "stdin", form)
            elif path.is_dir():
                raise Halt("file.unreadable", f"{path} is a folder; name a file, or - for stdin")
            else:
                with path.open("rb") as pipe:
                    _copy(pipe, copy, path.name, form)
            yield copy
        return
    with path.open("rb") as file:
        yield file


def _copy(stream: BinaryIO, copy: BinaryIO, name: str, form: str) -> None:
    """All of a stream, which may have no end, where its start can be that of messages."""
    start = stream.read(_SNIFF_BYTES)
    _of_one_layout(name, start, form)
    copy.write(start)
    copy.writelines(_bounded(name, stream, len(start) - _last_end(start) - 1))


def _bounded(name: str, stream: BinaryIO, open_bytes: int = 0) -> Iterator[bytes]:
    """A stream piece by piece, `open_bytes` behind its last line end.

    Raises `Halt("file.too_long")` where a line is longer than can be held.
    """
    while piece := stream.read(_AT_ONCE):
        first = _first_end(piece)
        if open_bytes + first > MOST_OF_A_LINE:
            raise Halt(
                "file.too_long",
                f"{name} has a line of more than {MOST_OF_A_LINE:,} bytes; JSON and FHIR: one "
                "message a line, as `jq -c '.[]'` writes the members of an array",
            )
        yield piece
        whole = first < len(piece)
        open_bytes = len(piece) - _last_end(piece) - 1 if whole else open_bytes + len(piece)


def _first_end(piece: bytes) -> int:
    """Where the first line end of a piece is; its length where there is none."""
    return min((at for at in (piece.find(b"\n"), piece.find(b"\r")) if at >= 0), default=len(piece))


def _last_end(piece: bytes) -> int:
    return max(piece.rfind(b"\n"), piece.rfind(b"\r"))


def _is_endless(path: Path) -> bool:
    """Whether it is a device that may give bytes for ever; a terminal ends with its user."""
    mode = path.stat().st_mode
    if not stat.S_ISCHR(mode):
        return stat.S_ISBLK(mode)
    with path.open("rb", buffering=0) as device:
        return not device.isatty()


def _found(name: str, file: BinaryIO, form: str) -> InputFile:
    """The format of a file's messages, how they lie in it and how many they are."""
    file.seek(0)
    only = _of_one_layout(name, file.read(_SNIFF_BYTES), form)
    file.seek(0)
    pieces = _bounded(name, file)
    if only:
        whole = b"".join(pieces)
        held = hl7v2.split(whole)
        return InputFile(name, file, only, "messages", len(held), hl7v2.around(whole), held)
    for _ in pieces:
        pass
    layout = _json_layout(file)
    form = _json_format(file, layout) if form == "auto" else form
    return InputFile(name, file, form, layout, sum(1 for _ in _messages(file, layout)))


def _of_one_layout(name: str, start: bytes, form: str) -> str:
    """The format of what begins so, where its messages lie in one way only.

    Raises `Halt("file....")` where messages don't begin so.
    """
    if not start.strip():
        raise Halt("file.empty", f"{name} is empty")
    if not start.strip(b"\0"):
        raise Halt("file.format", f"{name} begins with zeros and with no message")
    for magic, packing in _PACKED.items():
        if start.startswith(magic):
            raise Halt(
                "file.compressed",
                f"{name} is compressed ({packing}): unpack it, or pipe it in: "
                "zcat FILE | stream-deid file - --out ...",
            )
    if wide := _wide(start):
        raise Halt(
            "file.format",
            f"{name} is {wide}; convert it: iconv -f {wide} -t UTF-8 {name} > {name}.utf8",
        )
    if form == "hl7v2":
        return form
    opening = start.removeprefix(codecs.BOM_UTF8).lstrip()[:1]
    if form != "auto" or opening in (b"[", b"{"):
        return ""
    try:
        return sniff(start)
    except NoteRejected:
        raise Halt(
            "file.format",
            f"{name} holds neither JSON notes, FHIR resources nor HL7 v2 messages; a table (CSV) "
            'must become JSON lines of {"note_id", "patient_id", "text"} first; '
            "--format names a format",
        ) from None


def _wide(start: bytes) -> str:
    """The encoding of more than a byte a character that text is in, as `iconv` calls it; a file
    without its mark is told by the zeros, which no message holds.
    """
    for mark, name in _WIDE_MARKS.items():
        if start.startswith(mark):
            return name
    for width, name in ((4, "UTF-32"), (2, "UTF-16")):
        for order, at in (("BE", width - 1), ("LE", 0)):
            rest = start[:64]
            zeros = all(rest[i] == 0 for i in range(len(rest)) if i % width != at)
            if len(rest) >= 2 * width and zeros:
                return name + order
    return ""


def _json_format(file: BinaryIO, layout: str) -> str:
    """Whether the first message is a FHIR resource or a note."""
    try:
        return sniff(next(iter(_messages(file, layout)), b"{"))
    except NoteRejected:
        return "json"


def _json_layout(file: BinaryIO) -> str:
    """`documents` where the first line is no whole message but the file is JSON all the same."""
    file.seek(0)
    first = next((line for line in file if line.strip()), b"")
    try:
        whole = isinstance(orjson.loads(first), dict)
    except orjson.JSONDecodeError:
        whole = False
    if whole:
        return "lines"
    try:
        found = sum(1 for _ in _documents(file)) > 0
    except ValueError:
        return "lines"  # each broken line is a reject of its own
    return "documents" if found else "lines"


def _messages(file: BinaryIO, layout: str) -> Iterator[bytes]:
    file.seek(0)
    if layout == "documents":
        yield from _documents(file)
    else:
        for line in file:
            if line.strip():
                yield line.rstrip(b"\r\n")


def _documents(file: BinaryIO) -> Iterator[bytes]:
    """JSON objects one after the other, as they stand there; the members of an array one by one.

    Their ends are found by brackets alone, so one that is broken or too deep concerns nobody else.
    Raises `ValueError` where something else stands between them.
    """
    file.seek(0)
    text = file.read().decode("utf-8-sig")
    at, inside = _next(text, 0), False
    while at < len(text):
        if not inside and text[at] == "[":
            inside, at = True, _next(text, at + 1)
            if text[at : at + 1] == "]":
                inside, at = False, _next(text, at + 1)
            continue
        end = _end(text, at)
        yield text[at:end].encode("utf-8", "surrogatepass")
        at = _next(text, end)
        if inside:
            mark = text[at : at + 1]
            if mark not in (",", "]"):
                raise ValueError
            inside, at = mark == ",", _next(text, at + 1)


def _end(text: str, at: int) -> int:
    """Where the object or array that begins at `at` ends."""
    depth = 0
    if text[at] not in "{[":
        raise ValueError
    for found in _BRACKET.finditer(text, at):
        if found[0] in "{[":
            depth += 1
        elif found[0] in "}]":
            depth -= 1
            if not depth:
                return found.end()
    raise ValueError


def _next(text: str, at: int) -> int:
    found = _SPACE.match(text, at)
    return found.end() if found else at
