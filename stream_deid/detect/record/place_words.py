"""The words by which a text calls the streets and towns that a record states.

`482 Kettering Lane` is called "kettering lane" in any case, and "Kettering" where a capital says
that it is a name. A listed name is one of a street where nobody says whose else it is ("vive en
Larrañaga", but "Dra. Larrañaga"). Words that are common language, clinical, eponyms, kinds of
streets and names that many streets have say nothing by themselves.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from itertools import groupby

from stream_deid.detect.record.people import Token, tokens_of
from stream_deid.detect.record.sought import Sought
from stream_deid.detect.words.terms import is_called_after
from stream_deid.labels import PhiType
from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.lexicon import load_list
from stream_deid.lists.name_words import is_word
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Known
from stream_deid.text.folding import fold
from stream_deid.text.view import View

_LEAST_STREET, _LEAST_TOWN = 5, 4


@cache
def _of_addresses() -> frozenset[str]:
    """Words that stand in addresses of any street."""
    lists = Vocabulary("places_streets", "surrogates")
    return lists.words("street_words") | lists.words("other_words")


@cache
def _common() -> frozenset[str]:
    """Words that many streets are named by, or that are nobody's own."""
    streets = (names for kind, names in load_list("words").items() if kind.startswith("street"))
    named = {fold(word) for names in streets for name in names for word in name.split()}
    own = Vocabulary("record_known").words("street_names")
    return frozenset(named) | own | _of_addresses() | SPANISH_KIND_WORDS | EPONYMS | COMMON


class PlaceWords:
    """The streets and towns of a record, by their words."""

    __slots__ = ("_capital", "_count", "_persons", "_phrases", "_towns")

    def __init__(self, known: Iterable[Known], *, towns: bool) -> None:
        phrases: set[tuple[str, ...]] = set()
        capital: set[str] = set()
        single: set[str] = set()
        for one in known:
            words = [token.low for token in tokens_of(View(one.value))]
            if one.type is PhiType.STREET:
                phrases.update(_street(words))
                capital.update(filter(_tells, words))
            elif one.type is PhiType.CITY and towns and words:
                if len(words) > 1:
                    phrases.add(tuple(words))
                elif len(words[0]) >= _LEAST_TOWN and _is_town(words[0]):
                    single.add(words[0])
        self._persons = frozenset(filter(is_listed_name, capital))
        self._capital, self._towns = frozenset(capital), frozenset(single)
        self._phrases, self._count = Sought(phrases), len(phrases)

    def __len__(self) -> int:
        return len(self._capital) + len(self._towns) + self._count

    def places(self, view: View, tokens: Sequence[Token]) -> Iterator[tuple[int, int, bool]]:
        """Where a text, as its tokens, says one of them, and whether nobody may be called so."""
        if not len(self):
            return
        lows = [token.low for token in tokens]
        end = 0
        for first, last in (*self._phrases.places(lows, lambda *_: True), (len(lows), len(lows))):
            for token in tokens[end:first]:
                if token.low in self._towns or self._names_street(view, token):
                    yield token.start, token.end, token.low not in self._persons
            if first < last:
                yield tokens[first].start, tokens[last - 1].end, True
            end = last

    def _names_street(self, view: View, token: Token) -> bool:
        if token.low not in self._capital or not token.text[0].isupper():
            return False
        person = token.low in self._persons
        return not (person and is_called_after(view.text, token.start, token.end))


def _street(words: Sequence[str]) -> Iterator[tuple[str, ...]]:
    """The name of a street with its kind, apart or joined."""
    for alphabetic, run in groupby(words, str.isalpha):
        phrase = tuple(run)
        own = [word for word in phrase if len(word) >= _LEAST_TOWN and word not in _of_addresses()]
        if alphabetic and own and len(phrase) > len(own):
            yield phrase
            yield ("".join(phrase),)
            return


def _tells(word: str) -> bool:
    plain = len(word) >= _LEAST_STREET and word.isalpha() and word not in _common()
    return plain and not (is_word(word) or is_clinical(word))


def _is_town(word: str) -> bool:
    return word.isalpha() and not (is_word(word) or is_clinical(word))
