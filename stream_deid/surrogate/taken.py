"""Which surrogate of a note stands for what: no two things of a kind share one."""

from __future__ import annotations


class Taken:
    """Folded surrogates, by the first thing that each was drawn for."""

    __slots__ = ("_by_surrogate",)

    def __init__(self) -> None:
        self._by_surrogate: dict[str, str] = {}

    def __repr__(self) -> str:
        return f"Taken({len(self._by_surrogate)} surrogates)"

    def take(self, made: str, key: str) -> bool:
        """Whether a folded surrogate stands for `key`, or does from now on."""
        return self._by_surrogate.setdefault(made, key) == key
