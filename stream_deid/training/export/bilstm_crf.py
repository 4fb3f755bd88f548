"""The BiLSTM-CRF as an ONNX graph, written operator by operator.

Batch and length are dynamic. ONNX's LSTM takes each row's length, so a padded row gives the same
emissions as the row alone; lengths are read from the inputs (0 is padding in both). Word vectors
are stored as they reach the BiLSTM (a trunk's projection is folded in), in 8 bits with a scale
for each word.

Inputs `words` int32 [B, T], `chars` int32 [B, T, C]; output `emissions` float32 [B, T, L].
"""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper, numpy_helper
from torch import Tensor, nn

from stream_deid.serving import manifest as manifests
from stream_deid.text.wordchar import MAX_CHARS
from stream_deid.training.data import vocabulary
from stream_deid.training.export.command import Choice
from stream_deid.training.models.bilstm import BiLstmCrf
from stream_deid.training.models.recurrent import BiRnn
from stream_deid.training.run.tagger import Run

BUCKETS = (32, 64, 128)
GRAPH = "1/model.onnx"
OPSET = 17
IR_VERSION = 8

Array = NDArray[Any]


class _Graph:
    """Nodes and constants as they are added; values go by name."""

    def __init__(self) -> None:
        self.nodes: list[onnx.NodeProto] = []
        self.constants: list[onnx.TensorProto] = []

    def constant(self, name: str, value: Array) -> str:
        self.constants.append(numpy_helper.from_array(np.ascontiguousarray(value), name))
        return name

    def ints(self, name: str, *values: int) -> str:
        return self.constant(name, np.array(values, dtype=np.int64))

    def add(self, operator: str, inputs: list[str], output: str, **attributes: Any) -> str:
        self.nodes.append(helper.make_node(operator, inputs, [output], name=output, **attributes))
        return output

    def lstm(self, rnn: BiRnn, x: str, lengths: str, name: str, *, last: bool) -> str:
        """States [T, 2, N, H], or with `last` the last state of each direction [2, N, H]."""
        w, r, b = _lstm_weights(rnn)
        inputs = [
            x,
            *(self.constant(f"{name}.{k}", v) for k, v in zip("WRB", (w, r, b), strict=True)),
        ]
        outputs = ["", f"{name}.h"] if last else [f"{name}.y"]
        self.nodes.append(
            helper.make_node(
                "LSTM", [*inputs, lengths], outputs, name=name, direction="bidirectional",
                hidden_size=rnn.forwards.hidden_size,
            )
        )  # fmt: skip
        return outputs[-1]

    def linear(self, layer: nn.Linear, x: str, name: str) -> str:
        weight = self.constant(f"{name}.weight", _numpy(layer.weight).T)
        bias = self.constant(f"{name}.bias", _numpy(layer.bias))
        return self.add("Add", [self.add("MatMul", [x, weight], f"{name}.product"), bias], name)


def _numpy(parameter: Tensor) -> NDArray[np.float32]:
    return parameter.detach().numpy().astype(np.float32)


def _reorder(weight: NDArray[np.float32]) -> NDArray[np.float32]:
    """Torch keeps the gates as input, forget, cell, output; ONNX as input, output, forget, cell."""
    i, f, c, o = np.split(weight, 4)
    return np.concatenate([i, o, f, c])


def _lstm_weights(rnn: BiRnn) -> tuple[Array, Array, Array]:
    layers = (rnn.forwards, rnn.backwards)
    w = np.stack([_reorder(_numpy(d.weight_ih_l0)) for d in layers])
    r = np.stack([_reorder(_numpy(d.weight_hh_l0)) for d in layers])
    b = np.stack(
        [
            np.concatenate([_reorder(_numpy(d.bias_ih_l0)), _reorder(_numpy(d.bias_hh_l0))])
            for d in layers
        ]
    )
    return w, r, b


def quantise(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows [V, D] as whole steps of -127 to 127 with one scale a row [V, 1]."""
    scales = np.maximum(np.abs(table).max(1, keepdims=True) / 127, 1e-8).astype(np.float32)
    return np.rint(table / scales).astype(np.int8), scales


def _lengths(g: _Graph, ids: str, axis: str, name: str) -> str:
    """How many of `ids` along `axis` are not padding, at least 1, int32."""
    some = g.add("Greater", [ids, "zero"], f"{name}.some")
    ones = g.add("Cast", [some], f"{name}.ones", to=TensorProto.INT32)
    count = g.add("ReduceSum", [ones, axis], f"{name}.count", keepdims=0)
    return g.add("Max", [count, "one"], name)


def build(model: BiLstmCrf) -> onnx.ModelProto:
    """The emissions of `model` (without its CRF) as a checked ONNX model."""
    g = _Graph()
    g.constant("zero", np.array(0, dtype=np.int32))
    g.constant("one", np.array(1, dtype=np.int32))
    g.ints("last_axis", -1)
    g.ints("row_shape", -1, MAX_CHARS)
    tokens = _token_vectors(g, model)
    lengths = _lengths(g, "words", "last_axis", "lengths")
    timed = g.add("Transpose", [tokens], "timed", perm=[1, 0, 2])
    states = g.lstm(model.rnn, timed, lengths, "rnn", last=False)
    rows = g.add("Transpose", [states], "rows", perm=[2, 0, 1, 3])
    g.ints("state_shape", 0, 0, 2 * model.sizes.hidden)
    joined = g.add("Reshape", [rows, "state_shape"], "joined")
    inner = g.add("Tanh", [g.linear(model.inner, joined, "inner")], "inner.tanh")
    g.linear(model.outer, inner, "emissions")
    return _model(g, n_tags=model.outer.out_features)


def _token_vectors(g: _Graph, model: BiLstmCrf) -> str:
    """Word vectors beside the last states of the character BiLSTM: [B, T, D]."""
    steps, scales = quantise(model.word_table().numpy())
    whole = g.add("Gather", [g.constant("word.table", steps), "words"], "word.steps")
    scale = g.add("Gather", [g.constant("word.scales", scales), "words"], "word.scale")
    cast = g.add("Cast", [whole], "word.cast", to=TensorProto.FLOAT)
    word = g.add("Mul", [cast, scale], "word")
    rows = g.add("Reshape", ["chars", "row_shape"], "char.rows")
    lengths = _lengths(g, rows, "last_axis", "char.lengths")
    columns = g.add("Transpose", [rows], "char.columns", perm=[1, 0])
    spelled = g.add(
        "Gather", [g.constant("char.table", _numpy(model.char.weight)), columns], "char.vectors"
    )
    states = g.lstm(model.char_rnn, spelled, lengths, "char.rnn", last=True)
    flat = g.add("Transpose", [states], "char.flat", perm=[1, 0, 2])
    shape = g.add("Shape", ["words"], "shape")
    width = g.ints("char.width", 2 * model.sizes.char_hidden)
    target = g.add("Concat", [shape, width], "char.shape", axis=0)
    char = g.add("Reshape", [flat, target], "char")
    return g.add("Concat", [word, char], "tokens", axis=2)


def _model(g: _Graph, n_tags: int) -> onnx.ModelProto:
    info = helper.make_tensor_value_info
    graph = helper.make_graph(
        g.nodes,
        "bilstm_crf",
        [
            info("words", TensorProto.INT32, ["batch", "length"]),
            info("chars", TensorProto.INT32, ["batch", "length", MAX_CHARS]),
        ],
        [info("emissions", TensorProto.FLOAT, ["batch", "length", n_tags])],
        g.constants,
    )
    opsets = [helper.make_opsetid("", OPSET)]
    model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
    onnx.checker.check_model(model, full_check=True)
    return model


def manifest(run: Run, folder: Path, choice: Choice | None = None) -> dict[str, Any]:
    """The whole manifest: what the core needs, what serving needs, hashes and figures."""
    scored = run.out / "figures.json"
    figures = json.loads(scored.read_bytes()) if scored.exists() else {}
    chosen = {}
    if choice is not None:
        chosen = {"version": choice.version, "o_bias": choice.o_bias, "weight": choice.weight}
        figures = choice.figures or figures
    return {
        **run.manifest(),
        **chosen,
        "buckets": [b for b in BUCKETS if b < run.tagger.window] + [run.tagger.window],
        "inputs": [
            {"name": "words", "dtype": "INT32", "dims": [-1]},
            {"name": "chars", "dtype": "INT32", "dims": [-1, MAX_CHARS]},
        ],
        "output": {"name": "emissions", "dtype": "FP32"},
        "engine": {"cpu": "onnxruntime", "file": GRAPH, "onnx": GRAPH},
        "files": {name: manifests.sha256(folder / name) for name in (GRAPH, "vocabulary.json")},
        "sources": list(run.sources.train),
        "figures": figures,
    }


def export(run: Run, repository: Path, choice: Choice | None = None) -> Path:
    """Write a trained run into a Triton model repository; returns the model's folder.

    `<name>/1/model.onnx`, `<name>/vocabulary.json`, `<name>/manifest.json`.
    """
    assert isinstance(run.model, BiLstmCrf)
    folder = repository / run.tagger.name
    (folder / "1").mkdir(parents=True, exist_ok=True)
    run.resume()
    onnx.save(build(run.model), folder / GRAPH)
    (folder / "vocabulary.json").write_text(vocabulary.to_json(run.encoder), "utf-8")
    text = json.dumps(manifest(run, folder, choice), ensure_ascii=False, indent=1)
    (folder / manifests.FILE).write_text(_flat_numbers(text) + "\n", "utf-8")
    return folder


def _flat_numbers(text: str) -> str:
    """Lists of numbers on one line: a transition matrix is not read number by number."""
    return re.sub(
        r"\[\s+(-?[\d.e-]+(?:,\s+-?[\d.e-]+)*)\s+\]",
        lambda m: "[" + re.sub(r"\s+", " ", m[1]) + "]",
        text,
    )
