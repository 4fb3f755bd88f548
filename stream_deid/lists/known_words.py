"""Words that names of a record may be, their short forms, and what stands around them, folded."""

from __future__ import annotations

from stream_deid.lists.lexicon import nicknames
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

COMMON = Vocabulary("common_names", folder="").words("names")
"""Names that are words, and words a typo away from names."""
SAID = Vocabulary("no_person").words("said")
"""Signs that are said, between the words of a name too ("rios coma azucena")."""
FILLERS = Vocabulary("no_person").words("fillers")
"""What a speaker says while he thinks."""
NICKNAMES = {fold(full): tuple(map(fold, (*both, *further))) for full, both, further in nicknames()}
"""A given name to its short forms."""
PARTICLES = affixes("record", "particle")
TITLES = affixes("record", "title", "credential", "suffix")
