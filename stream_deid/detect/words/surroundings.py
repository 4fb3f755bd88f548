"""Whether what stands around a word makes it a place or an employer, or speaks of a person.

place  = ("lives in" | "from" | ...) WORD | WORD "," STATE      "Lives in Normal", "Normal, IL"
firm   = ("works at" | "operario en" | ...) WORD                "works at Biotronik"
person = title | "by" | "called" | kin | ... WORD               "per Graves"
       | WORD verb of speech | credential                       "Graves says"
"""

from __future__ import annotations

from stream_deid.lists.titles import any_of
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

_NEAR, _NEARBY = 24, 40
_WORDS = Vocabulary("namesakes")
_PLACE_BEFORE = linear(
    rf"(?i)\b(?:{Vocabulary('record_known')['placing']})[ \n](?:(?:el|la|los|las)[ ])?$"
)
_STATE_AFTER = linear(r"^, ?[A-Z]{2}\b")
_EMPLOYED_BEFORE = linear(rf"(?i)\b(?:{_WORDS['works']})[ ](?:\w+[ ])?$")
_PERSON_BEFORE = linear(rf"(?i)(?:^|[^\pL])(?:{any_of('cue')}|{_WORDS['personal_before']})[ .:,]*$")
PERSON_AFTER = linear(rf"(?i)^,?[ ](?:{_WORDS['personal_after']})\b")


def placed(text: str, start: int, end: int) -> bool:
    """Whether a word with a capital stands as a place does."""
    if not text[start].isupper():
        return False
    before = folded(text[max(0, start - _NEAR) : start])
    return (
        _PLACE_BEFORE.search(before) is not None
        or _STATE_AFTER.match(text[end : end + 5]) is not None
    )


def employs(text: str, start: int) -> bool:
    """Whether somebody is said to work for what begins at `start`."""
    return _EMPLOYED_BEFORE.search(text[max(0, start - _NEAR) : start]) is not None


def personal(text: str, start: int, end: int) -> bool:
    """Whether what stands beside a word speaks of a person."""
    before, after = around(text, start, end)
    return bool(_PERSON_BEFORE.search(before) or PERSON_AFTER.match(after))


def around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and behind a span on its line."""
    before = text[max(0, start - _NEARBY) : start].rpartition("\n")[2]
    return folded(before), folded(text[end : end + _NEARBY].partition("\n")[0])
