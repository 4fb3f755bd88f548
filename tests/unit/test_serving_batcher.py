"""The batcher's own rules, on an engine inside this process that answers as a function of a row.

What needs a real server (bytes, kills, contracts) is tested in tests/serving; here the answers
are held back and made to fail at will.
"""

import asyncio
import gc
import time
from pathlib import Path

import numpy as np
import pytest
from deadlines import soon
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_deid.errors import Halt, NoteRejected, Unavailable
from stream_deid.note import Window
from stream_deid.serving import wire
from stream_deid.serving.batcher import Scorer
from stream_deid.serving.client import ModelFailed
from stream_deid.serving.manifest import Engine, InputTensor, Manifest, OutputTensor

LABELS = ("O", "B-DATE", "I-DATE")
POISON = 666


def model(name="m", max_batch=8):
    return Manifest(
        name=name, version="1", kind="wordchar", languages=("en",), labels=LABELS, window=32,
        overlap=8, buckets=(8, 16, 32), max_batch=max_batch,
        inputs=(
            InputTensor("words", "INT32", (-1,), pad=0),
            InputTensor("chars", "INT32", (-1, 3), pad=7),
            InputTensor("mask", "FP32", (-1,), "mask"), InputTensor("n", "INT64", (1,), "lengths"),
        ),
        output=OutputTensor("scores", "FP32"), engine=Engine("onnxruntime", "x"), files={},
        build={}, directory=Path(), digest="",
    )  # fmt: skip


def window(length, seed=0, name="m"):
    words = (np.arange(length, dtype=np.int32) * 7 + seed + 1) % 1000
    at = np.arange(length, dtype=np.int32)
    chars = np.stack([words] * 3, axis=1)
    return Window(name, 0, {"words": words, "chars": chars}, at, at, 0, max(length, 1))


def expected(one: Window):
    words = one.inputs["words"].astype(np.float32)
    return np.stack([words, words * 2, words * 3], axis=1)


class Engine1:
    """Answers from the words alone; notes every batch; waits and fails as it is told."""

    def __init__(self, *models, delay=0.0):
        self.models = {m.name: m for m in models}
        self.batches = []
        self.delay = delay
        self.gate = None
        self.failure = None
        self.busy = self.most_busy = 0

    async def infer(self, name, arrays, deadline):
        assert deadline > time.monotonic() - 60
        self.batches.append((name, arrays["words"].shape))
        self.busy += 1
        self.most_busy = max(self.most_busy, self.busy)
        try:
            if self.gate is not None:
                await self.gate.wait()
            await asyncio.sleep(self.delay)
            if self.failure is not None:
                raise self.failure
            if (arrays["words"] == POISON).any():
                raise ModelFailed("triton.model-failed", "no")
        finally:
            self.busy -= 1
        words = arrays["words"].astype(np.float32)
        return np.stack([words, words * 2, words * 3], axis=2)


def run(work, engine, **options):
    async def inside():
        async with Scorer(engine, **options) as scorer:
            return await work(scorer)

    return asyncio.run(inside())


@settings(max_examples=40, deadline=None)
@given(
    st.lists(st.lists(st.tuples(st.integers(0, 32), st.integers(0, 99)), max_size=9), max_size=6),
    st.sampled_from([1, 3, 8]),
    st.sampled_from([1, 64, 4096]),
)
def test_everyone_gets_their_own_scores_in_order(callers, max_batch, max_tokens):
    notes = [[window(n, seed) for n, seed in caller] for caller in callers]

    async def work(scorer):
        found = await asyncio.gather(*(scorer.score(note, soon()) for note in notes))
        return found, scorer.tokens

    engine = Engine1(model(max_batch=max_batch))
    found, tokens = run(work, engine, max_tokens=max_tokens, linger_s=0.0005)
    assert tokens == 0
    for note, scores in zip(notes, found, strict=True):
        assert len(scores) == len(note)
        for one, array in zip(note, scores, strict=True):
            np.testing.assert_array_equal(array, expected(one))
    assert all(shape[0] <= max_batch and shape[1] in (8, 16, 32) for _, shape in engine.batches)


@given(st.lists(st.integers(1, 16), min_size=1, max_size=5))
def test_packing_pads_with_what_the_manifest_says(lengths):
    windows = [window(n, seed) for seed, n in enumerate(lengths)]
    arrays = wire.pack(model(), windows, 16)
    assert {k: v.dtype.name for k, v in arrays.items()} == {
        "words": "int32", "chars": "int32", "mask": "float32", "n": "int64",
    }  # fmt: skip
    for row, one in enumerate(windows):
        n = len(one)
        np.testing.assert_array_equal(arrays["words"][row, :n], one.inputs["words"])
        assert not arrays["words"][row, n:].any()
        assert (arrays["chars"][row, n:] == 7).all()
        assert arrays["mask"][row].tolist() == [1.0] * n + [0.0] * (16 - n)
        assert arrays["n"][row].tolist() == [n]


def test_rows_pile_up_while_the_engine_is_busy_and_leave_in_full_batches():
    engine = Engine1(model(), delay=0.02)

    async def work(scorer):
        await asyncio.gather(*(scorer.score([window(5, s)], soon()) for s in range(40)))

    run(work, engine, max_in_flight=2)
    assert engine.most_busy == 2
    assert [shape for _, shape in engine.batches] == [(8, 8)] * 5


def test_a_lone_window_waits_no_longer_than_the_linger():
    engine = Engine1(model())

    async def work(scorer):
        started = time.monotonic()
        await scorer.score([window(5)], soon())
        return time.monotonic() - started

    assert 0.02 <= run(work, engine, linger_s=0.02) < 0.5


def test_back_pressure_bounds_the_tokens_in_flight():
    engine = Engine1(model(max_batch=2), delay=0.001)
    peak = 0

    async def work(scorer):
        nonlocal peak

        async def watch():
            nonlocal peak
            while True:
                peak = max(peak, scorer.tokens)
                await asyncio.sleep(0)

        watcher = asyncio.create_task(watch())
        await asyncio.gather(*(scorer.score([window(30, s)] * 3, soon()) for s in range(8)))
        watcher.cancel()

    run(work, engine, max_tokens=100)
    assert 64 <= peak <= 100


def test_a_late_answer_is_unavailable_and_frees_its_room():
    engine = Engine1(model())

    async def work(scorer):
        engine.gate = asyncio.Event()
        with pytest.raises(Unavailable) as caught:
            await scorer.score([window(5), window(20)], soon(0.05))
        await asyncio.sleep(0)
        assert scorer.tokens == 0
        engine.gate.set()
        return caught.value.code, await scorer.score([window(6)], soon())

    code, scores = run(work, engine)
    assert code == "triton.timeout"
    np.testing.assert_array_equal(scores[0], expected(window(6)))


def test_a_deadline_in_the_past_is_unavailable_at_once():
    async def work(scorer):
        with pytest.raises(Unavailable):
            await scorer.score([window(5)], time.monotonic() - 1)

    run(work, Engine1(model()))


def test_a_cancelled_caller_does_not_disturb_the_others():
    engine = Engine1(model(), delay=0.01)

    async def work(scorer):
        first = asyncio.create_task(scorer.score([window(5, 1), window(9, 1)], soon()))
        second = asyncio.create_task(scorer.score([window(5, 2)], soon()))
        await asyncio.sleep(0.005)
        first.cancel()
        found = await second
        with pytest.raises(asyncio.CancelledError):
            await first
        await asyncio.sleep(0.03)
        return found, scorer.tokens

    found, tokens = run(work, engine)
    np.testing.assert_array_equal(found[0], expected(window(5, 2)))
    assert tokens == 0


@pytest.mark.parametrize("failure", [Unavailable("triton.unavailable", "x"), Halt("h", "x")])
def test_a_failed_batch_fails_its_callers_and_nobody_else(failure):
    engine = Engine1(model("m"), model("other"))
    real = engine.infer

    async def infer(name, arrays, deadline):
        if name == "other":
            raise failure
        return await real(name, arrays, deadline)

    engine.infer = infer

    async def work(scorer):
        return await asyncio.gather(
            scorer.score([window(5, 1)], soon()),
            scorer.score([window(5, 1), window(6, 1, "other")], soon()),
            scorer.score([window(6, 2, "other")] * 2, soon()),
            return_exceptions=True,
        )

    good, *bad = run(work, engine)
    np.testing.assert_array_equal(good[0], expected(window(5, 1)))
    assert [type(b) for b in bad] == [type(failure)] * 2


def test_the_row_that_breaks_the_model_is_found_and_only_its_note_rejected():
    engine = Engine1(model())
    notes = [[window(8, s), window(5, s)] for s in range(8)]
    notes[3][0].inputs["words"][2] = POISON

    async def work(scorer):
        return await asyncio.gather(
            *(scorer.score(note, soon()) for note in notes), return_exceptions=True
        )

    found = run(work, engine)
    assert isinstance(found[3], NoteRejected)
    for i in (0, 1, 2, 4, 5, 6, 7):
        np.testing.assert_array_equal(found[i][1], expected(notes[i][1]))


def test_a_model_that_fails_on_everything_rejects_no_note():
    engine = Engine1(model())
    engine.failure = ModelFailed("triton.stub-dead", "x")

    async def work(scorer):
        return await asyncio.gather(
            *(scorer.score([window(8, s)], soon()) for s in range(4)), return_exceptions=True
        )

    assert [type(f) for f in run(work, engine)] == [ModelFailed] * 4
    assert not isinstance(ModelFailed("a", "b"), NoteRejected)


def test_closing_fails_what_waits_and_asyncio_has_nothing_to_complain_of(caplog):
    engine = Engine1(model(max_batch=1))

    async def main():
        engine.gate = asyncio.Event()
        async with Scorer(engine, max_in_flight=1) as scorer:
            waiting = [asyncio.create_task(scorer.score([window(5, s)], soon())) for s in range(3)]
            await asyncio.sleep(0.02)
        return await asyncio.gather(*waiting, return_exceptions=True)

    assert [f.code for f in asyncio.run(main())] == ["scorer.closed"] * 3
    gc.collect()
    assert not caplog.records
