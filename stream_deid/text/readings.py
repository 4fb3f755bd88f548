r"""A text as a person reads it: without the marks that exports and scans leave in it.

Exports hold entities (`&nbsp;`, `&#45;`), tags, control words of RTF, quoted-printable (`=20`),
escapes of JSON, Markdown and web addresses (`\\u00e9`, `172\\.22`, `Jane%20Doe`); forms are cut
by cells (`1|4|0|3|`), scans space their letters (`S M I T H`) or read them as digits (`P1NO`,
`l9-O44l`). Detectors look at the text as it is, and at its plain reading, whose
characters know where they stand in the text.
"""

from __future__ import annotations

import html
import itertools
import re
import string
from array import array
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass, field, replace
from itertools import islice, repeat
from typing import Protocol

from stream_deid.note import Detection, Note
from stream_deid.text.line_ends import broken_as, unbroken
from stream_deid.text.look_alikes import DRAWN_LIKE
from stream_deid.text.memo import remembered_of

_LEAST = 5  # single characters in a row that make a spaced word

_CELLS = r"\|?(?:[^\s|]\|){3,}[^\s|]?"
_SPACED = rf"(?<!\S)\S(?: {{1,4}}\S(?!\S)){{{_LEAST - 1},}}"
_AN_ENTITY = r"&(?:amp;){0,3}(?:#[0-9]{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z]{2,8});"
_OF_URLS = r"(?<=[A-Za-z])(?:%[0-9A-Fa-f]{2})+(?=[A-Za-z])"
_CODES = (
    _AN_ENTITY + r"|</?[A-Za-z][^<>\n]{0,200}>"
    r"|\\u[0-9a-fA-F]{4}|\\[nrt](?![A-Za-z])|\\[._#()\[\]*-]"
    r"|[ÂÃ][^\x00-\x7f]|â€[^\x00-\x7f]"
    rf"|{_OF_URLS}"
)
_QUOTED = r"(?:=[0-9A-F]{2})+|=\r?\n"
_RTF = r"\\'[0-9a-f]{2}|\\[a-z]{1,12}-?[0-9]{0,4} ?|[{}]"
_IN_URLS = frozenset(string.ascii_letters + string.digits + string.punctuation)
_IS_QUOTED_URL = re.compile(_OF_URLS)
_IS_QUOTED = re.compile(r"=(?:20|3D|A0|C[23][=]|E2=|\r?\n)")
_IS_RTF = re.compile(r"\\(?:rtf|par)\b")
_ENTITY, _LONGEST_ENTITY = re.compile(_AN_ENTITY), 25
_IS_CELLS, _IS_SPACED = re.compile(_CELLS), re.compile(_SPACED)
_TAG = re.compile(r"<(/?)([A-Za-z][A-Za-z0-9]*)[^<>]*>")
_INLINE = frozenset(
    ["a", "b", "i", "u", "em", "strong", "sup", "sub", "span", "font", "small", "big", "mark"]
)
_SIGN_OF_SCAN = re.compile(
    r"[A-Z]l[A-Z]|[a-z][01][a-z]|[A-Z]{2}0[A-Z]|\b0[A-Z]{2}|\d[Ol]\d|\d[Ol]\b|\b[Ol]\d"
)
_SIGNS = 4  # in a text that was scanned
_TOKEN = re.compile(r"[^\W_]{2,}")
_AMONG_FIGURES = re.compile(r"(?<=\d[ -])[OolI]{2,4}(?=[ -]\d)")
_NUMBER = re.compile(r"[\dOolI]*\d[\dOolI]*")
_AS_CAPITALS, _AS_SMALL, _AS_DIGITS = (
    str.maketrans(*pair) for pair in (("01l5", "OIIS"), ("01", "ol"), ("OolI", "0011"))
)
_MOST_DIGITS = 4  # of a word, each drawn like a letter or two
_CODE_POINT = re.compile(r"\\u[0-9a-fA-F]{4}")
_NBSP, _SURROGATES = 0xA0, range(0xD800, 0xE000)
_SHORT_ESCAPES = {"\\n": "\n", "\\r": "\n", "\\t": "\t"}


@dataclass(frozen=True, slots=True)
class Plain:
    """The plain reading: character i stands at `[starts[i], ends[i])` of the text."""

    text: str = field(repr=False)
    starts: array[int] = field(repr=False)
    ends: array[int] = field(repr=False)

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Where `[start, end)`, end > start, of the reading stands in the text."""
        return self.starts[start], self.ends[end - 1]

    def moved(self, found: Detection) -> Detection:
        """What was found in the reading, in its place in the text."""
        start, end = self.origin(found.start, found.end)
        return replace(found, start=start, end=end)


class _Detector(Protocol):
    def detect(self, text: str, note: Note) -> list[Detection]: ...


@remembered_of
def plain_of(text: str) -> Plain | None:
    """`plain` of all of a text, made once a note."""
    return plain(text)


def plain(text: str) -> Plain | None:
    """The plain reading of a text; None where it is the text itself."""
    original, text = text, unscanned(text)
    marks = _marks(text)
    if text == original and marks.search(text) is None:
        return None
    pieces: list[str] = []
    starts, ends = array("i"), array("i")

    def add(shown: str, start: int, end: int) -> None:
        pieces.append(shown)
        starts.extend(repeat(start, len(shown)))
        ends.extend(repeat(end, len(shown)))

    def keep(start: int, end: int) -> None:
        pieces.append(text[start:end])
        starts.extend(range(start, end))
        ends.extend(range(start + 1, end + 1))

    last = 0
    for match in marks.finditer(text):
        keep(last, match.start())
        last = match.end()
        mark = match.group()
        if _IS_CELLS.fullmatch(mark) or _IS_SPACED.fullmatch(mark):
            _single(mark, match.start(), add)
        else:
            add(_shown(mark), *match.span())
    keep(last, len(text))
    return Plain("".join(pieces), starts, ends)


def both(detector: _Detector, text: str, reading: Plain | None, note: Note) -> list[Detection]:
    """What a detector finds in a text and in its plain reading, in places of the text."""
    found = detector.detect(text, note)
    if reading is None or not reading.text:
        return found
    moved = [reading.moved(one) for one in detector.detect(reading.text, note)]
    known = {(d.start, d.end, d.type, d.detector) for d in found}
    return found + [d for d in moved if (d.start, d.end, d.type, d.detector) not in known]


def in_entity(text: str, start: int, end: int) -> bool:
    """Whether `[start, end)` lies within an entity, so that it is no text at all ("&#128591;")."""
    at = text.rfind("&", max(0, start - _LONGEST_ENTITY), start)
    entity = _ENTITY.match(text, at) if at >= 0 else None
    return entity is not None and entity.end() > end and _unescaped(entity[0]) != entity[0]


def unscanned(text: str) -> str:
    """A text with letters that were scanned as digits put right, and digits scanned as letters, of
    the same length; as it is where it does not look scanned.
    """
    signs = sum(1 for _ in islice(_SIGN_OF_SCAN.finditer(text), _SIGNS))
    if signs < _SIGNS:
        return text
    right = _TOKEN.sub(lambda match: _put_right(match.group()), text)
    return _AMONG_FIGURES.sub(lambda match: match.group().translate(_AS_DIGITS), right)


def _put_right(token: str) -> str:
    digits = sum(map(str.isdecimal, token))
    letters = len(token) - digits
    if letters > digits and letters > 1:
        upper = sum(map(str.isupper, token)) > sum(c.islower() and c != "l" for c in token)
        return token.translate(_AS_CAPITALS if upper else _AS_SMALL)
    return token.translate(_AS_DIGITS) if _NUMBER.fullmatch(token) else token


def as_letters(token: str) -> Iterator[str]:
    """The words in small letters that one is in which a few digits stand for letters ("wh1tc0mbe"),
    by scan or by will.
    """
    if 0 < sum(map(str.isdecimal, token)) <= min(_MOST_DIGITS, len(token) // 2):
        drawn = (DRAWN_LIKE[int(c)] if c.isdecimal() else c for c in token.lower())
        yield from map("".join, itertools.product(*drawn))


_SPELLED_BEHIND = re.compile(rf"[^\W\d_]{{2}} (?:{_SPACED})$")
"""Letters one by one behind a name that is said before ("tully hargreaves t u l l y")."""


def as_read(core: str) -> str:
    """A span as a person reads it, without the marks and the ends of lines in it."""
    reading = plain(core)
    return unbroken((reading and reading.text.strip()) or core)


def written_as(raw: str, made: str) -> str:
    """A replacement for `raw` with its cells, spaces, escapes or ends of lines, and with the tags
    that it would lose.
    """
    if _IS_QUOTED_URL.search(raw):
        return "".join(c if c in _IN_URLS else _quoted(c) for c in made)
    made = broken_as(raw, made)
    if _IS_CELLS.search(raw):
        return "|".join(made.replace(" ", "_"))
    if _IS_SPACED.fullmatch(raw):
        return " ".join(made).replace("   ", "  ")
    if _SPELLED_BEHIND.search(raw) and " " in made:
        head, _, last = made.rpartition(" ")
        return f"{head} {' '.join(last)}"
    tags = list(_TAG.finditer(raw))
    closing = sum(tag[1] == "/" for tag in tags)
    return made + "".join(tag[0] for tag in tags) if 2 * closing != len(tags) else made


_MARKS = {
    (quoted, rtf): re.compile(
        "|".join(
            [_CELLS, _SPACED, _CODES, *([_QUOTED] if quoted else ()), *([_RTF] if rtf else ())]
        )
    )
    for quoted in (False, True)
    for rtf in (False, True)
}
"""By whether a text has quoted-printable in it, and control words of RTF."""


def _marks(text: str) -> re.Pattern[str]:
    return _MARKS[_IS_QUOTED.search(text) is not None, _IS_RTF.search(text) is not None]


def _single(mark: str, at: int, add: Callable[[str, int, int], None]) -> None:
    """Characters one by one, without what parts them; a wide gap is a space."""
    cells = "|" in mark
    gap = 0
    for i, char in enumerate(mark):
        if char == "|" and cells:
            continue
        if char == " " and not cells:
            gap += 1
            continue
        if gap > 1:
            add(" ", at + i - 1, at + i)
        gap = 0
        add(" " if cells and char == "_" else char, at + i, at + i + 1)
    if cells:
        add(" ", at + len(mark) - 1, at + len(mark))


def _shown(mark: str) -> str:  # noqa: PLR0911 - one return for each kind of mark
    """What a mark stands for."""
    if mark[0] == "&":
        return _unescaped(mark)
    if mark[0] == "<":
        tag = _TAG.match(mark)
        return "" if tag and tag[2].lower() in _INLINE else " "
    if mark[0] in "ÂÃâ":
        return _mojibake(mark)
    if mark[0] == "=":
        return "" if mark[1] in "\r\n" else _decoded(mark)
    if mark[0] == "%":
        return _unquoted(mark)
    if mark in _SHORT_ESCAPES:
        return _SHORT_ESCAPES[mark]
    if _CODE_POINT.fullmatch(mark):
        code = int(mark.removeprefix("\\u"), base=16)
        return " " if code == _NBSP or code in _SURROGATES else chr(code)
    if mark.startswith("\\'"):
        return bytes.fromhex(mark.removeprefix("\\'")).decode("cp1252", "replace")
    if mark.startswith("\\") and not mark[1].isalnum():
        return mark[1]
    return "" if mark in "{}" else " " if mark.strip() in {"\\par", "\\line", "\\tab"} else ""


def _quoted(char: str) -> str:
    return "".join(f"%{byte:02X}" for byte in char.encode())


def _unquoted(mark: str) -> str:
    """What an escape of web addresses stands for, where that can be shown."""
    shown = bytes.fromhex(mark.replace("%", "")).decode("utf-8", "replace")
    return shown if shown.isprintable() and "\ufffd" not in shown else mark


def _unescaped(mark: str) -> str:
    """The character of an entity, escaped once or again and again ("&amp;eacute;")."""
    while (shown := html.unescape(mark)) != mark:
        mark = shown
    return mark.replace("\xa0", " ")


def _mojibake(mark: str) -> str:
    """UTF-8 that was taken for Windows-1252 or Latin-1, put right."""
    for code in ("cp1252", "latin-1"):
        with suppress(UnicodeError):
            return mark.encode(code).decode("utf-8").replace("\xa0", " ")
    return mark


def _decoded(mark: str) -> str:
    raw = bytes(int(code, 16) for code in mark.split("=")[1:])
    return raw.decode("utf-8", "replace")
