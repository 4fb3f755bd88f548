r"""Names that a note says openly once, found where they stand in disguise.

Looked at are pieces: a text is cut at capitals, digits, signs and blanks.

disguise = piece that tells ["s" | "es"]             whitcombe_mri.pdf  the Whitcombes
         | piece [_.+-/] piece, of one name          may.graves@  rose_kelly.dcm
         | pieces in one, of one name                #JaneWhitcombe  janeWhitcombe  MayGraves
         | initial [". " | ", "] piece, or reversed   j.whitcombe  Whitcombe, J.
         | joined form (`joined_names`), as an address   jwhitcombe  whitcombej82
         | piece that tells and a word of files      whitcombemri  drwhitcombe
         | word of a name "." end of a host          page.clinic
         | piece "-" end of line piece               Whit-\ncombe
         | pieces that ends of lines or cells part   Whitc\nombe  |Whi|tcombe|
         | pieces that signs part                    W*h*i*t*c*o*m*b*e  Whit(combe)
         | long piece within letters                 xxWhitcombexx
         | one of these with digits for letters      Wh1tc0mbe

A piece that has letters beside it becomes a user name, which keeps the way in which it is written.
Escapes (`Jane%20Whitcombe`) are read in the plain reading.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

from stream_deid.budget import check
from stream_deid.detect.record.joined_names import is_address
from stream_deid.detect.settle.boundaries.tails import without_tail
from stream_deid.detect.settle.fusion.spans import WEAK, Found
from stream_deid.detect.settle.propagation.open_names import OpenNames, is_word
from stream_deid.detect.settle.propagation.repeat import means_else
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.name_words import is_seen
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection, Finding, Known
from stream_deid.text.linear import linear
from stream_deid.text.readings import as_letters, in_entity, plain_of
from stream_deid.text.view import View

DETECTOR = "disguised@1"
_RUN = re.compile("[A-Za-z]+")
_HOST = re.compile(rf"\.(?:{Vocabulary('contact')['host_ends']})(?![A-Za-z0-9.-]*[A-Za-z0-9])")
"""The end of a host: before it a word ("page.clinic") is no word of a sentence."""
_PIECE = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[a-z]+")
_BROKEN = re.compile(r"(?<![A-Za-z])([A-Za-z]{2,20})-[ \t]*\r?\n[ \t]*([A-Za-z]{1,20})(?![A-Za-z])")
_MIXED = re.compile(r"(?<![A-Za-z0-9])(?=[A-Za-z]*[0-9])[A-Za-z0-9]{6,40}(?![A-Za-z0-9])")
_CUTS = (
    linear(rb"[A-Za-z]+(?:[ \t>|]{0,8}(?:[|\t]|\r?\n)[ \t>|]{0,8}[A-Za-z]+)+"),
    linear(rb"[A-Za-z]+(?: ?[!-/:-@[-`{-~]{1,4} ?[A-Za-z]+)+"),
)
_LEAST_CUT, _MOST_CUT = 6, 24  # letters of a name that is cut or misread
_GAPS = frozenset(["", "_", ".", "-", "+", "/", "%20", "%2C", "%2c", "%2B", "%2b"])
_BEFORE, _BEHIND = frozenset([" ", ". "]), frozenset([" ", ", "])
"""Between an initial and a name, between a name and an initial."""
_LONGEST_GAP = 3


@dataclass(frozen=True, slots=True)
class _Hit:
    """A stretch of a view that names the person of `source`; `glued`: letters stand beside it, or
    the words of a name beside one another.
    """

    start: int
    end: int
    source: Finding
    glued: bool = False


def open_names(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], known: Iterable[Known] = ()
) -> OpenNames:
    """The names that `findings` are in `texts`, and those of the record."""
    names = OpenNames()
    for stated in known:
        if stated.type in PERSONS and stated.role != "suffix":
            names.learn(stated.value, Finding(0, 1, stated.type, (DETECTOR,)))
    for text, found in zip(texts, findings, strict=True):
        for one in found:
            if one.type in PERSONS and one.score >= WEAK:
                names.learn(text[one.start : one.end], one)
    names.settle()
    return names


def disguised(
    texts: Sequence[str], findings: Sequence[Sequence[Finding]], names: OpenNames
) -> list[list[Detection]]:
    """What of `names` stands in each of `texts` and is no part of its `findings`."""
    return [
        list(_uncovered(text, found, names)) for text, found in zip(texts, findings, strict=True)
    ]


def _uncovered(text: str, found: Sequence[Finding], names: OpenNames) -> Iterator[Detection]:
    if not text or (not names.pairs and not names.distinctive):
        return
    covered = Found(len(text), found)
    seen: set[tuple[int, int]] = set()
    for start, end, hit in _places(text, names, covered):
        if (start, end) in seen or covered.wholly(start, end) or in_entity(text, start, end):
            continue
        seen.add((start, end))
        kind = PhiType.USERNAME if hit.glued else hit.source.type
        label = "" if hit.glued else hit.source.label
        one = Detection(start, end, kind, DETECTOR, min(hit.source.score, 0.9), label)
        yield without_tail(text, one)


def _places(text: str, names: OpenNames, covered: Found) -> Iterator[tuple[int, int, _Hit]]:
    """Each hit in a text and in its plain reading, with its place in the text."""
    yield from _placed(text, names, covered, lambda start, end: (start, end))
    reading = plain_of(text)
    if reading is not None and reading.text:
        yield from _placed(reading.text, names, covered, reading.origin)


def _placed(
    shown: str, names: OpenNames, covered: Found, origin: Callable[[int, int], tuple[int, int]]
) -> Iterator[tuple[int, int, _Hit]]:
    """The hits in one reading of a text; `origin`: the place in the text of what it shows."""
    view = View(shown)

    def place(start: int, end: int) -> tuple[int, int]:
        return origin(*view.origin(start, end))

    for hit in _hits(view, names, lambda *run: covered.wholly(*place(*run))):
        yield *place(hit.start, hit.end), hit


def _hits(view: View, names: OpenNames, known: Callable[[int, int], bool]) -> Iterator[_Hit]:
    yield from _broken(view, names)
    yield from _cut(view, names)
    yield from _misread(view, names)
    last: tuple[int, int] | None = None  # the last piece of the run before
    glued = False  # whether it has letters before it
    for run in _RUN.finditer(view.text):
        check()
        start, end = run.span()
        pieces = _pieces(run[0], start)
        named: list[Finding | None] = [None] * len(pieces)
        silent = names.silent(view.lower[start:end])
        if (not silent or len(pieces) > 1) and not known(start, end):
            whole = None if silent else _whole(view, start, end, names)
            if whole is not None:
                yield whole
            elif len(pieces) > 1:
                named = _named(view, pieces, names)
        if last is not None and (found := _pair(view, last, pieces[0], names)):
            yield _Hit(*last, found, glued)
            named[0] = named[0] or found
        if any(named):
            yield from _merged(pieces, named)
        last, glued = pieces[-1], len(pieces) > 1


def _pieces(run: str, at: int) -> list[tuple[int, int]]:
    """Where the pieces of a run of letters stand that begins `at`."""
    if run[1:].islower() or run.isupper():
        return [(at, at + len(run))]
    return [(at + piece.start(), at + piece.end()) for piece in _PIECE.finditer(run)]


def _whole(view: View, start: int, end: int, names: OpenNames) -> _Hit | None:
    """What a run of letters that isn't silent is as a whole: a word of a name, or one joined in one
    word.
    """
    low = view.lower[start:end]
    host = names.hosts.get(low)
    if host is not None and _HOST.match(view.text, end) and not view.text[start].isupper():
        return _Hit(start, end, host, glued=True)
    found = names.word(low, capital=view.text[start].isupper())
    if found is not None:
        small = view.text[start].islower() and is_seen(low) and _in_prose(view, start, end)
        return None if small or means_else(view, start, end) else _Hit(start, end, found)
    if (host is not None and is_word(low)) or (low.endswith("s") and is_word(low[:-1])):
        return None
    found = names.joined(low, address=low in names.forms and is_address(view.text, start, end))
    return _Hit(start, end, found, glued=True) if found is not None else None


def _in_prose(view: View, start: int, end: int) -> bool:
    """Whether a word in small letters stands between blanks in a text that has capitals ("color
    oliva").
    """
    if view.text[start - 1 : start].strip() or view.text[end : end + 1].strip(" .,;:)\n"):
        return False
    return _CAPITALISED.search(view.text, max(0, start - _LINE), end + _LINE) is not None


_CAPITALISED = re.compile(r"\b[A-Z][a-z]")
_LINE = 60


def _named(view: View, pieces: Sequence[tuple[int, int]], names: OpenNames) -> list[Finding | None]:
    """Whose each piece of a run is, if anybody's."""
    named: list[Finding | None]
    named = [names.word(view.lower[a:b], capital=view.text[a].isupper()) for a, b in pieces]
    for i, two in enumerate(pairwise(pieces)):
        found = names.distinctive.get(view.lower[two[0][0] : two[1][1]])  # "McClain"
        found = found or _pair(view, *two, names)
        if found is not None:
            named[i], named[i + 1] = named[i] or found, named[i + 1] or found
    return named


def _pair(
    view: View, one: tuple[int, int], other: tuple[int, int], names: OpenNames
) -> Finding | None:
    """Whose name two pieces are that nothing but a sign parts, or an initial and a piece."""
    if other[0] - one[1] > _LONGEST_GAP:
        return None
    gap = view.text[one[1] : other[0]]
    initial = one[1] - one[0] == 1 or other[1] - other[0] == 1
    if not initial and gap not in _GAPS:
        return None
    first, second = view.lower[slice(*one)], view.lower[slice(*other)]
    if initial:
        capital = view.text[one[0]].isupper() and view.text[other[0]].isupper()
        behind = len(second) == 1
        beyond = other[1] if behind else one[0] - 1
        signs = "+-" if behind else ""  # "Crow B+": a group of blood
        next_to = view.text[beyond : beyond + 1] if beyond >= 0 else ""
        if next_to.isalnum() or (next_to and next_to in signs):  # "Abara D0"
            return None
        if gap not in _GAPS and not (capital and gap in (_BEHIND if behind else _BEFORE)):
            return None
        return names.initials.get((second, first) if behind else (first, second))
    return names.pairs.get((first, second))


def _merged(pieces: Sequence[tuple[int, int]], named: Sequence[Finding | None]) -> Iterator[_Hit]:
    """The named pieces of a run, neighbours as one."""
    made: list[_Hit] = []
    for (start, end), found in zip(pieces, named, strict=True):
        if found is not None and made and made[-1].end == start:
            made[-1] = replace(made[-1], end=end)
        elif found is not None:
            made.append(_Hit(start, end, found, glued=len(pieces) > 1))
    yield from made


def _broken(view: View, names: OpenNames) -> Iterator[_Hit]:
    """Names that the end of a line cuts."""
    for cut in _BROKEN.finditer(view.text):
        halves = cut[1].lower(), cut[2].lower()
        low = "".join(halves)
        found = names.word(low, capital=cut[1][0].isupper())
        if found is not None and halves not in names.pairs:
            yield _Hit(*cut.span(), found)


def _cut(view: View, names: OpenNames) -> Iterator[_Hit]:
    """Names that signs cut, or an end of a line or of a cell, with nothing to say so: not all of
    their pieces may be words or other names ("Good" / "man came", "Robert" / "son").
    """
    for row in (row for cut in _CUTS for row in cut.finditer(view.raw)):
        check()
        at = row.start()
        runs = [(at + m.start(), at + m.end()) for m in _RUN.finditer(row[0].decode("ascii"))]
        for i, (start, end) in enumerate(runs):
            low = view.lower[start:end]
            for j, (a, b) in enumerate(runs[i + 1 : i + _MOST_CUT], i + 1):
                if view.lower[a - 1 : b] == "'s":  # of whom something is: no end of a name
                    break
                low += view.lower[a : min(b, a + _MOST_CUT)]
                if len(low) > _MOST_CUT:
                    break
                if len(low) < _LEAST_CUT:
                    continue
                found = names.word(low, capital=view.text[start].isupper())
                if found is not None and not _all_by_themselves(view, runs[i : j + 1]):
                    yield _Hit(start, b, found, glued=True)


def _all_by_themselves(view: View, runs: Sequence[tuple[int, int]]) -> bool:
    return all(_by_itself(view.text[start:end]) for start, end in runs)


def _by_itself(piece: str) -> bool:
    """Whether a piece is a word, or a name with a capital."""
    low = piece.lower()
    return (len(low) > 1 and is_word(low)) or (
        not piece.islower() and not piece.isupper() and is_listed_name(low)
    )


def _misread(view: View, names: OpenNames) -> Iterator[_Hit]:
    """Names in which digits stand for letters."""
    for token in _MIXED.finditer(view.text):
        check()
        capital = token[0][0].isupper()
        for low in as_letters(token[0]):
            found = names.word(low, capital=capital)
            if found is not None:
                yield _Hit(*token.span(), found)
            elif (found := names.joined(low, address=False)) is not None:
                yield _Hit(*token.span(), found, glued=True)
