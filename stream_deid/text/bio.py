"""BIO tags (Ramshaw & Marcus 1995): spans to tags of tokens and back.

Tag 0 is always "O"; label k has "B-" at 2k + 1 and "I-" at 2k + 2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import numpy as np
from numpy.typing import NDArray


def tag_names(labels: Iterable[str]) -> tuple[str, ...]:
    """`("O", "B-X", "I-X", ...)` in the order of `labels`."""
    return ("O", *(f"{prefix}-{label}" for label in labels for prefix in "BI"))


def encode(
    starts: NDArray[np.int32],
    ends: NDArray[np.int32],
    spans: Iterable[tuple[int, int, str]],
    tags: Sequence[str],
) -> NDArray[np.int64]:
    """Tags [n] of tokens from spans `(start, end, label)`, disjoint; labels unknown to `tags`
    count as "O". A token that a span touches belongs to it; the earlier span wins.
    """
    index = {name: i for i, name in enumerate(tags)}
    out = np.zeros(len(starts), dtype=np.int64)
    for start, end, label in sorted(spans):
        first = int(np.searchsorted(ends, start, side="right"))
        last = int(np.searchsorted(starts, end, side="left"))
        tag = index.get(f"B-{label}")
        for i in range(first, last):
            if tag is not None and out[i] == 0:
                out[i] = tag if i == first else tag + 1
    return out


def runs(tags: NDArray[np.int64]) -> list[tuple[int, int, int]]:
    """`(first, last, label index)` of each tagged run of tokens, `last` exclusive.

    An "I-" that continues nothing of its label opens a run (as conlleval does).
    """
    out: list[tuple[int, int, int]] = []
    open_at, label = -1, -1
    for i, tag in enumerate(tags.tolist()):
        this = (tag - 1) // 2 if tag else -1
        if open_at >= 0 and (tag == 0 or tag % 2 == 1 or this != label):
            out.append((open_at, i, label))
            open_at = -1
        if tag and open_at < 0:
            open_at, label = i, this
    if open_at >= 0:
        out.append((open_at, len(tags), label))
    return out
