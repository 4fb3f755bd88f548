"""Embedding tables whose rows were quantised to 4 bits by their makers, stored as such.

A trunk that was published in 4 bits has, in each group of 32 values of a row, at most 16
multiples of one scale. Storing codes and scales is then lossless and takes 0.28 of fp16. A table
that is not of this form stays as it is.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import NDArray

GROUP = 32
CODES, SCALES = ".codes4", ".scales4"


def pack(name: str, table: NDArray[np.float16]) -> dict[str, NDArray[Any]]:
    """`name` in 4 bits, `<name>.codes4` [rows, width / 2] uint8 and `<name>.scales4`
    [rows, width / 32] fp16, where `unpack` gives back the same bits; else `{name: table}`.
    """
    if table.ndim != 2 or table.shape[1] % GROUP:
        return {name: table}
    groups = table.reshape(-1, GROUP)
    scales, exact = _scales(groups)
    if not exact:
        return {name: table}
    codes = (_codes(groups.astype(np.float32), scales) + 8).astype(np.uint8)
    codes = codes.reshape(len(table), -1)
    return {
        name + CODES: codes[:, ::2] | (codes[:, 1::2] << 4),
        name + SCALES: scales.astype(np.float16).reshape(len(table), -1),
    }


def _codes(groups: NDArray[np.float32], scales: NDArray[np.float32]) -> NDArray[np.float32]:
    safe = np.where(scales == 0, 1, scales)
    out: NDArray[np.float32] = np.rint(groups / safe[:, None])
    return out


def _scales(groups: NDArray[np.float16]) -> tuple[NDArray[np.float32], bool]:
    """A scale for each group, tried from the largest value down; whether all are exact."""
    values = groups.astype(np.float32)
    extreme = values[np.arange(len(values)), np.abs(values).argmax(axis=1)]
    scales = np.zeros(len(values), dtype=np.float32)
    left = np.arange(len(values))
    for steps in (-8, *range(1, 8), *range(-7, 0)):
        some = values[left]
        trial = (extreme[left] / steps).astype(np.float16).astype(np.float32)
        codes = _codes(some, trial)
        fitted = (some * codes).sum(1) / np.maximum((codes * codes).sum(1), 1)
        fits = np.zeros(len(left), dtype=bool)
        for candidate in (trial, fitted.astype(np.float16).astype(np.float32)):
            near = _codes(some, candidate)
            same = ((candidate[:, None] * near).astype(np.float16) == groups[left]).all(1)
            good = ~fits & same & (near.min(1) >= -8) & (near.max(1) <= 7)
            scales[left[good]] = candidate[good]
            fits |= good
        left = left[~fits]
    return scales, len(left) == 0


def unpack(tensors: Mapping[str, NDArray[Any]]) -> dict[str, NDArray[Any]]:
    """All tensors as they were before `pack`."""
    out = {k: v for k, v in tensors.items() if not k.endswith((CODES, SCALES))}
    for name in (k.removesuffix(CODES) for k in tensors if k.endswith(CODES)):
        pairs, scales = tensors[name + CODES], tensors[name + SCALES]
        codes = np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(len(pairs), -1, GROUP)
        values = (codes.astype(np.float32) - 8) * scales.astype(np.float32)[:, :, None]
        out[name] = values.astype(np.float16).reshape(len(pairs), -1)
    return out
