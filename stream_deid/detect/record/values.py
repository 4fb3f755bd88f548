"""What a record states that is no name of a person, each kind looked for all at once.

Its numbers, dates, and the words of its streets, towns, institutions and addresses.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from stream_deid.detect.record.institutions import StatedInstitutions
from stream_deid.detect.record.people import Token, tokens_of
from stream_deid.detect.record.sought import Sought
from stream_deid.detect.record.stated_days import StatedDays
from stream_deid.detect.record.written_forms import SoughtNumbers
from stream_deid.detect.words.surroundings import placed
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.name_words import is_word
from stream_deid.note import Known
from stream_deid.text.canonical import words
from stream_deid.text.capitals import is_sign, shouting
from stream_deid.text.view import View

_LEAST_WORD = 4
_LOGIN = re.compile(r"([A-Za-z]{5,20})[0-9]{0,4}")
_WORDY = (
    PhiType.STREET, PhiType.CITY, PhiType.HOSPITAL, PhiType.ORGANIZATION,
    PhiType.LOCATION_OTHER, PhiType.PROFESSION, PhiType.USERNAME, PhiType.EMAIL, PhiType.URL,
)  # fmt: skip
_NUMERIC = (NUMBERS | {PhiType.ZIP}) - {PhiType.BIOID}

Place = tuple[int, int, PhiType]


class RecordValues:
    """The values of a record by kind."""

    __slots__ = ("_dates", "_institutions", "_numbers", "_words")

    def __init__(self, known: Sequence[Known]) -> None:
        by_type: dict[PhiType, dict[str, None]] = {}
        for one in known:
            by_type.setdefault(one.type, {})[one.value] = None
        for login in _logins(known):
            by_type.setdefault(PhiType.USERNAME, {})[login] = None
        self._dates = StatedDays(by_type.get(PhiType.DATE, ()))
        self._numbers = {k: SoughtNumbers(v) for k, v in by_type.items() if k in _NUMERIC}
        self._words = {k: _Words(v, k) for k in _WORDY if (v := by_type.get(k))}
        self._institutions = StatedInstitutions(known)

    def places(self, view: View, tokens: Sequence[Token]) -> Iterator[Place]:
        """Where a text says one of them, and of which type it is."""
        for start, end in self._dates.spans(view):
            yield start, end, PhiType.DATE
        for kind, numbers in self._numbers.items():
            for start, end in numbers.spans(view.text):
                yield start, end, kind
        at: dict[str, list[int]] = {}
        for i, token in enumerate(tokens):
            at.setdefault(token.low, []).append(i)
        for kind, sought in self._words.items():
            for start, end in sought.spans(view, tokens, at):
                yield start, end, kind
        yield from self._institutions.places(view, tokens, at)


def _logins(known: Sequence[Known]) -> Iterator[str]:
    """What stands before the sign of an address of mail, where it is a login that tells
    ("hwhit84"): one word that is no name of the record (which is looked for as one) and none of the
    language.
    """
    names = {word.key for one in known if one.type in PERSONS for word in words(one.value)}
    for one in known:
        login = one.value.rpartition("@")[0]
        letters = _LOGIN.fullmatch(login) if one.type is PhiType.EMAIL else None
        if letters is not None and not (letters[1].lower() in names or is_word(letters[1].lower())):
            yield login


class _Words:
    """Values of one type by their words in order, whatever stands between them but words; lone
    words of the language where something says that they are a place.

    An institution's lone word in capitals counts where it stands as its field has it: `MAPLE` is
    no tree in a text that has small letters too.
    """

    __slots__ = ("_lone", "_runs", "_signs")

    def __init__(self, values: Iterable[str], kind: PhiType) -> None:
        self._signs: dict[str, dict[str, None]] = {}
        self._lone: dict[str, None] = {}
        runs: list[Sequence[str]] = []
        for value in values:
            words = [token.low for token in tokens_of(View(value))]
            if kind in ORGANIZATIONS and is_sign(value):
                self._signs.setdefault(value.lower(), {})[value] = None
            elif len(words) == 1 and (len(words[0]) < _LEAST_WORD or words[0] in COMMON):
                self._lone[words[0]] = None
            else:
                runs.append(words)
        self._runs = Sought(runs)

    def spans(
        self, view: View, tokens: Sequence[Token], at: Mapping[str, Sequence[int]]
    ) -> Iterator[tuple[int, int]]:
        """Where a text says one of them; `at`: the places of its words among `tokens`."""
        for low, values in self._signs.items():
            for one in (tokens[i] for i in at.get(low, ())):
                if one.text in values and not shouting(view.text, one.start, one.end):
                    yield one.start, one.end
        for low in self._lone:
            for one in (tokens[i] for i in at.get(low, ())):
                if placed(view.text, one.start, one.end):
                    yield one.start, one.end
        if self._runs:
            lows = [token.low for token in tokens]
            paragraphs = list(_paragraphs(view.text, tokens))
            for first, last in self._runs.places(
                lows, lambda first, last: paragraphs[first] == paragraphs[last - 1]
            ):
                yield tokens[first].start, tokens[last - 1].end


def _paragraphs(text: str, tokens: Sequence[Token]) -> Iterator[int]:
    """In which paragraph each token stands."""
    end = count = 0
    for token in tokens:
        count += "\n\n" in text[end : token.start]
        end = token.end
        yield count
