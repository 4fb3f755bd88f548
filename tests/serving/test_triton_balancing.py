"""Several Triton servers behind one name: all are used, and one that fails is left out."""

import asyncio
import os
import signal
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, asynccontextmanager

import psutil
import pytest
from name_server import Names

from stream_deid.rig.broker import free_port
from stream_deid.serving import manifest, wire
from stream_deid.serving.client import Client
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer

MODEL = "tiny_bert"
HOSTS = ("127.0.0.1", "127.0.0.2", "127.0.0.3")
PATIENCE_S = 30.0
AT_ONCE = 4


@pytest.fixture(scope="module")
def replicas(repo):
    """Three servers, as three pods are: one port, three addresses. The last test kills one."""
    grpc, metrics = free_port(), free_port()
    with ExitStack() as stack:
        yield {
            host: stack.enter_context(
                LocalServer(repo, [MODEL], Listening(host, grpc, metrics, age_s=2.0), threads=1)
            )
            for host in HOSTS
        }


def answered(server):
    """How many requests a server has answered, by its own count; None where it says nothing."""
    url = f"http://{server.listening.host}:{server.listening.metrics_port}/metrics"
    try:
        with urllib.request.urlopen(url, timeout=1.0) as page:
            text = page.read().decode()
    except (urllib.error.URLError, TimeoutError):
        return None
    line = next(x for x in text.splitlines() if x.startswith("nv_inference_request_success"))
    return int(float(line.split()[-1]))


@asynccontextmanager
async def connected(repo, names, port, timeout_s=1.0):
    url = f"dns://{names.authority}/triton.test:{port}"
    models = manifest.load_all(repo, [MODEL])
    async with Client(url, models, request_timeout_s=timeout_s) as client:
        yield client


async def ask(client, times, *, at_once=AT_ONCE):
    """Ask for the same scores; returns how long each answer took, after checking all are equal."""
    arrays = wire.probe_arrays(client.models[MODEL])
    took, answers = [], set()

    async def one(count):
        for _ in range(count):
            began = time.monotonic()
            scores = await client.infer(MODEL, arrays, time.monotonic() + PATIENCE_S)
            took.append(time.monotonic() - began)
            answers.add(scores.tobytes())

    await asyncio.gather(*(one(times // at_once) for _ in range(at_once)))
    assert len(answers) == 1  # whoever answers gives the same bytes
    return took


def kill(server):
    """The whole pod goes: whoever would start the server again first."""
    family = psutil.Process(server._process.pid)
    children = family.children(recursive=True)
    for process in (family, *children):
        process.kill()
    psutil.wait_procs(children)


def test_every_replica_has_its_share(repo, replicas):
    async def main(names):
        async with connected(repo, names, replicas[HOSTS[0]].listening.grpc_port) as client:
            await client.wait_ready(time.monotonic() + PATIENCE_S)
            before = {host: answered(server) for host, server in replicas.items()}
            await ask(client, 240)
            return {host: answered(replicas[host]) - before[host] for host in HOSTS}

    with Names(HOSTS) as names:
        shares = asyncio.run(main(names))
    # Triton counts an answer when it is out: that to wait_ready may come to the others
    assert 240 <= sum(shares.values()) <= 240 + len(HOSTS)
    assert min(shares.values()) > 40, shares


def test_a_replica_that_hangs_costs_a_few_requests_their_time_out(repo, replicas):
    """It keeps its connections, so only the share of its requests that fail gives it away."""
    victim = replicas[HOSTS[1]]

    async def main(names):
        async with connected(repo, names, victim.listening.grpc_port) as client:
            await ask(client, 40)
            os.kill(victim.pid, signal.SIGSTOP)
            try:
                return await ask(client, 1200)
            finally:
                os.kill(victim.pid, signal.SIGCONT)

    with Names(HOSTS) as names:
        took = asyncio.run(main(names))
    assert len(took) == 1200
    # a third of them, were it asked in its turn for ever
    assert sum(seconds > 0.9 for seconds in took) < 100


def test_a_replica_that_comes_later_is_found(repo, replicas):
    """Servers let no connection grow old, and a client that connects again asks the name again."""
    late = replicas[HOSTS[2]]
    before = answered(late)

    async def main(names):
        async with connected(repo, names, late.listening.grpc_port) as client:
            await ask(client, 40)
            # an answer of the test before may be counted only now
            assert answered(late) <= before + AT_ONCE
            names.addresses.append(HOSTS[2])
            end = time.monotonic() + PATIENCE_S
            while answered(late) <= before + 20 and time.monotonic() < end:
                await ask(client, 40)

    with Names(HOSTS[:2]) as names:
        asyncio.run(main(names))
    assert answered(late) > before + 20


def test_a_killed_replica_is_left_out_and_no_request_is_lost(repo, replicas):
    victim = replicas[HOSTS[1]]
    before = {host: answered(server) for host, server in replicas.items()}

    async def main(names):
        # who waits for an answer of the victim waits for longer than `ask` has patience
        async with connected(
            repo, names, victim.listening.grpc_port, timeout_s=2 * PATIENCE_S
        ) as client:
            await ask(client, 40)
            running = asyncio.create_task(ask(client, 1200))
            await asyncio.sleep(0.05)
            assert not running.done()
            kill(victim)
            return await running

    with Names(HOSTS) as names:
        took = asyncio.run(main(names))
    assert len(took) == 1200
    assert answered(victim) is None
    assert all(answered(replicas[host]) > before[host] + 100 for host in (HOSTS[0], HOSTS[2]))
