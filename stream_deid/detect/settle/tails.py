"""What models take into a span from behind it, and what is none of it.

title  = house title, before a name                    "Vanderbilt Dr" of "Vanderbilt Dr. Leggett"
place  = house ("apt" | "rm" | ...), before a number    "Hope Lodge apt" of "Hope Lodge apt 2C"
sex    = name gap ("M" | "F") | name ("M" | "F"), before an age     "Kowalczyk   F", "Halina F 71 y"
column = number gap letters                            "DV-664-1290  DW", of the next cell
letters = staff's name "," credential                  "WINTERBOTTOM, M.D"
"""

from __future__ import annotations

from dataclasses import replace

import re2

from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.titles import written
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection

_TITLE = re2.compile(rf"[ \t](?i:{written('span')})\.?$")
_NAME_AFTER = re2.compile(r"^\.?[ \t]\p{Lu}")
_INSIDE = re2.compile(rf"[ \t](?i:{Vocabulary('headed')['numbered_inside']})\.?$")
_NUMBER_AFTER = re2.compile(r"^\.?[ \t]#?[\pL-]{0,3}\d")
_SEX_APART = re2.compile(r"\pL{2}[.,]?(?:[ ]{2,}|\t)[MF]$")
_SEX = re2.compile(r"\pL{2}[.,]?[ ][MF]$")
_AGE_AFTER = re2.compile(r"(?i)^[ ,/(]{1,3}\d{1,3}[ -]?(?:y\b|y/?o|yrs?\b|years?\b|a[ñn]os|mo\b)")
_LETTER_AFTER = re2.compile(r"^\.?\pL|^\.")
_COLUMN = re2.compile(r"\d(?:[ ]{2,}|\t)[\pL.]{1,12}$")
_CREDENTIAL = re2.compile(rf"\pL{{2}},[ ]?(?:M\.D|D\.O|R\.N|PA|NP|{written('signed')})\.?$")
_AFTER = 16


def without_tail(text: str, one: Detection) -> Detection:
    """A model's span without what belongs to the next thing, or the same."""
    value = text[one.start : one.end]
    after = text[one.end : one.end + _AFTER]
    cut = _tail(value, after, one.type)
    kept = value[:cut].rstrip(" \t,") if cut else value
    return replace(one, end=one.start + len(kept)) if cut else one


def _tail(value: str, after: str, phi_type: PhiType) -> int:
    """Where the tail of a span begins; 0 where it has none."""
    if phi_type in ORGANIZATIONS:
        found = _TITLE.search(value) if _NAME_AFTER.match(after) else None
        found = found or (_INSIDE.search(value) if _NUMBER_AFTER.match(after) else None)
        return found.start() if found else 0
    if phi_type in NUMBERS:
        return _gap(value) if _COLUMN.search(value) and not _LETTER_AFTER.match(after) else 0
    if phi_type not in PERSONS:
        return 0
    apart = _SEX_APART.search(value) and not _LETTER_AFTER.match(after)
    if apart or (_SEX.search(value) and _AGE_AFTER.match(after)):
        return len(value) - 1
    if phi_type is PhiType.DOCTOR and _CREDENTIAL.search(value):
        return value.rindex(",")
    return 0


def _gap(value: str) -> int:
    return max(value.rfind("  "), value.rfind("\t"))
