"""What is known of each token beside the models' scores: the features of `detect.stacking`.

The models see a window of a text, and words as pieces. Here stands what they don't see: how often
a word was an identifier in the training notes, what the rest of the note says of the same
word, how the characters around the token look, and where in its line it stands.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import chain

import numpy as np
from numpy.typing import NDArray

from stream_deid.labels import NUMBERS, PhiType
from stream_deid.lists.eponyms import EPONYM_NOUNS, EPONYMS
from stream_deid.text.folding import folded
from stream_deid.text.viterbi import stretches

Column = NDArray[np.float64]

T = PhiType
TYPE_GROUPS: tuple[frozenset[PhiType], ...] = (
    frozenset({T.PATIENT}),
    frozenset({T.DOCTOR}),
    frozenset({T.HOSPITAL}),
    frozenset({T.ORGANIZATION}),
    frozenset({T.PROFESSION}),
    frozenset({T.LOCATION_OTHER}),
    frozenset({T.DATE}),
    frozenset({T.STREET, T.CITY, T.STATE, T.COUNTRY, T.ZIP}),
    NUMBERS | {T.EMAIL, T.URL, T.IPADDR, T.USERNAME},
    frozenset({T.AGE, T.RELATIVE, T.SEX, T.OTHER}),
)
_AROUND = 6
_UNSEEN = -12.0
_LEAST = 1e-6
_CHARS = (" ", "\n\r", ".", ",;", ":", "/", "-–", "([{", ")]}", "#", "\t|", "\"'’*")
_CHAR_CLASS = {c: k for k, chars in enumerate(_CHARS, start=1) for c in chars}
_DIGIT, _LETTER, _OTHER_CHAR = len(_CHARS) + 1, len(_CHARS) + 2, len(_CHARS) + 3


@dataclass(frozen=True, slots=True)
class WordCounts:
    """How often words (casefolded) stood where in marked notes.

    Each maps a word to (times yes, times in all): `inside` an identifier, the word `before` one,
    the word `after` one.
    """

    inside: Mapping[str, tuple[int, int]] = field(repr=False)
    before: Mapping[str, tuple[int, int]] = field(repr=False)
    after: Mapping[str, tuple[int, int]] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Judged:
    """Tokens as models judge them: `starts`, `ends` [n]; `phi` [n], the log-odds that they are
    identifiers; `groups` [n, len(TYPE_GROUPS)], probabilities.
    """

    starts: NDArray[np.int32]
    ends: NDArray[np.int32]
    phi: Column
    groups: Column

    @classmethod
    def of(
        cls,
        starts: NDArray[np.int32],
        ends: NDArray[np.int32],
        logs: NDArray[np.float32],
        types: Sequence[PhiType | None],
    ) -> Judged:
        """From log-probabilities [n, L] of tags of `types` [L]; None: "O" or neutral."""
        hidden = [t is not None for t in types]
        members = [[t in group for t in types] for group in TYPE_GROUPS]
        phi, groups = np.empty(len(logs)), np.empty((len(logs), len(TYPE_GROUPS)))
        for a, b in stretches(len(logs)):
            p = np.exp(logs[a:b].astype(np.float64))
            p /= p.sum(axis=1, keepdims=True)
            yes = np.clip(p[:, hidden].sum(axis=1), _LEAST, 1.0 - _LEAST)
            phi[a:b] = np.log(yes / (1.0 - yes))
            for column, group in enumerate(members):
                groups[a:b, column] = p[:, group].sum(axis=1)
        return cls(starts, ends, phi, groups)


def is_word(text: str, starts: Sequence[int]) -> NDArray[np.bool_]:
    """Which tokens [n] are letters or digits, not symbols or line breaks."""
    return np.fromiter((text[s].isalnum() for s in starts), dtype=bool, count=len(starts))


def evidence(
    text: str, judged: Judged, counts: WordCounts, doubt: float = np.inf
) -> tuple[NDArray[np.int64], Column]:
    """The words among the tokens [w] whose log-odds are within `doubt`, and their features [w, F]
    in float64.
    """
    starts, ends, phi = judged.starts, judged.ends, judged.phi
    at = np.flatnonzero(is_word(text, starts.tolist()))
    asked = np.abs(phi[at]) < doubt
    words = [text[s:e] for s, e in zip(starts[at].tolist(), ends[at].tolist(), strict=True)]
    columns = [column[asked] for column in _columns(text, judged, at, words, counts)]
    return at[asked], np.column_stack(columns)


def _columns(
    text: str, judged: Judged, at: NDArray[np.int64], words: Sequence[str], counts: WordCounts
) -> Iterator[Column]:
    """The features of all words at `at`, one after the other."""
    starts, ends, phi = judged.starts[at], judged.ends[at], judged.phi
    low = [word.casefold() for word in words]
    yield from _neighbours(phi, at)
    yield from judged.groups[at].T
    yield from _counted(low, counts)
    yield from _eponyms(low)
    yield from _shapes(words)
    yield from _characters(text, starts, ends)
    yield from _elsewhere(low, phi[at])
    yield from _place(text, starts)
    yield from _density(phi[at])


def _neighbours(phi: Column, at: NDArray[np.int64]) -> list[Column]:
    padded = np.concatenate([[_UNSEEN] * 2, phi, [_UNSEEN] * 2])
    return [padded[at + 2 + step] for step in (0, 1, -1, 2, -2)]


def _counted(low: Sequence[str], counts: WordCounts) -> list[Column]:
    share, times = _shares(low, counts.inside, 1.0)
    before, _ = _shares(low, counts.before, 2.0)
    after, _ = _shares(low, counts.after, 2.0)
    return [share, np.log1p(times), *_sides(share), _sides(before)[0], _sides(after)[1]]


def _shares(
    low: Sequence[str], table: Mapping[str, tuple[int, int]], prior: float
) -> tuple[Column, Column]:
    """The share of yes, drawn towards one in ten by `prior` more times, and the times."""
    told = chain.from_iterable(table.get(w, (0, 0)) for w in low)
    seen = np.fromiter(told, np.float64, 2 * len(low)).reshape(-1, 2)
    times = seen[:, 1]
    return (seen[:, 0] + prior / 10) / (times + prior), times


def _sides(values: Column) -> tuple[Column, Column]:
    """The values of the word before and of the word after; 0.1 at the ends."""
    padded = np.concatenate([[0.1], values, [0.1]])
    return padded[:-2], padded[2:]


def _eponyms(low: Sequence[str]) -> list[Column]:
    """Whether a word is an eponym, and whether a noun that eponyms stand before follows it."""
    plain = [folded(word) for word in low]
    own = [word in EPONYMS for word in plain]
    after = [*plain[1:], "", ""]
    nouns = [
        (after[i + 1] if after[i] == "s" else after[i]) in EPONYM_NOUNS for i in range(len(plain))
    ]
    return [np.array(own, dtype=np.float64), np.array(nouns, dtype=np.float64)]


def _shapes(words: Sequence[str]) -> list[Column]:
    length = np.array([len(w) for w in words], dtype=np.float64)
    case = np.array([_case(w) for w in words], dtype=np.float64)
    return [length, case]


def _case(word: str) -> int:
    if not word.isalpha():
        return 0
    return 1 + word[0].isupper() + 2 * (len(word) > 1 and word.isupper())


def _characters(text: str, starts: NDArray[np.int32], ends: NDArray[np.int32]) -> list[Column]:
    """The classes of the two characters before each word and of the two behind it."""
    classes = {char: _char_class(char) for char in set(text)}
    of = np.array([0, 0, *map(classes.__getitem__, text), 0, 0], dtype=np.float64)
    return [of[starts], of[starts + 1], of[ends + 2], of[ends + 3]]


def _char_class(char: str) -> int:
    if char.isdecimal():
        return _DIGIT
    return _LETTER if char.isalpha() else _CHAR_CLASS.get(char, _OTHER_CHAR)


def _elsewhere(low: Sequence[str], phi: Column) -> list[Column]:
    """What the models say of the same word elsewhere: the most, how often, the share of yes."""
    places = defaultdict(list)
    for i, word in enumerate(low):
        if len(word) > 1 and word.isalpha():
            places[word].append(i)
    most, times, share = [_UNSEEN] * len(low), [0] * len(low), [0.0] * len(low)
    odds = phi.tolist()
    for mates in places.values():
        others = len(mates) - 1
        if not others:
            continue
        said = [odds[i] for i in mates]
        second, first = sorted(said)[-2:]
        yes = sum(one > 0 for one in said)
        for i in mates:
            most[i], times[i], share[i] = first, others, (yes - (odds[i] > 0)) / others
        most[mates[said.index(first)]] = second
    return [np.array(column, dtype=np.float64) for column in (most, times, share)]


def _place(text: str, starts: NDArray[np.int32]) -> list[Column]:
    """Column, length of the line, whether it is all capitals, place among the words."""
    breaks = [-1, *(i for i, c in enumerate(text) if c == "\n"), len(text)]
    line = np.searchsorted(breaks, starts) - 1
    first = np.array(breaks)[line] + 1
    last = np.array(breaks)[line + 1]
    capitals = {k: text[breaks[k] + 1 : breaks[k + 1]].isupper() for k in np.unique(line).tolist()}
    upper = np.array([capitals[k] for k in line.tolist()], dtype=np.float64)
    count = max(len(starts), 1)
    return [
        (starts - first).astype(np.float64),
        (last - first).astype(np.float64),
        upper,
        np.arange(len(starts)) / count,
        np.full(len(starts), float(count)),
    ]


def _density(phi: Column) -> list[Column]:
    """The expected share of identifiers among the words around, and in the whole text."""
    p = 1.0 / (1.0 + np.exp(-phi))
    total = np.concatenate([[0.0], np.cumsum(p)])
    i = np.arange(len(p))
    low, high = np.maximum(i - _AROUND, 0), np.minimum(i + _AROUND + 1, len(p))
    around = (total[high] - total[low] - p) / np.maximum(high - low, 1)
    return [around, np.full(len(p), p.mean() if len(p) else 0.0)]
