"""`kill -9` of a model's process, of the server, of its supervisor and of its parent."""

import asyncio
import os
import signal
import socket
import subprocess
import sys
import textwrap
import time
from pathlib import Path

import psutil
import pytest
import tiny
from onnxruntime.quantization import quantize_dynamic
from sleeping import asleep

from stream_deid.config import Triton
from stream_deid.errors import Halt
from stream_deid.serving import manifest
from stream_deid.serving.local import supervisor
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer, stub_pids
from stream_deid.serving.local.supervisor import SHM
from stream_deid.serving.service import serving


def windows():
    return [
        tiny.window(name, kind, length, seed)
        for seed in range(12)
        for name, kind in tiny.MODELS.items()
        for length in (5, 16, 17, 64)
    ]


def regions():
    """What anybody can see of our servers' shared memory."""
    return sorted(path.name for path in SHM.glob("stream_deid_*"))


@pytest.mark.parametrize("victim", ["tiny_bert", "tiny_lstm", "server"])
@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT, signal.SIGSEGV, signal.SIGTERM])
def test_a_kill_in_mid_stream_heals_and_no_wrong_score_comes_back(repo, victim, number):
    work = windows()

    async def score_all(service):
        deadline = time.monotonic() + 60
        return await asyncio.gather(
            *(service.scorer.score(work[i : i + 8], deadline) for i in range(0, len(work), 8))
        )

    async def stream(service, found, begun, enough):
        """Rounds without a pause, until there are as many as `enough` holds."""
        while not enough or len(found) < enough[0]:
            found.append(await score_all(service))
            begun.set()

    async def main():
        settings = Triton(repository=str(repo), threads=1, request_timeout_s=5.0)
        async with serving(settings, list(tiny.MODELS)) as service:
            expected = await score_all(service)
            old, found, begun, enough = service.server.pid, [], asyncio.Event(), []
            running = asyncio.create_task(stream(service, found, begun, enough))
            await begun.wait()
            os.kill(old if victim == "server" else stub_pids(old)[victim], number)
            enough.append(len(found) + 3)
            await running
            deadline = time.monotonic() + 60  # one that writes its stack first takes a while
            while await service.client.healthy() != dict.fromkeys(tiny.MODELS, True):
                assert time.monotonic() < deadline
                await asyncio.sleep(0.2)
            found.append(await score_all(service))
            if number is signal.SIGKILL:  # Triton and its stubs live through some of the others
                assert service.server.pid != old  # a model's process takes its server along
            assert service.scorer.tokens == 0
            return expected, found

    expected, found = asyncio.run(main())
    flat = [s.tobytes() for group in expected for s in group]
    for again in found:
        assert [s.tobytes() for group in again for s in group] == flat
    assert regions() == []


def test_a_server_that_slept_goes_on_and_no_wrong_score_comes_back(repo):
    """Stopped for longer than a request may take: requests are asked again until it wakes."""
    work = windows()

    async def main():
        settings = Triton(repository=str(repo), threads=1, request_timeout_s=2.0)
        async with serving(settings, list(tiny.MODELS)) as service:
            deadline = time.monotonic() + 60
            expected = await service.scorer.score(work, deadline)
            with asleep(service.server):
                asked = asyncio.create_task(service.scorer.score(work, time.monotonic() + 60))
                await asyncio.sleep(8)
                assert not asked.done()
            assert [s.tobytes() for s in await asked] == [s.tobytes() for s in expected]
            assert service.scorer.tokens == 0

    asyncio.run(main())


def processes_of(server):
    supervisor = psutil.Process(server._process.pid)
    return [supervisor, *supervisor.children(recursive=True)]


def gone(processes, seconds=15.0):
    _, alive = psutil.wait_procs(processes, timeout=seconds)
    return not alive


def test_stop_leaves_no_process_and_no_shared_memory(repo):
    with LocalServer(repo, ["tiny_lstm"], threads=1) as server:
        family = processes_of(server)
        assert len(family) == 3  # supervisor, server, the model's stub
    assert gone(family, 1.0)
    assert regions() == []
    assert not server.work.exists()
    server.stop()  # a second time does nothing


def test_the_server_dies_with_a_parent_that_was_killed(repo, tmp_path):
    """The parent can do nothing when it is killed: the supervisor sees the end of the pipe."""
    script = textwrap.dedent(
        """
        import sys, time
        from pathlib import Path
        from stream_deid.serving.local.server import LocalServer
        LocalServer(Path(sys.argv[1]), ["tiny_lstm"], threads=1, work=Path(sys.argv[2])).start()
        print("up", flush=True)
        time.sleep(600)
        """
    )
    root = str(Path(manifest.__file__).parents[2])
    with subprocess.Popen(
        [sys.executable, "-c", script, str(repo), str(tmp_path)],
        stdout=subprocess.PIPE,
        env={"PYTHONPATH": root, "PATH": os.environ["PATH"]},
    ) as parent:
        assert parent.stdout.readline() == b"up\n"
        family = psutil.Process(parent.pid).children(recursive=True)
        parent.kill()
    assert len(family) == 3
    assert gone(family)


def test_the_server_dies_with_a_supervisor_that_was_killed(repo):
    with LocalServer(repo, ["tiny_lstm"], threads=1) as server:
        family = processes_of(server)
        family[0].kill()
        assert gone(family)
        assert not server.running


MODEL_THAT_HANGS = """
import os, runpy, signal, sys, types
sys.modules["triton_python_backend_utils"] = types.ModuleType("triton_python_backend_utils")
signal.pthread_sigmask(signal.SIG_BLOCK, signal.valid_signals())
runpy.run_path(sys.argv[1])
print("up", flush=True)
signal.sigwait([signal.SIGUSR1])
"""


@pytest.mark.parametrize("ended", ["before", "after"])
def test_a_model_that_hangs_ends_with_its_server(ended):
    reading, writing = os.pipe()
    backend = Path(supervisor.__file__).with_name("backend") / "model.py"
    with subprocess.Popen(
        [sys.executable, "-c", MODEL_THAT_HANGS, str(backend)],
        pass_fds=(reading, writing),
        env={**os.environ, supervisor.LIFELINE_VARIABLE: f"{reading} {writing}"},
        stdout=subprocess.PIPE,
    ) as stub:
        if ended == "before":  # the stub itself holds the writing end until its model is loaded
            os.close(writing)
        else:
            assert stub.stdout.readline() == b"up\n"
            os.close(writing)
        assert stub.wait(15) == -signal.SIGKILL
    os.close(reading)


def test_a_server_that_keeps_crashing_is_given_up(repo):
    with LocalServer(repo, ["tiny_lstm"], threads=1, restarts=1) as server:
        first = server.pid
        os.kill(first, signal.SIGKILL)
        end = time.monotonic() + 15
        while server.pid == first and time.monotonic() < end:
            time.sleep(0.05)
        assert server.pid != first
        server.wait_ready(20)
        os.kill(server.pid, signal.SIGKILL)
        assert server.wait() == 128 + signal.SIGKILL


def test_a_model_that_does_not_load_halts_with_the_reason(tmp_path):
    tiny.add_model(tmp_path, "broken", "wordchar")
    weights = tmp_path / "broken/1/model.onnx"
    weights.write_bytes(b"no graph")
    body = (tmp_path / "broken/manifest.json").read_text()
    old = manifest.load(tmp_path, "broken", hashes=False).files["1/model.onnx"]
    (tmp_path / "broken/manifest.json").write_text(body.replace(old, manifest.sha256(weights)))
    with pytest.raises(Halt) as caught:
        LocalServer(tmp_path, ["broken"], threads=1).start()
    assert caught.value.code == "triton.start"
    assert "broken" in caught.value.detail


def test_a_graph_whose_rows_depend_on_their_batch_is_refused(tmp_path):
    """Dynamic quantisation takes its scale over the whole batch: replays would differ."""
    tiny.add_model(tmp_path, "quantised", "wordchar")
    weights = tmp_path / "quantised/1/model.onnx"
    quantize_dynamic(weights, weights)
    body = (tmp_path / "quantised/manifest.json").read_text()
    old = manifest.load(tmp_path, "quantised", hashes=False).files["1/model.onnx"]
    body = body.replace(old, manifest.sha256(weights))
    (tmp_path / "quantised/manifest.json").write_text(body)
    with pytest.raises(Halt) as caught:
        LocalServer(tmp_path, ["quantised"], threads=1).start()
    assert "depend on its batch" in caught.value.detail


def test_a_port_in_use_halts(repo):
    """Triton would share the port with the other server, and take half of its requests."""
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        with pytest.raises(Halt) as caught:
            LocalServer(repo, ["tiny_lstm"], Listening(grpc_port=other.getsockname()[1]), threads=1)
    assert caught.value.code == "triton.port"
