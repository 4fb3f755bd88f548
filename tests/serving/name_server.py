"""A name server for one name, so that tests can say where Triton servers are, and change it."""

import socket
import struct
import threading

ANSWERS, A, INTERNET, TTL_S = b"\x81\x80", 1, 1, 1


class Names:
    """Answers every A question over UDP with `addresses`; a context manager (RFC 1035)."""

    def __init__(self, addresses):
        self.addresses = list(addresses)
        self._socket = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        self._socket.bind(("127.0.0.1", 0))
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def authority(self):
        return f"127.0.0.1:{self._socket.getsockname()[1]}"

    def __enter__(self):
        self._thread.start()
        return self

    def __exit__(self, *_):
        self._socket.close()

    def _serve(self):
        while True:
            try:
                query, asker = self._socket.recvfrom(512)
                self._socket.sendto(self._answer(query), asker)
            except OSError:  # closed
                return

    def _answer(self, query):
        end = query.index(b"\0", 12) + 5  # the name, its final zero, type and class
        (kind,) = struct.unpack(">H", query[end - 4 : end - 2])
        found = self.addresses if kind == A else []
        header = query[:2] + ANSWERS + struct.pack(">HHHH", 1, len(found), 0, 0)
        records = [
            b"\xc0\x0c" + struct.pack(">HHIH", A, INTERNET, TTL_S, 4) + socket.inet_aton(address)
            for address in found
        ]
        return header + query[12:end] + b"".join(records)
