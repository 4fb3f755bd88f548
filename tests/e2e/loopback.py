"""A server of HTTP on loopback that is there for a test."""

from __future__ import annotations

import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from types import TracebackType
from typing import Self


class Answers(BaseHTTPRequestHandler):
    """What a server says to one question; it logs nothing."""

    def do_GET(self) -> None:
        self.get()

    def do_POST(self) -> None:
        self.post()

    def get(self) -> None:
        """Answer a GET; what is not said otherwise is not allowed."""
        self.say(405)

    def post(self) -> None:
        """Answer a POST."""
        self.say(405)

    def asked(self) -> bytes:
        """The body of the question."""
        return self.rfile.read(int(self.headers["Content-Length"]))

    def say(self, status: int, body: bytes = b"", kind: str = "application/json") -> None:
        """Answer with a body of this type."""
        self.send_response(status)
        self.send_header("Content-Type", kind)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, *_: object) -> None:
        """Not needed."""


class Loopback(ThreadingHTTPServer):
    """Serves at `url` while it is entered."""

    def __init__(self, answers: type[Answers], path: str = "") -> None:
        super().__init__(("127.0.0.1", 0), answers)
        self.url = f"http://127.0.0.1:{self.server_port}{path}"

    def __enter__(self) -> Self:
        threading.Thread(target=self.serve_forever, daemon=True).start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.shutdown()
        self.server_close()
