"""How many people bear a name, by the census of 2020 (`bearers.tsv`)."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from types import MappingProxyType

from stream_deid.lists.vocabulary import rows


def power(kind: str, key: str) -> int:
    """The power of two that the bearers of a canonical name reach (10: 1,024 to 2,047 people);
    0 where the list does not tell. `kind`: `given` or `family`.
    """
    return _powers()[kind].get(key, 0)


@cache
def _powers() -> Mapping[str, Mapping[str, int]]:
    found: dict[str, dict[str, int]] = {"given": {}, "family": {}}
    for kind, reached, names in rows("bearers")[1]:
        found[kind].update(dict.fromkeys(names.split("|"), int(reached)))
    return MappingProxyType(found)
