"""A label of a field is no identifier, whoever votes for it.

letters = LABEL of three letters and more, in capitals     "MBI on file", "CVV 123"
        | abbreviation of three letters and more            "TNK 18 mg", "WIC. School form"
        | LABEL of two letters before five signs            "SN 12345", "CP: 28013"
label   = Label (":" | "#" | "no." | figure | LABEL)        "Ref MD", "Bay 3"
post    = "by" POST                                         "seen by NP"
head    = Label of a column, among heads              "Date   Regimen   Wt   CrCl   ANC"
office  = office "'s office" | ("Deputy" | ...) office   "cc Warden's office", "Deputy Coroner"
weekday = weekday n "/" n                                   "wed 9/10"
kind    = kind of house, nothing else                       "INPATIENT REHAB UNIT", "by EMS"
        | kind of house or payer, Spanish                   "Isapre: Colmena", "control en el poli"

A word that signs, or beside which something speaks of a person ("Dr. Case:"), is a name all the
same. What the record states and fields declare isn't asked.
"""

from __future__ import annotations

import re

from stream_deid.detect.record.stated import states
from stream_deid.detect.words.surroundings import personal
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.calendar import WRITTEN_WEEKDAYS
from stream_deid.lists.field_labels import (
    CLINICAL,
    HOUSES_ALONE,
    INSIDE,
    KINDS_OF_HOUSES,
    LETTERS,
    OFFICES,
    POSTS,
    RANKS,
    is_label,
)
from stream_deid.lists.known_words import TITLES
from stream_deid.lists.namesakes import abbreviations
from stream_deid.lists.people import is_listed_name, most_borne
from stream_deid.lists.terms import is_term
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_NAMED = PERSONS | ORGANIZATIONS
_TOWNS = frozenset({PhiType.CITY})
_WORD = linear(r"\pL{2,12}")
_CELLS = re.compile(r" {2,}|\t|\|")
_PARTING = ("", " ", "\t", "\n", "|")
_LEAST_CELLS, _LONGEST_LINE = 4, 200
_HEADS = frozenset(
    word for name in ("heads", "signers", "days") for word in Vocabulary("headed").words(name)
)
_WORDS = linear(r"\pL+")
_NUMBER_AFTER = linear(r"^(?: ?[:#=] ?| )[A-Z]{0,4}\d[A-Z\d-]{4}")
_LABEL_AFTER = linear(r"(?i)^(?:\.?[ \t]{0,2}[:#=]|[ \t]no\.?[ \t]| \d)")
_WORD_AFTER = linear(r"^[ \t]([A-Z]{2,4})\b")
_OFFICE_AFTER = linear(r"(?i)^(?:['’]?s)?[ ](?:office|desk|staff)\b")
_BY = linear(r"(?i)\b(?:by|per|with|w/|from|to|the|d/w) $")
_WEEKDAY = linear(rf"(?i){WRITTEN_WEEKDAYS['en']}|{WRITTEN_WEEKDAYS['es']}")
_DAY_AFTER = linear(r"^[.,]? \d{1,2}[/.-]\d{1,2}\b")
_LETTER_AFTER = linear(r"^ [A-Z](?:[^\pL\d]|$)")
_AFTER, _NEARBY, _SHORT = 16, 40, 2


def bare_label(text: str, vote: Detection) -> bool:
    """Whether a vote for a person is nothing but a label, a post's or an office's name; one for an
    organisation the label of a place inside a house, or an office's name.
    """
    if vote.type not in _NAMED | _TOWNS or states(vote.detector):
        return False
    return _is_house(text, vote) or (vote.type in _NAMED and _is_label(text, vote))


def _is_label(text: str, vote: Detection) -> bool:
    heads = _heads_a_column(text, vote)
    if heads or vote.type not in PERSONS:
        return heads or _is_kind(text[vote.start : vote.end]) or _is_inside(text, vote)
    word, after = text[vote.start : vote.end], text[vote.end : vote.end + _AFTER]
    if word[-2:] in ("'s", "’s"):
        word, after = word[:-2], word[-2:] + after
    if _WORD.fullmatch(word) is None:
        return False
    day = _WEEKDAY.fullmatch(word) and _DAY_AFTER.match(after)
    if day or _holds_a_post(text, vote, word) or _has_office(text, vote, word, after):
        return True
    if word.isupper():
        known = is_label(word) or _is_abbreviation(word)
        return known and _letters(text, vote, word, after)
    return word.istitle() and is_label(word) and _in_front(text, vote, word, after)


def _heads_a_column(text: str, vote: Detection) -> bool:
    """Whether a head of a column stands among the heads of a table: cells on a line without a
    figure, of which half or more are such.
    """
    if (
        not _is_head(text[vote.start : vote.end])
        or text[vote.start - 1 : vote.start] not in _PARTING
        or text[vote.end : vote.end + 1] not in (_PARTING)
    ):
        return False
    begins = text.rfind("\n", max(0, vote.start - _LONGEST_LINE), vote.start) + 1
    line = text[begins : begins + _LONGEST_LINE].partition("\n")[0]
    cells = [cell.strip() for cell in _CELLS.split(line) if cell.strip()]
    if len(cells) < _LEAST_CELLS or any(map(str.isdecimal, line)):
        return False
    known = sum(map(_is_head, cells))
    return 2 * known >= len(cells)


def _is_head(cell: str) -> bool:
    low = fold(cell).lower()
    return low in _HEADS or is_label(cell) or is_term(low) or low in abbreviations()


def _is_inside(text: str, vote: Detection) -> bool:
    """Whether a vote for a house is the label of a place in one, or an office."""
    word, after = text[vote.start : vote.end], text[vote.end : vote.end + _AFTER]
    if word[-2:] in ("'s", "’s"):
        word, after = word[:-2], word[-2:] + after
    if _WORD.fullmatch(word) is None:
        return False
    numbered = _LABEL_AFTER.match(after) or _LETTER_AFTER.match(after)
    inside = word.lower() in INSIDE and numbered is not None
    return inside or _has_office(text, vote, word, after)


def _is_kind(value: str) -> bool:
    """Whether a house is called what it is and nothing else ("INPATIENT REHAB UNIT")."""
    words = _WORDS.findall(value)
    spaced = " ".join(words) == " ".join(value.split())
    return spaced and bool(words) and all(fold(word).lower() in KINDS_OF_HOUSES for word in words)


def _is_house(text: str, vote: Detection) -> bool:
    """Whether a span says of what kind a house, payer or employer is, and no more ("Isapre")."""
    value = fold(text[vote.start : vote.end]).lower().strip(".")
    if vote.type in PERSONS and is_listed_name(value):
        return False
    return HOUSES_ALONE.fullmatch(value) is not None and not _titled(text, vote)


def _is_abbreviation(word: str) -> bool:
    """Whether letters in capitals stand for a thing of the clinic."""
    low = fold(word).lower()
    return len(word) > _SHORT and (low in LETTERS or low in abbreviations())


def _holds_a_post(text: str, vote: Detection, word: str) -> bool:
    """Whether a word stands for whoever has a post."""
    before = text[max(0, vote.start - _AFTER) : vote.start]
    return word.isupper() and word.lower() in POSTS and _BY.search(before) is not None


def _has_office(text: str, vote: Detection, word: str, after: str) -> bool:
    """Whether an office is called by who holds it."""
    if fold(word).lower() not in OFFICES:
        return False
    before = _last_word(text, vote)
    ranked = before in RANKS
    return ranked or (_OFFICE_AFTER.match(after) is not None and before not in TITLES)


def _letters(text: str, vote: Detection, word: str, after: str) -> bool:
    """Whether a label in capitals stands as one: it signs nothing, and is nobody's initials."""
    if len(word) <= _SHORT and fold(word).lower() not in CLINICAL:
        return _NUMBER_AFTER.match(after) is not None
    line = text[max(0, vote.start - _AFTER) : vote.start].rpartition("\n")[2].rstrip()
    signs = not after.partition("\n")[0].strip(" .)") and line[-1:] in ("", ".", "-", ";", "|", "/")
    return not signs and not personal(text, vote.start, vote.end)


def _in_front(text: str, vote: Detection, word: str, after: str) -> bool:
    """Whether a label with a capital stands before what it is the label of."""
    if fold(word) in most_borne() or _titled(text, vote):
        return False
    following = _WORD_AFTER.match(after)
    return _LABEL_AFTER.match(after) is not None or (
        following is not None and is_label(following[1])
    )


def _titled(text: str, vote: Detection) -> bool:
    """Whether something before the word speaks of a person."""
    head = text[max(0, vote.start - _NEARBY) : vote.start]
    return personal(head, len(head), len(head))


def _last_word(text: str, vote: Detection) -> str:
    before = text[max(0, vote.start - _NEARBY) : vote.start].split()
    return fold(before[-1]).lower().strip(".,:;(") if before else ""
