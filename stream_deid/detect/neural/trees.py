"""Gradient-boosted trees (Friedman 2001), evaluated on arrays.

Trees are grown elsewhere (`training/run/stacking.py`); here they only answer.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stream_deid.errors import Halt

_ROWS = 256


@dataclass(frozen=True, slots=True)
class Trees:
    """T trees of at most N nodes: arrays [T, N], row by row padded with leaves.

    A node sends a row left where its feature is at most `threshold`. A leaf is its own left and
    right, and holds a `value`; `depth` steps reach a leaf from any root (node 0).
    """

    feature: NDArray[np.int32] = field(repr=False)
    threshold: NDArray[np.float64] = field(repr=False)
    left: NDArray[np.int32] = field(repr=False)
    right: NDArray[np.int32] = field(repr=False)
    value: NDArray[np.float64] = field(repr=False)
    depth: int
    baseline: float

    def __call__(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        """The sum of all trees and the baseline [n] for `rows` [n, features]."""
        out = np.full(len(rows), self.baseline)
        for at in range(0, len(rows), _ROWS):
            out[at : at + _ROWS] += self._sums(rows[at : at + _ROWS])
        return out

    def _sums(self, rows: NDArray[np.float64]) -> NDArray[np.float64]:
        count, width = self.feature.shape
        roots = np.arange(count, dtype=np.int64) * width
        feature, threshold = self.feature.ravel(), self.threshold.ravel()
        left, right = self.left.ravel(), self.right.ravel()
        node = np.broadcast_to(roots, (len(rows), count))
        row = np.arange(len(rows))[:, None]
        for _ in range(self.depth):
            goes_left = rows[row, feature[node]] <= threshold[node]
            node = roots + np.where(goes_left, left[node], right[node])
        total: NDArray[np.float64] = self.value.ravel()[node].sum(axis=1)
        return total

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Trees:
        """From `to_json`'s mapping. Raises `Halt("trees.invalid")` where a node leads nowhere."""
        trees = body["nodes"]
        width = max(len(nodes) for nodes in trees)
        feature, left, right = (np.zeros((len(trees), width), dtype=np.int32) for _ in range(3))
        threshold, value = (np.zeros((len(trees), width)) for _ in range(2))
        left[:] = right[:] = np.arange(width)
        for t, nodes in enumerate(trees):
            for i, node in enumerate(nodes):
                if len(node) == 1:
                    value[t, i] = node[0]
                    continue
                feature[t, i], threshold[t, i], left[t, i], right[t, i] = node
                if not i < min(left[t, i], right[t, i]) <= max(left[t, i], right[t, i]) < width:
                    raise Halt("trees.invalid", f"tree {t}: node {i} leads nowhere")
        depth = int(body["depth"])
        return cls(feature, threshold, left, right, value, depth, float(body["baseline"]))
