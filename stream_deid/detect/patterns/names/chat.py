"""Who speaks in the export of a chat: a name between a time stamp and a colon.

    speaker = "[" date "," time "]" name ":"      "[3/4/21, 08:00:12] Nadia Frost: ok"
            | date "," time " - " name ":"        "04/03/2021, 08:00 - frost: ok"

The same place holds headings in logs of other programs, so a word of a heading is no name.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.detect.patterns.names.words import KEYS, OFFICES, STATUS
from stream_deid.labels import PhiType as T
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("names_en")

_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[ ]?[aApP]\.?[mM]\.?)?"
_STAMP = rf"(?:\[{_DATE},?[ ]{_TIME}\]|{_DATE},?[ ]{_TIME}[ ]-)"
_WORD = r"\p{L}[\p{L}'’-]*\.?"
_HEADINGS = _WORDS.words("headings")
_NO_NAME = _HEADINGS | KEYS | OFFICES | STATUS


def speaker(hit: Hit) -> bool:
    """A name, no heading of a log."""
    words = [word.strip(".").lower() for word in hit.value.split()]
    return whole(hit) and _NO_NAME.isdisjoint(words) and len(hit.value) > 1


SPEAKERS = (
    Pattern(
        "name-chat",
        1,
        T.PATIENT,
        rf"(?m:^)[ \t]*{_STAMP}[ ](?P<v>{_WORD}(?:[ ]{_WORD}){{0,2}}):",
        speaker,
        (":",),
        0.7,
    ),
)
