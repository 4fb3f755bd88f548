"""Texts without case: dictated, typed in small letters, printed in capitals.

Where no word stands out by its capital, models lose what tells most of a name. Such a text is
heard twice, as it is written and with a capital before each word, and the two opinions are pooled
(`detect.neural.decoding`).
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from stream_deid.text.tokens import Tokens

_WORD = re.compile(r"[^\W\d_]{2,}")
_LEAST_WORDS = 5
_ALIKE = 0.95


def caseless(text: str) -> bool:
    """Whether nearly all words are in small letters, or nearly all in capitals."""
    words = _WORD.findall(text)
    alike = max(sum(map(str.islower, words)), sum(map(str.isupper, words)))
    return len(words) >= _LEAST_WORDS and alike >= _ALIKE * len(words)


def normalised(words: Sequence[str]) -> list[str]:
    """Words in capitals with a capital first letter alone ("SMITH" as "Smith"), others as they are
    (nference 2021, supplementary methods).
    """
    return [word.capitalize() if len(word) > 1 and word.isupper() else word for word in words]


def capitalised(tokens: Tokens) -> Tokens:
    """The same tokens, each word with a capital first letter and small ones after it."""
    return replace(tokens, words=[word.capitalize() for word in tokens.words])
