"""`/healthz`, `/readyz` and `/metrics` over HTTP, in threads of their own.

They answer even when the event loop is blocked, which is when they matter most.
"""

from __future__ import annotations

import contextlib
import socket
import sys
import threading
import time
from collections import Counter
from collections.abc import Callable
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Protocol

from stream_deid.errors import Halt

_TEXT = "text/plain; charset=utf-8"
_LONGEST_S = 10.0
_MOST = 64


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
            self._server = _Server((host, port), handler)
        except OSError as error:
            raise Halt("http.bind", f"{host}:{port}: {error.strerror}") from None
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


class _Server(ThreadingHTTPServer):
    """Connections that say nothing hold a thread each, so none lasts for longer than `_LONGEST_S`,
    and of more than `_MOST` at once the oldest of the address that holds most is ended: probes get
    in whatever others do.
    """

    daemon_threads = True

    def __init__(self, *given: Any) -> None:
        self._open: dict[Any, tuple[str, float]] = {}
        self._lock = threading.Lock()
        super().__init__(*given)

    def process_request(self, request: Any, client_address: Any) -> None:
        with self._lock:
            self._open[request] = str(client_address[0]), time.monotonic()
            if len(self._open) > _MOST:
                ((most, _),) = Counter(host for host, _ in self._open.values()).most_common(1)
                self._end(next(one for one, (host, _) in self._open.items() if host == most))
        super().process_request(request, client_address)

    def service_actions(self) -> None:
        """Between two connections, or twice a second."""
        with self._lock:
            late = time.monotonic() - _LONGEST_S
            for one in [one for one, (_, since) in self._open.items() if since < late]:
                self._end(one)

    def shutdown_request(self, request: Any) -> None:
        with self._lock:
            self._open.pop(request, None)
        super().shutdown_request(request)

    def handle_error(self, request: Any, client_address: Any) -> None:
        """Who goes away amid an answer is not worth a line."""
        if not isinstance(sys.exception(), OSError):
            super().handle_error(request, client_address)

    def _end(self, request: Any) -> None:
        """Its thread finds the connection at its end."""
        self._open.pop(request)
        with contextlib.suppress(OSError):
            request.shutdown(socket.SHUT_RDWR)


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
