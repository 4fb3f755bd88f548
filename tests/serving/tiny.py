"""Small real models, made on the spot: a BiLSTM tagger and a one-layer BERT, random weights.

They have the tensors and the engines of the served ones, so that a test of the server moves real
arrays through real engines in seconds. Never part of `triton_models`.
"""

from pathlib import Path

import numpy as np
import orjson
from onnx import TensorProto as T
from onnx import checker, helper, numpy_helper, save

from stream_deid.note import Window
from stream_deid.serving import manifest
from stream_deid.serving.build import config_pbtxt

MODELS = {"tiny_lstm": "wordchar", "tiny_bert": "subword"}
LABELS = ["O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE"]
WORDS, CHARS, WIDTH = 300, 60, 24
BUCKETS = [16, 32, 64]


def _weights(seed, **shapes):
    rng = np.random.default_rng(seed)
    return [
        numpy_helper.from_array(
            (rng.standard_normal(shape) / np.sqrt(shape[-1])).astype(np.float32), name
        )
        for name, shape in shapes.items()
    ]


def _save(path, nodes, inputs, constants):
    infos = [helper.make_tensor_value_info(n, t, s) for n, t, s in inputs]
    out = helper.make_tensor_value_info("scores", T.FLOAT, ["b", "s", len(LABELS)])
    graph = helper.make_graph(nodes, "tiny", infos, [out], constants)
    model = helper.make_model(graph, opset_imports=[helper.make_opsetid("", 17)], ir_version=9)
    checker.check_model(model)
    path.parent.mkdir(parents=True, exist_ok=True)
    save(model, str(path))


def bilstm(path: Path, seed: int = 0, hidden: int = 24) -> None:
    """Words and mean of characters, a bidirectional LSTM over the mask's length, a projection."""
    n, embed = helper.make_node, 16
    constants = _weights(
        seed, we=(WORDS, embed), ce=(CHARS, 8), W=(2, 4 * hidden, embed + 8),
        R=(2, 4 * hidden, hidden), B=(2, 8 * hidden), O=(2 * hidden, len(LABELS)),
    )  # fmt: skip
    constants += [
        numpy_helper.from_array(np.array([0, 0, 2 * hidden], np.int64), "flat"),
        numpy_helper.from_array(np.array([1], np.int64), "axis"),
    ]
    nodes = [
        n("Gather", ["we", "words"], ["w"]),
        n("Gather", ["ce", "chars"], ["c"]),
        n("ReduceMean", ["c"], ["cm"], axes=[2], keepdims=0),
        n("Concat", ["w", "cm"], ["x"], axis=2),
        n("Transpose", ["x"], ["xt"], perm=[1, 0, 2]),
        n("ReduceSum", ["mask", "axis"], ["lengths"], keepdims=0),
        n("LSTM", ["xt", "W", "R", "B", "lengths"], ["y"], hidden_size=hidden,
          direction="bidirectional"),
        n("Transpose", ["y"], ["y1"], perm=[2, 0, 1, 3]),
        n("Reshape", ["y1", "flat"], ["y2"]),
        n("MatMul", ["y2", "O"], ["scores"]),
    ]  # fmt: skip
    inputs = [
        ("words", T.INT32, ["b", "s"]),
        ("chars", T.INT32, ["b", "s", WIDTH]),
        ("mask", T.INT32, ["b", "s"]),
    ]
    _save(path, nodes, inputs, constants)


def bert(path: Path, seed: int = 0, width: int = 32) -> None:
    """One layer of masked self-attention with a residual and a feed-forward part."""
    n = helper.make_node
    constants = _weights(
        seed, e=(WORDS, width), q=(width, width), k=(width, width), v=(width, width),
        f=(width, 2 * width), g=(2 * width, width), O=(width, len(LABELS)),
    )  # fmt: skip
    constants += [
        numpy_helper.from_array(np.array([1, 2], np.int64), "axes"),
        numpy_helper.from_array(np.array(1, np.float32), "one"),
        numpy_helper.from_array(np.array(-1e4, np.float32), "low"),
        numpy_helper.from_array(np.array([1], np.int64), "ax1"),
    ]
    nodes = [
        n("Gather", ["e", "input_ids"], ["x"]),
        n("MatMul", ["x", "q"], ["Q"]),
        n("MatMul", ["x", "k"], ["K"]),
        n("MatMul", ["x", "v"], ["V"]),
        n("Transpose", ["K"], ["Kt"], perm=[0, 2, 1]),
        n("MatMul", ["Q", "Kt"], ["a"]),
        n("Cast", ["attention_mask"], ["m"], to=T.FLOAT),
        n("Sub", ["one", "m"], ["inv"]),
        n("Mul", ["inv", "low"], ["bias"]),
        n("Unsqueeze", ["bias", "ax1"], ["bias3"]),
        n("Add", ["a", "bias3"], ["am"]),
        n("Softmax", ["am"], ["p"], axis=-1),
        n("MatMul", ["p", "V"], ["att"]),
        n("Add", ["x", "att"], ["h"]),
        n("MatMul", ["h", "f"], ["h1"]),
        n("Relu", ["h1"], ["h2"]),
        n("MatMul", ["h2", "g"], ["h3"]),
        n("Add", ["h", "h3"], ["h4"]),
        n("MatMul", ["h4", "O"], ["scores"]),
    ]
    inputs = [("input_ids", T.INT64, ["b", "s"]), ("attention_mask", T.INT64, ["b", "s"])]
    constants = [c for c in constants if c.name != "axes"]
    _save(path, nodes, inputs, constants)


KINDS = {
    "wordchar": (
        bilstm,
        "onnxruntime",
        [
            {"name": "words", "dtype": "INT32", "dims": [-1]},
            {"name": "chars", "dtype": "INT32", "dims": [-1, WIDTH]},
            {"name": "mask", "dtype": "INT32", "dims": [-1], "role": "mask"},
        ],
    ),
    "subword": (
        bert,
        "openvino",
        [
            {"name": "input_ids", "dtype": "INT64", "dims": [-1]},
            {"name": "attention_mask", "dtype": "INT64", "dims": [-1], "role": "mask"},
        ],
    ),
}


def add_model(repo: Path, name: str, kind: str, seed: int = 0, **changes) -> dict:
    """Write one model with its manifest and generated configurations; returns the manifest."""
    build, engine, inputs = KINDS[kind]
    build(repo / name / "1" / "model.onnx", seed)
    body = {
        "name": name, "version": "1", "kind": kind, "languages": ["en"], "labels": LABELS,
        "window": 64, "overlap": 16, "buckets": BUCKETS, "max_batch": 32, "inputs": inputs,
        "output": {"name": "scores", "dtype": "FP32"},
        "engine": {"cpu": engine, "file": "1/model.onnx"},
        "files": {"1/model.onnx": manifest.sha256(repo / name / "1" / "model.onnx")},
        **changes,
    }  # fmt: skip
    (repo / name / manifest.FILE).write_bytes(orjson.dumps(body))
    config_pbtxt.write_all(repo)
    return body


def window(model: str, kind: str, length: int, seed: int) -> Window:
    """A window of random tokens."""
    rng = np.random.default_rng([seed, length])
    if kind == "wordchar":
        inputs = {
            "words": rng.integers(1, WORDS, length).astype(np.int32),
            "chars": rng.integers(1, CHARS, (length, WIDTH)).astype(np.int32),
        }
    else:
        inputs = {
            "input_ids": rng.integers(1, WORDS, length),
            "attention_mask": np.ones(length, np.int64),
        }
    at = np.arange(length, dtype=np.int32)
    return Window(model, 0, inputs, at * 2, at * 2 + 1, 0, 2 * length)
