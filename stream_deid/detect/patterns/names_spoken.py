"""Names behind spoken titles in small letters, as speech recognition and chat write them.

    spoken = title word [word]      "doctor o conner", "mister pace says", "doctor pot tell the one"

A recogniser writes a name as the words that it knows, so the first word after a title is part of a
name unless it is one that follows the common noun ("the doctor said"). A short one may be half of a
name: then the next word goes with it.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType as T
from stream_deid.text.canonical import listed

_SHORT = 4
_NOUN = Context(
    r"(?i)\b(?:the|a|an|your|my|his|her|their|our|any|another|each|every|no|which|what|this|that|some"
    r"|new|old|other|family|primary|care|eye|regular|own|same|local|covering|attending|medical|foot|ear"
    r"|heart|kidney|skin|bone|baby|witch|be|become|becoming|s|good|bad|first|second)[ \t]+$"
)
FOLLOWS = frozenset(
    listed(
        """
    a about after again ago ain't all also am an and any anymore anyway appointment
    appointments are aren't around as asked at back be because been before being but by call
    called calls came can can't care changed checked come comes could couldn't days did
    didn't do does doesn't doing don't done down during either else even every explained
    finally first followed for from gave get gets getting give go goes going gone got had
    has hasn't have haven't having he he'd he'll he's her here here's him his how i i'd i'll
    i'm i've if in into is isn't it it's its just kept knows last later let line listened
    looked made maybe me mentioned might moved must my need needs never new next no not note
    noted notes notified now of off office offices okay on once only or order ordered orders
    other our out over paged patient patients please prescribed put ran recommended referred
    right round rounds said saw say says see seen sees sent she she'd she'll she's shopping
    should since so some specialist started stopped increased decreased changed gave needs
    still stopped such sure take takes talked tell tells than that that's the their them
    then there there's these they they're thing thinks this those though thought till time
    to today told tomorrow tonight too took tried try two uh um until up us very visit
    visits wanted wants was wasn't we we'll we're went were what what's when where which
    while who who's whoever why will with without won't wondered would wouldn't wrote yeah
    yes yesterday yet you you'd you'll you're your"""
    )
)
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


def _pattern(kind: T, titles: str, needs: tuple[str, ...]) -> Pattern:
    regex = rf"\b(?P<title>{titles})[ ](?P<v>[a-z][a-z']*(?:[ ][a-z']+)?)"
    return Pattern("name-spoken", 1, kind, regex, spoken, needs, 0.6)


ENGLISH = (
    _pattern(T.DOCTOR, "doctor", ("doctor",)),
    _pattern(T.PATIENT, "mister|missus|miz|mrs", ("mister", "missus", "miz", "mrs")),
)
