"""States and provinces as people write them: by name, code or abbreviation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import load_list, load_places
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.text.canonical import like_case
from stream_deid.text.folding import fold

_LISTS = Vocabulary("places_abroad", "surrogates")
_ABROAD = ("canada", "canada_named", "australia", "australia_named")
_LONGEST_CODE = 3


def find_state(text: str) -> tuple[str, str] | None:
    """(country, code) of a state or province as written."""
    key = " ".join(fold(text).split())
    places = load_places()
    plain = key.replace(".", "").replace(" ", "")
    return (
        places.state_keys.get(key)
        or places.state_keys.get(key.rstrip("."))
        or (places.state_keys.get(plain) if "." in key else None)
    )


@cache
def provinces() -> Mapping[str, str]:
    """The Spanish provinces by their codes."""
    return MappingProxyType(
        {code: name for name, codes in load_list("provinces_es").items() for code in codes}
    )


@cache
def province_codes() -> Mapping[str, str]:
    """The usual code of each Spanish province."""
    return MappingProxyType({name: codes[0] for name, codes in load_list("provinces_es").items()})


def like_form(model: str, forms: Sequence[str]) -> str:
    """The form of a state that answers `model`: postal code, dotted abbreviation or full name."""
    letters = model.replace(".", "").strip()
    if len(letters) == 2 and len(forms[-1]) == 2:
        return ".".join(forms[-1]) + "." if "." in model else forms[-1]
    if "." in model:
        return next((f for f in forms if f.endswith(".")), forms[0])
    return forms[0]


def abroad(scope: Scope, text: str) -> str:
    """Another province of Canada or state of Australia for one, as it is written; or nothing."""
    key = text.strip()
    upper = key.upper() if len(key) <= _LONGEST_CODE else key.capitalize()
    for name in _ABROAD:
        listed = _LISTS.ordered(name)
        if upper in listed:
            at = 1 + scope.integer(len(listed) - 1, "state abroad", name)
            made = listed[(listed.index(upper) + at) % len(listed)]
            return like_case(key, made) if key.islower() or key.isupper() else made
    return ""
