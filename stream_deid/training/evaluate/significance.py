"""Is one system really better than another? Approximate randomisation (Noreen 1989).

As in Dernoncourt et al. 2017, 3.4: 9,999 times each note's results are swapped between the two
systems with probability one half; the p-value is the share of shuffles whose difference is at
least as large as the observed one, the observed one included.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from stream_deid.training.scores.counts import Score

SHUFFLES = 9999
_CHUNK = 1024
_TINY = 1e-12


class Significance(NamedTuple):
    """Two-sided p-values of the differences in precision, recall and F1."""

    precision: float
    recall: float
    f1: float


def significance(
    first: Sequence[Score],
    second: Sequence[Score],
    question: str,
    *,
    shuffles: int = SHUFFLES,
    seed: int = 1,
) -> Significance:
    """The p-values of two systems' per-note scores; `first[i]` and `second[i]` are one note.

    Raises `ValueError` where the two lists differ in length.
    """
    if len(first) != len(second):
        raise ValueError("both systems must be scored on the same notes")
    a, b = _matrix(first, question), _matrix(second, question)
    observed = np.abs(_rates(a.sum(0)) - _rates(b.sum(0)))
    rng = np.random.default_rng(seed)
    at_least = np.zeros(3)
    for begin in range(0, shuffles, _CHUNK):
        swap = rng.integers(0, 2, (min(_CHUNK, shuffles - begin), len(a))).astype(np.float64)
        moved = swap @ (b - a)
        difference = np.abs(_rates(a.sum(0) + moved) - _rates(b.sum(0) - moved))
        at_least += (difference >= observed - _TINY).sum(0)
    return Significance(*((at_least + 1) / (shuffles + 1)).tolist())


def _matrix(scores: Sequence[Score], question: str) -> NDArray[np.float64]:
    rows = [(s[question].tp, s[question].fp, s[question].fn) for s in scores]
    return np.array(rows, dtype=np.float64).reshape(-1, 3)


def _rates(sums: NDArray[np.float64]) -> NDArray[np.float64]:
    """[..., (tp, fp, fn)] to [..., (precision, recall, f1)]; an empty ratio is 1."""
    tp, fp, fn = sums[..., 0], sums[..., 1], sums[..., 2]
    ratios = ((tp, tp + fp), (tp, tp + fn), (2 * tp, 2 * tp + fp + fn))
    return np.stack([np.where(d > 0, n / np.maximum(d, _TINY), 1.0) for n, d in ratios], axis=-1)
