"""Ports that an argument names."""

from __future__ import annotations

import socket

from stream_deid.errors import Halt


def refuse_taken(port: int) -> None:
    """Raises `Halt("broker.port")`: whoever has the port would answer for the broker."""
    with socket.socket() as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind(("127.0.0.1", port))
        except OSError as error:
            told = f"port {port} can't be had: {error.strerror}; name another by --port"
            raise Halt("broker.port", told) from None
