"""Connections that say nothing: to the listener of MLLP, in TLS or before it, and to `/healthz`."""

import asyncio
import socket
import threading
import time
import urllib.error
import urllib.request
from contextlib import ExitStack, suppress

import pytest
from test_mllp_listener import NO_NUMBER, ask, listening, value

from stream_deid.config import MllpOut
from stream_deid.mllp.access import client_tls
from stream_deid.mllp.door import Door, Visitor
from stream_deid.mllp.framing import wrap
from stream_deid.mllp.health import MllpHealth
from stream_deid.mllp.metrics import ListenerMetrics
from stream_deid.mllp.receiver import acknowledgment
from stream_deid.rig.authority import Authority
from stream_deid.streaming.observability.endpoint import Endpoint


async def silent(stack, port, count):
    """So many connections that never send a byte."""
    for _ in range(count):
        one = stack.enter_context(socket.socket())
        one.setblocking(False)
        await asyncio.get_running_loop().sock_connect(one, ("127.0.0.1", port))


@pytest.mark.parametrize(
    ("limits", "held", "left"),
    [
        ({"max_connections": 10}, 40, 10),
        ({"max_connections": 100, "max_silent": 10}, 40, 10),
    ],
)
@pytest.mark.parametrize("tls", [False, True])
def test_silent_connections_keep_nobody_out(tmp_path, limits, held, left, tls):
    options, come = dict(limits), {}
    if tls:
        authority = Authority(tmp_path / "ca")
        (crt, key), mine = authority.issue("server"), [str(f) for f in authority.issue("ehr")]
        ca = str(authority.certificate)
        options |= {"certificate": str(crt), "key": str(key), "ca": ca}
        context = client_tls(MllpOut(ca=ca, certificate=mine[0], key=mine[1]))
        come = {"ssl": context, "server_hostname": "localhost"}

    async def run():
        async with listening(**options) as (listener, metrics):
            with ExitStack() as stack:
                await silent(stack, listener.port, held)
                for _ in range(3):
                    answer = await ask(listener, wrap(NO_NUMBER), **come)
                    assert acknowledgment(answer)[0] == "AR"
                assert value(metrics, "mllp_refused_total", reason="silent") >= held - left
                assert value(metrics, "mllp_refused_total", reason="full") == 0

    asyncio.run(run())


def test_who_has_spoken_is_not_sent_off_for_who_says_nothing():
    async def run():
        async with listening(max_connections=10, max_silent=5) as (listener, _):
            reader, writer = await asyncio.open_connection("127.0.0.1", listener.port)
            with ExitStack() as stack:
                for _ in range(3):
                    writer.write(wrap(NO_NUMBER))
                    assert acknowledgment(await reader.readuntil(b"\x1c\r"))[0] == "AR"
                    await silent(stack, listener.port, 20)
            writer.close()

    asyncio.run(run())


def test_an_address_of_no_network_is_not_spoken_tls_with(tmp_path):
    crt, key = map(str, Authority(tmp_path / "ca").issue("server"))

    async def run():
        options = {"certificate": crt, "key": key, "networks": ("192.0.2.0/24",)}
        async with listening(**options) as (listener, metrics):
            with ExitStack() as stack:
                await silent(stack, listener.port, 5)
                end = time.monotonic() + 20
                while value(metrics, "mllp_refused_total", reason="network") < 5:
                    assert time.monotonic() < end
                    await asyncio.sleep(0.02)

    asyncio.run(run())


def test_the_address_with_most_silent_connections_gives_one_up():
    door, gone = Door(4, 3), []
    comes = ["a", "b", "b", "b", "a", "b"]
    for number, address in enumerate(comes):
        door.enter(Visitor(address, lambda number=number: gone.append(number)))
    assert gone == [1, 2]  # of "b" both: one for "a", whose place it is too, one for its own next


def asked(address):
    try:
        with urllib.request.urlopen(f"{address}/healthz", timeout=5) as page:  # noqa: S310 - loopback
            return page.status
    except urllib.error.HTTPError as refused:
        return refused.code


def test_health_answers_whoever_says_nothing_and_keeps_no_thread_for_it(monkeypatch):
    monkeypatch.setattr("stream_deid.streaming.observability.endpoint._LONGEST_S", 2.0)
    endpoint = Endpoint("127.0.0.1", 0, MllpHealth(), ListenerMetrics())
    endpoint.start()
    before = threading.active_count()
    place = ("127.0.0.1", int(endpoint.address.rpartition(":")[2]))
    with ExitStack() as stack:
        for _ in range(300):
            stack.enter_context(socket.create_connection(place))
        assert asked(endpoint.address) == 503  # it is starting
        assert threading.active_count() - before < 100
        drip = stack.enter_context(socket.create_connection(place))
        end = time.monotonic() + 20
        while threading.active_count() > before:
            assert time.monotonic() < end
            with suppress(OSError):
                drip.send(b"G")
            time.sleep(0.1)
        assert asked(endpoint.address) == 503
    endpoint.stop()
