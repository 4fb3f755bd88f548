"""Best tag sequence under BIO constraints or under the transitions of a CRF (Viterbi 1967)."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

_NEVER = np.float32(-1e9)
_LEAST = 1e-300
_SLACK = 1e-3
"""More than rounding can make of a sum of scores."""
_SCALED_EVERY = 8

STRETCH = 16_384
"""Positions that are worked on at once, so that a text of any length takes little more room than
its scores."""
_HALO = 256
"""Positions beside a stretch that its marginals are computed with: what lies further off has no
say."""


def stretches(n: int) -> Iterator[tuple[int, int]]:
    """`range(n)` in stretches."""
    return ((at, min(at + STRETCH, n)) for at in range(0, n, STRETCH))


def bio(scores: NDArray[np.float32], breaks: NDArray[np.bool_] | None = None) -> NDArray[np.int64]:
    """Best valid tags [n] for `scores` [n, 2k + 1] in the tag order of `bio.tag_names`.

    Valid: "I-X" follows "B-X" or "I-X", and is not at a position where `breaks` [n] holds
    nor right after one (a line break, where spans may not cross lines). Where "I-X" can't be,
    its score counts for "B-X", so that no token is lost to the constraint. O(n k).
    """
    scores = np.array(scores, dtype=np.float32)
    if len(scores) == 0:
        return np.zeros(0, dtype=np.int64)
    _begin(scores, np.array([0]))
    if breaks is not None:
        at = np.flatnonzero(breaks)
        scores[at, 1:] = _NEVER
        _begin(scores, at[at + 1 < len(scores)] + 1)
    best: NDArray[np.int64] = scores.argmax(axis=1).astype(np.int64)
    inside = (best > 0) & (best % 2 == 0)
    before = np.concatenate([[0], best[:-1]])
    if not (inside & (before != best) & (before != best - 1)).any():
        return best  # the unconstrained optimum is valid
    for start, end in _independent(scores):
        if end - start > 1:
            scores[start, 2::2] = _NEVER
            best[start:end] = _bio_path(scores[start:end])
    return best


def _independent(scores: NDArray[np.float32]) -> list[tuple[int, int]]:
    """Stretches whose best tags don't depend on one another, together all positions.

    A tag matters to the right only if it lets the next one be "inside". What that is worth at
    most is the best sum of (best "inside" - best other) over stretches that begin there; where
    no such sum is positive, nothing is "inside" in a best path, and the sequence falls apart.
    """
    outside = np.maximum(scores[:, 0], scores[:, 1::2].max(axis=1))
    gain = (scores[:, 2::2].max(axis=1) - outside).astype(np.float64)
    sums = np.concatenate([np.cumsum(gain[::-1])[::-1], [0.0]])
    ends = np.minimum.accumulate(sums[::-1])[::-1]
    worth = sums[:-1] - ends[1:]
    cuts = np.flatnonzero(worth[1:] < -_SLACK) + 1
    edges = [0, *cuts.tolist(), len(scores)]
    return list(pairwise(edges))


def _begin(scores: NDArray[np.float32], at: NDArray[np.int64]) -> None:
    """Nothing is inside a span at these positions; it can only begin there."""
    scores[at, 1::2] = np.maximum(scores[at, 1::2], scores[at, 2::2])
    scores[at, 2::2] = _NEVER


def _bio_path(scores: NDArray[np.float32]) -> NDArray[np.int64]:
    n, width = scores.shape
    back = np.zeros((n, width), dtype=np.int32)
    begins = np.arange(1, width, 2, dtype=np.int32)
    total = scores[0].copy()
    step = np.empty(width, dtype=np.float32)
    for came, score in zip(back[1:], scores[1:], strict=True):
        top = int(total.argmax())
        begin, middle = total[1::2], total[2::2]
        came.fill(top)
        np.add(begins, begin < middle, out=came[2::2])
        step.fill(total[top])
        np.maximum(begin, middle, out=step[2::2])
        np.add(step, score, out=total)
    return _trace(total, back)


def crf(
    scores: NDArray[np.float32],
    transitions: NDArray[np.float32],
    start: NDArray[np.float32],
    end: NDArray[np.float32],
) -> NDArray[np.int64]:
    """Best tags [n] of a linear-chain CRF (Lafferty et al. 2001).

    `scores` [n, L]; `transitions` [L, L] from row to column; `start`, `end` [L]. O(n L^2).
    """
    if len(scores) == 0:
        return np.zeros(0, dtype=np.int64)
    n, width = scores.shape
    back = np.zeros((n, width), dtype=np.int32)
    total = scores[0] + start
    columns = np.arange(width)
    for i in range(1, n):
        paths = total[:, None] + transitions
        back[i] = paths.argmax(axis=0)
        total = paths[back[i], columns] + scores[i]
    return _trace(total + end, back)


def _trace(total: NDArray[np.float32], back: NDArray[np.int32]) -> NDArray[np.int64]:
    n = len(back)
    tags = np.zeros(n, dtype=np.int64)
    tags[-1] = total.argmax()
    for i in range(n - 1, 0, -1):
        tags[i - 1] = back[i, tags[i]]
    return tags


def crf_marginals(
    scores: NDArray[np.float32],
    transitions: NDArray[np.float32],
    start: NDArray[np.float32],
    end: NDArray[np.float32],
) -> NDArray[np.float32]:
    """Log-probability [n, L] of each tag at each position (forward-backward; Rabiner 1989).

    Arguments as for `crf`. O(n L^2), one product with exp(transitions) a step and direction;
    states are scaled to sum 1 now and then, so that nothing runs out of range. Longer texts than
    `STRETCH` are worked on in stretches, with a halo beside each.
    """
    n = len(scores)
    if n <= STRETCH:
        return _marginals(scores, transitions, start, end)
    out = np.empty(scores.shape, dtype=np.float32)
    for a, b in stretches(n):
        low, high = max(0, a - _HALO), min(n, b + _HALO)
        found = _marginals(
            scores[low:high],
            transitions,
            start if low == 0 else np.zeros_like(start),
            end if high == n else np.zeros_like(end),
        )
        out[a:b] = found[a - low : b - low]
    return out


def _marginals(
    scores: NDArray[np.float32],
    transitions: NDArray[np.float32],
    start: NDArray[np.float32],
    end: NDArray[np.float32],
) -> NDArray[np.float32]:
    n = len(scores)
    ahead = np.zeros(scores.shape)
    behind = np.ones(scores.shape)
    if n == 0:
        return ahead.astype(np.float32)
    kernel = np.exp((transitions - transitions.max()).astype(np.float64))
    local = np.exp((scores - scores.max(axis=1, keepdims=True)).astype(np.float64))
    state = ahead[0] = _scaled(local[0] * np.exp(start.astype(np.float64)))
    for i, (here, mine) in enumerate(zip(ahead[1:], local[1:], strict=True), 1):
        state.dot(kernel, out=here)
        np.multiply(here, mine, out=here)
        if i % _SCALED_EVERY == 0:
            here[:] = _scaled(here)
        state = here
    state = behind[-1] = _scaled(np.exp(end.astype(np.float64)))
    weighed = np.empty_like(state)
    back = zip(range(n - 2, -1, -1), behind[-2::-1], local[:0:-1], strict=True)
    for i, here, following in back:
        np.multiply(following, state, out=weighed)
        state = kernel.dot(weighed, out=here)
        if i % _SCALED_EVERY == 0:
            state[:] = _scaled(state)
    joint = np.maximum(_scaled(ahead) * _scaled(behind), _LEAST)
    logs: NDArray[np.float32] = np.log(joint / joint.sum(axis=1, keepdims=True)).astype(np.float32)
    return logs


def _scaled(state: NDArray[np.float64]) -> NDArray[np.float64]:
    """States [..., L] to sum 1; one that ran out of range stays 0 rather than become no number."""
    out: NDArray[np.float64] = state / np.maximum(state.sum(axis=-1, keepdims=True), _LEAST)
    return out


def log_probabilities(scores: NDArray[np.float32]) -> NDArray[np.float32]:
    """Log-softmax [n, L] over the last axis."""
    out = np.empty(scores.shape, dtype=np.float32)
    for a, b in stretches(len(scores)):
        shifted = scores[a:b] - scores[a:b].max(axis=-1, keepdims=True)
        out[a:b] = shifted - np.log(np.exp(shifted).sum(axis=-1, keepdims=True))
    return out


def share(scores: NDArray[np.float32], chosen: NDArray[np.bool_]) -> NDArray[np.float32]:
    """The probability [n] (softmax of `scores` [n, L]) of all `chosen` [L] together."""
    out = np.empty(len(scores), dtype=np.float32)
    for a, b in stretches(len(scores)):
        shifted = np.exp(scores[a:b] - scores[a:b].max(axis=-1, keepdims=True))
        out[a:b] = (shifted / shifted.sum(axis=-1, keepdims=True))[:, chosen].sum(axis=1)
    return out
