"""Who speaks in the export of a chat: a name between a time stamp and a colon.

    speaker = "[" date "," time "]" name ":"      "[3/4/21, 08:00:12] Nadia Frost: ok"
            | date "," time " - " name ":"        "04/03/2021, 08:00 - frost: ok"
    name    = [title] name [post | credential]    "Dr Neha Rao", "Sayali Asst", of which the name

The same place holds headings in logs of other programs, so a word of a heading is no name.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.detect.patterns.names.words import KEYS, OFFICES, STATUS
from stream_deid.labels import PhiType as T
from stream_deid.lists.titles import affixes, written
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("names_en")

_DATE = r"\d{1,4}[./-]\d{1,2}[./-]\d{1,4}"
_TIME = r"\d{1,2}:\d{2}(?::\d{2})?(?:[ ]?[aApP]\.?[mM]\.?)?"
_STAMP = rf"(?:\[{_DATE},?[ ]{_TIME}\]|{_DATE},?[ ]{_TIME}[ ]-)"
_WORD = r"\p{L}[\p{L}'’-]*\.?"
_HEADINGS = _WORDS.words("headings")
_TITLES = written("cue", "title")
_POSTS = _WORDS.words("chat_posts") | affixes("signed") | affixes("ends")
_NO_NAME = _HEADINGS | KEYS | OFFICES | STATUS


def speaker(hit: Hit) -> bool | int:
    """A name, no heading of a log, without what its bearer is behind it ("Sayali Asst")."""
    words = hit.value.split()
    while words and words[-1].strip(".").lower() in _POSTS:
        words.pop()
    named = " ".join(words)
    said = {word.strip(".").lower() for word in words}
    return whole(hit) and _NO_NAME.isdisjoint(said) and len(named) > 1 and len(named)


SPEAKERS = (
    Pattern(
        "name-chat",
        1,
        T.PATIENT,
        rf"(?m:^)[ \t]*{_STAMP}[ ](?:(?:{_TITLES})\.?[ ])?(?P<v>{_WORD}(?:[ ]{_WORD}){{0,2}}):",
        speaker,
        (":",),
        0.7,
    ),
)
