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
from collections.abc import Iterator, Sequence

from stream_deid.budget import check
from stream_deid.detect.record.joined_names import is_address, login_at
from stream_deid.detect.record.people import (
    FUZZY_LENGTH,
    Index,
    Marks,
    Token,
    people_of,
    tokens_of,
)
from stream_deid.detect.record.place_words import PlaceWords
from stream_deid.detect.record.values import RecordValues
from stream_deid.detect.words.ordinary import stands_as_word
from stream_deid.detect.words.terms import is_called_after
from stream_deid.labels import PhiType
from stream_deid.lists.known_words import COMMON, PARTICLES, TITLES
from stream_deid.lists.name_words import is_word
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.note import Detection, Known, Note
from stream_deid.text.capitals import shouting, starts_sentence
from stream_deid.text.memo import remembered_of
from stream_deid.text.view import View

_SHORTEST = 2
_UNSURE = 0.1
"""Of a vote that yields to whatever else is said of a word (`detect.settle`)."""
_OWNS = re.compile(r"['’]s +[^\W\d_]")
_FOLLOWING = re.compile(r" ([^\W\d_]+(?:'t)?)(?!\w)")
_LISTS = Vocabulary("record_known")
_DOES = _LISTS.words("does")
_INITIALS_CUES = _LISTS.words("before_initials") | affixes("initials")
_FUNCTION = _LISTS.words("function")


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
        values, streets, people = _sought(note.known)
        found = [self._make(view, *one, 1.0) for one in values.places(view, tokens)]
        ends: dict[int, int] = {}
        for one in found:
            ends |= dict.fromkeys(range(one.start, one.end), one.end)
        called = (
            self._make(view, start, end, PhiType.STREET, 1.0 if sure else _UNSURE)
            for start, end, sure in streets.places(view, tokens)
        )
        found += (street for street in called if ends.get(street.start, 0) < street.end)
        if people is not None:
            found += self._names(view, tokens, people)
        return sorted(dict.fromkeys(found), key=lambda d: (d.start, d.end, d.type))

    def _make(self, view: View, start: int, end: int, kind: PhiType, score: float) -> Detection:
        low, high = view.origin(start, end)
        return Detection(low, high, kind, f"{self.name}@{self.version}", score)

    def _names(self, view: View, tokens: Sequence[Token], index: Index) -> Iterator[Detection]:
        marks = [index.lookup(token) for token in tokens]
        for i, token in enumerate(tokens):
            check()
            for kind in _named(view, tokens, marks, i, index):
                score = 1.0 if marks[i].exact else 0.9
                yield self._make(view, token.start, token.end, kind, score)
            if token.low in index.joined and is_address(view.text, token.start, token.end):
                yield self._make(view, token.start, token.end, PhiType.USERNAME, 1.0)
            if token.low in index.logins and (end := login_at(view.text, token.start, token.end)):
                yield self._make(view, token.start, end, PhiType.USERNAME, 1.0)
            for kind in _by_initials(view, tokens, marks, i, index):
                yield self._make(view, token.start, token.end, kind, 0.9)


@remembered_of
def _sought(known: Sequence[Known]) -> tuple[RecordValues, PlaceWords, Index | None]:
    """What a record states, as it is looked for in each part of a note."""
    people = people_of(known)
    return RecordValues(known), PlaceWords(known, towns=False), Index(people) if people else None


def _named(
    view: View, tokens: Sequence[Token], marks: Sequence[Marks], i: int, index: Index
) -> frozenset[PhiType]:
    """The types of the persons that a token names."""
    mine = marks[i]
    if not mine or _sure(view, tokens[i], mine.exact):
        return mine.types
    found = mine.given if _acts(view, tokens[i]) else frozenset()
    return found if found == mine.types else found | _beside(view, tokens, marks, i, index)


def _by_initials(
    view: View, tokens: Sequence[Token], marks: Sequence[Marks], i: int, index: Index
) -> Iterator[PhiType]:
    """A single capital beside a surname ("J. Smith", "SMITH J"); "JS" after "pt"."""
    token = tokens[i]
    cued = i and token.text.isupper() and tokens[i - 1].low in _INITIALS_CUES
    if cued and not _ends_before(view, tokens[i - 1], token):
        yield from index.by_initials.get(token.low, ())
    if len(token.text) != 1 or not token.text.isupper():
        return
    for step in (1, -1):
        j = i + step
        if not 0 <= j < len(tokens) or not marks[j]:
            continue
        gap = view.text[min(token.end, tokens[j].end) : max(token.start, tokens[j].start)]
        if gap in (" ", ". ", ".", ", "):
            yield from index.of_initial(token.low, tokens[j].low)


def _ends_before(view: View, cue: Token, token: Token) -> bool:
    """Whether what a cue could say ends before a token ("0.4 ms; MRI"), or it is a unit."""
    figure = view.text[max(0, cue.start - 2) : cue.start].rstrip(" ")[-1:]
    return ";" in view.text[cue.end : token.start] or (cue.text.islower() and figure.isdecimal())


def _beside(
    view: View, tokens: Sequence[Token], marks: Sequence[Marks], i: int, index: Index
) -> frozenset[PhiType]:
    """The types of those of whose names another part, or a title, stands next to the token."""
    own, words = tokens[i], frozenset[PhiType]()
    found = set[PhiType]()
    for step in (1, -1):
        j = i + step
        if 0 <= j < len(tokens) and len(tokens[j].text) == 1 and tokens[j].text.isupper():
            found |= index.of_initial(tokens[j].low, own.low) - words
        while 0 <= j < len(tokens) and (tokens[j].low in PARTICLES or len(tokens[j].text) == 1):
            j += step
        if not 0 <= j < len(tokens) or abs(j - i) > 3:
            continue
        gap = view.text[min(own.end, tokens[j].end) : max(own.start, tokens[j].start)]
        if len(gap) > 8 or "\n\n" in gap or ";" in gap or _ends(tokens[min(i, j)], gap):
            continue
        shared = frozenset[PhiType]()
        if tokens[j].low != own.low:
            shared = index.of_both(own.low, tokens[j].low) - words
        if gap.strip().isalpha() and _are_words(own, tokens[j]):
            words |= shared
        else:
            found |= shared
        if step == -1 and tokens[j].low in TITLES and own.text[0].isupper():
            found |= marks[i].types - words - shared
    return frozenset(found)


def _ends(token: Token, gap: str) -> bool:
    """Whether a sentence ends with a token (and no initial does)."""
    return ". " in gap and len(token.text) > _SHORTEST and token.text.islower()


def _are_words(one: Token, other: Token) -> bool:
    """Whether two parts of a name are words in small letters ("dolores de cabeza")."""
    return all(t.text.islower() and is_word(t.low) for t in (one, other))


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
    if text.islower() and _is_plural(token.low):
        return False
    if token.low not in COMMON:
        return exact or text[0].isupper() or len(text) > FUZZY_LENGTH
    if not text[0].isupper():
        return False
    owns = exact and text.istitle() and _OWNS.match(view.text, token.end) is not None
    return owns or not (
        starts_sentence(view.text, token.start)
        or (text.isupper() and shouting(view.text, token.start, token.end))
    )


def _is_plural(low: str) -> bool:
    """Whether a word means several of what a name means as a word (`kidney stones`)."""
    return low in ordinary() and low.removesuffix("s") in COMMON
