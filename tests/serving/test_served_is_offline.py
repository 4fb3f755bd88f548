"""What the server finds is what the exported graph finds in this process: no vote is lost."""

import asyncio
import json
import time

import numpy as np
import onnxruntime
import pytest
from test_triton_models import REPO, texts

from stream_deid.config import Triton
from stream_deid.detect.neural.decoding import Reading, decode
from stream_deid.detect.neural.model_windows import windows
from stream_deid.serving import manifest
from stream_deid.serving.service import serving

NOTES = 12


@pytest.mark.parametrize("name", ["bilstm_crf_en", "bilstm_crf_es", "ts_gru_es", "e2ej_es"])
def test_detections_through_triton_are_those_of_the_exported_graph(name):
    model = manifest.load(REPO, name)
    known = manifest.model_spec(model)
    notes = texts(model.languages[0], NOTES)
    cut = [windows(known, 0, text) for text in notes]
    session = onnxruntime.InferenceSession(str(model.directory / model.engine.file))

    wanted = [tensor.name for tensor in session.get_inputs()]

    def alone(window):
        """Unpadded, in a batch of its own: the plainest way to score."""
        return session.run(None, {k: window.inputs[k][None] for k in wanted})[0][0]

    async def served():
        async with serving(Triton(repository=str(REPO)), [name]) as service:
            deadline = time.monotonic() + 120
            return [await service.scorer.score(ws, deadline) for ws in cut]

    found = 0
    for text, ws, scores in zip(notes, cut, asyncio.run(served()), strict=True):
        plain = [alone(w) for w in ws]
        for one, other in zip(scores, plain, strict=True):
            np.testing.assert_allclose(one, other, atol=1e-3)
        through = [(d.start, d.end, d.label) for d in decode(text, [Reading(known, ws, scores)])]
        offline = [(d.start, d.end, d.label) for d in decode(text, [Reading(known, ws, plain)])]
        assert through == offline
        found += len(through)
    assert found > 100, json.dumps({"found": found})
