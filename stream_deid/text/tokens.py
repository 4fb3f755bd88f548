"""Tokens of clinical text: where words, numbers and symbols begin and end.

Rules of this module:

* A token is a run of letters (cut where a lower-case letter meets an upper-case one, so that
  "MartínezNºCol" breaks), a run of digits, one symbol, or one line break.
* Offsets are code points of the text as it came, whatever Unicode it holds.
* What a model reads is what a reader sees (`text.folding.seen`: at most one code point out for
  one in), so names in full-width, look-alike or zero-width-ridden writing are examined as what
  they look like. The text itself is never changed.
* Everything is linear in the length of the text; a run longer than `MAX_RUN` is cut.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from stream_deid.text.folding import MARKS, seen

MAX_RUN = 40
"""Longest run that is one token; longer ones (hashes, base64) are cut into several."""

DROP, SPACE, NEWLINE, DIGIT, LOWER, UPPER, LETTER, SYMBOL = range(8)

_UNKNOWN = 255


def _kind(char: str) -> int:
    if char in {"", " "}:
        return SPACE if char else DROP
    if char == "\n":
        return NEWLINE
    category = unicodedata.category(char)
    if category == "Nd":
        return DIGIT
    if category in MARKS:
        return LETTER
    return {"Ll": LOWER, "Lu": UPPER, "Lt": UPPER, "Lo": LETTER, "Lm": LETTER}.get(category, SYMBOL)


_kinds = np.full(0x110000, _UNKNOWN, dtype=np.uint8)
_normal = np.zeros(0x110000, dtype=np.uint32)


def _learn(codes: NDArray[np.uint32]) -> None:
    """Fill the two tables for code points met for the first time."""
    for code in np.unique(codes[_kinds[codes] == _UNKNOWN]).tolist():
        char = seen(chr(code))
        _normal[code] = ord(char) if char else 0
        _kinds[code] = _kind(char)


@dataclass(frozen=True, slots=True)
class Tokens:
    """The tokens of one text, as parallel arrays of length n.

    `starts`, `ends`: code points, int32. `kinds`: DIGIT, LOWER (any letters), NEWLINE or
    SYMBOL, uint8. `spaced`: white space or the start of the text or of a line goes before.
    `words`: what a model reads.
    """

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    kinds: NDArray[np.uint8]
    spaced: NDArray[np.bool_]
    words: list[str] = field(repr=False)

    def __len__(self) -> int:
        return len(self.words)


@dataclass(frozen=True, slots=True)
class Normal:
    """A text as a model reads it: `text[i]` stands for `[source[i], until[i])` of the original."""

    text: str = field(repr=False)
    source: NDArray[np.int64] = field(repr=False)
    until: NDArray[np.int64] = field(repr=False)
    kinds: NDArray[np.uint8] = field(repr=False)


def normalise(text: str) -> Normal:
    """`text` with look-alikes folded, invisible characters dropped and accents composed."""
    codes = np.frombuffer(text.encode("utf-32-le", "surrogatepass"), dtype="<u4")
    _learn(codes)
    kinds = _kinds[codes]
    crlf = np.flatnonzero((codes[:-1] == 13) & (codes[1:] == 10))
    normal = _normal[codes]
    if crlf.size:
        kinds = kinds.copy()
        kinds[crlf], normal[crlf] = SPACE, 32
    kept = np.flatnonzero(kinds != DROP)
    chars, kinds, until = normal[kept], kinds[kept], kept + 1
    if (chars >= 0x300).any():
        chars, until, whole = _compose(chars, until)
        chars, kinds, kept, until = chars[whole], kinds[whole], kept[whole], until[whole]
        until = np.maximum.accumulate(until)  # an accent may stand behind one that stays
    text = chars.astype("<u4").tobytes().decode("utf-32-le", "surrogatepass")
    return Normal(text, kept, until, kinds)


def _compose(
    chars: NDArray[np.uint32], until: NDArray[np.int64]
) -> tuple[NDArray[np.uint32], NDArray[np.int64], NDArray[np.bool_]]:
    """Letters followed by combining accents become one code point where Unicode has one.

    Returns the changed characters, where each ends now, and which ones are left.
    """
    keep = np.ones(len(chars), dtype=bool)
    chars, until = chars.copy(), until.copy()
    base = -1
    for i, code in enumerate(chars.tolist()):
        if code < 0x300 or unicodedata.category(chr(code)) not in MARKS:
            base = i
            continue
        if base < 0:
            continue
        both = unicodedata.normalize("NFC", chr(chars[base]) + chr(code))
        if len(both) == 1:
            chars[base], keep[i], until[base] = ord(both), False, until[i]
    return chars, until, keep


def tokenize(text: str) -> Tokens:
    """Cut `text` into tokens. Linear; any string, lone surrogates included."""
    normal = normalise(text)
    kinds = normal.kinds
    n = len(kinds)
    if n == 0:
        none = np.zeros(0, dtype=np.int32)
        return Tokens(none, none, np.zeros(0, np.uint8), np.zeros(0, bool), [])
    group = np.where((kinds == UPPER) | (kinds == LETTER), LOWER, kinds)
    firsts = _cut_long(np.flatnonzero(_cuts(kinds, group)), n)
    lasts = np.append(firsts[1:], n) - 1
    before = np.where(firsts > 0, group[np.maximum(firsts - 1, 0)], SPACE)
    real = group[firsts] != SPACE
    spaced = (before == SPACE) | (before == NEWLINE)
    starts, ends = normal.source[firsts], normal.until[lasts]
    starts[1:] = np.maximum(starts[1:], ends[:-1])  # an accent goes with the token it was cut from
    real &= starts < ends
    firsts, lasts, spaced = firsts[real], lasts[real], spaced[real]
    words = [normal.text[a : b + 1] for a, b in zip(firsts.tolist(), lasts.tolist(), strict=True)]
    return Tokens(
        starts[real].astype(np.int32),
        ends[real].astype(np.int32),
        group[firsts],
        spaced,
        words,
    )


def _cuts(kinds: NDArray[np.uint8], group: NDArray[np.uint8]) -> NDArray[np.bool_]:
    """Which characters begin a token or a blank: another kind than before (`group`: letters are
    of one), each symbol and line break, and a capital behind a small letter.
    """
    cut = np.ones(len(kinds), dtype=bool)
    other = group[1:] != group[:-1]
    single = (group[1:] == SYMBOL) | (group[1:] == NEWLINE)
    camel = (kinds[1:] == UPPER) & (kinds[:-1] == LOWER)
    cut[1:] = other | single | camel
    return cut


def without(tokens: Tokens, stretches: Sequence[tuple[int, int]]) -> Tokens:
    """The tokens that lie in none of `stretches` (ordered, disjoint `[start, end)`)."""
    if not stretches or len(tokens) == 0:
        return tokens
    bounds = np.array(stretches, dtype=np.int64)
    place = np.searchsorted(bounds[:, 0], tokens.starts, side="right") - 1
    inside = (place >= 0) & (tokens.ends <= bounds[np.maximum(place, 0), 1])
    kept = np.flatnonzero(~inside)
    words = [tokens.words[i] for i in kept.tolist()]
    return Tokens(
        tokens.starts[kept], tokens.ends[kept], tokens.kinds[kept], tokens.spaced[kept], words
    )


def is_blank(char: str) -> bool:
    """Whether a character holds nothing to read: blanks, line breaks, what is invisible."""
    return _kind(seen(char)) in (DROP, SPACE, NEWLINE)


def _cut_long(firsts: NDArray[np.int64], n: int) -> NDArray[np.int64]:
    lengths = np.diff(np.append(firsts, n))
    if lengths.size and lengths.max() <= MAX_RUN:
        return firsts
    extra = [
        np.arange(first + MAX_RUN, first + length, MAX_RUN)
        for first, length in zip(firsts.tolist(), lengths.tolist(), strict=True)
        if length > MAX_RUN
    ]
    return np.sort(np.concatenate([firsts, *extra]))
