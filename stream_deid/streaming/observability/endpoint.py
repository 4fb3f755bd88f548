"""`/healthz`, `/readyz` and `/metrics` over HTTP, in threads of their own.

They answer even when the event loop is blocked, which is when they matter most.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Protocol

from stream_deid.errors import Halt

_TEXT = "text/plain; charset=utf-8"


class HealthJudge(Protocol):
    """Reasons against a process being live, or ready; none where it is."""

    def live(self) -> list[str]: ...
    def ready(self) -> list[str]: ...


class MetricsSource(Protocol):
    """Kind and text of a page of metrics, for a client that accepts these kinds."""

    def page(self, accept: str) -> tuple[str, bytes]: ...


class Endpoint:
    """The HTTP server of one process; port 0 takes a free one (`address` tells which)."""

    def __init__(self, host: str, port: int, health: HealthJudge, metrics: MetricsSource) -> None:
        handler = _handler(
            {
                "/healthz": lambda _: _verdict(health.live()),
                "/readyz": lambda _: _verdict(health.ready()),
                "/metrics": lambda accept: (HTTPStatus.OK, *metrics.page(accept)),
            }
        )
        try:
            self._server = ThreadingHTTPServer((host, port), handler)
        except OSError as error:
            raise Halt("http.bind", f"{host}:{port}: {error.strerror}") from None
        self._server.daemon_threads = True
        self._thread = threading.Thread(
            target=self._server.serve_forever, name="endpoint", daemon=True
        )

    @property
    def address(self) -> str:
        host, port = self._server.server_address[:2]
        return f"http://{host!s}:{port}"

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._server.shutdown()
        self._server.server_close()


def _verdict(reasons: list[str]) -> tuple[HTTPStatus, str, bytes]:
    if reasons:
        return HTTPStatus.SERVICE_UNAVAILABLE, _TEXT, ("\n".join(reasons) + "\n").encode()
    return HTTPStatus.OK, _TEXT, b"ok\n"


def _handler(
    routes: dict[str, Callable[[str], tuple[HTTPStatus, str, bytes]]],
) -> type[BaseHTTPRequestHandler]:
    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            route = routes.get(self.path.split("?")[0])
            if route is None:
                self.send_error(HTTPStatus.NOT_FOUND)
                return
            status, kind, body = route(self.headers.get("Accept", ""))
            self.send_response(status)
            self.send_header("Content-Type", kind)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: object) -> None:
            """Requests of probes are not worth a line."""

    return Handler
