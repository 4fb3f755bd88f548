"""User names and the local parts of e-mail addresses: read as pieces of names, written likewise.

`jsmith`, `john.smith`, `smithj82`, `josmith`, `js` and `drsmith` are spelt of the parts of one
person of the note: whole parts (or their nicknames), beginnings of parts, initials, and words that
say nothing (`dr`, `md`, `family`); one or two letters beside a part may be initials that the note
does not know. Each piece becomes the same piece of the surrogate, so that the address still belongs
to its person. Words that name an office stay, listed names follow their surrogates, any other word
becomes an invented one and digits other digits.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from stream_deid.lists.lexicon import load_names
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.groups import START
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.scramble import scramble, scramble_digits
from stream_deid.text.canonical import canonical, like_case
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LISTS = Vocabulary("contacts_user_names", "surrogates")

OFFICES = _LISTS.words("offices")
"""Words of addresses that name an office and nobody."""

_BESIDE_NAMES = _LISTS.words("beside_names") | _LISTS.words("of_files") | affixes("user")
_SIZES = sorted({len(word) for word in _BESIDE_NAMES})
_PIECE = linear(r"\pL+|\d+|[^\pL\d]+")
_ASCII_PIECE = re.compile("[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")
_SHORTEST_PART = 3  # letters of a part that tells whose a piece is
_FEW = 2  # letters beside such a beginning
_SHORTEST_WORD = 4  # letters of a word; fewer are a code
_APOSTROPHES = frozenset("'’")
_LONGEST = 40  # letters of a piece that is read


def pieces(text: str) -> list[str]:
    """Runs of letters, of digits and of all else."""
    if text.isascii():
        return _ASCII_PIECE.findall(text)
    return [match.group() for match in _PIECE.finditer(text)]


@dataclass(frozen=True, slots=True)
class _Segment:
    """`size` letters of a piece: those that begin `part`, an initial that no part has (`other`), or
    a word that stays.
    """

    part: str = field(repr=False)
    size: int
    whole: bool = False
    other: bool = False


_Cover = tuple[int, tuple[_Segment, ...]]
"""Letters that whole parts and long beginnings explain, and the segments."""


def handle(people: People, text: str, scope: Scope) -> str:
    """The surrogate of a user name or the local part of an address."""
    found = _joined(people, pieces(text))
    covers = _covers(people, [canonical(piece) or piece for piece in found])
    made: list[str] = []
    for piece, cover in zip(found, covers, strict=True):
        if cover is not None:
            made.append(_written(people, piece, cover))
        elif piece[0].isalpha():
            made.append(word(people, piece, scope))
        elif piece[0].isdecimal():
            made.append(scramble_digits(scope.sub("handle"), piece))
        else:
            made.append(piece)
    return "".join(made)


def _joined(people: People, found: list[str]) -> list[str]:
    """The pieces, those on both sides of an apostrophe in one where somebody is called so."""
    for at in range(1, len(found) - 1):
        whole = "".join(found[at - 1 : at + 2])
        if found[at] in _APOSTROPHES and any(people.groups.with_parts([canonical(whole)])):
            return [*found[: at - 1], whole, *_joined(people, found[at + 2 :])]
    return found


def word(people: People, piece: str, scope: Scope) -> str:
    """A run of letters in an address: spelt of names, naming an office, or any other word."""
    (cover,) = _covers(people, [fold(piece)])
    if cover is not None:
        return _written(people, piece, cover)
    key = fold(piece)
    if key in OFFICES:
        return piece
    if len(key) < _SHORTEST_WORD or not key.isascii():
        return scramble(scope.sub("handle"), piece)
    halves = _two_names(key) or (key,)
    made = "".join(canonical(people.nobody(half)) for half in halves)
    return _cased(piece, made)


def of_person(people: People, piece: str) -> str:
    """A run of letters of an address where parts of one person of the note spell it, or nothing."""
    (cover,) = _covers(people, [fold(piece)])
    whole = cover is not None and any(segment.whole for segment in cover)
    return _written(people, piece, cover) if cover is not None and whole else ""


def _two_names(key: str) -> tuple[str, str] | None:
    """A word that is two listed names (`karenhuang`)."""
    names = load_names()
    cuts = range(_SHORTEST_PART, len(key) - _SHORTEST_PART + 1) if key not in names else ()
    return next(((key[:i], key[i:]) for i in cuts if key[:i] in names and key[i:] in names), None)


def _covers(people: People, keys: Sequence[str]) -> list[tuple[_Segment, ...] | None]:
    """For each piece of an address how the person whose it is spells it, or None."""
    best: list[_Cover | None] = [None] * len(keys)
    most = 0
    spelt = "|".join(keys)
    for group in people.groups.begun_in(spelt):
        parts = tuple(dict.fromkeys(group))
        found = [_cover(key, parts) if key.isalpha() else None for key in keys]
        told = sum(cover[0] for cover in found if cover is not None)
        if told > most:
            best, most = found, told
    if not most:
        best = [_initials(people, key) for key in keys]
    return [cover[1] if cover is not None else None for cover in best]


def _initials(people: People, key: str) -> _Cover | None:
    """A piece that is the initials of a person, in either order."""
    if not (key.isalpha() and 2 <= len(key) <= 3) or key in OFFICES:
        return None
    for group in people.groups.with_head(key[0]):
        heads = {part[0]: part for part in dict.fromkeys(group)}
        if len(group) > 1 and all(c in heads for c in key) and len(set(key)) == len(key):
            return 0, tuple(_Segment(heads[c], 1) for c in key)
    return None


def _cover(key: str, parts: Sequence[str]) -> _Cover | None:
    """The segments that explain most of a piece, or None where no segments explain all of it.

    `told` counts letters of whole parts and of beginnings long enough to tell a part.
    """
    if len(key) > _LONGEST:
        return None
    ends: dict[int, tuple[int, int, tuple[_Segment, ...]]] = {0: (0, 0, ())}
    for at in range(len(key)):
        if at not in ends:
            continue
        told, few, before = ends[at]
        for segment in _segments(key, at, parts):
            letters = segment.size if _tells(segment) else 0
            reached = (told + letters, few - _unsure(segment), (*before, segment))
            end = at + segment.size
            if end not in ends or reached[:2] > ends[end][:2]:
                ends[end] = reached
    if len(key) not in ends:
        return None
    told, few, segments = ends[len(key)]
    alone = key in _BESIDE_NAMES or (len(key) == 1 and not segments[0].other)
    sure = any(segment.whole for segment in segments)
    begun = told > 0 and -few <= _FEW
    return (told, segments) if sure or begun or alone else None


def _tells(segment: _Segment) -> bool:
    return segment.whole or (bool(segment.part) and segment.size >= START)


def _unsure(segment: _Segment) -> int:
    """How much a segment speaks against a cover: letters that may be anything."""
    if _tells(segment) or (segment.size > 1 and not segment.part):
        return 0
    return segment.size + segment.other


def _segments(key: str, at: int, parts: Sequence[str]) -> Iterable[_Segment]:
    """What may stand at a place of a piece: parts, nicknames, beginnings of parts, other words."""
    short = load_names().short
    for part in parts:
        if key.startswith(part, at):
            yield _Segment(part, len(part), whole=True)
        for nick in short.get(part, ()):
            if len(nick) >= _SHORTEST_PART and key.startswith(fold(nick), at):
                yield _Segment(fold(nick), len(nick), whole=True)
        for size in range(min(_shared(part, key, at), len(part) - 1), 0, -1):
            yield _Segment(part, size)
    if at < _FEW or len(key) - at <= _FEW:
        yield _Segment("", 1, other=True)
    for size in _SIZES:
        beside = key[at : at + size]
        if beside in _BESIDE_NAMES and not any(part.startswith(beside) for part in parts):
            yield _Segment("", len(beside))


def _shared(part: str, key: str, at: int) -> int:
    """How many letters of a part stand at a place of a piece."""
    most = min(len(part), len(key) - at)
    return next((size for size in range(most) if part[size] != key[at + size]), most)


def _written(people: People, piece: str, segments: Sequence[_Segment]) -> str:
    made: list[str] = []
    at = 0
    for segment in segments:
        raw = piece[at : at + segment.size]
        at += segment.size
        if not segment.part:
            beside = [other.part for other in segments if other.part]
            made.append(_cased(raw, people.initial(fold(raw), beside)) if segment.other else raw)
            continue
        value = canonical(people.part(segment.part))
        made.append(_cased(raw, value if segment.whole else value[: segment.size]))
    return "".join(made)


def _cased(model: str, value: str) -> str:
    """`value` (small letters) in the case of `model`: all, none or the first letter."""
    if model.isupper():
        return value.upper()
    return value.capitalize() if model[:1].isupper() else like_case(model, value)
