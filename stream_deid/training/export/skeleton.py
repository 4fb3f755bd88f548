"""TS-GRU, Bi-GRU and Bi-LSTM as ONNX graphs: one window of words around each word."""

from __future__ import annotations

import onnx

from stream_deid.training.export.onnx_graph import Graph
from stream_deid.training.models.skeleton import SkeletonRnn

_END = 2**31 - 1


def build(model: SkeletonRnn) -> onnx.ModelProto:
    """The logits of `model` as a checked ONNX model; it reads no characters."""
    g = Graph()
    rows = _windows(g, model.sizes.around)
    states = [_branch(g, model, branch, rows) for branch in model.sizes.branches]
    both = g.op("Concat", states, "states", axis=1)
    n_tags = model.outer.out_features
    g.per_token(g.linear(model.outer, both, "logits"), n_tags, "emissions")
    return g.model("skeleton", n_tags)


def _windows(g: Graph, around: int) -> str:
    """The ids of the words around each word, 0 beyond the ends: [around, B * T]."""
    side = around // 2
    padded = g.op("Pad", ["words", g.ints("sides", 0, side, 0, side)], "padded")
    axis, flat = g.ints("axis", 1), g.ints("flat", 1, -1)
    steps = []
    for k in range(around):
        end = k + 1 - around or _END
        bounds = [g.ints(f"from.{k}", k), g.ints(f"to.{k}", end)]
        column = g.op("Slice", [padded, *bounds, axis], f"column.{k}")
        steps.append(g.op("Reshape", [column, flat], f"step.{k}"))
    return g.op("Concat", steps, "windows", axis=0)


def _branch(g: Graph, model: SkeletonRnn, branch: str, rows: str) -> str:
    """The state at the middle of each window [B * T, 2 * hidden]."""
    half = model.sizes.around // 2 + 1
    vectors = g.vectors(model.branch_table(branch).numpy(), rows, branch)
    rnn = model.branch_rnn(branch)
    axis = g.ints(f"{branch}.axis", 0)
    first = [g.ints(f"{branch}.first", 0), g.ints(f"{branch}.half", half), axis]
    last = [g.ints(f"{branch}.last", -1), g.ints(f"{branch}.back", -half - 1), axis]
    before = g.op("Slice", [vectors, *first], f"{branch}.before")
    after = g.op("Slice", [vectors, *last, g.ints(f"{branch}.step", -1)], f"{branch}.after")
    ahead = g.one_way(rnn.forwards, before, f"{branch}.ahead")
    behind = g.one_way(rnn.backwards, after, f"{branch}.behind")
    return g.op("Concat", [ahead, behind], f"{branch}.state", axis=1)
