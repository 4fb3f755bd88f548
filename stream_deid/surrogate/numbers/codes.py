"""Identifiers: by pattern where they are codes, in words where they are said."""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import partial
from itertools import accumulate

from stream_deid.lists.titles import PARTICLES
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.spelling import invent
from stream_deid.surrogate.numbers import checked, held, licences, spoken_numbers
from stream_deid.surrogate.scramble import scramble
from stream_deid.text.canonical import Word, words

_SPECIMEN = re.compile(r"([A-Z]{1,4}\d\d-\d{3,8})([-. ]?[A-Z]\d?)")
_CODE_LETTERS = 3  # a word of more letters is a word, not a code


_HARDWARE = re.compile(r"[0-9A-Fa-f]{2}(?::[0-9A-Fa-f]{2}){5}|[0-9A-Fa-f]{2}(?:-[0-9A-Fa-f]{2}){5}")


def _hexadecimal(scope: Scope, text: str) -> str:
    """Another address of hardware (MAC), written alike; one to one within the scope."""
    digits = re.sub("[:-]", "", text)
    made = f"{scope.sub('hardware').cycle(16**12, int(digits, 16)):012x}"
    shown = made if any(c in "abcdef" for c in digits) else made.upper()
    sign = text[2]
    return sign.join(shown[i : i + 2] for i in range(0, 12, 2))


def code(scope: Scope, text: str, language: str) -> str:
    """The surrogate of an identifier: by pattern (`scramble`), words as words.

    Words that no digit touches become invented ones, numbers in words other numbers, particles
    (`25-1190 de 2016`) stay. The letter of a specimen's part stays (`S19-20311B`), so that the
    specimen and its parts still belong together. Spanish licences keep their form (`licences`),
    numbers with right check digits have right ones (`checked`), and what they hold is what it is
    alone (`held`).
    """
    if _HARDWARE.fullmatch(text) is not None:
        return _hexadecimal(scope, text)
    specimen = _SPECIMEN.fullmatch(text)
    if specimen is not None:
        return scramble(scope, specimen[1]) + specimen[2]
    by_pattern = partial(_by_pattern, language=language)
    numbers = spoken_numbers.said(text, language)
    counting = numbers and spoken_numbers.is_counting
    plain = [
        w
        for w in words(text)
        if w not in numbers and (_is_word(text, w) or (counting and counting(w)))
    ]
    found = sorted([*numbers, *plain], key=lambda w: w.start)
    if not found:
        return by_pattern(scope, text)
    said = dict(
        zip(numbers, spoken_numbers.other_words(scope, numbers, text, language), strict=True)
    )
    outside = _outside(text, [(w.start, w.end) for w in found])
    between = iter(_cut(by_pattern(scope, "".join(outside)), outside))
    pieces = [next(between)]
    for word in found:
        pieces += [said[word] if word in said else _other_word(scope, word), next(between)]
    return "".join(pieces)


def _by_pattern(scope: Scope, text: str, *, language: str) -> str:
    """Licences, numbers with check digits and all others, each among themselves: along the cycle
    until there is one of its own, which `text` itself is at the latest (of marks alone at once).
    """
    if language == "es" and licences.is_licence(text):
        return licences.number(scope, text)
    holding = held.kind(text, language)
    if holding:
        return held.number(text, holding, lambda own: code(scope, own, language))
    kind = checked.kind(text, language)
    other = partial(checked.number, language=language) if kind else scramble
    made = other(scope, text)
    while made != text and _form(made, language) != kind:
        made = other(scope, made)
    return made


def _form(text: str, language: str) -> str:
    is_licence = language == "es" and licences.is_licence(text)
    return "licence" if is_licence else checked.kind(text, language)


def _is_word(text: str, word: Word) -> bool:
    around = text[max(word.start - 1, 0) : word.start] + text[word.end : word.end + 1]
    if any(c.isdecimal() for c in around):
        return False
    particle = word.key in PARTICLES and word.text.islower() and len(word.key) > 1
    return particle or (len(word.key) > _CODE_LETTERS and not word.text.isupper())


def _other_word(scope: Scope, word: Word) -> str:
    if word.key in PARTICLES or spoken_numbers.is_counting(word):
        return word.text
    made = invent(scope, word.key)
    return made.capitalize() if word.text[0].isupper() else made


def _outside(text: str, spans: Sequence[tuple[int, int]]) -> list[str]:
    """What stands before, between and after spans: one piece more than there are spans."""
    bounds = [0, *(b for span in spans for b in span), len(text)]
    return [text[a:b] for a, b in zip(bounds[::2], bounds[1::2], strict=True)]


def _cut(text: str, model: Sequence[str]) -> list[str]:
    """`text` cut into the lengths of `model`."""
    ends = accumulate(len(piece) for piece in model)
    return [text[end - len(piece) : end] for end, piece in zip(ends, model, strict=True)]


def poured(model: str, chars: str) -> str:
    """`chars` in the places of the letters and digits of `model`."""
    rest = iter(chars)
    return "".join(
        (next(rest).upper() if ch.isupper() else next(rest)) if ch.isalnum() else ch for ch in model
    )
