"""Features of the linear-chain CRF (Dernoncourt et al. 2017, 2.1): n-gram, morphological and
orthographic ones over the token and four to each side, and the layout of the note.

The layout matters in records made of "Key: value" lines: the key before the last colon of the
line, the keys of the lines around, the place in the line and in the note. The whole note is one
sequence; line breaks are tokens of it.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import pairwise

from stream_deid.text.tokens import DIGIT, NEWLINE, Tokens

REACH = 4
_AFFIXES = (1, 2, 3, 4)
_KEY_WORDS = 4
_RUNS = re.compile(r"(.)\1+")
_NEAR_LINES = 12


@dataclass(frozen=True, slots=True)
class _Line:
    """Tokens `[first, last)` of one line and its key, the words before its first colon."""

    first: int
    last: int
    key: str


def shape(word: str) -> str:
    """Xx for "Ana", 0 for "2019", "Xx0" runs shortened; symbols stay."""
    signs = "".join(
        "X" if c.isupper() else "x" if c.isalpha() else "0" if c.isdigit() else c for c in word
    )
    return _RUNS.sub(r"\1\1", signs)


def features(tokens: Tokens) -> list[list[str]]:
    """The features of each token, as CRFsuite reads them."""
    words = ["".join("0" if c.isdigit() else c for c in w.lower()) for w in tokens.words]
    words = ["<nl>" if w == "\n" else w for w in words]
    shapes = [shape(w) for w in tokens.words]
    out = [
        _own(tokens, i, words[i], shapes[i]) + _around(words, shapes, i) for i in range(len(tokens))
    ]
    _add_layout(tokens, words, out)
    return out


def _own(tokens: Tokens, i: int, word: str, form: str) -> list[str]:
    raw = tokens.words[i]
    out = ["b", f"w={word}", f"f={form}", f"sp={int(tokens.spaced[i])}"]
    if tokens.kinds[i] == DIGIT:
        out += [f"d={raw}" if len(raw) <= 2 else f"dn={len(raw)}", f"d1={raw[:2]}"]
    elif raw[0].isalpha():
        out += [f"p{n}={word[:n]}" for n in _AFFIXES if len(word) >= n]
        out += [f"s{n}={word[-n:]}" for n in _AFFIXES if len(word) >= n]
        out.append(f"n={min(len(word), 12)}")
    return out


def _around(words: list[str], shapes: list[str], i: int) -> list[str]:
    """Words and shapes up to `REACH` away, bigrams with the neighbours, shape trigram."""
    n = len(words)
    out = []
    for step in range(-REACH, REACH + 1):
        at = i + step
        if step and 0 <= at < n:
            out += [f"w{step}={words[at]}", f"f{step}={shapes[at]}"]
    before = words[i - 1] if i else "<s>"
    after = words[i + 1] if i + 1 < n else "</s>"
    form_before = shapes[i - 1] if i else "<s>"
    form_after = shapes[i + 1] if i + 1 < n else "</s>"
    out += [f"w-1|w={before}|{words[i]}", f"w|w1={words[i]}|{after}", f"w-1|w1={before}|{after}"]
    out.append(f"fff={form_before}|{shapes[i]}|{form_after}")
    if i > 1:
        out.append(f"w-2|w-1={words[i - 2]}|{before}")
    return out


def _lines(tokens: Tokens, words: list[str]) -> list[_Line]:
    breaks = [i for i in range(len(tokens)) if tokens.kinds[i] == NEWLINE]
    edges = [-1, *breaks, len(tokens)]
    lines = []
    for before, after in pairwise(edges):
        first, last = before + 1, after
        colon = next((i for i in range(first, last) if words[i] == ":"), -1)
        key = " ".join(words[max(first, colon - _KEY_WORDS) : colon]) if colon >= 0 else ""
        lines.append(_Line(first, last, key))
    return lines


def _add_layout(tokens: Tokens, words: list[str], out: list[list[str]]) -> None:
    lines = _lines(tokens, words)
    for number, line in enumerate(lines):
        shared = [
            f"L-1={lines[number - 1].key if number else '<s>'}",
            f"L1={lines[number + 1].key if number + 1 < len(lines) else '</s>'}",
            f"Lfirst={words[line.first] if line.last > line.first else '<nl>'}",
            f"Lfrom={min(number, _NEAR_LINES)}",
            f"Lleft={min(len(lines) - 1 - number, _NEAR_LINES)}",
        ]
        key = ""
        for i in range(line.first, min(line.last + 1, len(tokens))):
            out[i] += shared
            place = min(i - line.first, 5)
            out[i] += [f"key={key}", f"key|f={key}|{shape(tokens.words[i])}", f"at={place}"]
            if words[i] == ":":
                key = " ".join(words[max(line.first, i - _KEY_WORDS) : i])
