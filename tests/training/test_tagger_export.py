"""Each exported graph gives what the trained model gives, whatever the padding."""

from __future__ import annotations

import copy

import numpy as np
import pytest

torch = pytest.importorskip("torch")
ort = pytest.importorskip("onnxruntime")

from stream_deid.note import Window  # noqa: E402
from stream_deid.text.wordchar import MAX_CHARS, WordCharEncoder  # noqa: E402
from stream_deid.training.data.vocabulary import Inventory  # noqa: E402
from stream_deid.training.export.onnx_graph import quantise  # noqa: E402
from stream_deid.training.export.tagger import build  # noqa: E402
from stream_deid.training.models import bilstm, e2ej, skeleton  # noqa: E402
from stream_deid.training.models.bilstm import word_table  # noqa: E402
from stream_deid.training.run.tagger import emitter, to_batch  # noqa: E402

ENCODER = WordCharEncoder(["the", "Ana", "0000", "Smith", "seen"], "abcdefghinostSAm0123456789")
WORDS = ["Ana", "was", "seen", "on", "03", "/", "04", "/", "2019", "\n", "thanks", "x" * 60]


def _windows(lengths: list[int]) -> list[Window]:
    rng = np.random.default_rng(3)
    windows = []
    for n in lengths:
        words = [WORDS[i] for i in rng.integers(0, len(WORDS), n)]
        ids, chars = ENCODER.encode(words, rng.random(n) < 0.5)
        at = np.arange(n, dtype=np.int32)
        windows.append(Window("m", 0, {"words": ids, "chars": chars}, at, at + 1, 0, n))
    return windows


INVENTORY = Inventory(ENCODER, {"the": 9, "Ana": 3, "0000": 2, "Smith": 1, "seen": 1})
VECTORS = torch.randn(3 + len(ENCODER.words), 12, generator=torch.Generator().manual_seed(5))


def _bilstm(vectors):
    sizes = bilstm.BilstmSizes(word=14, char=6, char_hidden=5, hidden=9, head=8)
    return bilstm.BiLstmCrf(ENCODER, 7, sizes, vectors)


def _e2ej(**changed):
    sizes = e2ej.E2ejSizes(
        word=14, char=6, char_filters=5, hidden=9, filters=8, sensitive=7, **changed
    )
    return e2ej.E2ej(INVENTORY, 7, sizes, VECTORS)


def _skeleton(*branches, cell="gru"):
    sizes = skeleton.SkeletonSizes(word=9, hidden=8, cell=cell, kept=0.5, branches=branches)
    return skeleton.SkeletonRnn(INVENTORY, 7, sizes)


MODELS = {
    "bilstm-crf": lambda: _bilstm(None),
    "bilstm-crf-fixed-vectors": lambda: _bilstm(VECTORS),
    "e2ej": _e2ej,
    "e2e": lambda: _e2ej(joint=False),
    "e2ej-narrow": lambda: _e2ej(narrow=True),
    "ts-gru": lambda: _skeleton("text", "skeleton"),
    "bi-gru": lambda: _skeleton("text"),
    "bi-lstm": lambda: _skeleton("text", cell="lstm"),
}


@pytest.fixture(scope="module", params=MODELS)
def model(request):
    torch.manual_seed(5)
    return MODELS[request.param]().eval()


def _session(model):
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    return ort.InferenceSession(build(model).SerializeToString(), options)


def _run(session, arrays):
    wanted = {i.name for i in session.get_inputs()}
    return session.run(["emissions"], {k: v for k, v in arrays.items() if k in wanted})


def _padded(windows, width):
    words = np.zeros((len(windows), width), dtype=np.int32)
    chars = np.zeros((len(windows), width, MAX_CHARS), dtype=np.int32)
    for i, w in enumerate(windows):
        words[i, : len(w)], chars[i, : len(w)] = w.inputs["words"], w.inputs["chars"]
    return {"words": words, "chars": chars}


def test_padding_changes_nothing(model):
    session, windows = _session(model), _windows([1, 5, 17, 40, 0, 3])
    (padded,) = _run(session, _padded(windows, 64))
    assert padded.shape == (6, 64, 7)
    assert np.isfinite(padded).all()
    for row, window in zip(padded, windows, strict=True):
        if len(window):
            (alone,) = _run(session, _padded([window], len(window)))
            np.testing.assert_allclose(row[: len(window)], alone[0], atol=1e-5)


def test_parity_with_torch(model):
    windows = _windows([33, 2, 9, 33])
    expected = emitter(model)(windows)
    (scores,) = _run(_session(model), _padded(windows, 50))
    for row, window, want in zip(scores, windows, expected, strict=True):
        assert np.abs(want).max() > 0.05  # a dead graph would pass too
        np.testing.assert_allclose(row[: len(window)], want, atol=2e-2)  # 8-bit word vectors


def test_parity_is_exact_but_for_the_rounded_word_vectors(model):
    rounded = copy.deepcopy(model)
    for layer, name in _word_layers(rounded):
        steps, scales = quantise(word_table(getattr(layer, name)).numpy())
        setattr(layer, name, torch.nn.Embedding.from_pretrained(torch.from_numpy(steps * scales)))
    windows = _windows([21, 4])
    (scores,) = _run(_session(model), _padded(windows, 30))
    for row, window, want in zip(scores, windows, emitter(rounded)(windows), strict=True):
        np.testing.assert_allclose(row[: len(window)], want, atol=1e-5)


def _word_layers(model):
    if isinstance(model, skeleton.SkeletonRnn):
        return [(model.words, branch) for branch in model.sizes.branches]
    return [(model, "word")]


def test_distinct_tokens_of_a_batch_are_spelled_once():
    windows = _windows([40, 40])
    batch = to_batch(windows)
    spelled = batch.char_rows[batch.char_at]
    for i, window in enumerate(windows):
        assert (spelled[i, : len(window)].numpy() == window.inputs["chars"]).all()
    assert len(batch.char_rows) <= 2 * len(WORDS) + 1
