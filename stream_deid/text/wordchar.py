"""Word and character ids of tokens, for the BiLSTM models (Dernoncourt et al. 2017).

`words` [n] int32: 0 padding, 1 unknown, 2 line break, then the vocabulary.
`chars` [n, MAX_CHARS] int32: column 0 says what goes before the token (2 white space or the
start of a line, 3 nothing), then its characters (0 padding, 1 unknown, then the alphabet from
4); of a longer token its first and last halves.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
import orjson
from numpy.typing import NDArray

PAD, UNKNOWN, NEWLINE = 0, 1, 2
FIRST_WORD = 3
SPACED, JOINED = 2, 3
FIRST_CHAR = 4
MAX_CHARS = 24


def word_key(word: str) -> str:
    """The form of a token that the word vocabulary holds: digits as 0, case kept."""
    return word if word.isalpha() else "".join("0" if c.isdecimal() else c for c in word)


class WordCharEncoder:
    """Looks tokens up in two vocabularies: exact form first, then lower case."""

    def __init__(self, words: Sequence[str], alphabet: str) -> None:
        self.words: Mapping[str, int] = {w: i + FIRST_WORD for i, w in enumerate(words)}
        self.alphabet: Mapping[str, int] = {c: i + FIRST_CHAR for i, c in enumerate(alphabet)}

    @classmethod
    def from_json(cls, definition: str) -> WordCharEncoder:
        """From JSON with `words` (a list) and `alphabet` (a string)."""
        parsed = orjson.loads(definition)
        return cls(parsed["words"], parsed["alphabet"])

    def word_id(self, word: str) -> int:
        """Id of one token's text as `Tokens.words` holds it."""
        if word == "\n":
            return NEWLINE
        key = word_key(word)
        return self.words.get(key) or self.words.get(key.lower()) or UNKNOWN

    def char_ids(self, word: str, spaced: bool) -> list[int]:
        """`MAX_CHARS` ids of one token."""
        room = MAX_CHARS - 1
        if len(word) > room:
            word = word[: room - room // 2] + word[-(room // 2) :]
        ids = [self.alphabet.get(c, UNKNOWN) for c in word]
        return [SPACED if spaced else JOINED, *ids, *([PAD] * (room - len(ids)))]

    def encode(
        self, words: Sequence[str], spaced: Sequence[bool]
    ) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
        """`words` [n] and `chars` [n, MAX_CHARS]."""
        places: dict[tuple[str, bool], int] = {}
        rows = zip(words, spaced, strict=True)
        at = np.array([places.setdefault(row, len(places)) for row in rows], dtype=np.intp)
        chars = [self.char_ids(*row) for row in places]
        return (
            np.array([self.word_id(word) for word, _ in places], dtype=np.int32)[at],
            np.array(chars, dtype=np.int32).reshape(len(places), MAX_CHARS)[at],
        )
