"""Spans of words that are people's names and clinical things: eponyms, brands, instruments.

Where only a model takes one for a person, what stands around it decides; a product or an organism
that hardly anybody is called after is let go where nothing there is personal:

clinical = "hx" | "r/o" | "stopped" | ... WORD               "PMH Graves"
         | WORD ("'s"? noun | "+" | "neg" | "III" | dose)     "Allen neg", "Lyrica 75 mg"
         | term sep WORD | WORD sep term                      "Humira, Stelara", "Dor, Nissen"
         | kin ["w/"] DISEASE, in a family's history          "two mat. aunts w/ Hashimoto"
         | kin LETTERS, three to five capitals, nobody's name "Fam: father BPAD, died at 93"
         | "by" EPONYM "'s", and nothing of his             "EFW 3450 g by Leopold's."
         | kin "w/" DISEASE, taken for a relative's name       "madre con Hashimoto"
         | label of diseases ":" ... LETTERS               "PMH: HTN, MI", two capitals
         | "DC" home | likely "DC"                         "DC home", a discharge
         | ABBREVIATION, no sign-off                          "padre IAM 49", "PPV/SB"
         | two capitals between abbreviations or clinical words in a list   "fellow, RD and SLP"
personal   see `surroundings`
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache

from stream_deid.detect.words.surroundings import PERSON_AFTER, around, personal, placed
from stream_deid.detect.words.terms import WORD
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.eponyms import EPONYM_NOUNS
from stream_deid.lists.namesakes import (
    abbreviations,
    is_abbreviation,
    is_clinical,
    short_abbreviations,
)
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_product
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold, folded
from stream_deid.text.linear import Match, linear

_WORDS = Vocabulary("namesakes")

_NAMED = PERSONS | ORGANIZATIONS | {PhiType.CITY, PhiType.LOCATION_OTHER}
_PLACES = frozenset({PhiType.CITY, PhiType.LOCATION_OTHER})
_CALLED = PERSONS | {PhiType.HOSPITAL}
"""What models take a product for; an employer may well be one."""
_SIGN = r"[ ]?(?:[+±](?:[^\d]|$)|-(?:[ ]?[,;.]|$)|neg\b|pos\b|negativ|positiv|x\d)"
_UNIT = (
    r"[ ]\d{1,4}(?:[.,]\d+)?(?:/\d+)?"
    rf"[ ]?(?:/h|(?:mg|mcg|ml|u|ui|units?|%|mm|cm|fr|ch|g|{_WORDS['poured']})\b)"
)
_BEFORE = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['clinical_before']})[ :.(]*$")
_AFTER = linear(
    rf"(?i)^(?:['’]s?)?(?:{_SIGN}|{_UNIT}|[ ]\d{{1,2}}(?:[,.;)/]|$)"
    r"|[ ](?-i:I{1,3}|I?V|VI{0,3})[ab]?\b"
    rf"|[ -](?:{'|'.join(sorted(EPONYM_NOUNS))}|{_WORDS['clinical_after']})\b)"
)
_OWNED = linear(
    rf"^(?:['’](?i:s?)[ ]?(?:[,;.)?]|(?:{_WORDS['had']})\b)"
    rf"|[ ](?:{_WORDS['changed']})[ ]?(?:[,;.]|$))"
)
_SIZE = linear(r" \d{1,2}(?:\.\d)? ?(?:Fr?|G|mm|cm)$")
_BY = linear(r"(?i)(?:^|[^\pL])(?:by|per|via|using) $")
_METHOD = linear(r"^['’]s ?(?:[,;.)]|$)")
_DENIED = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['denied']})[ ](?:[A-Z]{{2,4}}/)?$")
_IN_DISEASES = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['disease_lists']})[ ]?:(?:[^.;:\n]*,)?[ ]$")
_DISCHARGE_BEFORE = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['discharge_before']})[ ]$")
_DISCHARGE_AFTER = linear(rf"(?i)^(?:['’]?d\b|[ ](?:{_WORDS['discharge_after']})(?:[^\pL]|$))")
_ENDS = linear(r"(?i)^(?:[ ]?[,.;)]|$|[ ](?:by|per|in|on|when|if|once|with|w/)(?:[^\pL]|$))")
_MEASURED = linear(
    rf"(?i)^(?:[ ]?[:=][ ]?|[ ])(?:\d{{1,3}}(?:[.,]\d{{1,3}})?(?:[ ]?[,;)]|[.]?$|[ ]\pL)"
    rf"|(?:{_WORDS['measured']})\b)"
)
_AGAIN = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['again']})[ ]$")
_AT_AN_AGE = linear(r"(?i)^[ ](?:at |@ ?|a los |in )?\d{2}s?(?:[ ]?[,;.)]|$)")
_OF_DISEASE = linear(rf"(?i)\b(?:{_WORDS['of_disease']})[ ]$")
_DISEASES = _WORDS.words("diseases")
_SHORT_DISEASES = _WORDS.words("short_diseases")
_RELATED = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['kin']})[ ]?(?:w/|with|had|has|con|:|-|tuvo)?[ ]*$")
_HAD = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['kin']})[ ](?:w/|with|had|has|con|tuvo)[ ]$")
_HISTORY = linear(rf"(?i)(?:^|[^\pL])(?:{_WORDS['history']})(?:[^\pL]|$)")
_TREATED = linear(rf"(?i)(?:^|[^\pL/])(?:{_WORDS['treated']})[ ]$")
"""What stands before people and things alike, of which products are no people."""
_LISTED_BEFORE = linear(
    r"([\pL-]+)['’]?s?(?:[ ]?(?:[+±-]|neg|pos|no|x?\d{1,4}(?:[.,/]\d+)?(?:[ ]?mg)?))?"
    r"[ ]?(?:[,;/+&]|\by\b|\bvs\.?|\band\b|\bor\b)[ ]?$"
)
_LISTED_AFTER = linear(
    r"^['’]?s?(?:[ ]?(?:[+±-]|neg|pos|no|x?\d{1,4}(?:[.,/]\d+)?(?:[ ]?mg)?))?"
    r"[ ]?(?:[,;/+&]|\bvs\.?|\by\b|\band\b|\bor\b)[ ]?([\pL-]+)"
)


def namesake(text: str, start: int, end: int, phi_type: PhiType) -> bool:
    """Whether a model's span is nothing but clinical namesakes, used as such."""
    if phi_type not in _NAMED:
        return phi_type is PhiType.RELATIVE and _of_kin(text, start, end)
    end = _without_size(text, start, _without_owner(text, start, end))
    words = [part for m in WORD.finditer(text[start:end]) for part in m.group().split("-")]
    nobody = phi_type in PERSONS and (
        _abbreviated(text, start, end) or _inherited(text, start, end)
    )
    unit = phi_type in ORGANIZATIONS and _is_unit(text[start:end])
    if nobody or unit or _disease(text, start, end):
        return True
    if not words or not all(w == "s" or is_clinical(w) for w in words):
        return False
    product = phi_type in _CALLED and all(is_product(fold(word).lower()) for word in words)
    before, after = around(text, start, end)
    given = product and _TREATED.search(before) and not PERSON_AFTER.match(after)
    if given or (_BY.search(before) and _METHOD.match(after)):
        return True
    if personal(text, start, end) or (phi_type in _PLACES and placed(text, start, end)):
        return False
    compound = len(words) > 1 and "-" in text[start:end] and " " not in text[start:end]
    return product or compound or _as_such(before, after, words)


def _of_kin(text: str, start: int, end: int) -> bool:
    """Whether what a model takes for a relative is what kin have: a disease, an abbreviation in
    capitals.
    """
    capitals = text[start:end].isupper() and _abbreviated(text, start, end)
    return capitals or _inherited(text, start, end)


def _as_such(before: str, after: str, words: Sequence[str]) -> bool:
    """Whether what stands beside `words` is what stands beside clinical things."""
    known = not any(map(is_listed_name, words))  # "Jones, COPD" is a patient in a list
    return bool(
        _BEFORE.search(before)
        or _AFTER.match(after)
        or _OWNED.match(after)
        or _beside(_LISTED_BEFORE.search(before), abbreviated=known)
        or _beside(_LISTED_AFTER.match(after), abbreviated=known)
    )


def _without_owner(text: str, start: int, end: int) -> int:
    """Where a span ends without an "'s" that models leave to houses ("FOURNIER'S, to OR")."""
    return end - 2 if text[max(start, end - 2) : end].lower() in ("'s", "’s") else end


def _without_size(text: str, start: int, end: int) -> int:
    """Where a span ends without the calibre of a device ("PowerPort 8F")."""
    size = _SIZE.search(text[start:end])
    return end if size is None else start + size.start()


def _abbreviated(text: str, start: int, end: int) -> bool:
    """Whether a span is an abbreviation of the clinic, written as one, and signs nothing."""
    value = text[start:end]
    if value.islower() and len(value) <= _SHORTEST:
        return _short(text, start, end)
    mixed = value[:1].islower() and value[1:].isupper() and is_abbreviation(value)  # "qHS"
    if not mixed and not (value.isupper() and is_abbreviation(value)):
        return False
    before, after = around(text, start, end)
    signs = not after.strip(" .)") and before.rstrip()[-1:] in ("", ".", "-", ";", "|")
    had = _RELATED.search(before) is not None  # "padre IAM 49"
    return not signs and (had or not personal(text, start, end))


_SHORTEST, _TELLING = 4, 3


def _short(text: str, start: int, end: int) -> bool:
    """Whether a word in small letters is an abbreviation of the clinic that signs nothing."""
    low = fold(text[start:end])
    if low not in abbreviations() and low not in _small():
        return False
    before, after = around(text, start, end)
    if low in _TIMES and before.endswith(("per ", "/", "x ")):
        return True
    signs = not after.strip(" .)") and (len(low) < _TELLING or before[-1:] != " ")
    return not signs and not personal(text, start, end)


_TIMES = _WORDS.words("times")


@cache
def _small() -> frozenset[str]:
    return _WORDS.words("small")


def _is_unit(value: str) -> bool:
    """Whether a name of a place is the abbreviation of a unit that every hospital has, or a word
    for a machine's report.
    """
    return value.isupper() and value.lower() in _WORDS.words("units")


def _disease(text: str, start: int, end: int) -> bool:
    """Whether a span is a disease by its bearer's name alone ("died of Huntington's"), a short
    abbreviation behind what is denied or looked for ("no dz", "Denies AH/VH").
    """
    value = text[start:end]
    before, after = around(text, start, end)
    if _is_asked_again(value, before):
        return True
    if fold(value).lower() in short_abbreviations():
        return _is_short_thing(text, start, end)
    owner, mark, _ = folded(value + after[:2]).lower().partition("'s")
    owned = bool(mark) and owner in _DISEASES and not after[2:4].strip().isalpha()
    said = bool(mark) and owner in _DISEASES and _OF_DISEASE.search(before) is not None
    return (owned and not personal(text, start, end)) or said


def _is_short_thing(text: str, start: int, end: int) -> bool:
    """Whether an abbreviation of two letters is denied, measured (`QT 440`, `QT has lengthened`)
    or a disease that kin had at an age (`aunt OC 52`).
    """
    before, after = around(text, start, end)
    if _DENIED.search(before) is not None:
        return True
    if text[start:end].isupper() and (
        _IN_DISEASES.search(before)
        or _is_discharge(text[start:end], before, after)
        or _heads_diseases(text[start:end], after)
        or (_is_listed(before, after) and not personal(text, start, end))
    ):
        return True
    if _RELATED.search(before) is not None:
        return _AT_AN_AGE.match(after) is not None
    return _MEASURED.match(after) is not None and not personal(text, start, end)


def _heads_diseases(value: str, after: str) -> bool:
    """Whether letters are the label of a list of diseases ("AP: DM, HTA")."""
    return value.lower() in _WORDS.words("disease_lists") and after.startswith(":")


def _is_listed(before: str, after: str) -> bool:
    """Whether two capitals stand in a list of abbreviations or clinical words: between two of them,
    or beside one with "and", "+" or a stroke between, where nothing is signed.
    """
    first, last = _LISTED_BEFORE.search(before), _LISTED_AFTER.match(after)
    ahead, behind = _means_clinical(first), _means_clinical(last)
    if ahead and behind:
        return True
    joined = (ahead and first and first[0][-2:] in _JOINTS and after.strip(" .)")) or (
        behind and last and last[0].lstrip("'’s ")[:3] in _JOINED and before.strip()
    )
    return bool(joined)


_JOINTS = frozenset(("d ", "y ", "& ", "+ ", " +"))
_JOINED = frozenset(("and", "& ", "+ "))


def _means_clinical(found: Match | None) -> bool:
    """Whether the neighbour in a list is an abbreviation in capitals or a word for a thing."""
    if found is None:
        return False
    word = found[1]
    low = fold(word).lower()
    if word.isupper():
        return is_abbreviation(word) or low in short_abbreviations()
    return is_clinical(word) and not is_listed_name(low)


def _is_discharge(value: str, before: str, after: str) -> bool:
    """Whether letters say that somebody goes home or something is stopped ("DC home", "DC IVF")."""
    if value.lower() not in _WORDS.words("discharged"):
        return False
    told = _DISCHARGE_BEFORE.search(before) is not None and _ENDS.match(after) is not None
    return told or _DISCHARGE_AFTER.match(after) is not None


def _is_asked_again(value: str, before: str) -> bool:
    """Whether the letter of an electrolyte stands behind a word for doing it again, of `REPEAT K IN
    AM` or what models take of it.
    """
    letters = fold(value).lower().partition(" ")[0]
    return letters in _WORDS.words("electrolytes") and _AGAIN.search(before) is not None


def _inherited(text: str, start: int, end: int) -> bool:
    """Whether a span is a disease that bears a name, behind kin who have it or in their history."""
    words = [m.group() for m in WORD.finditer(text[start:end])]
    value = text[start:end]
    short = value.isupper() and (
        fold(value).lower() in _SHORT_DISEASES or _are_letters(value, around(text, start, end)[1])
    )
    if not words or not (short or all(w == "s" or fold(w).lower() in _DISEASES for w in words)):
        return False
    before, after = around(text, start, end)
    if _HAD.search(before) is not None:
        return True
    return (
        _RELATED.search(before) is not None and _HISTORY.search(f"{before} | {after}") is not None
    )


def _are_letters(value: str, after: str) -> bool:
    """Whether capitals are an abbreviation and no name in capitals, which a surname would go on."""
    few = _LETTERS_LEAST <= len(value) <= _LETTERS_MOST and value.isalpha()
    return few and not is_listed_name(fold(value).lower()) and not _SHOUTED.match(after)


_LETTERS_LEAST, _LETTERS_MOST = 3, 5
_SHOUTED = linear(r"^,? [A-Z]{2,}(?:[^a-z\d]|$)")


def _beside(found: Match | None, *, abbreviated: bool) -> bool:
    """Whether the neighbour in a list is a clinical word, written like one that isn't a name, or an
    abbreviation of the clinic where that may count.
    """
    if found is None:
        return False
    return is_clinical(found[1]) or (
        abbreviated and found[1].isupper() and is_abbreviation(found[1])
    )
