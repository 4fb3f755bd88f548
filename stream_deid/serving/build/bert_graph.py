"""The ONNX graph of a BERT token classifier, written from its tensors; needs no torch.

Devlin et al. 2019 as Hugging Face's `BertModel` computes it (post-layer-norm, erf GELU), followed
by one linear layer, or by heads on hidden states (`reads`). Inputs `input_ids`, `attention_mask`:
int32 [batch, S]; output `logits`: float32 [batch, S, number of tags]. Both axes are dynamic. Tensor
names are Hugging Face's (`trunk.encoder.layer.0.attention.self.query.weight`, ..., `head.weight`);
a head's are `heads.NAME.inner.weight` [width, 3 D] and `heads.NAME.outer.weight` [tags, width].
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

import numpy as np
from numpy.typing import NDArray
from onnx import ModelProto, TensorProto, checker, helper

from stream_deid.serving.build.nodes import Nodes

Tensors = Mapping[str, NDArray[Any]]

_OPSET = 17
_IR_VERSION = 9
_MASKED = -10000.0
"""Added to the attention scores of padding; what it leaves underflows to zero."""


@dataclass(frozen=True, slots=True)
class Shape:
    """What the tensors do not tell: number of heads and the layer norms' epsilon."""

    layers: int
    heads: int
    epsilon: float


class _Graph(Nodes):
    """The graph with the tensors that it is made of; a constant of a name stands once."""

    def __init__(self, tensors: Tensors, shape: Shape) -> None:
        super().__init__()
        self.tensors, self.shape = tensors, shape

    def constant(self, name: str, value: Any) -> str:
        held = any(one.name == name for one in self.constants)
        return name if held else super().constant(name, value)

    def weight(self, name: str) -> str:
        return self.constant(name, self.tensors[name].astype(np.float32))

    def linear(self, x: str, name: str) -> str:
        kernel = self.tensors[f"{name}.weight"].astype(np.float32).T
        product = self.op("MatMul", [x, self.constant(f"{name}.kernel", kernel)], f"{name}/matmul")
        return self.op("Add", [product, self.weight(f"{name}.bias")], f"{name}/out")

    def norm(self, x: str, name: str) -> str:
        inputs = [x, self.weight(f"{name}.weight"), self.weight(f"{name}.bias")]
        epsilon = self.shape.epsilon
        return self.op("LayerNormalization", inputs, f"{name}/out", axis=-1, epsilon=epsilon)


def graph(tensors: Tensors, shape: Shape, reads: Mapping[str, int] | None = None) -> ModelProto:
    """The whole classifier. `reads`: heads in the order of their logits, with the layer that each
    reads (the last: the number of layers). Raises `KeyError` where a tensor is missing.
    """
    tensors = _side_by_side(tensors, reads) if reads else tensors
    g = _Graph(tensors, shape)
    g.constant("zero", np.array([0], np.int64))
    g.constant("one", np.array([1], np.int64))
    x = _embeddings(g)
    mask = _mask(g)
    hidden = {}
    for i in range(shape.layers):
        hidden[i + 1] = x = _layer(g, x, mask, f"trunk.encoder.layer.{i}")
    if reads:
        wide = [_inner(g, hidden[layer], layer) for layer in dict.fromkeys(reads.values())]
        x = g.op("Concat", wide, "heads/wide", axis=-1)
    g.op("Identity", [g.linear(x, "head")], "logits")
    inputs = [
        helper.make_tensor_value_info(name, TensorProto.INT32, ["batch", "S"])
        for name in ("input_ids", "attention_mask")
    ]
    tags = len(tensors["head.bias"])
    output = helper.make_tensor_value_info("logits", TensorProto.FLOAT, ["batch", "S", tags])
    made = helper.make_graph(g.nodes, "bert", inputs, [output], g.constants)
    opset = [helper.make_opsetid("", _OPSET)]
    model = helper.make_model(made, opset_imports=opset, ir_version=_IR_VERSION)
    checker.check_model(model)
    return model


def float_nodes(reads: Mapping[str, int]) -> list[str]:
    """The nodes of heads that stay in floating point: quantised is what the trunk had quantised."""
    return [*(f"head.inner.{layer}/matmul" for layer in dict.fromkeys(reads.values())), _OUTER]


_OUTER = "head/matmul"


def _side_by_side(tensors: Tensors, reads: Mapping[str, int]) -> Tensors:
    """Heads of one layer as one layer, all second layers as one that is zero between heads."""
    layers = {at: [k for k, of in reads.items() if of == at] for at in reads.values()}
    made: dict[str, NDArray[Any]] = {}
    for at, names in layers.items():
        for part in ("weight", "bias"):
            inner = [tensors[f"heads.{name}.inner.{part}"] for name in names]
            made[f"head.inner.{at}.{part}"] = np.concatenate(inner)
    outer = {name: tensors[f"heads.{name}.outer.weight"] for name in reads}
    columns = dict(zip(reads, np.cumsum([0, *map(len, outer.values())]).tolist(), strict=False))
    width = sum(one.shape[1] for one in outer.values())
    joined = np.zeros((sum(map(len, outer.values())), width), np.float32)
    at = 0
    for name in (name for names in layers.values() for name in names):
        tags, wide = outer[name].shape
        joined[columns[name] : columns[name] + tags, at : at + wide] = outer[name]
        at += wide
    bias = np.concatenate([tensors[f"heads.{name}.outer.bias"] for name in reads])
    return {**tensors, **made, "head.weight": joined, "head.bias": bias}


def _inner(g: _Graph, x: str, layer: int) -> str:
    """The hidden layer of all heads that read one layer: a piece between its neighbours."""
    name = f"head.inner.{layer}"
    pads = g.constant("beside_pads", np.array([0, 1, 0, 0, 1, 0], np.int64))
    padded = g.op("Pad", [x, pads], f"{name}/padded")
    before, after = g.constant("minus_two", np.array([-2], np.int64)), "two"
    end = g.constant("no_end", np.array([np.iinfo(np.int64).max], np.int64))
    left = g.op("Slice", [padded, "zero", before, "one"], f"{name}/left")
    right = g.op("Slice", [padded, after, end, "one"], f"{name}/right")
    beside = g.op("Concat", [left, x, right], f"{name}/beside", axis=-1)
    return _gelu(g, g.linear(beside, name), name)


def _embeddings(g: _Graph) -> str:
    at = "trunk.embeddings"
    words = g.op("Gather", [g.weight(f"{at}.word_embeddings.weight"), "input_ids"], "words")
    size = g.op("Shape", ["input_ids"], "size")
    length = g.op("Slice", [size, "one", g.constant("two", np.array([2], np.int64))], "length")
    table = g.weight(f"{at}.position_embeddings.weight")
    positions = g.op("Slice", [table, "zero", length, "zero"], "positions")
    types = g.constant("type", g.tensors[f"{at}.token_type_embeddings.weight"][0].astype("f4"))
    both = g.op("Add", [words, types], "words_types")
    return g.norm(g.op("Add", [both, positions], "embedded"), f"{at}.LayerNorm")


def _mask(g: _Graph) -> str:
    floats = g.op("Cast", ["attention_mask"], "mask_float", to=TensorProto.FLOAT)
    absent = g.op("Sub", [g.constant("full", np.float32(1)), floats], "absent")
    bias = g.op("Mul", [absent, g.constant("masked", np.float32(_MASKED))], "mask_bias")
    axes = g.constant("head_axes", np.array([1, 2], np.int64))
    return g.op("Unsqueeze", [bias, axes], "mask")


def _layer(g: _Graph, x: str, mask: str, name: str) -> str:
    attended = _attention(g, x, mask, f"{name}.attention.self")
    out = g.linear(attended, f"{name}.attention.output.dense")
    x = g.norm(g.op("Add", [out, x], f"{name}/attended"), f"{name}.attention.output.LayerNorm")
    wide = _gelu(g, g.linear(x, f"{name}.intermediate.dense"), name)
    out = g.linear(wide, f"{name}.output.dense")
    return g.norm(g.op("Add", [out, x], f"{name}/sum"), f"{name}.output.LayerNorm")


def _attention(g: _Graph, x: str, mask: str, name: str) -> str:
    width = len(g.tensors[f"{name}.query.bias"])
    heads = g.shape.heads
    split = g.constant("split", np.array([0, 0, heads, width // heads], np.int64))

    def part(which: str, perm: list[int]) -> str:
        cut = g.op("Reshape", [g.linear(x, f"{name}.{which}"), split], f"{name}.{which}/cut")
        return g.op("Transpose", [cut], f"{name}.{which}/heads", perm=perm)

    query, key = part("query", [0, 2, 1, 3]), part("key", [0, 2, 3, 1])
    scale = g.constant("scale", np.float32(1 / sqrt(width // heads)))
    scaled = g.op("Mul", [query, scale], f"{name}/scaled")
    scores = g.op("MatMul", [scaled, key], f"{name}/scores")
    weights = g.op("Softmax", [g.op("Add", [scores, mask], f"{name}/masked")], f"{name}/weights")
    mixed = g.op("MatMul", [weights, part("value", [0, 2, 1, 3])], f"{name}/mixed")
    back = g.op("Transpose", [mixed], f"{name}/back", perm=[0, 2, 1, 3])
    joined = g.constant("joined", np.array([0, 0, width], np.int64))
    return g.op("Reshape", [back, joined], f"{name}/joined")


def _gelu(g: _Graph, x: str, name: str) -> str:
    """X * (1 + erf(x / sqrt 2)) / 2, in the form that engines recognise and fuse."""
    scaled = g.op("Div", [x, g.constant("root_two", np.float32(sqrt(2)))], f"{name}/gelu_scaled")
    erf = g.op("Erf", [scaled], f"{name}/gelu_erf")
    plus = g.op("Add", [erf, g.constant("full", np.float32(1))], f"{name}/gelu_plus")
    whole = g.op("Mul", [x, plus], f"{name}/gelu_whole")
    return g.op("Mul", [whole, g.constant("half", np.float32(0.5))], f"{name}/gelu")
