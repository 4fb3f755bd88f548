"""Identifiers that the message itself states, looked for in its free text.

The patient-record matching of nference (Murugadoss et al. 2021, "matching with patient records"),
made tolerant: names by part, without regard to case, accents and possessives, in any order, as
initials beside another part, as nicknames, joined as in user names, and with one typo in words of
six letters or more; dates in any written form; numbers whatever their separators; addresses by
their words.

Parts that are words of the language ("Rose", "Will", "May") count only with a capital and not
where a capital stands anyway (the start of a sentence, a line in capitals), unless another part
of the same person stands beside them or what follows is what people do ("Violet fed well"). What a
thing is called after ("Parkinson disease") counts only beside another part or a title too.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from stream_deid.detect.record.institutions import institutions
from stream_deid.detect.record.joined_names import is_address
from stream_deid.detect.record.people import (
    FUZZY_LENGTH,
    Index,
    Marks,
    Person,
    Token,
    people_of,
    tokens_of,
)
from stream_deid.detect.record.place_words import PlaceWords
from stream_deid.detect.record.written_forms import (
    date_forms,
    number_key,
    number_spans,
    phrases,
)
from stream_deid.detect.words.ordinary import stands_as_word
from stream_deid.detect.words.surroundings import placed
from stream_deid.detect.words.terms import is_called_after
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PhiType
from stream_deid.lists.known_words import COMMON, PARTICLES, TITLES
from stream_deid.lists.name_words import is_word
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.note import Detection, Known, Note
from stream_deid.text.capitals import is_sign, shouting, starts_sentence
from stream_deid.text.view import View

_SHORTEST = 2
_FOLLOWING = re.compile(r" ([^\W\d_]+(?:'t)?)(?!\w)")
_LISTS = Vocabulary("record_known")
_DOES = _LISTS.words("does")
_INITIALS_CUES = _LISTS.words("before_initials") | affixes("initials")
_FUNCTION = _LISTS.words("function")
_SMALL = _LISTS.words("small")
"""Given names that are words in small letters (`sustancia blanca`)."""
_WORDY = frozenset(
    {
        PhiType.STREET, PhiType.CITY, PhiType.HOSPITAL, PhiType.ORGANIZATION,
        PhiType.LOCATION_OTHER, PhiType.PROFESSION, PhiType.USERNAME, PhiType.EMAIL, PhiType.URL,
    }
)  # fmt: skip
_NUMERIC = (NUMBERS | {PhiType.ZIP}) - {PhiType.BIOID}


class KnownIdentifiers:
    """Finds a note's own structured identifiers (`Note.known`) in its text."""

    name = "known"
    version = "1"

    def detect(self, text: str, note: Note) -> list[Detection]:
        """Every occurrence of an identifier of `note.known` in `text`."""
        if not text or not note.known:
            return []
        view = View(text)
        tokens = tokens_of(view)
        values = list(self._values(view, tokens, note.known))
        ends: dict[int, int] = {}
        for one in values:
            ends |= dict.fromkeys(range(one.start, one.end), one.end)
        streets = (
            self._make(view, *place, PhiType.STREET, 1.0)
            for place in PlaceWords(note.known, towns=False).places(tokens)
        )
        found = [
            *self._names(view, tokens, note.known),
            *values,
            *(street for street in streets if ends.get(street.start, 0) < street.end),
        ]
        return sorted(dict.fromkeys(found), key=lambda d: (d.start, d.end, d.type))

    def _make(self, view: View, start: int, end: int, kind: PhiType, score: float) -> Detection:
        low, high = view.origin(start, end)
        return Detection(low, high, kind, f"{self.name}@{self.version}", score)

    def _names(
        self, view: View, tokens: Sequence[Token], known: Sequence[Known]
    ) -> Iterator[Detection]:
        people = people_of(known)
        if not people:
            return
        index = Index(people)
        marks = [index.lookup(token) for token in tokens]
        for i, token in enumerate(tokens):
            for kind, score in self._named(view, tokens, marks, i).items():
                yield self._make(view, token.start, token.end, kind, score)
            if token.low in index.joined and is_address(view.text, token.start, token.end):
                yield self._make(view, token.start, token.end, PhiType.USERNAME, 1.0)
            yield from self._initials(view, tokens, marks, i, index)

    def _named(
        self, view: View, tokens: Sequence[Token], marks: Sequence[Marks], i: int
    ) -> dict[PhiType, float]:
        """The types of the persons that a token names, with the score of each."""
        found: dict[PhiType, float] = {}
        sure = {exact: _sure(view, tokens[i], exact) for exact in set(marks[i].values())}
        acts = bool(marks[i]) and _acts(view, tokens[i])
        for person, exact in marks[i].items():
            score = 1.0 if exact else 0.9
            if found.get(person.type, 0.0) < score and (
                sure[exact]
                or (acts and tokens[i].low in person.given)
                or _beside(view, tokens, marks, i, person)
            ):
                found[person.type] = score
        return found

    def _initials(
        self,
        view: View,
        tokens: Sequence[Token],
        marks: Sequence[Marks],
        i: int,
        index: Index,
    ) -> Iterator[Detection]:
        """A single capital beside a surname ("J. Smith", "SMITH J"); "JS" after "pt"."""
        token = tokens[i]
        if i and token.text.isupper() and tokens[i - 1].low in _INITIALS_CUES:
            for kind in index.by_initials.get(token.low, ()):
                yield self._make(view, token.start, token.end, kind, 0.9)
        if len(token.text) != 1 or not token.text.isupper():
            return
        for step in (1, -1):
            j = i + step
            if not 0 <= j < len(tokens):
                continue
            gap = view.text[min(token.end, tokens[j].end) : max(token.start, tokens[j].start)]
            if gap not in (" ", ". ", ".", ", "):
                continue
            kinds = dict.fromkeys(
                person.type
                for person in marks[j]
                if person.has_initial(token.low, beside=tokens[j].low)
            )
            for kind in kinds:
                yield self._make(view, token.start, token.end, kind, 0.9)

    def _values(
        self, view: View, tokens: Sequence[Token], known: Sequence[Known]
    ) -> Iterator[Detection]:
        places: dict[str, list[int]] = {}
        for i, token in enumerate(tokens):
            places.setdefault(token.low, []).append(i)
        for one in known:
            if one.type is PhiType.DATE:
                for start, end in phrases(view, date_forms(one.value)):
                    yield self._make(view, start, end, one.type, 1.0)
            elif one.type in _NUMERIC:
                key = number_key(one.value)
                for start, end in number_spans(view.text, key):
                    yield self._make(view, start, end, one.type, 1.0)
            elif one.type in _WORDY:
                sign = one.type in ORGANIZATIONS and is_sign(one.value)
                for start, end in (_signs if sign else _word_runs)(view, tokens, places, one.value):
                    yield self._make(view, start, end, one.type, 1.0)
        for start, end, kind in institutions(view, tokens, places, known):
            yield self._make(view, start, end, kind, 1.0)


def _beside(
    view: View, tokens: Sequence[Token], marks: Sequence[Marks], i: int, person: Person
) -> bool:
    """Whether another part of the same name, or a title, stands next to the token."""
    for step in (1, -1):
        j = i + step
        if 0 <= j < len(tokens) and _is_initial(tokens[j], tokens[i], person):
            return True
        while 0 <= j < len(tokens) and (tokens[j].low in PARTICLES or len(tokens[j].text) == 1):
            j += step
        if not 0 <= j < len(tokens) or abs(j - i) > 3:
            continue
        gap = view.text[min(tokens[i].end, tokens[j].end) : max(tokens[i].start, tokens[j].start)]
        if len(gap) > 8 or "\n\n" in gap or ";" in gap or _ends(tokens[min(i, j)], gap):
            continue
        if person in marks[j] and tokens[j].low != tokens[i].low:
            return not (gap.strip().isalpha() and _are_words(tokens[i], tokens[j]))
        if step == -1 and tokens[j].low in TITLES and tokens[i].text[0].isupper():
            return True
    return False


def _ends(token: Token, gap: str) -> bool:
    """Whether a sentence ends with a token (and no initial does)."""
    return ". " in gap and len(token.text) > _SHORTEST and token.text.islower()


def _are_words(one: Token, other: Token) -> bool:
    """Whether two parts of a name are words in small letters ("dolores de cabeza")."""
    return all(t.text.islower() and is_word(t.low) for t in (one, other))


def _is_initial(token: Token, beside: Token, person: Person) -> bool:
    """Whether `token` is the initial of another part of the name that `beside` is a part of."""
    return (
        token.text.isupper()
        and len(token.text) == 1
        and person.has_initial(token.low, beside=beside.low)
    )


def _acts(view: View, token: Token) -> bool:
    """Whether a capitalised word that begins a sentence does what people do."""
    if len(token.text) < _SHORTEST or not token.text[0].isupper() or token.text.isupper():
        return False
    if not starts_sentence(view.text, token.start):
        return False
    following = _FOLLOWING.match(view.text, token.end)
    return following is not None and following[1] in _DOES


def _sure(view: View, token: Token, exact: bool) -> bool:
    """Whether a part that stands by itself is the name: no word of the language, or clearly one."""
    text = token.text
    if stands_as_word(view.text, token.start, token.end) or is_called_after(
        view.text, token.start, token.end
    ):
        return False
    if len(text) < 3:
        function = token.low in _FUNCTION and starts_sentence(view.text, token.start)
        return text[0].isupper() and text[1:].islower() and not function
    if text.islower() and (token.low in _SMALL or _is_plural(token.low)):
        return False
    if token.low not in COMMON:
        return exact or text[0].isupper() or len(text) > FUZZY_LENGTH
    if not text[0].isupper():
        return False
    return not (
        starts_sentence(view.text, token.start)
        or (text.isupper() and shouting(view.text, token.start, token.end))
    )


def _is_plural(low: str) -> bool:
    """Whether a word means several of what a name means as a word (`kidney stones`)."""
    return low in ordinary() and low.removesuffix("s") in COMMON


def _signs(
    view: View, tokens: Sequence[Token], places: Mapping[str, Sequence[int]], value: str
) -> Iterator[tuple[int, int]]:
    """Where an institution's lone word stands in capitals as its field has it: `MAPLE` is no tree
    in a text that has small letters too.
    """
    for i in places.get(value.lower(), ()):
        one = tokens[i]
        if one.text == value and not shouting(view.text, one.start, one.end):
            yield one.start, one.end


def _word_runs(
    view: View, tokens: Sequence[Token], places: Mapping[str, Sequence[int]], value: str
) -> Iterator[tuple[int, int]]:
    """Occurrences of the words of `value` in order, whatever stands between them but words."""
    words = [t.low for t in tokens_of(View(value))]
    if not words:
        return
    if len(words) == 1 and (len(words[0]) < 4 or words[0] in COMMON):
        for i in places.get(words[0], ()):
            if placed(view.text, tokens[i].start, tokens[i].end):
                yield tokens[i].start, tokens[i].end
        return
    for i in places.get(words[0], ()):
        if [token.low for token in tokens[i : i + len(words)]] == words:
            start, end = tokens[i].start, tokens[i + len(words) - 1].end
            if "\n\n" not in view.text[start:end]:
                yield start, end
