r"""HL7 v2 encoding rules (ER7): delimiters, character sets, framing, segments and fields.

Everything here speaks in offsets of the decoded message and copies nothing, so that what nobody
edits goes out exactly as it came in. Source: HL7 v2.9 chapter 2, sections 2.5 (encoding rules),
2.10.3 (batches) and 2.14.9 (MSH); MLLP release 1. Tolerated beyond the standard, because senders
do it: LF and CRLF line ends, line breaks inside a field, a byte order mark, white space before
MSH, and the doubly escaped encoding characters `^~\\&`.
"""

from __future__ import annotations

import codecs
import re
from bisect import bisect_right
from collections.abc import Iterator
from dataclasses import dataclass, field

from stream_deid.errors import NoteRejected
from stream_deid.formats.hl7.er7.batches import BatchSegment, batch_segments, miscounted

_BOM = codecs.BOM_UTF8
_START, _END = b"\x0b", b"\x1c"
_BLANKS = _BOM + b" \t\r\n" + _START
_BATCH = ("FHS", "BHS")
_DOUBLY_ESCAPED = "^~\\\\&"
_SEVERAL = "several messages in one; `stream-deid split` makes messages of a batch"
_WRONG_MSH = "the message does not begin with a whole MSH segment"

# HL7 table 0211, as far as Python has the codec; the empty name is our own default.
CHARSETS = {
    "": "utf-8",
    "ASCII": "utf-8",
    "ISO IR6": "utf-8",
    "UNICODE UTF-8": "utf-8",
    "UTF-8": "utf-8",
    "UTF8": "utf-8",
    "WINDOWS-1252": "cp1252",
    **{f"8859/{n}": f"iso8859-{n}" for n in (1, 2, 3, 4, 5, 6, 7, 8, 9, 15)},
}
_NARROW = ("", "ASCII", "ISO IR6")  # what is called so is often more
# A well-formed multi-byte character of UTF-8 (RFC 3629, section 4); finite, hence linear time.
_UTF8_CHARACTER = re.compile(
    rb"[\xc3-\xdf][\x80-\xbf]|[\xe1-\xef][\x80-\xbf]{2}|[\xf0-\xf4][\x80-\xbf]{3}"
)


@dataclass(frozen=True, slots=True)
class Delimiters:
    """The separators of one message, as MSH-1 and MSH-2 declare them."""

    field: str = "|"
    component: str = "^"
    repetition: str = "~"
    escape: str = "\\"
    subcomponent: str = "&"
    truncation: str = ""


@dataclass(frozen=True, slots=True)
class Segment:
    """A segment in place: `fields[n - 1]` is the `[start, end)` of HL7 field n.

    `number` counts segments of this name from 1; `stop` lies behind its line end.
    """

    name: str
    number: int
    start: int
    end: int
    stop: int
    fields: tuple[tuple[int, int], ...]

    def at(self, number: int) -> tuple[int, int] | None:
        """Where field `number` lies, or None where the segment is too short or it is empty."""
        if not 1 <= number <= len(self.fields):
            return None
        start, end = self.fields[number - 1]
        return (start, end) if end > start else None


@dataclass(frozen=True, slots=True)
class Hl7Message:
    """A decoded message; `head` are the bytes before it (a byte order mark, blank lines).

    `charset`: of its escapes, and all that may be written into it. `wire`: of its bytes.
    """

    text: str = field(repr=False)
    head: bytes
    charset: str
    delimiters: Delimiters
    segments: tuple[Segment, ...] = field(repr=False)
    wire: str = "utf-8"

    def value(self, name: str, number: int) -> str:
        """The raw text of a field of the first segment `name`, or the empty string."""
        for segment in self.segments:
            if segment.name == name:
                place = segment.at(number)
                return self.text[slice(*place)] if place else ""
        return ""


def split(raw: bytes) -> list[bytes]:
    """Cut a file or batch into its messages, with framing and batch segments taken off.

    A file without any MSH comes back whole, for `read` to reject.
    """
    starts = list(_message_starts(raw))
    if not starts:
        return [raw] if raw.strip(b"\r\n\x0b\x1c ") else []
    around = [one.start for one in batch_segments(raw, starts)]
    ends = sorted([*starts[1:], len(raw), *around])
    messages = [raw[a : ends[bisect_right(ends, a)]] for a in starts]
    if raw.startswith(_BOM) and starts[0] <= len(_BOM):
        messages[0] = raw[: starts[0]] + messages[0]
    return [_without_frame(message) for message in messages]


def around(raw: bytes) -> list[BatchSegment]:
    """The segments of a batch file that lie around its messages, in order."""
    return list(batch_segments(raw, list(_message_starts(raw))))


def cut(raw: bytes) -> tuple[list[bytes], list[BatchSegment]]:
    """The messages of a batch and what lies around them, where it is all there.

    Raises `NoteRejected("hl7.batch")`: something belongs to no message, a trailer counts otherwise.
    """
    starts = list(_message_starts(raw))
    segments = list(batch_segments(raw, starts))
    first = min([*starts[:1], *(one.start for one in segments[:1])], default=len(raw))
    if raw[:first].strip(_BLANKS):
        raise NoteRejected("hl7.batch", "something stands before the first message")
    for told in miscounted(segments, len(starts)):
        raise NoteRejected("hl7.batch", told)
    return split(raw) if starts else [], segments


def _message_starts(raw: bytes) -> Iterator[int]:
    at = raw.find(b"MSH")
    while at >= 0:
        line = raw[max(0, at - 3) : at]
        if not line or line == _BOM or line[-1] in b"\r\n\x0b\x1c":
            header = raw[at + 3 : at + 8]
            if header[:1] == b"|" or (len(header) == 5 and not re.search(rb"[\w\s]", header)):
                yield at
        at = raw.find(b"MSH", at + 3)


def _without_frame(message: bytes) -> bytes:
    """Take off MLLP bytes."""
    block_end = message.rfind(_END)
    if block_end >= 0 and not message[block_end + 1 :].strip(b"\r\n\x0b"):
        message = message[:block_end]
    return message.rstrip(_START)


def read(raw: bytes, *, decoded: bool = False) -> Hl7Message:
    """Decode one message and find its segments.

    `decoded`: it stood as text in another message and is UTF-8, whatever MSH-18 says of escapes.

    Raises `NoteRejected`: `hl7.msh` (no usable MSH), `hl7.batch` (several messages),
    `hl7.charset` (MSH-18 names one that is not supported), `hl7.encoding` (bytes that are not
    in that character set).
    """
    head, body = _frame(raw)
    delimiters = _delimiters(body[:12].decode("latin-1"))
    charset, text = _decode(body, delimiters, decoded=decoded)
    segments = tuple(_segments(text, delimiters))
    if sum(s.name == "MSH" for s in segments) > 1:
        raise NoteRejected("hl7.batch", _SEVERAL)
    wire = "utf-8" if decoded else charset
    message = Hl7Message(text, head, charset, delimiters, segments, wire)
    if not any(map(str.isalpha, message.value("MSH", 9))):
        raise NoteRejected("hl7.msh", "MSH-9 (message type) is empty or has no letter")
    return message


def _frame(raw: bytes) -> tuple[bytes, bytes]:
    """Strip MLLP; tell the bytes before MSH from the message."""
    if raw.startswith(_START):
        raw = raw[1:]
    if raw.endswith((_END + b"\r", _END + b"\r\n", _END + b"\n", _END)):
        raw = raw[: raw.rindex(_END)]
    head = _BOM if raw.startswith(_BOM) else b""
    body = raw[len(head) :]
    blank = len(body) - len(body.lstrip(b" \t\r\n"))
    return head + body[:blank], body[blank:]


def _delimiters(header: str) -> Delimiters:
    if header.startswith(_BATCH) and header[3:4] in ("|", header[8:9]):
        raise NoteRejected("hl7.batch", _SEVERAL)
    if not header.startswith("MSH") or len(header) < 8:
        raise NoteRejected("hl7.msh", _WRONG_MSH)
    separator = header[3]
    characters = header[4:].split(separator, 1)[0]
    if characters == _DOUBLY_ESCAPED:
        characters = "^~\\&"
    marks = separator + characters
    usable = len(set(marks)) == len(marks) and all(
        " " < c < "\x7f" and not c.isalnum() and c != '"' for c in marks
    )
    if not usable or len(characters) not in (4, 5) or separator not in header[4:]:
        raise NoteRejected("hl7.msh", "MSH-1 and MSH-2 do not declare usable delimiters")
    return Delimiters(
        separator, characters[0], characters[1], characters[2], characters[3], characters[4:]
    )


def _decode(body: bytes, delimiters: Delimiters, *, decoded: bool) -> tuple[str, str]:
    r"""Decode by MSH-18, strictly.

    Where MSH-18 is empty or says ASCII (ISO IR6): UTF-8 where the bytes are that, else ISO 8859-1;
    but a mixture of both is rejected, because misread accents would hide names from detection.
    """
    separator = re.escape(delimiters.field.encode())
    ends = rb"[\r\n](?=[A-Z][A-Z0-9]{2}(?:" + separator + rb"|[\r\n]|\Z))"  # as `_begins_segment`
    header = re.split(ends, body, maxsplit=1)[0].decode("latin-1").rstrip("\r\n")
    fields = header.split(delimiters.field)
    declared = fields[17].split(delimiters.repetition)[0] if len(fields) > 17 else ""
    name = declared.strip().upper()
    if name not in CHARSETS:
        raise NoteRejected("hl7.charset", "MSH-18 names a character set that is not supported")
    charset = CHARSETS[name]
    try:
        return charset, body.decode("utf-8" if decoded else charset)
    except UnicodeDecodeError:
        if decoded or name not in _NARROW or _UTF8_CHARACTER.search(body):
            raise NoteRejected("hl7.encoding", "bytes outside the declared character set") from None
        return "latin-1", body.decode("latin-1")


def _segments(text: str, delimiters: Delimiters) -> Iterator[Segment]:
    """Find the segments; a line that does not begin like one continues the one before it."""
    starts = [
        start
        for start, end in pieces(text.replace("\r", "\n"), 0, len(text), "\n")
        if _begins_segment(text[start : min(end, start + 4)], delimiters)
    ]
    counts: dict[str, int] = {}
    for start, stop in zip(starts, [*starts[1:], len(text)], strict=True):
        end = start + len(text[start:stop].rstrip("\r\n"))
        name = text[start : start + 3]
        counts[name] = counts.get(name, 0) + 1
        fields = tuple(_fields(text, start, end, delimiters))
        yield Segment(name, counts[name], start, end, stop, fields)


def _begins_segment(line: str, delimiters: Delimiters) -> bool:
    """Whether the first four characters of a line are a segment's name and a separator."""
    name = line[:3]
    return (
        len(name) == 3
        and name.isascii()
        and name.isalnum()
        and name.isupper()
        and name[0].isalpha()
        and line[3:] in ("", delimiters.field)
    )


def _fields(text: str, start: int, end: int, delimiters: Delimiters) -> Iterator[tuple[int, int]]:
    """Offsets of fields 1, 2, ...; the first two of MSH are the delimiters themselves."""
    at = start + 3
    if text[start:at] == "MSH":
        yield (at, at + 1)
    if at < end:
        yield from pieces(text, at + 1, end, delimiters.field)


def pieces(text: str, start: int, end: int, separator: str) -> Iterator[tuple[int, int]]:
    """Cut `text[start:end]` at each `separator`; yields offsets, at least one piece."""
    while True:
        at = text.find(separator, start, end)
        if at < 0:
            yield (start, end)
            return
        yield (start, at)
        start = at + 1
