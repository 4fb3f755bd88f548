"""Rooms, beds and other places inside a house, after their label.

room = ("room" | "rm" | "bed" | ...) value, only the value
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit, Pattern, whole
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("places_en")


def room(hit: Hit) -> bool:
    """The value after "room", "bed": with a digit or a single capital, and no unit behind it."""
    value, after = hit.value, hit.after(12)
    if (
        not whole(hit)
        or _ROOM_NOT.match(after)
        or (after[:1] in (":", "/", ",", "-") and after[1:2].isdecimal())
    ):
        return False
    label = hit.groups["label"]
    low = label.lower()
    if _no_room(hit, low):
        return False
    if not any(c.isdecimal() for c in value):
        return (
            len(value) == 1
            and value.isupper()
            and after[:1] not in ("'", "&", "-")
            and low in _LETTERED
            and not (value in "IA" and after[:2].strip()[:1].islower())
        )
    if (
        low in ("bed", "chair", "bay", "crib", "cell")
        and low == label
        and len(value) > 3
        and value.isdecimal()
    ):
        return False
    if low == "cell":
        return not _CALLING.match(after) and not (len(value) == 3 and value.isdecimal())
    return label[0].isupper() or low not in _WORDS_OR_ROOMS


def _no_room(hit: Hit, label: str) -> bool:
    """What the label means besides a place: the day after surgery, a chair to move to, a tissue."""
    value, before = hit.value, hit.before(40)
    sentence = before[-1:] == " " and before.rstrip()[-1:] == "."
    if _TISSUE.search(before) or (sentence and (value[0].isalpha() or label not in _SHORTENED)):
        return True
    if label in _OTHER_LABELS and len(value) == 1:
        return True
    if label == "pod":
        return value[:1].isdecimal()
    if label in _CARE:
        return len(value) == 4 and value.isdecimal() and value < "2400"
    if label in ("bed", "chair", "cell"):
        side = value in ("L", "R") or hit.after(1) == "+"
        return side or _SUTURE.match(value) or _MOVED.search(before)
    return label in ("room", "warmer", "isolette") and _WARM.match(value)


_CARE = _WORDS.words("care")
_SHORTENED = _WORDS.words("shortened_rooms")
_OTHER_LABELS = _WORDS.words("other_labels")
_WORDS_OR_ROOMS = _WORDS.words("words_or_rooms")
_WARM = Context(r"^(?:1[5-9]|[23]\d)[ ]?C$|^(?:[6-9]\d|1[0-4]\d)[ ]?F$")
_TISSUE = Context(
    rf"(?i)\b(?:(?:{_WORDS['tissue_beds']})[ -]bed"
    rf"|(?:{_WORDS['cells']})[ -]cell|(?:{_WORDS['spaces']})[ -]space|pelvic[ -]floor"
    r"|cooling[ -]tower|(?:formulary|copay)[ -]tier)[^A-Za-z]*$"
)
_SUTURE = Context(r"^\d-0$")
_MOVED = Context(r"(?i)(?:\bbed|sit|sup|stand|mat|w/?c)[ ]?(?:>|-|to|<->|/)[ ]?chair[^A-Za-z]*$")
_LETTERED = _WORDS.words("lettered_rooms")
_CALLING = Context(r"^[ -]\d{3}")
_ROOM_NOT = Context(rf"(?i)^[ \t]*(?:{_WORDS['no_room']})")
_ROOMS = rf"(?P<label>{_WORDS['rooms']})"

ROOMS = (
    Pattern(
        "room", 1, PhiType.LOCATION_OTHER,
        rf"(?:^|[^A-Za-z0-9])(?i:{_ROOMS})(?:[ \t]*(?:no\.?|num(?:ber)?|\#|[:#.=]))*[ \t]*"
        r"(?P<v>(?:[A-Z]{1,3}-?)?\d{1,5}(?:[-/ ]?[A-Z]\b(?:-?\d{1,2})?|[-]\d{1,3}[A-Z]?|[a-d]\b"
        r"|-[a-z]\b)?|[A-Z])\b",
        room, (), 0.8,
    ),
)  # fmt: skip
