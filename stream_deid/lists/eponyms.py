"""Names that medicine uses as words: eponyms, devices, drugs; unaccented, lower-case."""

from __future__ import annotations

from stream_deid.lists.vocabulary import Vocabulary

_LISTS = Vocabulary("eponyms", folder="")
EPONYMOUS = _LISTS.words("people")
"""People after whom something is called."""
EPONYMS = EPONYMOUS | _LISTS.words("brands") | _LISTS.words("devices")
EPONYM_NOUNS = _LISTS.words("nouns")
"""What stands after an eponym ("Parkinson's disease")."""
CLASSIFICATIONS = _LISTS.words("classifications")
"""What a grade stands after ("Fazekas 2")."""
SCALES = _LISTS.words("scales")
"""With the most points of each ("allred/8")."""
COMPOUNDS = _LISTS.words("compounds")
"""Two names with a hyphen between them ("Martin-Hopkins")."""
