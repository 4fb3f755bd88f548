"""ONNX graphs written operator by operator, for the models that read words and characters.

Batch and length are dynamic. ONNX's recurrent operators take each row's length, so a padded row
gives the same scores as the row alone; lengths are read from the inputs (0 is padding in both).
Word vectors are stored in 8 bits with a scale for each word.

Inputs `words` int32 [B, T] and, where they are read, `chars` int32 [B, T, C]; output `emissions`
float32 [B, T, L].
"""

from __future__ import annotations

from typing import Any

import numpy as np
import onnx
from numpy.typing import NDArray
from onnx import TensorProto, helper
from torch import Tensor, nn

from stream_deid.serving.build.nodes import Nodes
from stream_deid.text.wordchar import MAX_CHARS
from stream_deid.training.models.recurrent import BiRnn

OPSET = 17
IR_VERSION = 8
_GATES = {"LSTM": (0, 3, 1, 2), "GRU": (1, 0, 2)}
"""Torch keeps the gates as input, forget, cell, output (LSTM) and reset, update, new (GRU); ONNX as
input, output, forget, cell and update, reset, hidden."""

INPUTS: dict[str, list[int]] = {"words": [], "chars": [MAX_CHARS]}

Array = NDArray[Any]


class Graph(Nodes):
    """With the constants that recurrent layers ask for."""

    def __init__(self) -> None:
        super().__init__()
        self.constant("zero", np.array(0, dtype=np.int32))
        self.constant("one", np.array(1, dtype=np.int32))
        self.ints("last_axis", -1)
        self.ints("row_shape", -1, MAX_CHARS)

    def ints(self, name: str, *values: int) -> str:
        """A constant of whole numbers, as shapes and axes want them."""
        return self.constant(name, np.array(values, dtype=np.int64))

    def recurrent(self, rnn: BiRnn, x: str, lengths: str, name: str, *, last: bool) -> str:
        """States [T, 2, N, H] of `x` [T, N, D], or with `last` each direction's last [2, N, H]."""
        return self._recurrent([rnn.forwards, rnn.backwards], x, lengths, name, last=last)

    def one_way(self, layer: nn.LSTM | nn.GRU, x: str, name: str) -> str:
        """The last state [N, H] of one direction over whole rows `x` [T, N, D]."""
        states = self._recurrent([layer], x, "", name, last=True)
        return self.op("Squeeze", [states, self.ints(f"{name}.axis", 0)], f"{name}.state")

    def _recurrent(
        self, layers: list[nn.LSTM | nn.GRU], x: str, lengths: str, name: str, *, last: bool
    ) -> str:
        operator = "GRU" if isinstance(layers[0], nn.GRU) else "LSTM"
        weights = zip("WRB", _weights(layers, operator), strict=True)
        inputs = [x, *(self.constant(f"{name}.{k}", v) for k, v in weights), lengths]
        outputs = ["", f"{name}.h"] if last else [f"{name}.y"]
        direction = "bidirectional" if len(layers) > 1 else "forward"
        extra: dict[str, Any] = {"linear_before_reset": 1} if operator == "GRU" else {}
        self.nodes.append(
            helper.make_node(
                operator, inputs, outputs, name=name, direction=direction,
                hidden_size=layers[0].hidden_size, **extra,
            )
        )  # fmt: skip
        return outputs[-1]

    def rows(self, states: str, size: int, name: str) -> str:
        """States [T, 2, N, H] as [N, T, 2 * H]; `size` is H."""
        turned = self.op("Transpose", [states], f"{name}.turned", perm=[2, 0, 1, 3])
        return self.op("Reshape", [turned, self.ints(f"{name}.shape", 0, 0, 2 * size)], name)

    def linear(self, layer: nn.Linear, x: str, name: str) -> str:
        """A linear layer over the last axis."""
        weight = self.constant(f"{name}.weight", array(layer.weight).T)
        bias = self.constant(f"{name}.bias", array(layer.bias))
        return self.op("Add", [self.op("MatMul", [x, weight], f"{name}.product"), bias], name)

    def convolution(self, layer: nn.Conv1d, x: str, name: str) -> str:
        """Tanh of a convolution over the last axis of `x` [N, D, T] that keeps its length."""
        weight = self.constant(f"{name}.weight", array(layer.weight))
        bias = self.constant(f"{name}.bias", array(layer.get_parameter("bias")))
        out = self.op("Conv", [x, weight, bias], f"{name}.conv", auto_pad="SAME_UPPER")
        return self.op("Tanh", [out], name)

    def lengths(self, ids: str, axis: str, name: str) -> str:
        """How many of `ids` along `axis` are not padding, at least 1, int32."""
        some = self.op("Greater", [ids, "zero"], f"{name}.some")
        ones = self.op("Cast", [some], f"{name}.ones", to=TensorProto.INT32)
        count = self.op("ReduceSum", [ones, axis], f"{name}.count", keepdims=0)
        return self.op("Max", [count, "one"], name)

    def vectors(self, table: NDArray[np.float32], ids: str, name: str) -> str:
        """Rows of a table, kept in 8 bits, by id."""
        steps, scales = quantise(table)
        whole = self.op("Gather", [self.constant(f"{name}.table", steps), ids], f"{name}.steps")
        scale = self.op("Gather", [self.constant(f"{name}.scales", scales), ids], f"{name}.scale")
        cast = self.op("Cast", [whole], f"{name}.cast", to=TensorProto.FLOAT)
        return self.op("Mul", [cast, scale], name)

    def per_token(self, flat: str, width: int, name: str) -> str:
        """What was computed for each token [B * T, width] as [B, T, width]."""
        shape = self.op("Shape", ["words"], f"{name}.words")
        wide = self.op("Concat", [shape, self.ints(f"{name}.width", width)], f"{name}.to", axis=0)
        return self.op("Reshape", [flat, wide], name)

    def model(self, name: str, n_tags: int) -> onnx.ModelProto:
        """The checked model; its nodes have made `emissions`."""
        info = helper.make_tensor_value_info
        used = {name for node in self.nodes for name in node.input}
        graph = helper.make_graph(
            self.nodes,
            name,
            [
                info(name, TensorProto.INT32, ["batch", "length", *more])
                for name, more in INPUTS.items()
                if name in used
            ],
            [info("emissions", TensorProto.FLOAT, ["batch", "length", n_tags])],
            [constant for constant in self.constants if constant.name in used],
        )
        opsets = [helper.make_opsetid("", OPSET)]
        model = helper.make_model(graph, opset_imports=opsets, ir_version=IR_VERSION)
        onnx.checker.check_model(model, full_check=True)
        return model


def array(parameter: Tensor) -> NDArray[np.float32]:
    """A parameter as numbers."""
    return parameter.detach().numpy().astype(np.float32)


def quantise(table: NDArray[np.float32]) -> tuple[NDArray[np.int8], NDArray[np.float32]]:
    """Rows [V, D] as whole steps of -127 to 127 with one scale a row [V, 1]."""
    scales = np.maximum(np.abs(table).max(1, keepdims=True) / 127, 1e-8).astype(np.float32)
    return np.rint(table / scales).astype(np.int8), scales


def _weights(layers: list[nn.LSTM | nn.GRU], operator: str) -> tuple[Array, Array, Array]:
    order = _GATES[operator]

    def gates(layer: nn.Module, name: str) -> Array:
        parts = np.split(array(layer.get_parameter(name)), len(order))
        return np.concatenate([parts[i] for i in order])

    w = np.stack([gates(one, "weight_ih_l0") for one in layers])
    r = np.stack([gates(one, "weight_hh_l0") for one in layers])
    biases = ("bias_ih_l0", "bias_hh_l0")
    b = np.stack([np.concatenate([gates(one, bias) for bias in biases]) for one in layers])
    return w, r, b
