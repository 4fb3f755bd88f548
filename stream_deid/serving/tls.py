"""TLS between workers and Triton servers: tokens of notes are on that wire."""

from __future__ import annotations

import ssl
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from stream_deid.config import Triton
from stream_deid.errors import Halt


@dataclass(frozen=True, slots=True)
class Tls:
    """Files in PEM: who signs the other side's certificate, and our own certificate and key (of a
    client only where the server asks who is there).
    """

    ca: Path
    certificate: Path | None = None
    key: Path | None = None

    @classmethod
    def of(cls, settings: Triton) -> Tls | None:
        """From `triton.ca`, `triton.certificate`, `triton.key`; None where none is set.

        Raises `Halt("triton.tls")` for files that can't be read, or hold no certificate or a key
        of another one: a server would look as if it were away.
        """
        if not settings.ca:
            return None
        named = (settings.ca, settings.certificate, settings.key)
        return cls.read(*(Path(name) for name in named if name))

    @classmethod
    def read(cls, *paths: Path) -> Tls:
        """Files of the authority, and of certificate and key. Raises `Halt("triton.tls")`."""
        for path in paths:
            try:
                path.read_bytes()
            except OSError as error:
                raise Halt("triton.tls", f"{path} can't be read: {error.strerror}") from None
        made = cls(*paths)
        made.context()
        return made

    def context(self) -> ssl.SSLContext:
        """The same for a connection by hand. Raises `Halt("triton.tls")`."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
        try:
            context.load_verify_locations(self.ca)
        except ssl.SSLError:
            raise Halt("triton.tls", f"{self.ca} holds no certificate in PEM") from None
        if self.certificate is None:
            return context
        try:
            context.load_cert_chain(self.certificate, self.key, password="")
        except ssl.SSLError:
            raise Halt(
                "triton.tls", f"{self.key} is not the (unencrypted) key of {self.certificate}"
            ) from None
        return context

    def options(self) -> dict[str, Any]:
        """What `tritonclient.grpc` calls them."""
        return {
            "ssl": True,
            "root_certificates": str(self.ca),
            "private_key": str(self.key) if self.key else None,
            "certificate_chain": str(self.certificate) if self.certificate else None,
        }
