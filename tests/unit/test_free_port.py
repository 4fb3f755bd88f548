"""Ports for brokers and servers of trials, many at a time on one machine."""

import socket
from pathlib import Path

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
