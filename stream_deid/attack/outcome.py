"""What an attack found: leaks that were there, leaks that it found, surrogates that it took."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass

Advance = Callable[[], object]
"""What an attack calls when a step is done."""


@dataclass(frozen=True, slots=True)
class Outcome:
    """`found` of `leaks` were flagged, and `alarms` surrogates with them."""

    leaks: int = 0
    found: int = 0
    alarms: int = 0

    @property
    def recall(self) -> float:
        """The share of the leaks that the attack finds; 0 where there are none."""
        return self.found / self.leaks if self.leaks else 0.0

    @property
    def precision(self) -> float:
        """The share of leaks among what is flagged; 0 where nothing is."""
        flagged = self.found + self.alarms
        return self.found / flagged if flagged else 0.0

    @classmethod
    def of(cls, judged: Iterable[tuple[bool, bool]]) -> Outcome:
        """From (leaked, flagged) of each identifier."""
        rows = list(judged)
        return cls(
            sum(leaked for leaked, _ in rows),
            sum(leaked and flagged for leaked, flagged in rows),
            sum(flagged and not leaked for leaked, flagged in rows),
        )


@dataclass(frozen=True, slots=True)
class Cell:
    """One point of a curve: `curve` names it, `strategy` and `rate` are its conditions."""

    curve: str
    strategy: str
    rate: float
    outcome: Outcome
