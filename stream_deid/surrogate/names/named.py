"""What of no kind of its own names somebody after all (`Mari Luz`, `Camila`)."""

from __future__ import annotations

from stream_deid.lists.lexicon import load_census, load_names, reads_as_word
from stream_deid.lists.titles import PARTICLES
from stream_deid.text.canonical import words

_MOST = 4  # words of a name
_MOST_CALLED = 2


def is_name(text: str) -> bool:
    """Whether capitalised words alone stand here, and the first is a listed given name."""
    names = [word for word in words(text) if word.key not in PARTICLES]
    if not 0 < len(names) <= _MOST or not all(word.text[0].isupper() for word in names):
        return False
    key = names[0].key
    return key in load_census().sex or load_names().label(key).startswith(("given", "both"))


def may_be_called(text: str) -> bool:
    """Whether somebody (a dog, a neighbour by a nickname) may be called so: one or two words with
    capitals, of which one is no word of the language, or one.
    """
    names = words(text)
    if not 0 < len(names) <= _MOST_CALLED or text.isupper():
        return False
    capitals = all(word.text[0].isupper() for word in names)
    return capitals and (len(names) == 1 or any(not reads_as_word(word.key) for word in names))
