"""Choosing a bias for each type of identifier: `stream-deid choose GOLD POOL --by-type BIAS`.

What a leak costs against a false alarm differs by what leaks: a name tells more than a room. Types
are tried one after the other, the most frequent first, until nothing gets cheaper (coordinate
descent); the cost is counted in words of all the gold given.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Mapping, Sequence

from stream_deid.labels import AUTHORED, PhiType, label_type
from stream_deid.training.scores.counts import Score
from stream_deid.training.scores.tables import markdown

STEPS = (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)
LEAK, NAMED_LEAK = 2.0, 4.0
"""What a word that leaks costs, in words hidden for nothing; names and direct numbers cost more."""
_DIRECT = frozenset(
    {PhiType.PATIENT, PhiType.DOCTOR, PhiType.SSN, PhiType.MEDICALRECORD, PhiType.PHONE,
     PhiType.EMAIL, PhiType.STREET, PhiType.HEALTHPLAN, PhiType.ACCOUNT}
)  # fmt: skip
Ask = Callable[[Mapping[PhiType, float]], Score]


def cost(score: Score) -> float:
    """Words hidden for nothing, and leaked words by their price."""
    leaks = (
        counts.fn * (NAMED_LEAK if label_type(name[7:]) in _DIRECT else LEAK)
        for name, counts in score.counts.items()
        if name.startswith("tokens.")
    )
    return score.counts["token.all"].fp + sum(leaks)


def search(ask: Ask, rounds: int = 2) -> tuple[dict[PhiType, float], list[list[str]]]:
    """The cheapest biases, and a row for each change (type, bias, cost, recall, precision)."""
    chosen: dict[PhiType, float] = {}
    score = ask(chosen)
    best, rows = cost(score), [_row("all", 0.0, score)]
    for _ in range(rounds):
        before = best
        for phi in _by_weight(score):
            for step in STEPS:
                tried = ask({**chosen, phi: step})
                if cost(tried) < best:
                    best, score = cost(tried), tried
                    chosen[phi] = step
                    rows.append(_row(phi.value, step, tried))
        if best == before:
            break
    return {phi: bias for phi, bias in chosen.items() if bias}, rows


def table(rows: Sequence[Sequence[str]]) -> str:
    """Markdown of a search."""
    return markdown(["type", "bias", "cost", "all R / P", "group B R / P"], rows)


def _by_weight(score: Score) -> list[PhiType]:
    weight: Counter[PhiType] = Counter()
    for name, counts in score.counts.items():
        kind, _, label = name.partition(".")
        phi = label_type(label) if kind in {"tokens", "false"} and label in AUTHORED else None
        if phi is not None:
            weight[phi] += counts.fn + counts.fp
    return [phi for phi, n in weight.most_common() if n]


def _row(name: str, bias: float, score: Score) -> list[str]:
    cells = [score["token.all"], score["token.B"]]
    shown = [f"{c.recall:.4f} / {c.precision:.4f}" for c in cells]
    return [name, f"{bias:g}", f"{cost(score):g}", *shown]
