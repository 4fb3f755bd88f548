"""Words that stand where names and log-ins stand, and are none. Unaccented, lower-case."""

from __future__ import annotations

from stream_deid.lists import calendar
from stream_deid.lists.vocabulary import Vocabulary

_WORDS = Vocabulary("names_en")

STATUS = _WORDS.words("status")
"""What forms hold where a name could stand: a state, a disease, an office, a maker."""
ORGANS = _WORDS.words("organs")
"""Behind "Father" and "Aunt" in a family's history ("Aunt Breast CA")."""
IMAGED = _WORDS.words("imaged")
"""Behind "MR" and "Lt": what a picture shows, and on which side."""
WEEKDAYS = frozenset(calendar.WEEKDAYS["en"])
OFFICES = _WORDS.words("offices")
"""Words of departments and posts ("Wound Care, RN")."""
ABBREVIATED = _WORDS.words("abbreviated")
"""Abbreviations that stand in pairs like initials ("PT/inr")."""
KEYS = _WORDS.words("keys")
"""Parts of the keys of exported lists ("member.id"), and endings of files."""
NO_INITIALS = Vocabulary("initials").words("no_initials")
"""Two letters of the clinic that stand between signs like initials."""
