"""What models take into a span from behind it, or before a number, and what is none of it.

title  = house title, before a name                    "Vanderbilt Dr" of "Vanderbilt Dr. Leggett"
place  = house ("apt" | "rm" | ...), before a number    "Hope Lodge apt" of "Hope Lodge apt 2C"
sex    = name gap ("M" | "F") | name ("M" | "F"), before an age     "Kowalczyk   F", "Halina F 71 y"
column = number gap letters                            "DV-664-1290  DW", of the next cell
head   = LABEL number                                 "NPI 1902837465", of a number
said   = number in words LABEL                          "seven one four oh two nine room"
field  = name LABEL, before a figure or colon          "PETAL ROMERO Rel" of "PETAL ROMERO Rel 18"
clause = name " - " small letters, of the clinic        "okoro - etoh, ciwa", a row of a list
stroke = name gap letter, before "/" and a letter     "Rivers d" of "Rivers d/w Ahn"
joint  = name or house ("for" | "from" | ...)          "bea for" of "sw bea for detox"
and    = occupation ("y" | "and" | ...)                "pelotari y" of "pelotari y estudiante"
label   = name "," the first letter of a document's     "Rondón, C" of "Rondón, C.I. V-9.114.322"
        | name "F", of a date's                        "Covadonga  F" of "Covadonga  F. nac."
letters = staff's name "," credential                  "WINTERBOTTOM, M.D"
died    = name "d", before a full stop                 "Husband Cruz d" of "Husband Cruz d. Nov 2"
times   = house "x" number                             "Moonstone Midwives x11", of visits
count   = day "de" month number in words, of things     "ocho de abril veinticinco" sesiones

And what they take into a name from before it:

filler  = ("uh" | ...) | weekday ("w" | "with")         "uh felix", "mon w kaplan"
answer  = ":" ("k" | "ok" | ...) "."                    "k. marsh" of "wells: k. marsh goal"
service = abbreviation of the clinic "-", before a Name  "ID-Verma"
label   = ("nombres" | "a. paterno" | ...), before a Name  "Nombres FELICIANO", of a form
"""

from __future__ import annotations

import re
from dataclasses import replace

from stream_deid.detect.patterns.names.ends import ends_in_label
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.calendar import MONTHS, WRITTEN_WEEKDAYS
from stream_deid.lists.field_labels import INSIDE, POSTS, is_label
from stream_deid.lists.known_words import FILLERS
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.numbers import (
    ONES,
    TEENS,
    TEN_TO_TWENTY_ES,
    TENS_EN,
    TENS_ES,
    TWO_TO_NINE_ES,
)
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.terms import is_term
from stream_deid.lists.titles import written
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_TITLE = linear(rf"[ \t](?i:{written('span')})\.?$")
_NAME_AFTER = linear(r"^\.?[ \t]\p{Lu}")
_INSIDE = linear(rf"[ \t](?i:{Vocabulary('headed')['numbered_inside']})\.?$")
_NUMBER_AFTER = linear(r"^\.?[ \t]#?[\pL-]{0,3}\d")
_SEX_APART = linear(r"(?:\pL{2}|\pL[ ]\pL)[.,]?(?:[ ]{2,}|\t)[MF]$")
_SEX = linear(r"\pL{2}[.,]?[ ][MF]$")
_AGE_AFTER = linear(r"(?i)^[ ,/(]{1,3}\d{1,3}[ -]?(?:y\b|y/?o|yrs?\b|years?\b|a[ñn]os|mo\b)")
_LETTER_AFTER = linear(r"^\.?\pL|^\.")
_COLUMN = linear(r"\d(?:[ ]{2,}|\t)[\pL.]{1,12}$")
_CREDENTIAL = linear(rf"\pL{{2}},[ ]?(?:M\.D|D\.O|R\.N|PA|NP|{written('signed')})\.?$")
_HEAD = re.compile(r"([A-Za-z]{3,12})[ :.#]{1,3}(?=[A-Z]{0,3}\d{2})|N[oO0]\.[ :]{0,2}(?=[A-Z\d])")
_FIELD = linear(r"(?:\pL{2}|\))[.,]?[ ]{1,2}(\pL{2,12})\.?$")
_VALUE_AFTER = linear(r"^(?:[ ]?[:#=]|[ ]\d)")
_PERSONLESS = Vocabulary("no_person")
_RATIOS = _PERSONLESS.words("ratios")
_STROKE = linear(r"[ ]([a-z]{1,2}/[a-z]{1,2})\b")
_CLAUSE = linear(r"[ ]-{1,2}[ ](\pL+)")
_JOINT = linear(rf"[ ](?:{Vocabulary('headed')['joints']})$")
_AND = linear(r"(?i)\pL[.,]?[ ](?:y|e|o|u|and|or)$")
_SAID_LABEL = linear(rf"(?:{ONES}|{TEENS}|{TENS_EN}|oh|zero)([ ]\pL{{2,8}})$")
_DIED = linear(r"\pL{2}[ ]d$")
_TIMES = linear(r"\pL{2}([ ]x\d{1,3})$")
_LETTER = linear(r"\pL{2},[ ]?\p{Lu}$")
_DOCUMENT_AFTER = linear(r"^(?:\.\p{Lu}){1,2}\.?[ :nº°]{0,4}(?:\p{Lu}-?)?\d")
_AFTER = 16
_NAMED = PERSONS | ORGANIZATIONS
_READ_ON = _NAMED | {PhiType.USERNAME}  # "Dwayne, s" of "Dwayne, s/p CABG"


def without_tail(text: str, one: Detection) -> Detection:
    """A model's span without what belongs to the next thing, or the same."""
    head = _HEAD.match(text, one.start, one.end) if one.type in NUMBERS else None
    if head is not None and (head[1] is None or is_label(head[1])):
        one = replace(one, start=head.end())
    if one.type in PERSONS:
        one = _without_head(text, one)
    value = text[one.start : one.end]
    after = text[one.end : one.end + _AFTER]
    cut = _tail(value, after, one.type)
    kept = value[:cut].rstrip(" \t,") if cut else value
    return replace(one, end=one.start + len(kept)) if cut else one


def is_head(text: str, one: Detection) -> bool:
    """Whether a name is nothing but what stands before one ("uh", "mon w")."""
    said = _SAID_FIRST.match(text[one.start : one.end]) if one.type in PERSONS else None
    return said is not None and one.start + said.end() == one.end


def _without_head(text: str, one: Detection) -> Detection:
    """A name without a filler, a day, a service or a form's label before it."""
    value = text[one.start : one.end]
    if label := _NAME_LABEL.match(value):
        return replace(one, start=one.start + label.end(1))
    answer = _ANSWER.match(value) if text[: one.start].rstrip(" ")[-1:] == ":" else None
    said = answer or _SAID_FIRST.match(value)
    service = _SERVICE.match(value)
    if said is not None and said.end() < len(value):
        return replace(one, start=one.start + said.end())
    known = service is not None and (
        is_abbreviation(service[1]) or fold(service[1]).lower() in POSTS
    )
    return replace(one, start=one.start + len(service[1]) + 1) if service and known else one


_ON_A_DAY = rf"(?:{WRITTEN_WEEKDAYS['en']})[ ]w(?:ith|/)?"
_SAID_FIRST = linear(rf"(?:(?:(?:{'|'.join(sorted(FILLERS))})(?:[ ,]+|$))+|{_ON_A_DAY}(?:[ ]|$))")
_ANSWER = linear(rf"(?:{'|'.join(sorted(_PERSONLESS.words('answers')))})\. ?")
_SERVICE = linear(r"([A-Z]{2,5})-\p{Lu}\p{Ll}")
_SIDE = rf"(?:{_PERSONLESS['name_sides']})"
_NAME_LABEL = linear(
    rf"((?i:(?:(?:{_PERSONLESS['name_labels']})(?:[ ]+{_SIDE})?"
    rf"|(?:{_PERSONLESS['surname_short']})\.?[ ]+{_SIDE})[ .:]+))\p{{Lu}}\p{{L}}"
)


def _tail(value: str, after: str, phi_type: PhiType) -> int:
    """Where the tail of a span begins; 0 where it has none."""
    if phi_type in _READ_ON and (begins := _rest(value, after)):
        return begins
    if begins := _word_too_many(value, after, phi_type):
        return begins
    if phi_type in ORGANIZATIONS:
        return _tail_of_house(value, after)
    if phi_type in NUMBERS and (label := _SAID_LABEL.search(value)) and label[1].strip() in INSIDE:
        return int(label.start(1))
    if phi_type in NUMBERS:
        return _gap(value) if _COLUMN.search(value) and not _LETTER_AFTER.match(after) else 0
    return _tail_of_person(value, after, phi_type) if phi_type in PERSONS else 0


def _tail_of_house(value: str, after: str) -> int:
    found = _TITLE.search(value) if _NAME_AFTER.match(after) else None
    found = found or (_INSIDE.search(value) if _NUMBER_AFTER.match(after) else None)
    if found is not None:
        return int(found.start())
    times = _TIMES.search(value)
    return int(times.start(1)) if times else 0


def _word_too_many(value: str, after: str, phi_type: PhiType) -> int:
    """Where a joint behind a trade begins, or a count behind a date."""
    if phi_type is PhiType.PROFESSION and (and_ := _AND.search(value)):
        return int(and_.start() + 1)
    counted = phi_type is PhiType.DATE and _THINGS_AFTER.match(after)
    count = _COUNT.search(value) if counted else None
    return int(count.start(1)) if count else 0


_COUNT = linear(
    rf"(?i)\pL (?:de )?(?:{'|'.join(MONTHS['es'])})( (?:cero|un[oa]?|{TWO_TO_NINE_ES}"
    rf"|{TEN_TO_TWENTY_ES}|veinti[a-z]{{2,6}}|{TENS_ES}))$"
)
_THINGS_AFTER = linear(
    rf"^ (?:de (?:un[oa]?|{TWO_TO_NINE_ES}|{TEN_TO_TWENTY_ES})\b|\pL{{3,15}}s\b)"
)


def _tail_of_person(value: str, after: str, phi_type: PhiType) -> int:
    apart = _SEX_APART.search(value) and not _LETTER_AFTER.match(after)
    if apart or (_SEX.search(value) and _AGE_AFTER.match(after)):
        return len(value) - 1
    if ends_in_label(value, after) or (after[:1] == "." and _DIED.search(value)):
        return len(value.rstrip(".")) - 1
    labelled = _LETTER.search(value) and _DOCUMENT_AFTER.match(after)
    credential = phi_type is PhiType.DOCTOR and _CREDENTIAL.search(value)
    return value.rindex(",") if labelled or credential else 0


def _rest(value: str, after: str) -> int:
    """Where the words begin that join a name to what follows, or the next field's label."""
    stroke = _STROKE.search(f"{value}{after}")
    if stroke is not None and stroke.start() < len(value) < stroke.end() and stroke[1] in _RATIOS:
        return int(stroke.start())
    joint = _JOINT.search(value) if after[:1] == " " and after[1:2].islower() else None
    if joint is not None:
        return int(joint.start())
    clause = _CLAUSE.search(value)
    if clause is not None and clause.start() and _of_the_clinic(clause[1]):
        return int(clause.start())
    field = _FIELD.search(value) if _VALUE_AFTER.match(after) else None
    labelled = field is not None and is_label(field[1]) and not is_listed_name(field[1])
    return int(field.start(1)) if field is not None and labelled else 0


def _of_the_clinic(word: str) -> bool:
    return is_term(fold(word).lower()) or is_abbreviation(word)


def _gap(value: str) -> int:
    return max(value.rfind("  "), value.rfind("\t"))
