"""Street addresses: numbers and names change; kind of street, floor, door, unit and layout stay.

English and Spanish addresses are read the same way: words of the trade (street, calle, apt, piso)
stay, floors and doors (`3º dcha`, `1ºA`, `2nd Fl`) change their figures and letters only, house
numbers change by pattern, numbered streets keep the ending that fits the new number, and what is
left is the name of a street or place, which becomes another one.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from stream_deid.lists.lexicon import load_list
from stream_deid.lists.titles import affixes, any_of
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate import number_words
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.places import street_names
from stream_deid.surrogate.scramble import scramble
from stream_deid.text.canonical import Word, last_key, like_case, like_written, words
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LISTS = Vocabulary("places_streets", "surrogates")

STREET_WORDS = _LISTS.words("street_words") | _LISTS.words("other_words")
"""Folded words of an address that tell nothing: kinds of street, floors, doors, directions."""

_OPENERS = {code: _LISTS.words(f"openers_{code}") for code in ("en", "es")}
_PARTICLES_BEFORE = linear(
    rf"(?i)(?:^|[^\pL\d])((?:(?:{any_of('street', 'particle')})\s+)+|d['’])$"
)
_COLOUR = re.compile(r"(?i) (?:blanc[ao]|verde|azul|roj[ao]|amarill[ao]|celeste|negr[ao])\b")
_CARDINALS = re.compile(r"(?ai)\b\d+(?:st|nd|rd|th)\b")
_FLOOR = re.compile(
    r"(?ai)\b(\d{1,2})((?:\s?\.?\s?[ºª°]|o\b|er|ro|ra|do|da|to|ta|mo|ma|vo|va|no|na|[antr]\b))"
    r"(?:([\s,\-]*)([a-hj-n])\b)?"
)
_HOUSE = linear(r"\d[\dlIOo|]*[A-Za-z]?\b|\d+")
_UNIT_LETTER = re.compile(rf"(?ai)\b(?:{_LISTS['unit_letters']})(?:\.\s?|\s|#)[#\"]?([a-hj-z])\b")
_JOINTS = affixes("inside", "particle")
_DOORS = ("abcd", "efgh")  # the letters that doors have, those of small houses apart
_ENDINGS = _LISTS.words("endings")


def opens_address(text: str, language: str) -> bool:
    """Whether some place begins as an address does (`apt 4C`, `Urb. El Roble`)."""
    first = next(iter(words(text)), None)
    return first is not None and first.key in _OPENERS[language]


def street(scope: Scope, text: str, language: str, real: frozenset[str] = frozenset()) -> str:
    """The surrogate of a STREET span, in the note's `language` (`en` or `es`).

    `real`: `distinctive_words` of the note's names, which Spanish streets don't take.
    """
    runs = _runs(text, _names(text, language), language)
    if not runs and not any(c.isdecimal() for c in text):
        return like_written(text, _name(scope, text, language, "", real), language)
    pieces: list[str] = []
    last = 0
    for start, end in runs:
        name = _name(scope, text[start:end], language, text[:start], real)
        pieces += [
            _figures(scope, text[last:start]),
            like_written(text[start:end], name, language),
        ]
        last = end
    return "".join([*pieces, _figures(scope, text[last:])])


def _names(text: str, language: str) -> list[Word]:
    """The words of an address that are part of a name."""
    return [
        w
        for w in words(text)
        if w.key not in STREET_WORDS and len(w.key) > 1 and not _in_a_code(text, w)
        and not (language == "es" and w.key in _ENDINGS)
    ]  # fmt: skip


def _in_a_code(text: str, word: Word) -> bool:
    """Whether a word is the ending of a number before it, or the letters of a road (`CM-2105`)."""
    if word.start > 0 and text[word.start - 1].isdecimal() and len(word.key) <= 3:
        return True
    after = text[word.end : word.end + 2]
    return len(word.key) <= 3 and word.text.isupper() and after[:1] == "-" and after[1:].isdecimal()


def _runs(text: str, names: Sequence[Word], language: str) -> list[tuple[int, int]]:
    """Neighbouring words of names joined, over spaces, hyphens and Spanish particles.

    A date that is a name (`5 de Mayo`) is one.
    """
    dates = [m.span() for m in street_names.FEAST.finditer(text)] if language == "es" else []
    runs: list[tuple[int, int]] = []
    for word in names:
        date = next((d for d in dates if d[0] <= word.start < d[1]), None)
        start, end = date or (word.start, word.end)
        if language == "es" and date is None:
            start = _with_particles(text, start)
        between = text[runs[-1][1] : word.start] if runs else ""
        if runs and "\n" not in between and _joined(between):
            runs[-1] = (runs[-1][0], end)
        else:
            runs.append((start, end))
    return [(start, _after_colour(text, end)) for start, end in runs]


def _after_colour(text: str, end: int) -> int:
    """Where a name ends whose last word is a colour (`de la Virgen Blanca`)."""
    match = _COLOUR.match(text, end)
    return match.end() if match else end


def _with_particles(text: str, start: int) -> int:
    """Where a name begins with the `de la`, `del`, `los` before it."""
    match = _PARTICLES_BEFORE.search(text[:start])
    return match.start(1) if match else start


def _joined(between: str) -> bool:
    inside = fold(between).replace("-", " ").replace("'", " ").replace("’", " ").split()
    return all(w in _JOINTS for w in inside)


def _name(scope: Scope, raw: str, language: str, beside: str, real: frozenset[str]) -> str:
    """Another name of a street; `beside` is what stands before it."""
    if language == "es":
        return street_names.spanish(scope, raw, last_key(beside), real)
    key = fold(raw)
    names = load_list("words")["street.en"]
    at = scope.integer(len(names), "street", key)
    turned = (*names[at:], *names[:at])
    return next((n for n in turned if fold(n) not in key and key not in fold(n)), names[at])


def _figures(scope: Scope, text: str) -> str:
    """Numbers, floors, doors and unit letters of a stretch without names."""
    if not any(c.isalnum() for c in text):
        return text
    spans: list[tuple[int, int, str]] = []
    for pattern, kind in ((_CARDINALS, "ordinal"), (_FLOOR, "floor"), (_UNIT_LETTER, "letter"),
                          (_HOUSE, "house")):  # fmt: skip
        for match in pattern.finditer(text):
            start, end = match.span(1) if kind == "letter" else match.span()
            if all(end <= s or e <= start for s, e, _ in spans):
                spans.append((start, end, kind))
    pieces: list[str] = []
    last = 0
    for start, end, kind in sorted(spans):
        pieces += [text[last:start], _figure(scope, text[start:end], kind)]
        last = end
    return "".join([*pieces, text[last:]])


def _figure(scope: Scope, raw: str, kind: str) -> str:
    if kind == "floor":
        return _floor(scope, raw)
    if kind == "letter":
        return _door_letter(scope, raw)
    if kind == "house":
        return _house(scope, raw)
    digits = scramble(scope.sub("house"), raw[:-2])
    return digits + like_case(raw[-2:], number_words.ordinal_ending(int(digits)))


def _house(scope: Scope, raw: str) -> str:
    """Another number of as many digits; a door's letter (`12B`) is that of another door."""
    if raw[:-1].isdecimal() and raw[-1].lower() in "".join(_DOORS):
        return scramble(scope.sub("house"), raw[:-1]) + _door_letter(scope, raw[-1])
    return scramble(scope.sub("house"), raw)


def _floor(scope: Scope, raw: str) -> str:
    """Floor and door: another floor of a house of the same height, another door; marks stay."""
    match = _FLOOR.fullmatch(raw)
    assert match is not None
    digits, mark, gap, door = match.groups(default="")
    low, size = (1, 9) if len(digits) == 1 else (10, 90)
    value = scope.sub("floor").cycle(size, (int(digits) - low) % size) + low
    mark = number_words.ordinal_mark(value, mark)
    return f"{value}{mark}{gap}{_door_letter(scope, door) if door else ''}"


def _door_letter(scope: Scope, raw: str) -> str:
    letters = next((d for d in _DOORS if raw.lower() in d), "abcdefghijklmnopqrstuvwxyz")
    if raw.lower() not in letters:
        return raw
    at = scope.sub("door").cycle(len(letters), letters.index(raw.lower()))
    return like_case(raw, letters[at]) if raw.islower() else letters[at].upper()
