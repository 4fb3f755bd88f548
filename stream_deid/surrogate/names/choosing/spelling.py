"""Invented, pronounceable names for names that no list holds: a keyed permutation of spellings.

A name is read as alternating consonant and vowel groups. Each group is an index into the list of
groups that may stand in its place, the whole name a number in mixed radix, and this number is
enciphered and written as groups again (format-preserving encryption by rank, encipher, unrank;
Bellare et al. 2009). So two names never become one; length, syllables, endings that tell origin
or sex (-ez, -son, -ski, -a, -o) stay; the first letter always changes, so that initials do too.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from functools import cache

from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.text.memo import remembered

_LISTS = Vocabulary("names_spelling", "surrogates")


def _split(*lines: str) -> tuple[tuple[str, ...], ...]:
    return tuple(tuple(line.split()) for line in lines)


# Groups of letters that may stand for each other, by place in the name; common ones change
# among themselves, so that an invented name is no stranger than the name that it replaces.
_FIRST = _split(
    "b c d f g h j k l m n p r s t v w",
    "bl br ch cl cr dr fl fr gr pl pr sh sl sp st str sw th tr wh",
    "kl kn kr ph qu sc sch sk sm sn tw ts x y z",
)
_MIDDLE = _split(
    "b d g k l m n p r s t v",
    "c f h j w y z x q",
    "bb dd ff gg ll mm nn pp rr ss tt",
    "ld lt mb mp nd ng nk nt rd rk rt st rg rb",
    "lb lf lk lm lv ns rl rm rn rs rv ls ms",
    "br dr gr tr kr bl gl pl",
    "ch ck sh th ph gh tch sch",
    "str ndr ntr mbr mbl ngl ngr ldr rst nst",
    "dl kl tl nl sl ml sm sp sk sw tw nw rw wn",
)
_FINAL = _split(
    "l m n r s t d k",
    "b c f g h p v w x z",
    "ll ss tt nn rr ff",
    "ck ch sh th tch sch",
    "ld lt nd ng nk nt rd rk rt st rm rn",
    "lk lm ls mp ns rl rp rs sk tz wn ks ts",
)
_VOWELS = _split("a e i o", "u", "y")
_FIRST_VOWELS = _split("a e i o u y")
_DOUBLE = _split("ai au ea ee ei ie oa oo ou", "ay ey oy uy", "eo eu ia io iu oi ua ue ui")
_END = _split("a", "o", "e i y", "u", "ia ea ua", "io eo", "ie ey ee ay oe ue ei oy")
_SUFFIXES = tuple(
    sorted(
        _LISTS.ordered("suffixes"),
        key=lambda s: (-len(s), s),
    )
)
_SCRIPTS = (
    (0x3B1, 0x3C9), (0x430, 0x44F), (0x561, 0x586), (0x5D0, 0x5EA), (0x627, 0x63A),
    (0x641, 0x64A), (0x905, 0x939), (0xE01, 0xE2E), (0x10D0, 0x10F0), (0x3042, 0x3093),
    (0x30A2, 0x30F3), (0x4E00, 0x9FA5), (0xAC00, 0xD7A3),
)  # fmt: skip
_WALK = 8
_LATIN = tuple("abcdefghijklmnopqrstuvwxyz")

Slot = tuple[tuple[str, ...], int]


def _is_vowel(text: str, i: int) -> bool:
    char = text[i]
    follows = i + 1 < len(text) and text[i + 1] in "aeiou"
    if char == "u" and follows and i and text[i - 1] == "q":
        return False
    return char in "aeiou" or (char == "y" and not follows)


def _groups(text: str) -> list[tuple[str, bool]]:
    """Runs of consonants or of vowels: (letters, is vowel)."""
    runs: list[tuple[str, bool]] = []
    for i, char in enumerate(text):
        vowel = _is_vowel(text, i)
        if runs and runs[-1][1] == vowel:
            runs[-1] = (runs[-1][0] + char, vowel)
        else:
            runs.append((char, vowel))
    return runs


@remembered
def _script(char: str) -> tuple[str, ...]:
    """Letters that may replace a letter of another script (or any other sign)."""
    code = ord(char)
    for low, high in _SCRIPTS:
        if low <= code <= high:
            return _letters(low, high)
    return (*_LATIN, char) if char not in _LATIN else _LATIN


@cache
def _letters(low: int, high: int) -> tuple[str, ...]:
    """A script as `_SCRIPTS` bounds it: 20,000 characters for Chinese, made once."""
    return tuple(map(chr, range(low, high + 1)))


def _choices(group: str, *, vowel: bool, first: bool, last: bool) -> tuple[str, ...] | None:
    if vowel:
        sets = _DOUBLE if len(group) > 1 else _FIRST_VOWELS if first else _VOWELS
        sets = _END if last and not first else sets
    else:
        sets = _FIRST if first else _FINAL if last else _MIDDLE
    return next((options for options in sets if group in options), None)


def _split_group(group: str, *, vowel: bool, first: bool, last: bool) -> list[Slot]:
    """Slots of an unusual group: two usual ones where it falls into them, else its letters."""
    if not vowel and group.isascii():
        for at in range(len(group) - 1, 0, -1):
            left = _choices(group[:at], vowel=False, first=first, last=not first)
            right = _choices(group[at:], vowel=False, first=not last, last=last)
            if left is not None and right is not None:
                return [(left, left.index(group[:at])), (right, right.index(group[at:]))]
    slots: list[Slot] = []
    for char in group:
        single = _choices(char, vowel=vowel, first=first and not slots, last=False)
        single = single or _script(char)
        slots.append((single, single.index(char)))
    return slots


@remembered
def parse(key: str) -> tuple[tuple[Slot, ...], str]:
    """The slots of a canonical name and the ending that is kept."""
    suffix = next((s for s in _SUFFIXES if key.endswith(s) and len(key) >= len(s) + 2), "")
    stem = key[: len(key) - len(suffix)]
    slots: list[Slot] = []
    runs = _groups(stem) if stem.isascii() and stem.isalpha() else [(c, False) for c in stem]
    for i, (group, vowel) in enumerate(runs):
        last = i == len(runs) - 1 and not suffix
        options = None
        if stem.isascii():
            options = _choices(group, vowel=vowel, first=i == 0, last=last)
        if options is not None:
            slots.append((options, options.index(group)))
            continue
        slots += _split_group(group, vowel=vowel, first=not slots, last=last)
    return tuple(slots), suffix


@remembered
def _largest_letter(options: tuple[str, ...]) -> int:
    """How many of the options begin with the commonest first letter."""
    return max(Counter(option[0] for option in options).values())


def _turn_first(scope: Scope, slot: Slot) -> int:
    """Another choice for the first group, with another first letter, one to one."""
    options, index = slot
    size = len(options)
    most = _largest_letter(options)
    low, high = (most, size - most) if 2 * most <= size else (1, size - 1)
    if size < 2:
        return index
    return (index + low + scope.integer(high - low + 1, "turn")) % size


def _rank(slots: Sequence[Slot]) -> tuple[int, int]:
    value, size = 0, 1
    for options, index in slots:
        value = value * len(options) + index
        size *= len(options)
    return value, size


def _unrank(slots: Sequence[Slot], value: int) -> str:
    pieces: list[str] = []
    for options, _ in reversed(slots):
        value, index = divmod(value, len(options))
        pieces.append(options[index])
    return "".join(reversed(pieces))


def invent(scope: Scope, key: str) -> str:
    """A pronounceable name for `key` (canonical, not empty), lower case.

    One to one for a scope among names that can be pronounced; strings whose first group of
    letters is unheard of may meet (`People` keeps them apart within a note). Never begins as
    `key` does.
    """
    slots, suffix = parse(key)
    if not slots:  # no letter that is pronounced here: as if its letters were ours
        slots, suffix = parse("a" + "".join(chr(97 + ord(char) % 26) for char in key))
    first, rest = slots[0], slots[1:]
    turned = _turn_first(scope, first)
    head = first[0][turned]
    if not rest:
        return head + suffix
    value, size = _rank(rest)
    inner = scope.sub("rest", turned)
    wanted = len(slots)
    for _ in range(_WALK):
        value = inner.permute(size, value) if size > 1 else value
        made = head + _unrank(rest, value) + suffix
        if len(parse(made)[0]) == wanted:
            break
    return made
