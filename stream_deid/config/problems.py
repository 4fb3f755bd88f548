"""A mistake in the settings: where it is, what is wrong, what to do; and what may be meant."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from difflib import get_close_matches

MASK = "***"
"""What stands for a secret wherever settings are told."""

_ALIKE = 0.75


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake. `path` of the setting, empty where it concerns the file; `where` it was set."""

    path: str
    what: str
    remedy: str = ""
    where: str = ""

    def __str__(self) -> str:
        told = f"{self.what} [{self.where}]" if self.where else self.what
        return f"{told}: {self.remedy}" if self.remedy else told


def nearest(word: str, known: Iterable[str]) -> str:
    """The one of `known` that `word` most likely means; empty where none is near.

    `kafka_group` means `kafka.group`, and a name in the wrong section means its namesake.
    """
    spelled = {_plain(name): name for name in known}
    last = word.rpartition(".")[2]
    namesakes = [name for name in spelled.values() if name.rpartition(".")[2] == last]
    if len(namesakes) == 1:
        return namesakes[0]
    close = get_close_matches(_plain(word), spelled, n=1, cutoff=_ALIKE)
    if close:
        return spelled[close[0]]
    ends = {name.rpartition(".")[2]: name for name in spelled.values()}
    close = get_close_matches(_plain(last), ends, n=1, cutoff=_ALIKE)
    return ends[close[0]] if close else ""


def _plain(name: str) -> str:
    return name.lower().replace("_", ".").replace("-", ".")
