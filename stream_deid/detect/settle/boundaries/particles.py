"""No span ends in a particle: what models break off there goes on, or ended before it.

name       = Words particle{1,3} Word, of no clinic  "Gabriel de" of "Gabriel de Arriba"
house      = Words particle{1,3} Word{1,3}        "Hospital de" of "Hospital de Cuidados Paliativos"
occupation = words "de" word                      "empleada de" of "empleada de mostrador"
other      = words without the particles          "hija" of "hija de padres jóvenes"

A name that is not seen to go on keeps its particle, which may be the last that a cut left of it.
"""

from __future__ import annotations

from dataclasses import replace

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.lists.field_labels import POSTS, is_label
from stream_deid.lists.known_words import TITLES
from stream_deid.lists.terms import is_term
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Detection
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LAST = linear(r"(?:\pL|\d)([ ]\pL{1,3})$")
_WORD = linear(r"^[ ](\p{Lu}[\pL'’-]+)")
_SMALL = linear(r"^[ ](\p{Ll}{3,})\b")
_FURTHER = 60
_MOST_WORDS = 3
_BETWEEN = frozenset({"y", "e", "and"})
"""What stands between two names, neither of which it belongs to."""
_PARTICLES = (_BETWEEN | affixes("joint", "particle")) - {"for"}
_HOUSES = ORGANIZATIONS | {PhiType.CITY}
_NAMES = PERSONS | _HOUSES
_ENDED = _NAMES | {PhiType.RELATIVE, PhiType.DATE, PhiType.AGE, PhiType.PROFESSION}


_OF_THE_CLINIC = (
    POSTS | Vocabulary("no_person").words("services") | Vocabulary("name_words").words("broken")
)


def whole(text: str, one: Detection) -> Detection:
    """A model's span that ends in no particle."""
    if one.type not in _ENDED:
        return one
    value = text[one.start : one.end]
    kept = _without(value)
    if kept == len(value):
        return one
    after = text[one.end : one.end + _FURTHER]
    particles = value[kept:].split()
    if more := _rest(value, particles, after, one.type):
        return replace(one, end=one.end + more)
    named = one.type in _NAMES and particles[-1].lower() not in _BETWEEN
    return one if named else replace(one, end=one.start + kept)


def _without(value: str) -> int:
    """How much of a value stands before its last particles, which are written as it is."""
    kept = len(value)
    while last := _LAST.search(value[:kept]):
        word = last[1].strip()
        if word.lower() not in _PARTICLES or not (word.islower() or value.isupper()):
            break
        kept = last.start(1)
    return kept


def _rest(value: str, particles: list[str], after: str, phi_type: PhiType) -> int:
    """How far what the particles join goes on behind them."""
    if particles[-1].lower() in _BETWEEN:
        return 0
    if phi_type in PERSONS:
        end = _words(after, 1)
        word = fold(after[1:end]).lower()
        return 0 if word in _OF_THE_CLINIC or is_term(word) else end
    if phi_type in _HOUSES:
        return _words(after, 1 if value.isupper() else _MOST_WORDS)
    small = _SMALL.match(after) if particles == ["de"] else None
    return small.end() if phi_type is PhiType.PROFESSION and small is not None else 0


def _words(after: str, most: int) -> int:
    """How far capitalised words reach that are neither titles nor labels."""
    end = 0
    for _ in range(most):
        word = _WORD.match(after[end:])
        if word is None or fold(word[1]).lower() in TITLES or is_label(word[1]):
            break
        end += word.end()
    return end
