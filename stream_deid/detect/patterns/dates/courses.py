"""Days that are counted, of a stay or of a treatment, in Spanish.

stay   = "en el dia" n                             "en el dia 3"
dosed  = dose unit ["el"] "dia" n                  "500 mg dia 3"
course = "dia" n "de" word, no month               "dia 3 de fluoxetina"
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Context, Hit
from stream_deid.lists.calendar import is_day_of_course

_STAY = Context(r"(?i)\ben el[ \t]+dia[ \t]+$")
_DOSED = Context(
    r"(?i)\b(?:mg|mcg|g|ui|auc)(?:/[a-z0-9]+)?\)?,?[ \t]+(?:el|los)?[ \t]*dias?[ \t]+$"
)


def counted(hit: Hit) -> bool:
    """Whether the number behind "dia" counts the days of something, and is none of a month."""
    of_course = is_day_of_course(hit.before(40).lower(), hit.after(40).lower())
    return bool(_STAY.search(hit.before(40))) or dosed(hit) or of_course


def dosed(hit: Hit) -> bool:
    """Whether a dose stands before the word for the day."""
    return bool(_DOSED.search(hit.before(40)))
