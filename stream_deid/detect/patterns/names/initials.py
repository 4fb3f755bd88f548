"""Initials at the ends of dictations and signatures.

initials = INI ("/" | ":") ini                 who dictated and who typed: "RVB/ms", "HJP:lw"
         | "D:" date? INI "T:" date? INI
         | "dictated" INI "/" ini              whatever these abbreviate
         | "/s/" ini                           who signed
         | ("relieved by" | "handoff to" ...) INI   who takes over

No two abbreviations ("PT/inr", "BUN/cr"), unless they are those of the name before them.
"""

from __future__ import annotations

import re
from dataclasses import replace

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.names.words import ABBREVIATED, NO_INITIALS
from stream_deid.labels import PhiType as T
from stream_deid.lists.namesakes import is_abbreviation
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("names_en")

_PAIR_STOP = _WORDS.words("no_pair")


def initials(hit: Hit) -> bool:
    """Initials of who dictated and who typed, below his name or not; no two abbreviations
    ("PT/inr", "BUN/cr").
    """
    if whole(hit) and _below_name(hit):
        return True
    first = hit.after(1) in ("/", ":")
    mate = hit.after(6)[1:].split()[:1] if first else hit.before(6)[:-1].split()[-1:]
    both = [hit.value.lower(), *(word.lower() for word in mate)]
    return whole(hit) and hit.value.lower() not in _PAIR_STOP and not ABBREVIATED.issuperset(both)


def _below_name(hit: Hit) -> bool:
    """Whether the capitals of the pair are those of the words before it ("ROSARIO BAER  RB/ms")."""
    before = hit.before(64) + (hit.value if hit.value.isupper() else "")
    words = [word for word in re.split(r"[^A-Za-z']+", before) if word[:1].isupper()]
    letters = words.pop() if words else ""
    named = words[-len(letters) :]
    return len(letters) > 1 and "".join(word[0] for word in named) == letters


def typist(hit: Hit) -> bool:
    return whole(hit) and hit.value.lower() not in _PAIR_STOP | ABBREVIATED


def relief(hit: Hit) -> bool:
    """Initials of who takes over; no complaint that was relieved, no place."""
    said = hit.value.lower() in NO_INITIALS or is_abbreviation(hit.value)
    return typist(hit) and not said and _TAKES_OVER.match(hit.after(_AFTER))


_TAKES_OVER = Context(r"^(?:[,.;)\n]|$|[ ](?:at|@|RN|CRNA|MD)\b|[ ]\(?\d{2}:?\d\d)")
_AFTER = 8


_PAIR = Pattern(
    "initials", 1, T.DOCTOR,
    r"(?:^|[\n \t])(?P<v1>[A-Z]{2,4})[/:](?P<v2>[a-z]{2,4}\d?)(?:[ \t]*(?:$|\n|[ \t]{2,}))",
    initials, ("/", ":"), 0.8,
)  # fmt: skip
_SIGNED = Pattern(
    "initials", 1, T.DOCTOR,
    r"(?:^|[^a-z0-9])/e?s/[ \t]*(?P<v>[A-Z]{2,4}|[a-z]{2,4})(?:[ \t]*(?:$|\n|[,;.)]|[ \t]{2,}))",
    whole, ("/s/", "/es/"), 0.8,
)  # fmt: skip
_DICTATED = Pattern(
    "initials", 1, T.DOCTOR,
    r"(?i:\b(?:dictated|dict|transcribed|typed|d|dictado|transcrito))(?:[ ](?i:by|por))?[ \t:]{1,2}"
    r"(?P<v1>[A-Z]{2,3})/(?P<v2>[a-z]{2,3})\b",
    whole, ("/",), 0.8,
)  # fmt: skip
_BETWEEN = (
    Pattern(
        "initials", 1, T.DOCTOR,
        r"\b(?:D|DD|DICT|Dict|d)[:/.][ \t]*(?:[\d/.: -]{4,22}[ \t]*)?(?P<v1>[A-Z]{2,3}|[a-z]{2,3})"
        r"[ \t]+(?:T|DT|TT|TR|TRANS|Trans|t)[:/.][ \t]*(?:[\d/.: -]{4,22}[ \t]*)?"
        r"(?P<v2>[A-Z]{2,3}|[a-z]{2,3})\b",
        typist, (), 0.8,
    ),
)  # fmt: skip
_RELIEVING = Pattern(
    "initials", 1, T.DOCTOR,
    rf"(?i:\b(?:{_WORDS['relieving']})):?[ ]{{1,2}}(?P<v>[A-Z]{{2,3}})",
    relief, (), 0.7,
)  # fmt: skip

ENGLISH = (_PAIR, _SIGNED, _DICTATED, *_BETWEEN, _RELIEVING)
SPANISH = tuple(
    replace(one, name="iniciales", label="NOMBRE_PERSONAL_SANITARIO")
    for one in (_PAIR, _SIGNED, _DICTATED)
)
