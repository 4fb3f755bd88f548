"""The proof that nothing was left unexamined: every character of a part has somebody to answer.

A character is settled by a named, reviewed rule (`detect.fast`), or every model that the language
needs read it in the window that owns it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from stream_deid.detect.fast.paths import Settled
from stream_deid.errors import Halt
from stream_deid.note import Window
from stream_deid.text.tokens import is_blank


@dataclass(frozen=True, slots=True)
class Covered:
    """Characters of one part: all, those that every model answers for, those that rules do."""

    chars: int
    examined: int
    settled: int


def prove(
    text: str, path: str, windows: Mapping[str, Sequence[Window]], settled: Sequence[Settled]
) -> Covered:
    """What was examined of one part, by the windows of each required model.

    Raises `Halt("coverage.gap")` where a character has nobody to answer for it.
    """
    ruled = _ruled(len(text), path, settled)
    for model, mine in windows.items():
        _owned(text, path, model, mine)
        _shown(text, path, model, mine, ruled)
    count = int(ruled.sum())
    return Covered(len(text), len(text) - count, count)


def _ruled(length: int, path: str, settled: Sequence[Settled]) -> NDArray[np.bool_]:
    """Which characters rules answer for: the stretches are ordered, disjoint and in the text."""
    ruled = np.zeros(length, dtype=np.bool_)
    at = 0
    for one in settled:
        if not at <= one.start < one.end <= length:
            raise Halt("coverage.settled", f"stretches of {one.rule} are not in order in {path}")
        ruled[one.start : one.end] = True
        at = one.end
    return ruled


def _owned(text: str, path: str, model: str, windows: Sequence[Window]) -> None:
    """Windows own the whole part, each character once, where there are any."""
    at = 0
    for start, end in sorted((w.own_start, w.own_end) for w in windows):
        if start != at:
            raise Halt("coverage.gap", f"{model} left characters of {path}")
        at = end
    if windows and at != len(text):
        raise Halt("coverage.gap", f"{model} left characters of {path}")


def _shown(
    text: str, path: str, model: str, windows: Sequence[Window], ruled: NDArray[np.bool_]
) -> None:
    """What no rule settles lies in tokens that owning windows showed to the model."""
    edges = np.zeros(len(text) + 1, dtype=np.int64)
    for window in windows:
        starts, ends = window.starts, window.ends
        own = (ends > starts) & (starts >= window.own_start) & (starts < window.own_end)
        np.add.at(edges, starts[own], 1)
        np.add.at(edges, ends[own], -1)
    shown = np.cumsum(edges[:-1]) > 0
    if not _blank(text, ~(shown | ruled)):
        raise Halt("coverage.gap", f"{model} was not shown all of {path}, and no rule settles it")


def _blank(text: str, which: NDArray[np.bool_]) -> bool:
    """Whether the characters chosen hold nothing to read."""
    return all(is_blank(text[i]) for i in np.flatnonzero(which).tolist())
