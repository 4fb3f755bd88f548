"""What of no kind of its own names somebody after all (`Mari Luz`, `Camila`)."""

from __future__ import annotations

from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.titles import PARTICLES
from stream_deid.text.canonical import words

_MOST = 4  # words of a name


def is_name(text: str) -> bool:
    """Whether capitalised words alone stand here, and the first is a listed given name."""
    names = [word for word in words(text) if word.key not in PARTICLES]
    if not 0 < len(names) <= _MOST or not all(word.text[0].isupper() for word in names):
        return False
    key = names[0].key
    return key in load_census().sex or load_names().label(key).startswith(("given", "both"))
