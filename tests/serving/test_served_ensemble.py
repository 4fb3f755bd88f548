"""The ensembles of `profile` on a real Triton: their votes, and a whole note."""

import asyncio
import re
import time

import orjson
import pytest
from test_triton_models import REPO, texts

from stream_deid import config
from stream_deid.detect.neural import ensemble
from stream_deid.detect.neural.decoding import Reading
from stream_deid.detect.neural.model_windows import windows
from stream_deid.processor import Processor
from stream_deid.serving import manifest
from stream_deid.serving.build import cpu as build
from stream_deid.serving.service import serving
from stream_deid.training.run import engines

NOTES = 6
VOTERS = {
    "nference": {
        "bert_en.name", "bert_en.name.normalised", "bilstm_crf_en.name", "bert_en.location",
        "bilstm_crf_en.location", "bert_en.organization",
    },
    "nference-heads": {
        "nference_en.names-a", "nference_en.names-b", "nference_en.names-titled-a",
        "nference_en.locations-a", "nference_en.rest-b",
    },
}  # fmt: skip
TRITON = config.Triton(repository=str(REPO), request_timeout_s=60.0)


def built(names):
    for name in names:
        build.build(REPO, name)
    return [manifest.load(REPO, name) for name in names]


def emitter(model):
    folder = model.directory / "1"
    if model.inputs[0].name == "input_ids":
        return engines.openvino_emitter(folder / "model.xml", model.inputs[0].pad, model.buckets)
    return engines.onnx_emitter(folder / "model.onnx")


@pytest.mark.parametrize("profile", VOTERS)
def test_votes_through_triton_are_those_of_the_engines_in_this_process(profile):
    made = ensemble.shipped(profile)["en"]
    models = built(made.models)
    specs = made.prepared([manifest.model_spec(model) for model in models])
    notes = texts("en", NOTES)
    cut = [[windows(spec, 0, text) for spec in specs] for text in notes]

    async def served():
        async with serving(TRITON, made.models, startup_s=300.0) as service:
            deadline = time.monotonic() + 300
            return [[await service.scorer.score(ws, deadline) for ws in of] for of in cut]

    emitters = [emitter(model) for model in models]
    detectors = set()
    for text, of, scores in zip(notes, cut, asyncio.run(served()), strict=True):
        alone = [emit(ws) for emit, ws in zip(emitters, of, strict=True)]
        through, here = (
            made.decode(text, [Reading(*one) for one in zip(specs, of, said, strict=True)])
            for said in (scores, alone)
        )
        assert [(d.start, d.end, d.detector, d.label) for d in through] == [
            (d.start, d.end, d.detector, d.label) for d in here
        ]
        detectors |= {d.detector.partition("@")[0] for d in through}
    assert VOTERS[profile] <= detectors


@pytest.mark.parametrize(
    ("profile", "again"),
    [("nference", "bert_en.name.normalised"), ("nference-heads", "nference_en.names-titled-a")],
)
def test_a_worker_of_this_profile_hides_by_the_votes_of_models_by_entity(profile, again):
    names = ensemble.shipped(profile)["en"].models
    settings = config.with_a_key(
        config.Settings(profile=profile, triton=TRITON, models={"en": names})
    )
    message = {"note_id": "1", "patient_id": "1", "text": "Seen by ROSA MARTINEZ in Lima, Ohio.\n"}

    models = built(names)

    async def handled():
        processor = await Processor.open(settings)
        try:
            return await processor.handle(orjson.dumps(message), {}, "json")
        finally:
            await processor.close()

    released = asyncio.run(handled())
    audit = orjson.loads(released.audit)
    voters = {one.partition("@")[0] for span in audit["spans"] for one in span["detectors"]}
    assert again in voters
    assert {one for one in voters if ".location" in one}
    assert not re.search(rb"\b(?:ROSA|MARTINEZ)\b", released.note)
    assert audit["coverage"]["models"] == [f"{one.name}@{one.version}" for one in models]
