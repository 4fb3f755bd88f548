"""E2EJ as an ONNX graph: the emissions of sub-model 2, which sees sub-model 1's hidden layer."""

from __future__ import annotations

import numpy as np
import onnx

from stream_deid.training.export.onnx_graph import Graph, array
from stream_deid.training.models.e2ej import E2ej


def build(model: E2ej) -> onnx.ModelProto:
    """The emissions of `model` (without its CRF) as a checked ONNX model."""
    g = Graph()
    hidden = model.sizes.hidden
    tokens = _token_vectors(g, model)
    lengths = g.lengths("words", "last_axis", "lengths")
    timed = g.op("Transpose", [tokens], "timed", perm=[1, 0, 2])
    lower = g.rows(g.recurrent(model.lower, timed, lengths, "lower", last=False), hidden, "states")
    again = g.op("Transpose", [lower], "again", perm=[1, 0, 2])
    upper = g.rows(g.recurrent(model.upper, again, lengths, "upper", last=False), hidden, "uppers")
    columns = g.op("Transpose", [upper], "columns", perm=[0, 2, 1])
    seen = _turned(g, g.convolution(model.context_t, columns, "types"))
    if model.sizes.joint:
        sensitive = _turned(g, g.convolution(model.context_s, columns, "sensitive"))
        inner = g.op("Tanh", [g.linear(model.inner_s, sensitive, "inner")], "inner.tanh")
        seen = g.op("Concat", [inner, seen], "both", axis=2)
    g.linear(model.outer_t, seen, "emissions")
    return g.model("e2ej", model.outer_t.out_features)


def _turned(g: Graph, x: str) -> str:
    return g.op("Transpose", [x], f"{x}.rows", perm=[0, 2, 1])


def _token_vectors(g: Graph, model: E2ej) -> str:
    """Word vectors beside the largest features of the characters (equations 1 to 3): [B, T, D]."""
    word = g.vectors(model.word_table().numpy(), "words", "word")
    rows = g.op("Reshape", ["chars", "row_shape"], "char.rows")
    table = g.constant("char.table", array(model.char.weight))
    vectors = g.op("Gather", [table, rows], "char.vectors")
    spelled = g.convolution(model.spell, g.op("Transpose", [vectors], "char.in", perm=[0, 2, 1]),
                            "char.conv")  # fmt: skip
    left_out = g.op("Unsqueeze", [_outside(g, rows, model), g.ints("char.axis", 1)], "char.out")
    least = g.constant("least", np.array(-1.0, dtype=np.float32))
    masked = g.op("Where", [left_out, least, spelled], "char.masked")
    flat = g.op("ReduceMax", [masked], "char.flat", axes=[2], keepdims=0)
    char = g.per_token(flat, model.sizes.char_filters, "char")
    return g.op("Concat", [word, char], "tokens", axis=2)


def _outside(g: Graph, rows: str, model: E2ej) -> str:
    """Which characters [B * T, C] give no feature."""
    padding = g.op("Equal", [rows, "zero"], "char.padding")
    if not model.sizes.narrow:
        return padding
    padded = g.op("Pad", [rows, g.ints("char.sides", 0, 1, 0, 1)], "char.padded")
    axis = g.ints("char.along", 1)
    edges = []
    for name, first, last in (("char.left", 0, -2), ("char.right", 2, 2**31 - 1)):
        bounds = [g.ints(f"{name}.from", first), g.ints(f"{name}.to", last), axis]
        beside = g.op("Slice", [padded, *bounds], name)
        edges.append(g.op("Equal", [beside, "zero"], f"{name}.edge"))
    edge = g.op("Or", edges, "char.edge")
    length = g.op("Unsqueeze", [g.lengths(rows, "last_axis", "char.n"), axis], "char.n.column")
    three = g.constant("char.kernel", np.array(model.sizes.kernel, dtype=np.int32))
    long = g.op("GreaterOrEqual", [length, three], "char.long")
    return g.op("Or", [padding, g.op("And", [edge, long], "char.border")], "char.outside")
