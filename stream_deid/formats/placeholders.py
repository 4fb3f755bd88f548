"""Words that stand where a name or an address is missing: they say of nobody who it is.

They stay as they are, and are never searched for in free text ("patient unknown to us").
"""

from __future__ import annotations

import re
from functools import cache

from stream_deid.lists.lexicon import load_places
from stream_deid.lists.newborns import NEWBORNS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.text.folding import fold

_FILLED = re.compile(r"[\W_]*(?:0+|-1|9{5,})[\W_]*").fullmatch
_SEPARATORS = re.compile(r"[\s.,;:_*?\-/()\"']+")


def is_placeholder(value: str) -> bool:
    """Whether a whole value, of a name, an address or a number, says that there is none."""
    plain = _plain(value)
    return not plain or plain in _phrases("missing")


def is_no_state(value: str) -> bool:
    """Whether a state or province says that there is none; `ND`, `NC` and `SD` are states."""
    return is_placeholder(value) and fold(value).strip() not in load_places().state_keys


def is_no_number(value: str) -> bool:
    """Whether the number of a person says that there is none: a word for it, or what counters and
    forms are filled with (`0`, `-1`, `99999`). What only refers to somebody (`same`) may be an id.
    """
    plain = _plain(value)
    if plain in _phrases("referring"):
        return False
    return is_placeholder(value) or plain in _phrases("numberless") or bool(_FILLED(value))


def is_nameless(family: str, given: str) -> bool:
    """Whether two parts of a name are none together (`UNKNOWN`, `BABY GIRL`).

    A family name that is also a word (`Test`, `Na`) is one where a given name stands beside it.
    """
    return is_no_name(family) and is_no_name(given)


def is_no_name(value: str) -> bool:
    """Whether a given or whole name says that there is none yet (`BABY GIRL`, `TWIN A`)."""
    return is_placeholder(value) or _plain(value) in NEWBORNS


@cache
def _phrases(kind: str) -> frozenset[str]:
    return Vocabulary("placeholders", "", __package__).words(kind)


def _plain(value: str) -> str:
    return " ".join(_SEPARATORS.sub(" ", value.casefold()).split())
