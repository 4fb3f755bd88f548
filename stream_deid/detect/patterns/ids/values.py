"""What a number's own form, or what stands right behind it, says: no identifier.

date  = h ":" mm [":" ss] | d "/" m ["/" year] | year "-" m "-" d | d "-" m "-" (yy | yyyy) | year
kept  = test, gene, registry of trials, standard n | FORM "-" n | TEST n     "CYP2D6", "ISO-9001"
unit  = [" "] a unit of measure, right behind a number
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, numbers, whole
from stream_deid.lists.calendar import UNITS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text import years

_WORDS = Vocabulary("ids_en")

UNIT = Context(rf"(?i)^[ \t]?(?:{_WORDS['units']})")
_CLOCK = Context(r"^\d{1,2}:\d\d(?::\d\d)?$")
_SLASHED = Context(r"^\d{1,2}/\d{1,2}(?:/(?:19|20)?\d\d)?(?:[ ]|$|-\d{1,2}/)")
NO_CODE = Context(
    r"^(?i:covid|cyp\d|hla-(?:[abc]|d[rpq]b?1?)-?\d{1,5}$|nrs-?2002"
    rf"|(?:{_WORDS['trials']})-?[a-z]{{0,3}}\d"
    rf"|(?:{_WORDS['standards']})-?\d)"
    r"|^(?:DD|SF|OF|DS|DOH|SSA|OSHA|WH|OWCP|NAVMED|DWC)-\d{3,4}(?:-[A-Z0-9]{1,2})?$"
    r"|^(?:RBC|WBC|PLT|HGB|TSH|BNP|LDH|CPK|HCG|PSA|AFP|CEA)\d"
)
"""Tests, genes, registries of trials, forms and standards; a reading behind its name."""


def date_like(value: str) -> bool:
    """A date or a time of day, or beginning with one."""
    if _CLOCK.match(value) or _SLASHED.match(value):
        return True
    parts = numbers(value)
    if any(c.isalpha() for c in value) or len(parts) < 2:
        return len(value) == 4 and value.isdecimal() and int(value) in years.ALONE
    year = len(parts[0]) == 4 and int(parts[0]) in years.ALONE
    if len(parts) >= 3 and year:
        return 1 <= int(parts[1]) <= 12 and 1 <= int(parts[2]) <= 31
    short = (len(parts) == 3 and max(len(p) for p in parts) <= 2) or (
        len(parts) == 3 and len(parts[2]) == 4
    )
    return bool(short) and 1 <= int(parts[0]) <= 12 and 1 <= int(parts[1]) <= 31


_TIMES = "|".join(word for words in UNITS.values() for word in words if len(word) > 1)
_COUNTED = Context(rf"(?i)^[ ]?(?:%|/|:\d|(?:{_TIMES})\b)")


def last_figures(hit: Hit) -> bool:
    """The last figures of a number (`of`: its name before it); no year, time or share in which
    something ends.
    """
    year = len(hit.value) == len("2021") and int(hit.value) in years.IN_FIGURES
    said = "of" in hit.groups or "ltim" in hit.before(40) or "last " in hit.before(40).lower()
    return whole(hit) and (not year or said) and not _COUNTED.match(hit.after(12))
