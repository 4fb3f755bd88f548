"""What was found once in a note, looked for in all of it.

A model or a title finds "Mr. Ramanathan" in one line and misses "Ramanathan" in a table. Here
each part of a found name, each long number, and each found place or organisation as a whole is
searched for in every part of the note; a name of six letters and more also where a slip of the pen
changed it ("Ramanthan"), if that is no word and no other name; a number of six digits and more with
other separators too, as one of the record ("40 81 72 63"). Names that are words of the language
need a capital that says something; eponyms aren't followed into "Parkinson's disease"; drugs are
left alone.
This runs after the models, before the last vote.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stream_deid.budget import check
from stream_deid.detect.record.written_forms import SURE_DIGITS, SoughtNumbers
from stream_deid.detect.settle.fusion.spans import RANK, WEAK, Found
from stream_deid.detect.settle.propagation.open_names import is_word
from stream_deid.detect.words.namesakes import namesake
from stream_deid.detect.words.ordinary import stands_as_word
from stream_deid.detect.words.surroundings import personal
from stream_deid.detect.words.terms import in_a_phrase, is_called_after
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.eponyms import CLASSIFICATIONS, EPONYM_NOUNS, EPONYMS
from stream_deid.lists.field_labels import is_label
from stream_deid.lists.known_words import COMMON, PARTICLES, SAID, TITLES
from stream_deid.lists.name_words import never_a_name
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.newborns import WORDS as NEWBORN_WORDS
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection, Finding
from stream_deid.text.capitals import shouting, starts_sentence
from stream_deid.text.readings import in_entity
from stream_deid.text.typos import Slips
from stream_deid.text.view import View

DETECTOR = "repeat@1"
_WORD = re.compile(r"[A-Za-z]+(?:['-][A-Za-z]+)*")
_WORDS = Vocabulary("repeat")
_GRADE = re.compile(
    r"(?:'s)?[ -](?:[0-5][a-d]?|[ivx]{1,4}[a-d]?|0-i{1,3}[a-c]*|c\d+ ?m\d+"
    rf"|{_WORDS['graded']})"
    r"(?![\w/:-])(?! ?(?:[ap]m\b|h(?:rs?|oras?)?\b|d(?:ays?|ias?)\b|wks?|mo|y|times|x))"
)
_WHOLE = frozenset(
    {PhiType.CITY, PhiType.HOSPITAL, PhiType.ORGANIZATION, PhiType.STREET, PhiType.LOCATION_OTHER}
)
_NUMERIC = NUMBERS | {PhiType.SSN, PhiType.USERNAME, PhiType.EMAIL}
_MET = re.compile(rf"\b(?:{_WORDS['met']}) (?:with|by|to|con|por|a) $")
"""Before somebody who has been named, in a text without capitals ("revision con campos")."""
_TOLD = re.compile(rf"\b(?:{_WORDS['told']}) (?:a )?$")
_DOES = re.compile(rf" (?:{_WORDS['does']})\b")
_LIES = re.compile(
    rf"'s [a-z]|(?: in)? \d{{1,2}}-\d\b| in \d{{1,4}}(?![/\d])| (?:{_WORDS['lies']})\b"
)
"""What patients have, where they lie and what they do, in sign-outs ("hall's eliquis")."""
_NO_NOUN = re.compile(rf"\b(?:{_WORDS['noun_before']}) $")
_NEARBY = 32
_NOBODY = PARTICLES | TITLES | SAID | NEWBORN_WORDS
"""Words of a name that name nobody elsewhere."""
_LEAST_NAME, _LEAST_DIGITS, _LEAST_PLACE, _LEAST_SLIPPED = 3, 5, 5, 6
_SURE_PLACE = 0.6


def repeated(
    text_parts: Sequence[str], findings: Sequence[Sequence[Finding]]
) -> list[list[Detection]]:
    """Further detections in each part: repetitions of what `findings` found in any part.

    `findings[i]` are those of `text_parts[i]`. Findings with a weak score aren't followed. What
    a finding covers already isn't repeated.
    """
    views = [View(text) for text in text_parts]
    table = _Table()
    for text, found in zip(text_parts, findings, strict=True):
        for one in found:
            if one.score >= WEAK:
                table.learn(text[one.start : one.end], one)
    table.settle()
    return [
        _search(text, view, table, found) if table.words or table.wholes else []
        for text, view, found in zip(text_parts, views, findings, strict=True)
    ]


class _Table:
    """What to look for: words of names, and whole values, with type, label and score."""

    def __init__(self) -> None:
        self.words: dict[str, tuple[str, Finding]] = {}
        self.wholes: dict[str, Finding] = {}
        self._values: dict[PhiType, dict[str, Finding]] = {}
        self.numbers: list[tuple[SoughtNumbers, Finding]] = []
        self._slips = Slips(())
        self._slipped: dict[str, tuple[str, Finding] | None] = {}

    def settle(self) -> None:
        """To be called when all is learnt."""
        self._slips = Slips(low for low in self.words if _may_slip(low))
        self.numbers = [
            (SoughtNumbers(values), next(iter(values.values()))) for values in self._values.values()
        ]

    def slipped(self, low: str) -> tuple[str, Finding] | None:
        """Of which of the words a longer one is one slip away that is no word and nobody's name."""
        if low not in self._slipped:
            near = self._slips.near(low) if _may_slip(low) and not is_listed_name(low) else ()
            alike = (self.words[one] for one in near if one[0] == low[0] or one[1] == low[1])
            self._slipped[low] = next(alike, None)
        return self._slipped[low]

    def learn(self, value: str, finding: Finding) -> None:
        if finding.type in PERSONS:
            self._learn_name(value, finding)
        elif finding.type in _NUMERIC:
            digits = sum(c.isdecimal() for c in value)
            if digits >= _LEAST_DIGITS:
                self._put(" ".join(View(value).lower.split()), finding)
            if digits >= SURE_DIGITS and finding.type in NUMBERS:
                self._values.setdefault(finding.type, {}).setdefault(value, finding)
        elif finding.type in _WHOLE and len(value) >= _LEAST_PLACE:
            low = " ".join(View(value).lower.split())
            if low not in COMMON and not low.isdecimal() and value[0].isupper():
                self._put(low, finding)
        elif finding.type in ORGANIZATIONS and _is_acronym(value) and finding.score >= _SURE_PLACE:
            self._put(value.lower(), finding)

    def _put(self, key: str, finding: Finding) -> None:
        old = self.wholes.get(key)
        if old is None or RANK[finding.type] < RANK[old.type]:
            self.wholes[key] = finding

    def _learn_name(self, value: str, finding: Finding) -> None:
        view = View(value)
        for match in _WORD.finditer(view.text):
            for word in view.text[match.start() : match.end()].split("-"):
                low = word.lower()
                if len(low) < _LEAST_NAME or low in _NOBODY:
                    continue
                old = self.words.get(low)
                if old is None or RANK[finding.type] < RANK[old[1].type]:
                    self.words[low] = (word, finding)


def _is_acronym(value: str) -> bool:
    """Whether a house is called by four capitals that mean nothing else ("HUCA")."""
    alone = len(value) == _LEAST_PLACE - 1 and value.isalpha() and value.isupper()
    return alone and not is_abbreviation(value) and not is_label(value)


def _search(text: str, view: View, table: _Table, found: Sequence[Finding]) -> list[Detection]:
    covered = Found(len(text), found)
    hits = [*_names(view, table, covered), *_wholes(view, table)]
    said = {(start, end) for start, end, _ in hits}
    hits += [one for one in _numbers(view, table) if one[:2] not in said]
    out = []
    for start, end, source in hits:
        low, high = view.origin(start, end)
        if not covered.wholly(low, high) and not in_entity(text, low, high):
            score = min(source.score, 0.9)
            out.append(Detection(low, high, source.type, DETECTOR, score, source.label))
    return sorted(out, key=lambda d: (d.start, d.end, d.type))


def _names(view: View, table: _Table, covered: Found) -> Iterator[tuple[int, int, Finding]]:
    if not table.words:
        return
    for match in _WORD.finditer(view.text):
        check()
        if covered.wholly(*view.origin(*match.span())):
            continue
        at = match.start()
        for word in view.text[at : match.end()].split("-"):
            start, end = at, at + len(word)
            at = end + 1
            if word[-2:].lower() == "'s":
                end -= 2
            entry = table.words.get(view.lower[start:end])
            if entry is not None:
                if _is_name(view, start, end, entry[0]):
                    yield start, end, entry[1]
            elif word[:1].isupper() and (entry := table.slipped(view.lower[start:end])):
                yield start, end, entry[1]


def _may_slip(low: str) -> bool:
    """Whether a word is long enough for a slip of the pen to be told, and none of the language."""
    return len(low) >= _LEAST_SLIPPED and not is_word(low) and not is_word(low.removesuffix("s"))


def _is_name(view: View, start: int, end: int, seen: str) -> bool:
    """Whether the word at `[start, end)`, found elsewhere as a name in the form `seen`, is one."""
    word, low = view.text[start:end], view.lower[start:end]
    if means_else(view, start, end):
        return False
    ordinary = low in COMMON or low in EPONYMS or len(low) <= _LEAST_NAME
    if not ordinary:
        longer = len(low) >= 6 and not never_a_name(low)
        return word[0].isupper() or seen.islower() or longer
    if not word[0].isupper():
        return seen.islower() and _as_somebody(view.lower, start, end)
    if word.isupper() and not seen.isupper():
        return False
    if starts_sentence(view.text, start) and not _ACTS.match(view.lower, end):
        return False
    return not (word.isupper() and shouting(view.text, start, end))


_ACTS = re.compile(rf" (?:{_WORDS['does']}|{_WORDS['acts']})\b")
"""What a surname that is a word does where it begins the sentence ("Banks closed skin")."""


def _as_somebody(lower: str, start: int, end: int) -> bool:
    """Whether somebody is met, told or does something by the word at `[start, end)`."""
    low = max(0, start - _NEARBY)
    told = _MET.search(lower, low, start) or _TOLD.search(lower, low, start)
    if told is not None or _DOES.match(lower, end) is not None:
        return True
    return _LIES.match(lower, end) is not None and _NO_NOUN.search(lower, low, start) is None


def means_else(view: View, start: int, end: int) -> bool:
    """Whether a word is an eponym, a classification, a part of a term or an ordinary word here."""
    low = view.lower[start:end]
    return (
        (low in EPONYMS and _eponym_use(view, end))
        or (low in CLASSIFICATIONS and _graded(view, start, end))
        or stands_as_word(view.text, start, end)
        or in_a_phrase(view.text, start, end)
        or is_called_after(view.text, start, end)
        or namesake(view.text, start, end, PhiType.PATIENT)
    )


def _graded(view: View, start: int, end: int) -> bool:
    """Whether a grade stands behind a classification, and nothing beside it speaks of a person."""
    graded = _GRADE.match(view.lower, end) is not None
    return graded and not personal(view.text, start, end)


def _eponym_use(view: View, end: int) -> bool:
    after = view.lower[end : end + 24].removeprefix("'s").replace("-", " ").split()
    return bool(after) and after[0].strip(".,;:()") in EPONYM_NOUNS


def _numbers(view: View, table: _Table) -> Iterator[tuple[int, int, Finding]]:
    """Numbers whatever parts their digits."""
    for numbers, source in table.numbers:
        for start, end in numbers.spans(view.text):
            yield start, end, source


def _wholes(view: View, table: _Table) -> Iterator[tuple[int, int, Finding]]:
    """Whole values (numbers, places, organisations), without regard to case."""
    for key, source in table.wholes.items():
        check()
        at = view.lower.find(key)
        while at >= 0:
            end = at + len(key)
            bounded = (
                not (at and view.lower[at - 1].isalnum())
                and not view.lower[end : end + 1].isalnum()
            )
            small = view.text[at].islower() or (
                len(key) < _LEAST_PLACE and not view.text[at:end].isupper()
            )
            if bounded and (source.type in _NUMERIC or not small):
                yield at, end, source
            at = view.lower.find(key, end)
