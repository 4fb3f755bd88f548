"""What a run has to say."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from stream_deid.rig.chaos.stalls import Stall


@dataclass(slots=True)
class Account:
    """What happened and what is wrong; `problems` is empty if every note is there once, as it
    should be, and no partition stood still for too long.
    """

    published: int = 0
    released: int = 0
    dead: Counter[str] = field(default_factory=Counter)
    events: Counter[str] = field(default_factory=Counter)
    statuses: Counter[int] = field(default_factory=Counter)
    stalls: Sequence[Stall] = ()
    problems: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def lines(self) -> list[str]:
        """The account for a person."""
        shown: dict[str, object] = {
            "published": self.published,
            "released": self.released,
            "dead letters": f"{self.dead.total()} ({_listed(self.dead)})",
            "lost": self.problems.get("lost", 0),
            "twice": self.problems.get("duplicates", 0),
            "unaudited": self.problems.get("notes_without_audit", 0),
            "wrong pairs": self.problems.get("wrong_pairs", 0),
            "out of order": self.problems.get("wrong_order", 0),
            "seconds": round(self.seconds, 1),
        }
        rows = [f"{name:<26}{value}" for name, value in shown.items()]
        rows += [f"{f'events: {name}':<34}{n}" for name, n in sorted(self.events.items())]
        rows += [f"{f'exits with {s}':<34}{n}" for s, n in sorted(self.statuses.items())]
        rows += ["longest time without a release, in seconds (by partition):", *self._stalled()]
        return rows + [f"WRONG: {name:<26}{n}" for name, n in sorted(self.problems.items())]

    def _stalled(self) -> list[str]:
        worst: dict[str, dict[int, float]] = {}
        for one in self.stalls:
            by = worst.setdefault(one.kind, {})
            by[one.partition] = max(by.get(one.partition, 0.0), one.seconds)
        late = Counter(one.kind for one in self.stalls if one.over)
        return [
            f"  {f'after {kind}':<32}{max(by.values()):6.1f}   "
            f"({' '.join(f'{by[p]:.1f}' for p in sorted(by))})"
            f"{f'   {late[kind]} too long' if late[kind] else ''}"
            for kind, by in sorted(worst.items())
        ]


def _listed(counts: Counter[str]) -> str:
    return ", ".join(f"{name} {n}" for name, n in counts.most_common())
