"""By which single words a text calls the institutions and programs that a message states.

`ASHLAR CLINIC` is "Ashlar", `VOXLINE` "Voxline". They are looked for where a capital says
something, but for surnames and clinical words, which only say what they are where they were found.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from stream_deid.detect.record.people import Token, tokens_of
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.eponyms import EPONYMS
from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.name_words import is_word
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.people import is_listed_name
from stream_deid.note import Known
from stream_deid.text.capitals import shouting, starts_sentence
from stream_deid.text.view import View

_LEAST = 5


def word_of(value: str) -> str:
    """The lower-case word by which an institution is called, or nothing: the only one in its name
    that says not what it is.
    """
    telling = [t.low for t in tokens_of(View(value)) if t.low not in SPANISH_KIND_WORDS]
    own = len(telling) == 1 and telling[0].isalpha() and len(telling[0]) >= _LEAST
    return telling[0] if own and telling[0] not in COMMON else ""


def _called(
    view: View, tokens: Sequence[Token], places: Mapping[str, Sequence[int]], word: str
) -> Iterator[tuple[int, int]]:
    """Where a text calls an institution by `word`, with a capital that it has not from its line."""
    if word in EPONYMS or is_clinical(word) or is_listed_name(word):
        return
    for i in places.get(word, ()):
        one = tokens[i]
        begins = is_word(word) and starts_sentence(view.text, one.start)
        if one.text[0].isupper() and not (begins or shouting(view.text, one.start, one.end)):
            yield one.start, one.end


class StatedInstitutions:
    """The institutions of a record by the words that they are called by."""

    __slots__ = ("_by_word",)

    def __init__(self, known: Sequence[Known]) -> None:
        self._by_word = by_word(known)

    def places(
        self, view: View, tokens: Sequence[Token], places: Mapping[str, Sequence[int]]
    ) -> Iterator[tuple[int, int, PhiType]]:
        """Where a text calls them so, and what they are."""
        for word, one in self._by_word.items():
            for start, end in _called(view, tokens, places, word):
                yield start, end, one.type


def by_word(known: Sequence[Known]) -> Mapping[str, Known]:
    """The stated institutions by the words that they are called by, which none of the stated
    persons is.
    """
    persons = {t.low for k in known if k.type in PERSONS for t in tokens_of(View(k.value))}
    found: dict[str, Known] = {}
    for one in known:
        word = word_of(one.value) if one.type in ORGANIZATIONS else ""
        if word and word not in persons:
            found.setdefault(word, one)
    return found
