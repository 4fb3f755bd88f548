"""Parts of names of a note that are other parts of it in another writing."""

from __future__ import annotations

from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from stream_deid.lists.lexicon import load_names
from stream_deid.surrogate.names.choosing.parts import plural
from stream_deid.text.typos import Slips

_MIN_SLIP = 4
"""Letters; two shorter names that are alike are two names."""
_LONG_PAIR = 5  # letters; what is written as one word has more


@dataclass(frozen=True, slots=True)
class NameVariants:
    """`slips`: misspelt parts and what they should be; `merged`: two parts written as one word;
    `plurals`: families ("the Smiths") and their name.
    """

    slips: Mapping[str, str] = field(default_factory=dict, repr=False)
    merged: Mapping[str, tuple[str, str]] = field(default_factory=dict, repr=False)
    plurals: Mapping[str, str] = field(default_factory=dict, repr=False)


def variants(order: Sequence[str]) -> NameVariants:
    """Those among the canonical parts of a note, which stand in the order of first sight."""
    lexicon = load_names()
    slips: dict[str, str] = {}
    merged: dict[str, tuple[str, str]] = {}
    plurals: dict[str, str] = {}
    place = {key: index for index, key in enumerate(order)}
    known = Slips(key for key in order if len(key) >= _MIN_SLIP)
    for key in order:
        if len(key) < _MIN_SLIP or key in lexicon:
            continue
        pair = next(_pairs(key, place), None) if len(key) > _LONG_PAIR else None
        if pair is not None:
            merged[key] = pair
            continue
        ones = (o for o in (key[:-1], key[:-2]) if key in {plural(o), f"{o}s"})
        one = next((o for o in ones if o in place), None)
        if one is not None:
            plurals[key] = one
            continue
        for other in known.near(key):
            if other in slips or other in merged or other in plurals:
                continue
            if place[other] < place[key] or other in lexicon:
                slips[key] = other
                break
    return NameVariants(slips, merged, plurals)


def _pairs(key: str, seen: Container[str]) -> Iterator[tuple[str, str]]:
    """`key` as two other parts of the note written as one word."""
    for at in range(3, len(key) - 2):
        if key[:at] in seen and key[at:] in seen:
            yield key[:at], key[at:]
