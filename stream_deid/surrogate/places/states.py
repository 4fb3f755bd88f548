"""States and provinces as people write them: by name, code or abbreviation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import load_list, load_places
from stream_deid.text.folding import fold


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
