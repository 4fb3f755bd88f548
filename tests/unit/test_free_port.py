"""Ports for brokers and servers of trials, many at a time on one machine."""

import socket
from pathlib import Path

from stream_deid import exits
from stream_deid.cli import main
from stream_deid.rig.broker import free_port

DRAWN = Path("/proc/sys/net/ipv4/ip_local_port_range")


def test_each_is_given_once_and_never_one_that_the_system_draws():
    given = [free_port() for _ in range(200)]
    assert len(set(given)) == 200
    assert max(given) < int(DRAWN.read_text().split()[0])


def test_one_in_use_is_passed_over():
    port = free_port() + 1
    with socket.socket() as other:
        other.bind(("127.0.0.1", port))
        other.listen()
        assert free_port() > port


def test_a_broker_on_a_port_that_is_taken_is_refused_at_once(capsys):
    with socket.socket() as other:
        other.bind(("127.0.0.1", 0))
        other.listen()
        port = other.getsockname()[1]
        assert main(["broker", "--port", str(port)]) == exits.MISCONFIGURED
    said = capsys.readouterr()
    assert said.out == ""
    assert f"broker.port: port {port} can't be had" in said.err
