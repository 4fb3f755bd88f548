"""What stands for the given name of who has none yet (`BABY GIRL`, `TWIN A`)."""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary

NEWBORNS = Vocabulary("newborns", folder="").words("newborn")
"""In small letters with single spaces."""
LONGEST = max(len(name.split()) for name in NEWBORNS)
"""Words of the longest."""
WORDS = frozenset(word for name in NEWBORNS for word in name.split())
