r"""HL7 escape sequences, decoded with a map back to the raw text, so that no edit touches others.

Source: HL7 v2.9 section 2.7 and its formatting commands (2.7.6). `\F\ \S\ \T\ \R\ \E\ \P\`
become the characters that they stand for, `\Xhh..\` the characters of its bytes (neighbouring
ones are joined, since one character may be spread over several), `\.br\ \.sp\ \.ce\` line breaks,
`\.sk n\` spaces; highlighting and the other formatting commands have no text. Everything else,
and every stray escape character, is text as it stands.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass, field

from stream_deid.formats.hl7.er7.syntax import Delimiters

_MAX_BLANK = 200  # `\.sp 9999\` must not blow the text up
_NO_TEXT = ("in", "ti", "fi", "nf")


@dataclass(frozen=True, slots=True)
class Unit:
    """An escape: `text[start:end]` (perhaps empty) came from raw `[raw_start, raw_end)`."""

    start: int
    end: int
    raw_start: int
    raw_end: int


@dataclass(frozen=True, slots=True)
class Decoded:
    """Decoded text of the raw stretch that begins at `origin`; `units` in order."""

    text: str = field(repr=False)
    origin: int
    units: tuple[Unit, ...] = ()

    def locate(self, offset: int) -> Unit:
        """Where the character at `offset` came from: a whole escape, or one raw character."""
        behind = bisect_right(self.units, offset, key=lambda unit: unit.end)
        if behind < len(self.units) and self.units[behind].start <= offset:
            return self.units[behind]
        last = self.units[behind - 1] if behind else Unit(0, 0, self.origin, self.origin)
        raw = last.raw_end + offset - last.end
        return Unit(offset, offset + 1, raw, raw + 1)


def decode(text: str, start: int, end: int, delimiters: Delimiters, charset: str) -> Decoded:
    """Decode the escapes of `text[start:end]`."""
    mark = delimiters.escape
    at = text.find(mark, start, end)
    if at < 0:
        return Decoded(text[start:end], start)
    out: list[str] = []
    units: list[Unit] = []
    length, done = 0, start
    while at >= 0:
        found = _escape(text, at, end, delimiters, charset)
        if found is None:
            at = text.find(mark, at + 1, end)
            continue
        value, stop = found
        out += (text[done:at], value)
        length += at - done
        units.append(Unit(length, length + len(value), at, stop))
        length += len(value)
        done = stop
        at = text.find(mark, stop, end)
    out.append(text[done:end])
    return Decoded("".join(out), start, tuple(units))


def _escape(
    text: str, at: int, end: int, delimiters: Delimiters, charset: str
) -> tuple[str, int] | None:
    """The value and end of the escape sequence at `at`, or None where it is none."""
    close = text.find(delimiters.escape, at + 1, end)
    if close < 0:
        return None
    body = text[at + 1 : close]
    if body[:1] in ("X", "x") and _hex(body[1:]) is not None:
        return _hex_run(text, at, end, delimiters, charset)
    value = _simple(body, delimiters)
    return None if value is None else (value, close + 1)


def _simple(body: str, delimiters: Delimiters) -> str | None:
    if body.startswith("."):
        return _format_command(body[1:])
    return {
        "F": delimiters.field,
        "S": delimiters.component,
        "T": delimiters.subcomponent,
        "R": delimiters.repetition,
        "E": delimiters.escape,
        "P": delimiters.truncation or "#",
        "H": "",
        "N": "",
    }.get(body)


def _format_command(command: str) -> str | None:
    name, rest = command[:2].lower(), command[2:].strip().lstrip("+-")
    if rest and not (rest.isascii() and rest.isdecimal()):
        return None
    count = min(int(rest or 1), _MAX_BLANK) if len(rest) < 6 else _MAX_BLANK
    if name in ("br", "ce"):
        return "\n"
    if name == "sp":
        return "\n" * max(count, 1)
    if name == "sk":
        return " " * max(count, 1)
    return "" if name in _NO_TEXT else None


def _hex(digits: str) -> bytes | None:
    try:
        return bytes.fromhex(digits) if digits.isalnum() else None
    except ValueError:
        return None


def _hex_run(text: str, at: int, end: int, delimiters: Delimiters, charset: str) -> tuple[str, int]:
    r"""Join the bytes of neighbouring `\X..\` and decode them.

    Bytes that are no text of the message's character set are read as ISO 8859-1, so that
    detectors see something of them.
    """
    data = b""
    while text[at + 1 : at + 2] in ("X", "x") and text[at] == delimiters.escape:
        close = text.find(delimiters.escape, at + 1, end)
        value = _hex(text[at + 2 : close]) if close > 0 else None
        if value is None:
            break
        data += value
        at = close + 1
        if at >= end:
            break
    try:
        return data.decode(charset), at
    except UnicodeDecodeError:
        return data.decode("latin-1"), at


def encode(text: str, delimiters: Delimiters) -> str:
    r"""Escape what has a meaning in ER7; a line break becomes `\.br\`."""
    mark = delimiters.escape
    table: dict[str, str | int | None] = {
        mark: f"{mark}E{mark}",
        delimiters.field: f"{mark}F{mark}",
        delimiters.component: f"{mark}S{mark}",
        delimiters.subcomponent: f"{mark}T{mark}",
        delimiters.repetition: f"{mark}R{mark}",
        "\n": f"{mark}.br{mark}",
        "\r": f"{mark}X0D{mark}",
    }
    return text.replace("\r\n", "\n").translate(str.maketrans(table))


def raw_edits(
    decoded: Decoded, edits: Sequence[tuple[int, int, str]], delimiters: Delimiters
) -> list[tuple[int, int, str]]:
    """Turn ordered, disjoint edits of the decoded text into edits of the raw text.

    An edit that begins or ends inside an escape of several characters takes the whole escape
    and writes the characters that it does not replace again. So does one behind an escape
    character that opens nothing: what is written now may close it.
    """
    groups: list[tuple[Unit, Unit, list[tuple[int, int, str]]]] = []
    for edit in edits:
        first, last = decoded.locate(edit[0]), decoded.locate(edit[1] - 1)
        first = _stray(decoded, first, delimiters) or first
        if groups and first.start < groups[-1][1].end:
            before = groups.pop()
            groups.append((before[0], last, [*before[2], edit]))
        else:
            groups.append((first, last, [edit]))
    return [
        (
            first.raw_start,
            last.raw_end,
            _rewritten(decoded.text, first.start, last.end, group, delimiters),
        )
        for first, last, group in groups
    ]


def _stray(decoded: Decoded, first: Unit, delimiters: Delimiters) -> Unit | None:
    """The escape character before `first` that opens nothing, where neither an escape nor the end
    of a field stands between.
    """
    at = decoded.text.rfind(delimiters.escape, 0, first.start)
    if delimiters.field in decoded.text[max(at, 0) : first.start]:
        return None
    stray = decoded.locate(at) if at >= 0 else None
    if stray is None or stray.raw_end - stray.raw_start != 1:
        return None
    between = bisect_right(decoded.units, at, key=lambda unit: unit.start)
    following = decoded.units[between : between + 1]
    return None if following and following[0].start < first.start else stray


def _rewritten(
    text: str, start: int, end: int, edits: Sequence[tuple[int, int, str]], delimiters: Delimiters
) -> str:
    """`text[start:end]` with the edits made, escaped anew."""
    out: list[str] = []
    for edit_start, edit_end, replacement in edits:
        out += (encode(text[start:edit_start], delimiters), encode(replacement, delimiters))
        start = edit_end
    return "".join((*out, encode(text[start:end], delimiters)))
