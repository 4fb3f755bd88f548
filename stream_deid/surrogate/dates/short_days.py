"""Short days of the week that somebody took for a person: "Wed: walked", "jue: fiebre", "vie alta".

What nobody in the note is called by is a day, and moves with the dates as one. Where what stands
around it doesn't say so, and where lists hold it as a name ("Thu"), it is still a name for the last
look at what stays: a day that the patient's offset leaves as it is becomes a tag.

day = n "/" n [","] (DAY | SHORT)                                     "14/7/24 domingo"
    | SHORT ["."] ":" | SHORT ["."] [","] (n/n | n:n | n "am" | n "pm")     "Wed: walked", "jue 3/5"
    | ("on" | "next" | "until" | "el" | "desde" | ...) SHORT                "on Thurs"
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from collections.abc import Set as AbstractSet
from dataclasses import replace
from types import MappingProxyType

from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.calendar import WEEKDAYS
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.note import Finding, Note, Part, Span
from stream_deid.surrogate.dates.weekdays import LISTS
from stream_deid.surrogate.names.affixes import TITLES
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

_DAY = MappingProxyType(
    {
        "en": re.compile(rf"(?=[A-Z])(?i:{LISTS['alone_en']})\.?"),
        "es": re.compile(rf"(?i:{LISTS['alone_es']})\.?"),
    }
)
_BEFORE = MappingProxyType(
    {code: re.compile(rf"(?i)(?<![^\W_])(?:{LISTS[f'behind_{code}']})[ \t]+$") for code in _DAY}
)
_AFTER = re.compile(r"\.?[ \t]*:|\.?,?[ \t]*\d{1,2}(?:[/.-]\d|:\d\d|[ \t]?[ap]\.?m\b)")
_TOLD = MappingProxyType(
    {
        code: re.compile(
            rf"(?i)(?:{LISTS[f'told_{code}']})[ ,]{{1,2}}(?:{'|'.join(WEEKDAYS[code])}"
            rf"|{LISTS[f'short_{code}']})\.?"
        )
        for code in _DAY
    }
)
_BEHIND_DATE = re.compile(r"\d[/.-]\d{1,4}[ ,(]{1,2}$")  # "14/7/24 domingo"
_NEAR = 16
_TAKEN = PERSONS | {PhiType.CITY}


def retyped(
    part: Part, findings: Sequence[Finding], language: str, borne: AbstractSet[str]
) -> list[Finding]:
    """The findings of a part with those days as dates; `borne`: the words of names (`borne`)."""
    if not part.examine or part.coded:
        return list(findings)
    return [_day(part.text, one, language, borne) for one in findings]


def borne(note: Note, findings: Sequence[Sequence[Finding]]) -> frozenset[str]:
    """The words of the names that the record states, and of those of several words in the note."""
    named = [known.value for known in note.known if known.type in PERSONS]
    for part, found in zip(note.parts, findings, strict=True):
        shown = (part.text[f.start : f.end] for f in found if f.type in PERSONS)
        named += [text for text in shown if " " in text.strip()]
    return frozenset(word.key for name in named for word in words(name))


def _day(text: str, finding: Finding, language: str, names: AbstractSet[str]) -> Finding:
    core = text[finding.start : finding.end]
    near = text[max(finding.start - _NEAR, 0) : finding.start]
    behind = finding.type in _TAKEN and _BEHIND_DATE.search(near)
    day = fold(core) in map(fold, WEEKDAYS[language]) or _DAY[language].fullmatch(core)
    if behind and day and fold(core) not in names:
        return replace(finding, type=PhiType.DATE, rivals=(), label="")
    if finding.type in _TAKEN and _TOLD[language].fullmatch(core):
        return replace(finding, type=PhiType.DATE, rivals=(), label="")
    if finding.type not in _TAKEN or not _DAY[language].fullmatch(core):
        return finding
    before = text[max(finding.start - _NEAR, 0) : finding.start]
    said, key = words(before), words(core)[0].key
    if key in names or (said and said[-1].key in TITLES):
        return finding
    told = _BEFORE[language].search(before) or _AFTER.match(text, finding.end)
    listed = load_names().label(key) or key in load_census().sex or key in load_census().family
    sure = told and not listed
    rivals = () if sure else (Span(finding.start, finding.end, finding.type),)
    return replace(finding, type=PhiType.DATE, rivals=rivals, label="")
