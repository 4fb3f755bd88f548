"""A receiver of HL7 v2 over MLLP, from the sender's side: a message out, its ACK in. Blocking."""

from __future__ import annotations

import re
import socket
import ssl
import time

from stream_deid.mllp import header
from stream_deid.mllp.framing import Blocks, wrap

_CONNECT_S = 10.0
_READ = 65_536
_LIMIT = 1_000_000
_SEGMENT = re.compile(rb"[\r\n]+")


class Receiver:
    """One connection at a time, opened when it is needed."""

    def __init__(self, host: str, port: int, tls: ssl.SSLContext | None, *, ack_s: float) -> None:
        self._host, self._port, self._tls, self._ack_s = host, port, tls, ack_s
        self._socket: socket.socket | None = None
        self._blocks = Blocks(_LIMIT, lenient=True)

    def send(self, message: bytes) -> str:
        """MSA-1 of the answer to this very message (its MSA-2 says so).

        Raises `OSError` (`TimeoutError` among them) where there is none; then the connection is
        closed, so that a late answer is never taken for another's.
        """
        number = header.read(message).at(10).strip()
        try:
            connection = self._connected()
            connection.sendall(wrap(message))
            return self._answer(connection, number)
        except OSError:
            self.close()
            raise

    def close(self) -> None:
        if self._socket is not None:
            self._socket.close()
            self._socket = None

    def _connected(self) -> socket.socket:
        if self._socket is None:
            plain = socket.create_connection((self._host, self._port), _CONNECT_S)
            plain.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            wrapped = self._tls and self._tls.wrap_socket(plain, server_hostname=self._host)
            self._socket = wrapped or plain
            self._blocks = Blocks(_LIMIT, lenient=True)
        self._socket.settimeout(self._ack_s)
        return self._socket

    def _answer(self, connection: socket.socket, number: bytes) -> str:
        deadline = time.monotonic() + self._ack_s
        while (left := deadline - time.monotonic()) > 0:
            connection.settimeout(left)
            data = connection.recv(_READ)
            if not data:
                raise ConnectionError("the receiver closed the connection")
            answers = [acknowledgment(block.body) for block in self._blocks.feed(data)]
            for code, about in answers:
                if about == number:
                    return code
        raise TimeoutError("no answer in time")


def acknowledgment(message: bytes) -> tuple[str, bytes]:
    """MSA-1 and MSA-2; empty ones where the message has no MSA."""
    for segment in _SEGMENT.split(message):
        if segment.startswith(b"MSA") and len(segment) > 3:
            fields = segment.split(segment[3:4])
            code = fields[1].strip().decode("ascii", "replace")
            return code, fields[2].strip() if len(fields) > 2 else b""
    return "", b""
