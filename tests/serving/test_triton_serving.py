"""The client and the batcher against a real Triton server with small real models."""

import asyncio
import time
from dataclasses import replace

import numpy as np
import pytest
import tiny
from deadlines import soon

from stream_deid.config import Triton
from stream_deid.errors import Halt, NoteRejected, Unavailable
from stream_deid.serving import manifest, service, wire
from stream_deid.serving.client import Client
from stream_deid.serving.local.server import stub_pids
from stream_deid.serving.service import serving


def mixed(seeds):
    return [
        tiny.window(name, kind, length, seed)
        for seed in seeds
        for name, kind in tiny.MODELS.items()
        for length in (1, 7, 16, 17, 40, 64)
    ]


def run(settings, work, models=tuple(tiny.MODELS)):
    async def inside():
        async with serving(settings, models) as service:
            return await work(service)

    return asyncio.run(inside())


def same(left, right):
    return [a.tobytes() for a in left] == [b.tobytes() for b in right]


def test_scores_are_those_of_the_engine_itself(settings, repo):
    """What comes back through Triton is what onnxruntime gives for the bare window."""
    onnxruntime = pytest.importorskip("onnxruntime")
    session = onnxruntime.InferenceSession(str(repo / "tiny_lstm/1/model.onnx"))
    windows = [tiny.window("tiny_lstm", "wordchar", n, 3) for n in (1, 9, 33, 64)]

    async def work(service):
        return await service.scorer.score(windows, soon())

    for window, scores in zip(windows, run(settings, work), strict=True):
        arrays = {k: v[None] for k, v in window.inputs.items()}
        arrays["mask"] = np.ones_like(arrays["words"])
        expected = session.run(None, arrays)[0][0]
        assert scores.shape == (len(window), len(tiny.LABELS))
        assert scores.dtype == np.float32
        np.testing.assert_allclose(scores, expected, atol=1e-5)


def test_scores_do_not_depend_on_what_shares_the_batch(settings):
    """Alone, together, in another order, by many callers: the same bytes."""
    windows = mixed(range(8))

    async def work(service):
        score = service.scorer.score
        alone = [(await score([w], soon()))[0] for w in windows[:24]]
        together = await score(windows, soon())
        backwards = (await score(windows[::-1], soon()))[::-1]
        callers = await asyncio.gather(
            *(score(windows[i : i + 5], soon()) for i in range(0, len(windows), 5))
        )
        return alone, together, backwards, [s for found in callers for s in found]

    alone, together, backwards, callers = run(settings, work)
    assert same(alone, together[:24])
    assert same(backwards, together)
    assert same(callers, together)
    assert not same(together[:12], together[12:24])  # other windows, other scores


def test_the_servers_own_rows_are_independent(settings):
    async def work(service):
        return [await service.client.independent(name, soon()) for name in tiny.MODELS]

    assert run(settings, work) == [True, True]


def test_windows_of_many_callers_share_batches(settings):
    windows = [tiny.window("tiny_lstm", "wordchar", 12, seed) for seed in range(64)]

    async def work(service):
        sent = []
        attempt = service.client._attempt

        async def counted(name, arrays, timeout_s):
            sent.append(len(next(iter(arrays.values()))))
            return await attempt(name, arrays, timeout_s)

        service.client._attempt = counted
        await asyncio.gather(*(service.scorer.score([w], soon()) for w in windows))
        return sent

    sent = run(settings, work)
    assert sum(sent) == 64
    assert len(sent) <= 4


def test_a_window_that_the_model_cannot_take_rejects_its_note_alone(settings):
    """A word id beyond the vocabulary fails the batch; the other callers get their scores."""
    good = [tiny.window("tiny_lstm", "wordchar", 20, seed) for seed in range(9)]
    poison = tiny.window("tiny_lstm", "wordchar", 20, 99)
    poison.inputs["words"][3] = tiny.WORDS + 5

    async def work(service):
        expected = await service.scorer.score(good, soon())
        results = await asyncio.gather(
            *(service.scorer.score([w], soon()) for w in [*good, poison]), return_exceptions=True
        )
        return expected, results

    expected, results = run(settings, work)
    assert isinstance(results[-1], NoteRejected)
    assert results[-1].code == "model.failed"
    assert same([r[0] for r in results[:-1]], expected)


def test_a_window_that_is_not_as_the_manifest_says_halts(settings):
    async def work(service):
        for window, code in [
            (tiny.window("tiny_lstm", "wordchar", 65, 0), "window.too-long"),
            (replace(tiny.window("tiny_lstm", "wordchar", 5, 0), model="other"), "window.model"),
            (replace(tiny.window("tiny_lstm", "wordchar", 5, 0), inputs={}), "window.input"),
        ]:
            with pytest.raises(Halt) as caught:
                await service.scorer.score([window], soon())
            assert caught.value.code == code

    run(settings, work)


def test_an_empty_window_needs_no_server(settings):
    window = tiny.window("tiny_bert", "subword", 0, 0)

    async def work(service):
        return await service.scorer.score([window], soon())

    assert run(settings, work)[0].shape == (0, len(tiny.LABELS))


def test_no_server_is_unavailable_within_the_deadline(repo, unused_port):
    async def work():
        model = manifest.load(repo, "tiny_bert")
        async with Client(f"127.0.0.1:{unused_port}", {"tiny_bert": model}) as client:
            started = time.monotonic()
            with pytest.raises(Unavailable) as caught:
                await client.infer("tiny_bert", wire.probe_arrays(model), soon(0.7))
            return caught.value.code, time.monotonic() - started, await client.contact()

    code, took, contact = asyncio.run(work())
    assert contact.silent_s > 0.5
    assert contact.retries["triton.unavailable"] >= 2
    assert contact.by_model == {"tiny_bert": contact.silent_s}
    assert code in {"triton.unavailable", "triton.timeout"}
    assert 0.5 < took < 3


def test_a_wrong_address_is_told_while_it_is_waited_for(repo, unused_port, caplog, monkeypatch):
    monkeypatch.setattr(service, "TELL_S", 0.2)
    settings = Triton(url=f"127.0.0.1:{unused_port}", repository=str(repo))

    async def work():
        async with service.serving(settings, ["tiny_lstm"], startup_s=1.0):
            raise AssertionError("it must not come up")

    with pytest.raises(Unavailable, match=settings.url):  # the log of a worker keeps no arguments
        asyncio.run(work())
    told = [one.ours for one in caplog.records if hasattr(one, "ours")]
    assert told
    assert {(one["event"], one["url"]) for one in told} == {("waiting_for_triton", settings.url)}


def test_a_server_with_other_tensors_halts(settings, tmp_path):
    tiny.add_model(tmp_path, "tiny_lstm", "wordchar", labels=[*tiny.LABELS, "B-AGE", "I-AGE"])

    with pytest.raises(Halt) as caught:
        asyncio.run(_enter(replace(settings, repository=str(tmp_path)), ["tiny_lstm"]))
    assert caught.value.code == "triton.contract"


async def _enter(settings, models):
    async with serving(settings, models, startup_s=5.0):
        raise AssertionError("it must not come up")


def test_health_is_a_real_inference(settings, server):
    async def work(service):
        return await service.client.healthy()

    assert run(settings, work) == dict.fromkeys(tiny.MODELS, True)
    assert sorted(stub_pids(server.pid)) == sorted(tiny.MODELS)


def test_a_server_slower_than_the_first_timeout_is_given_more_time(settings):
    """An attempt that is too short is not repeated for ever: each timeout doubles the next."""

    async def work(service):
        model = service.manifests["tiny_bert"]
        impatient = Client(settings.url, {"tiny_bert": model}, request_timeout_s=0.0002)
        async with impatient:
            return await impatient.infer("tiny_bert", wire.probe_arrays(model), soon())

    assert run(settings, work).shape == (1, tiny.BUCKETS[0], len(tiny.LABELS))
