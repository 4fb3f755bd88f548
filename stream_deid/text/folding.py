"""What a character stands for: one answer for models, patterns and names.

Three views of a text, each built on the one before:

* `seen`: the letter that a reader sees. Invisible characters are nothing, other widths and
  letters of other scripts that are drawn like Latin ones (Unicode Technical Standard 39) are the
  Latin ones, typographic quotes and dashes the plain ones. Models read this.
* `plain`: one ASCII character for each one seen. Patterns read this.
* `fold`: no case, no accents. Names, words of lists and values of records are compared by this.

So a name with a Cyrillic "А" is the same name for a model, a pattern and the record.
"""

from __future__ import annotations

import unicodedata
from functools import cache
from importlib.resources import files

from stream_deid.text.memo import remembered

LINE_BREAKS = frozenset("\n\r\x0b\x0c\x85\u2028\u2029")
MARKS = frozenset({"Mn", "Mc", "Me"})

_NO_IDEOGRAPHS = (range(0x20000), range(0xE0000, 0xE1000))
"""Where Unicode has characters without a width: every process that starts looks there alone."""

_TAGS = frozenset(map(chr, range(0xE0020, 0xE007F)))
"""ASCII once more without a width, as letters that a program can read."""

INVISIBLE = frozenset(
    {
        char
        for codes in _NO_IDEOGRAPHS
        for char in map(chr, codes)
        if unicodedata.category(char) == "Cf" and char not in _TAGS
    }
    | {"\u034f"}
    | {chr(code) for code in (*range(0xFE00, 0xFE10), *range(0xE0100, 0xE01F0))}
)
"""Characters without a width: format controls, joiners, selectors of a variant."""

OVER = frozenset(
    char for char in map(chr, _NO_IDEOGRAPHS[0]) if unicodedata.category(char) in {"Mn", "Me"}
)
"""Marks that stand over, under or through the letter before them."""

_SIGNS = str.maketrans(
    {
        **dict.fromkeys("\u2010\u2011\u2012\u2212\u2043", "-"),
        **dict.fromkeys("\u2018\u2019\u201a\u201b\u02bc\u2032", "'"),
        **dict.fromkeys("\u201c\u201d\u201e\u201f\u2033", '"'),
    }
)


@cache
def _confusables() -> dict[int, str]:
    text = files("stream_deid.text").joinpath("confusables.tsv").read_text("utf-8")
    rows = (line.split("\t") for line in text.splitlines() if not line.startswith("#"))
    return {ord(letter): like for letter, like, _ in rows}


@cache
def _confusables_caseless() -> dict[int, str]:
    pairs = ((chr(code).casefold(), like.lower()) for code, like in _confusables().items())
    return {ord(letter): like for letter, like in pairs if len(letter) == 1}


@cache
def _drawn() -> dict[int, str]:
    """Of these, signs for a letter or figure that compatibility makes more than that one of."""
    return {
        code: like
        for code, like in _confusables().items()
        if len(unicodedata.normalize("NFKC", chr(code))) > 1
    }


def seen(char: str) -> str:
    """The code point that a reader sees for `char`; empty where there is nothing to see."""
    if char in LINE_BREAKS:
        return "\n"
    if char in INVISIBLE:
        return ""
    if unicodedata.category(char) in {"Zs", "Cc", "Cs"}:
        return " "
    compatible = unicodedata.normalize("NFKC", char.translate(_drawn()))
    if len(compatible) != 1:
        return char.translate(_SIGNS)
    return compatible.translate(_SIGNS).translate(_confusables())


_LIKES = {
    **dict.fromkeys("\u2013\u2014\u2015", "-"), "\u00b4": "'",
    **dict.fromkeys("\u00ab\u00bb", '"'),
    **dict.fromkeys("\u2022\u25cf\u25e6\u2219", "*"),
    "\u00b7": "|", "\u2192": ">", "\u2190": "<", "\u2044": "/", "\u2215": "/", "\u2024": ".",
    "\u2236": ":", "\ua789": ":", "\u00bf": "?", "\u00a1": "!", "\u00b0": "o", "\u00aa": "`",
    "\u00f8": "o", "\u00d8": "O", "\u0142": "l", "\u0141": "L", "\u0111": "d", "\u0110": "D",
    "\u0131": "i",
}  # fmt: skip
"""Signs and letters that have no decomposition, as patterns are written."""


_FRACTION = "<fraction>"


def plain(char: str) -> str:
    """The one ASCII character that patterns see for `char`.

    Letters lose their accents; letters of other scripts become `q` or `Q`, digits of other
    scripts ASCII digits, signs without a like and fractions ("95½" is no "951") `~`.
    """
    if char in _LIKES:
        return _LIKES[char]
    fraction = unicodedata.decomposition(char).startswith(_FRACTION)
    shown = "~" if fraction else seen(char) or " "
    first = unicodedata.normalize("NFKD", shown)[0].translate(_confusables())
    if first in _LIKES:
        return _LIKES[first]
    if first == "\n" or " " <= first < "\x7f":
        return first
    digit = unicodedata.decimal(first, None)
    if digit is not None:
        return str(digit)
    if first.isalpha():
        return "Q" if first.isupper() else "q"
    return " " if first.isspace() else "~"


@cache
def _plain_of(char: str) -> str:
    return plain(char)


@cache
def _shows(char: str) -> str:
    return seen(char)


def is_letter(char: str) -> bool:
    """Whether a reader sees a letter, or a sign that shows one (in a ring or a box)."""
    return char.isalpha() or (not char.isascii() and _shows(char).isalpha())


def is_letter_or_figure(char: str) -> bool:
    """Whether a reader sees a letter or a figure, or a sign that shows one."""
    return char.isalnum() or (not char.isascii() and _shows(char).isalnum())


def folded(text: str) -> str:
    """`text` in ASCII, character for character."""
    if text.isascii():
        return text
    for char in sorted(set(text)):
        if char > "\x7f":
            text = text.replace(char, _plain_of(char))
    return text


_WITHOUT_STROKE = {
    "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "æ": "ae", "œ": "oe", "ı": "i", "ħ": "h",
}  # fmt: skip
_SMALL = str.maketrans(_WITHOUT_STROKE)
_BOTH = str.maketrans({**_WITHOUT_STROKE, "Ø": "O", "Ł": "L", "Đ": "D"})


def fold(text: str) -> str:
    """`text` without case, accents, invisible characters; letters and digits stay.

    Letters of other scripts are taken for their Latin likes in either case, so that one name is
    the same in capitals.
    """
    return text.lower() if text.isascii() else _fold(text)


@remembered
def _fold(text: str) -> str:
    text = unicodedata.normalize("NFKC", text.translate(_drawn()))
    text = unicodedata.normalize("NFKD", text.casefold())
    kept = (c for c in text if c not in INVISIBLE and unicodedata.category(c) not in {"Mn", "Me"})
    return "".join(kept).translate(_SMALL).translate(_confusables_caseless())


def without_accents(text: str) -> str:
    """`text` in plain letters, case kept."""
    if text.isascii():
        return text
    kept = (c for c in unicodedata.normalize("NFKD", text) if not unicodedata.combining(c))
    return "".join(kept).translate(_BOTH)
