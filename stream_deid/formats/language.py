"""The language that a message names: what no model was trained for is told by its code, too."""

from __future__ import annotations

import re
from functools import cache

from lingua import IsoCode639_1, Language

from stream_deid.lists.vocabulary import listed

_REGION = re.compile(r"[a-z]{2,3}[-_]([a-z]{2}|[0-9]{3})")
_CODES = {name.lower() for name in dir(IsoCode639_1) if len(name) == 2}
_LONG_CODES = {
    one.iso_code_639_3.name.lower(): one.iso_code_639_1.name.lower() for one in Language.all()
}
_NAMES = {"english": "en", "spanish": "es", "español": "es"}


def language(value: str) -> str:
    """The ISO 639-1 code of a stated language; empty where none is stated, or none that exists (a
    region behind it must be one too).
    """
    value = value.strip().lower()
    stated = re.split("[-_]", value)[0]
    code = _NAMES.get(value) or _LONG_CODES.get(stated, stated)
    region = _REGION.fullmatch(value)
    known = value == stated or (region and region[1] in _regions())
    return code if code in _CODES and known else ""


@cache
def _regions() -> frozenset[str]:
    return listed("regions.txt", "stream_deid.formats")
