"""The BiLSTM-CRF as an ONNX graph; a trunk's projection is folded into the word vectors."""

from __future__ import annotations

import onnx

from stream_deid.training.export.onnx_graph import Graph, array
from stream_deid.training.models.bilstm import BiLstmCrf


def build(model: BiLstmCrf) -> onnx.ModelProto:
    """The emissions of `model` (without its CRF) as a checked ONNX model."""
    g = Graph()
    tokens = _token_vectors(g, model)
    lengths = g.lengths("words", "last_axis", "lengths")
    timed = g.op("Transpose", [tokens], "timed", perm=[1, 0, 2])
    states = g.recurrent(model.rnn, timed, lengths, "rnn", last=False)
    joined = g.rows(states, model.sizes.hidden, "joined")
    inner = g.op("Tanh", [g.linear(model.inner, joined, "inner")], "inner.tanh")
    g.linear(model.outer, inner, "emissions")
    return g.model("bilstm_crf", model.outer.out_features)


def _token_vectors(g: Graph, model: BiLstmCrf) -> str:
    """Word vectors beside the last states of the character BiLSTM: [B, T, D]."""
    word = g.vectors(model.word_table().numpy(), "words", "word")
    rows = g.op("Reshape", ["chars", "row_shape"], "char.rows")
    lengths = g.lengths(rows, "last_axis", "char.lengths")
    columns = g.op("Transpose", [rows], "char.columns", perm=[1, 0])
    table = g.constant("char.table", array(model.char.weight))
    spelled = g.op("Gather", [table, columns], "char.vectors")
    states = g.recurrent(model.char_rnn, spelled, lengths, "char.rnn", last=True)
    flat = g.op("Transpose", [states], "char.flat", perm=[1, 0, 2])
    char = g.per_token(flat, 2 * model.sizes.char_hidden, "char")
    return g.op("Concat", [word, char], "tokens", axis=2)
