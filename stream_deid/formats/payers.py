"""Who pays for many: a public programme (`Medicare`) is nobody's own and stays, as its code does
beside it. A state before or behind it (`Louisiana Medicaid`) is a place like any other.
"""

from __future__ import annotations

import re
from functools import cache

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_places
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Span
from stream_deid.text.folding import fold

_LISTS = Vocabulary("payers", "", __package__)
_SEPARATORS = re.compile(r"[^\w]+")
_LONGEST = 80


def places_beside(value: str) -> tuple[Span, ...] | None:
    """The states in the name of a public payer; None where it is none."""
    plain = value.strip()
    if len(plain) > _LONGEST:
        return None
    if _is_public(plain):
        return ()
    words = list(re.finditer(r"[^\s,()/-]+", value))
    for cut in range(1, len(words)):
        head, tail = (words[0].start(), words[cut - 1].end()), (words[cut].start(), words[-1].end())
        for place, rest in ((head, tail), (tail, head)):
            if _is_state(value[slice(*place)]) and _is_public(value[slice(*rest)]):
                return (Span(*place, PhiType.STATE),)
    return None


def _is_state(value: str) -> bool:
    return fold(value) in load_places().state_keys


def _is_public(value: str) -> bool:
    plain = " ".join(_SEPARATORS.sub(" ", fold(value).lower()).split())
    found = _programme().fullmatch(plain)
    return found is not None


@cache
def _programme() -> re.Pattern[str]:
    names = "|".join(map(re.escape, sorted(_LISTS.words("programmes"), key=len, reverse=True)))
    parts = "|".join(map(re.escape, sorted(_LISTS.words("parts"), key=len, reverse=True)))
    return re.compile(rf"(?:(?:{parts}) )?(?:{names})(?: (?:{parts})){{0,3}}")
