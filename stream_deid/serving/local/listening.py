"""Where a local server listens, and what of it is open to whom."""

from __future__ import annotations

import shutil
import socket
from dataclasses import dataclass
from pathlib import Path

from stream_deid.errors import Halt
from stream_deid.serving.tls import Tls

HOST = "127.0.0.1"
ANY = "0.0.0.0"  # noqa: S104  # what a pod that serves others is told to bind
CLOSED = "model-repository,shared-memory,statistics,trace,logging"
"""The gRPC protocols of Triton that nobody needs of a local server."""
NO_HEADER = "-" * 40_000
"""What a request would have to bring to be let in to them. Every local user can read it off the
command line and nobody can send it: the server refuses headers of more than 16 kB.
"""


@dataclass(frozen=True, slots=True)
class Listening:
    """A Unix socket in the server's own folder, or TCP on `host` where `grpc_port` is given.

    `metrics_port` 0: no metrics. `tls`: the server's certificate and key, and who signs those of
    its clients, who must show one. `age_s`: so often clients on TCP are asked to connect again,
    which is when they learn of other servers.
    """

    host: str = HOST
    grpc_port: int = 0
    metrics_port: int = 0
    age_s: float = 300.0
    tls: Tls | None = None

    def check(self) -> None:
        """Raises `Halt` where TLS is asked for without a port, or a port is taken: Triton itself
        would share it with another server (SO_REUSEPORT) without a word.
        """
        if self.tls and not self.grpc_port:
            raise Halt("triton.tls", "a server on a Unix socket speaks no TLS: name a port")
        for port in filter(None, (self.grpc_port, self.metrics_port)):
            with socket.socket() as one:
                # what waits is nobody's any more
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
                try:
                    one.bind((self.host, port))
                except OSError as error:
                    raise Halt(
                        "triton.port", f"port {port} can't be had: {error.strerror}"
                    ) from None

    @property
    def _near(self) -> str:
        return HOST if self.host == ANY else self.host

    def url(self, folder: Path) -> str:
        """Address for gRPC clients of this machine; `folder`: the server's own."""
        if self.grpc_port:
            return f"{self._near}:{self.grpc_port}"
        return f"unix:{folder}/triton:1"

    def opened(self) -> bool:
        """Whether the port takes connections: Triton's does once its models are loaded."""
        try:
            socket.create_connection((self._near, self.grpc_port), 1.0).close()
        except OSError:
            return False
        return True

    def arguments(self, folder: Path) -> list[str]:
        """What the server is told. It reads no files but those of `folder` (`fence`), so its
        certificates are copied there.
        """
        return [
            f"--grpc-restricted-protocol={CLOSED}:closed={NO_HEADER}",
            "--allow-http=false",
            *(self._tcp() if self.grpc_port else self._socket(folder)),
            *(self._secured(folder, self.tls) if self.tls else []),
            *(self._metrics() if self.metrics_port else ["--allow-metrics=false"]),
        ]

    def _tcp(self) -> list[str]:
        return [
            f"--grpc-address={self.host}",
            f"--grpc-port={self.grpc_port}",
            f"--grpc-max-connection-age={int(1000 * self.age_s)}",
        ]

    def _socket(self, folder: Path) -> list[str]:
        return [f"--grpc-address=unix:{folder}/triton", "--grpc-port=1"]

    def _metrics(self) -> list[str]:
        return [f"--metrics-address={self.host}", f"--metrics-port={self.metrics_port}"]

    def _secured(self, folder: Path, tls: Tls) -> list[str]:
        named = ("server-cert", tls.certificate), ("server-key", tls.key), ("root-cert", tls.ca)
        said = ["--grpc-use-ssl=true", "--grpc-use-ssl-mutual=true"]
        for name, source in named:
            copy = folder / f"{name}.pem"
            copy.touch(mode=0o600)
            shutil.copyfile(str(source), copy)
            said.append(f"--grpc-{name}={copy}")
        return said
