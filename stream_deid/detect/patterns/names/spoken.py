"""Names behind spoken titles in small letters, as speech recognition and chat write them.

    short  = ("mr" | "ms" | "miss") listed name           "ms sunday?", "mr frost called"
    spoken = title word [word]      "doctor o conner", "mister pace says", "doctor pot tell the one"

    equal  = role "=" listed name     "ep = love", "she = candy", "pcp strange."
    after  = number number listed name deed     "oh one eight two hill to see him"

A recogniser writes a name as the words that it knows, so the first word after a title is part of a
name unless it is one that follows the common noun ("the doctor said"). A short one may be half of a
name: then the next word goes with it.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.detect.patterns.names.words import WEEKDAYS
from stream_deid.labels import PhiType as T
from stream_deid.lists.known_words import COMMON
from stream_deid.lists.namesakes import is_clinical
from stream_deid.lists.numbers import ONES, TEENS, TENS_EN
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("names_en")

_SHORT = 4
_NOUN = Context(rf"(?i)\b(?:{_WORDS['common_before']})[ \t]+$")
FOLLOWS = _WORDS.words("follows")
"""What follows the common noun; not "may", "day", "well": names too, behind a title."""
_ENDS = ("s", "ed", "ing", "ly", "ology", "ologist", "ist")
_LONGEST = 15


def spoken(hit: Hit) -> bool | int:
    """A name of one word, or of two where the first is short; not behind a common noun."""
    title = len(hit.groups["title"])
    if not whole(hit) or _NOUN.search(hit.before(title + 24)[: -title - 1]):
        return False
    words = hit.value.split(" ")
    if words[0] in FOLLOWS or len(words[0]) > _LONGEST:
        return False
    second = words[1] if len(words) > 1 else ""
    joined = (
        second
        and len(words[0]) <= _SHORT
        and second not in FOLLOWS
        and not second.endswith(_ENDS)
        and len(second) > 1
    )
    return len(words[0]) + 1 + len(second) if joined else len(words[0])


def shortened(hit: Hit) -> bool:
    """A listed name behind a title that is an abbreviation of the clinic too; a word of the
    language only where the sentence ends or a deed follows ("ms sunday?", "mr may called").
    """
    word = hit.value
    named = is_listed_name(word) or word in WEEKDAYS
    if not whole(hit) or not named or is_clinical(word) or word in FOLLOWS:
        return False
    after = hit.after(16)
    closed = after[:1] in ("", "?", "!") or _DEED.match(after)
    return bool(closed or word not in COMMON | WEEKDAYS)


_DEED = Context(rf"^[ ](?:{_WORDS['deeds']})\b")


def _pattern(kind: T, titles: str, needs: tuple[str, ...]) -> Pattern:
    regex = rf"\b(?P<title>{titles})[ ](?P<v>[a-z][a-z']*(?:[ ][a-z']+)?)"
    return Pattern("name-spoken", 1, kind, regex, spoken, needs, 0.6)


def numbered(hit: Hit) -> bool:
    """A listed name that a deed follows, behind a number that is said."""
    return whole(hit) and is_listed_name(hit.value)


def equal(hit: Hit) -> bool:
    """A listed name that somebody is, of whom only the role is told; no clinical word."""
    word = hit.value
    may_follow = word in FOLLOWS and not hit.before(2).rstrip().endswith("=")
    return whole(hit) and is_listed_name(word) and not is_clinical(word) and not may_follow


_FIGURES = rf"{ONES}|{TEENS}|{TENS_EN}|oh|zero|hundred|thousand"

ENGLISH = (
    Pattern(
        "name-spoken",
        1,
        T.DOCTOR,
        rf"\b(?:{_FIGURES})[ ](?:{_FIGURES})[ ](?P<v>[a-z]{{4,}})[ ](?:{_WORDS['deeds_after']})\b",
        numbered,
        (),
        0.6,
    ),
    Pattern(
        "name-spoken",
        1,
        T.DOCTOR,
        rf"(?:^|[^\pL])(?:(?:{_WORDS['equal']})[ ]?=[ ]?|pcp[ ])(?P<v>[a-z]{{3,14}})"
        r"(?:[ ]?[.,;)(\n]|[ ]?$|[ ]\(?\d{3})",
        equal,
        ("=", "pcp"),
        0.6,
    ),
    _pattern(T.DOCTOR, "doctor", ("doctor",)),
    Pattern(
        "name-spoken",
        1,
        T.PATIENT,
        r"(?:^|[\s(,.:])(?:mr|ms|miss)\.?[ ](?P<v>[a-z]{3,})",
        shortened,
        ("mr", "ms", "miss"),
        0.6,
    ),
    _pattern(T.PATIENT, "mister|missus|miz|mrs", ("mister", "missus", "miz", "mrs")),
)
