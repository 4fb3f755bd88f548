"""Identifiers that the message itself states, looked for in its free text.

The patient-record matching of nference (Murugadoss et al. 2021, "matching with patient records"),
made tolerant: names by part, without regard to case, accents and possessives, in any order, as
initials beside another part, as nicknames, joined as in user names, and with one typo in words of
six letters or more; dates in any written form; numbers whatever their separators; addresses by
their words.

Parts that are words of the language ("Rose", "Will", "May") count only with a capital and not
where a capital stands anyway (the start of a sentence, a line in capitals), unless another part
of the same person stands beside them or what follows is what people do ("Violet fed well").
"""

# Tables of words stay words.

from __future__ import annotations

import itertools
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

import re2

from stream_deid.detect.record.joined_names import is_address, joined
from stream_deid.detect.record.written_forms import date_forms, number_key, number_spans
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.lists.known_words import COMMON, NICKNAMES, PARTICLES, TITLES
from stream_deid.lists.name_words import ordinary, stands_as_word
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import GIVEN, Detection, Known, Note
from stream_deid.text.capitals import shouting, starts_sentence
from stream_deid.text.typos import Slips
from stream_deid.text.view import View

_SHORTEST = 2
_NEAR = 24
_FOLLOWING = re.compile(r" ([^\W\d_]+(?:'t)?)(?!\w)")
_TOKEN = re2.compile(rb"[A-Za-z]+(?:'[A-Za-z]+)?|[0-9]+")
_FUZZY_LENGTH = 6
_LISTS = Vocabulary("record_known")
_DOES = _LISTS.words("does")
_INITIALS_CUES = _LISTS.words("before_initials") | affixes("initials")
_IN_A_PLACE = re.compile(rf"(?i)\b(?:{_LISTS['placing']})[ \n]$")
_FUNCTION = _LISTS.words("function")
_STATE_AFTER = re.compile(r", ?[A-Z]{2}\b")
NAMES = PERSONS | {PhiType.RELATIVE}
_WORDY = frozenset(
    {
        PhiType.STREET, PhiType.CITY, PhiType.HOSPITAL, PhiType.ORGANIZATION,
        PhiType.LOCATION_OTHER, PhiType.PROFESSION, PhiType.USERNAME, PhiType.EMAIL, PhiType.URL,
    }
)  # fmt: skip
_NUMERIC = (NUMBERS | {PhiType.ZIP}) - {PhiType.BIOID}


@dataclass(frozen=True, slots=True)
class _Token:
    start: int
    end: int
    text: str = field(repr=False)
    low: str = field(repr=False)


@dataclass(slots=True, eq=False)
class _Person:
    """One human being of the record: the words of the name, lower-case, and their type.

    `firsts` counts the words by their first letter; `given` are those that are surely given names.
    """

    type: PhiType
    parts: dict[str, None] = field(default_factory=dict, repr=False)
    firsts: Counter[str] = field(default_factory=Counter, repr=False)
    given: set[str] = field(default_factory=set, repr=False)

    def add(self, part: str) -> None:
        """One more word of the name."""
        if part not in self.parts:
            self.parts[part] = None
            self.firsts[part[0]] += 1

    def initials(self) -> frozenset[str]:
        """Two or three first letters of different parts, in any order."""
        first = [part[0] for part in itertools.islice(self.parts, 4)]
        return frozenset(
            "".join(pick) for size in (2, 3) for pick in itertools.permutations(first, size)
        )

    def has_initial(self, letter: str, *, beside: str) -> bool:
        """Whether a part other than `beside` begins with `letter`."""
        own = beside in self.parts and beside[0] == letter
        return self.firsts[letter] > own


_Marks = dict[_Person, bool]
"""The persons that a token may name, and whether it does so exactly."""


def _tokens(view: View) -> list[_Token]:
    out = []
    for match in _TOKEN.finditer(view.raw):
        start, end = match.span()
        text = view.text[start:end]
        if text[-2:].lower() == "'s":
            text, end = text[:-2], end - 2
        out.append(_Token(start, end, text, text.lower().replace("'", "")))
    return out


class KnownIdentifiers:
    """Finds a note's own structured identifiers (`Note.known`) in its text."""

    name = "known"
    version = "1"

    def detect(self, text: str, note: Note) -> list[Detection]:
        """Every occurrence of an identifier of `note.known` in `text`."""
        if not text or not note.known:
            return []
        view = View(text)
        tokens = _tokens(view)
        found = [*self._names(view, tokens, note.known), *self._values(view, tokens, note.known)]
        return sorted(dict.fromkeys(found), key=lambda d: (d.start, d.end, d.type))

    def _make(self, view: View, start: int, end: int, kind: PhiType, score: float) -> Detection:
        low, high = view.origin(start, end)
        return Detection(low, high, kind, f"{self.name}@{self.version}", score)

    def _names(
        self, view: View, tokens: Sequence[_Token], known: Sequence[Known]
    ) -> Iterator[Detection]:
        people = _people(known)
        if not people:
            return
        index = _Index(people)
        marks = [index.lookup(token) for token in tokens]
        for i, token in enumerate(tokens):
            for kind, score in self._named(view, tokens, marks, i).items():
                yield self._make(view, token.start, token.end, kind, score)
            if token.low in index.joined and is_address(view.text, token.start, token.end):
                yield self._make(view, token.start, token.end, PhiType.USERNAME, 1.0)
            yield from self._initials(view, tokens, marks, i, index)

    def _named(
        self, view: View, tokens: Sequence[_Token], marks: Sequence[_Marks], i: int
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
        tokens: Sequence[_Token],
        marks: Sequence[_Marks],
        i: int,
        index: _Index,
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
        self, view: View, tokens: Sequence[_Token], known: Sequence[Known]
    ) -> Iterator[Detection]:
        places: dict[str, list[int]] = {}
        for i, token in enumerate(tokens):
            places.setdefault(token.low, []).append(i)
        for one in known:
            if one.type is PhiType.DATE:
                for start, end in _phrases(view, date_forms(one.value)):
                    yield self._make(view, start, end, one.type, 1.0)
            elif one.type in _NUMERIC:
                key = number_key(one.value)
                for start, end in number_spans(view.text, key):
                    yield self._make(view, start, end, one.type, 1.0)
            elif one.type in _WORDY:
                for start, end in _word_runs(view, tokens, places, one.value):
                    yield self._make(view, start, end, one.type, 1.0)


def _people(known: Sequence[Known]) -> list[_Person]:
    """The persons of the record, each with the distinct parts of the name, in order."""
    people: dict[tuple[str, PhiType], _Person] = {}
    for one in known:
        if one.type not in NAMES:
            continue
        person = people.setdefault((one.person, one.type), _Person(one.type))
        for at, token in enumerate(_tokens(View(one.value))):
            part = token.low
            if len(part) < 2 or not part.isalpha() or part in PARTICLES or part in TITLES:
                continue
            person.add(part)
            if one.role in GIVEN or (one.role == "full" and not at and "," not in one.value):
                person.given.add(part)
    return [p for p in people.values() if p.parts]


class _Index:
    """Words to persons: exact, nickname, and one typo away."""

    def __init__(self, people: Sequence[_Person]) -> None:
        self._exact: dict[str, list[_Person]] = {}
        long: dict[str, list[_Person]] = {}
        for person in people:
            for part in person.parts:
                for word in (part, *NICKNAMES.get(part, ())):
                    self._exact.setdefault(word, []).append(person)
                if len(part) >= _FUZZY_LENGTH:
                    long.setdefault(part, []).append(person)
        self._long, self._slips = long, Slips(long)
        self._seen: dict[str, _Marks] = {}
        self.by_initials: dict[str, dict[PhiType, None]] = {}
        self.joined = {name for person in people for name in joined(tuple(person.parts))}
        for person in people:
            for initials in person.initials():
                self.by_initials.setdefault(initials, {})[person.type] = None

    def lookup(self, token: _Token) -> _Marks:
        """The persons that the token may name, and whether it does so exactly."""
        low = token.low
        if low not in self._seen:
            hits = dict.fromkeys(self._exact.get(low, ()), True)
            if not hits and len(low) >= _FUZZY_LENGTH - 1 and low not in COMMON:
                hits = {p: False for part in self._near(low) for p in self._long[part]}
            if not hits and len(low) > 5 and low.endswith("s") and low[:-1] in self._exact:
                hits = dict.fromkeys(self._exact[low[:-1]], True)
            self._seen[low] = hits
        hits = self._seen[low]
        return {} if len(low) == 2 and not token.text[0].isupper() else hits

    def _near(self, word: str) -> Iterator[str]:
        """Parts one slip away, the first letter kept or swapped."""
        for part in self._slips.near(word):
            if word[0] == part[0] or word[1] == part[1]:
                yield part


def _beside(
    view: View, tokens: Sequence[_Token], marks: Sequence[_Marks], i: int, person: _Person
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


def _ends(token: _Token, gap: str) -> bool:
    """Whether a sentence ends with a token (and no initial does)."""
    return ". " in gap and len(token.text) > _SHORTEST and token.text.islower()


def _are_words(one: _Token, other: _Token) -> bool:
    """Whether two parts of a name are words in small letters ("dolores de cabeza")."""
    return all(t.text.islower() and (t.low in COMMON or t.low in ordinary()) for t in (one, other))


def _is_initial(token: _Token, beside: _Token, person: _Person) -> bool:
    """Whether `token` is the initial of another part of the name that `beside` is a part of."""
    return (
        token.text.isupper()
        and len(token.text) == 1
        and person.has_initial(token.low, beside=beside.low)
    )


def _acts(view: View, token: _Token) -> bool:
    """Whether a capitalised word that begins a sentence does what people do."""
    if len(token.text) < _SHORTEST or not token.text[0].isupper() or token.text.isupper():
        return False
    if not starts_sentence(view.text, token.start):
        return False
    following = _FOLLOWING.match(view.text, token.end)
    return following is not None and following[1] in _DOES


def _sure(view: View, token: _Token, exact: bool) -> bool:
    """Whether a part that stands by itself is the name: no word of the language, or clearly one."""
    text = token.text
    if stands_as_word(view.text, token.start, token.end):
        return False
    if len(text) < 3:
        function = token.low in _FUNCTION and starts_sentence(view.text, token.start)
        return text[0].isupper() and text[1:].islower() and not function
    if token.low not in COMMON:
        return exact or text[0].isupper() or len(text) > _FUZZY_LENGTH
    if not text[0].isupper():
        return False
    return not (
        starts_sentence(view.text, token.start)
        or (text.isupper() and shouting(view.text, token.start, token.end))
    )


def _phrases(view: View, forms: Sequence[str]) -> Iterator[tuple[int, int]]:
    """Occurrences of whole phrases, without regard to case."""
    for form in forms:
        at = view.lower.find(form)
        while at >= 0:
            end = at + len(form)
            if (
                not (view.lower[at - 1 : at].isalnum() and at)
                and not view.lower[end : end + 1].isalnum()
            ):
                yield at, end
            at = view.lower.find(form, at + 1)


def _placed(view: View, token: _Token) -> bool:
    """Whether a word stands as a place does ("Lives in Normal", "Normal, IL")."""
    if not token.text[0].isupper():
        return False
    before, after = view.text[max(0, token.start - _NEAR) : token.start], view.text[token.end :][:5]
    return _IN_A_PLACE.search(before) is not None or _STATE_AFTER.match(after) is not None


def _word_runs(
    view: View, tokens: Sequence[_Token], places: Mapping[str, Sequence[int]], value: str
) -> Iterator[tuple[int, int]]:
    """Occurrences of the words of `value` in order, whatever stands between them but words."""
    words = [t.low for t in _tokens(View(value))]
    if not words:
        return
    if len(words) == 1 and (len(words[0]) < 4 or words[0] in COMMON):
        for i in places.get(words[0], ()):
            if _placed(view, tokens[i]):
                yield tokens[i].start, tokens[i].end
        return
    for i in places.get(words[0], ()):
        if [token.low for token in tokens[i : i + len(words)]] == words:
            start, end = tokens[i].start, tokens[i + len(words) - 1].end
            if "\n\n" not in view.text[start:end]:
                yield start, end
