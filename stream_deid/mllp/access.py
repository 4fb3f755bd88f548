"""Who may send: TLS, client certificates, networks; and the TLS of our own sender."""

from __future__ import annotations

import ipaddress
import ssl
from collections.abc import Callable
from typing import Any

from stream_deid.config import Mllp, MllpOut
from stream_deid.errors import Halt

Refused = Callable[[str], None]
"""Is told why a connection is none: OpenSSL's word for it."""


def server_tls(settings: Mllp, refused: Refused) -> ssl.SSLContext | None:
    """TLS 1.2 or newer; None without a certificate. Raises `Halt("mllp.tls")`."""
    if not settings.certificate:
        return None
    context = ssl.create_default_context(ssl.Purpose.CLIENT_AUTH)
    context.minimum_version = ssl.TLSVersion.TLSv1_2
    try:
        context.load_cert_chain(settings.certificate, settings.key, password="")
        if settings.ca:
            context.load_verify_locations(settings.ca)
            context.verify_mode = ssl.CERT_REQUIRED
    except OSError as error:
        raise Halt("mllp.tls", f"certificate, key or ca of [mllp]: {_why(error)}") from None
    context.sslobject_class = _watched(refused)
    return context


def _watched(refused: Refused) -> type[ssl.SSLObject]:
    """TLS that tells of handshakes that fail: asyncio ends such a connection without a word."""

    class Watched(ssl.SSLObject):
        def do_handshake(self) -> None:
            try:
                super().do_handshake()
            except (ssl.SSLWantReadError, ssl.SSLWantWriteError):
                raise
            except ssl.SSLError as error:
                refused(error.reason or "")
                raise

    return Watched


def client_tls(settings: MllpOut) -> ssl.SSLContext | None:
    """For the sender; None without `ca`. Raises `Halt("mllp.tls")`."""
    if not settings.ca:
        return None
    try:
        context = ssl.create_default_context(cafile=settings.ca)
        context.minimum_version = ssl.TLSVersion.TLSv1_2
        if settings.certificate:
            context.load_cert_chain(settings.certificate, settings.key, password="")
    except OSError as error:
        raise Halt("mllp.tls", f"ca, certificate or key of [mllp_out]: {_why(error)}") from None
    return context


def _why(error: OSError) -> str:
    return getattr(error, "reason", None) or error.strerror or type(error).__name__


class Guests:
    """The list of who may send; an empty one lets everybody in."""

    def __init__(self, settings: Mllp) -> None:
        self._networks = [ipaddress.ip_network(network) for network in settings.networks]
        self._names = {name.lower() for name in settings.names}

    def refusal(self, address: str, certificate: dict[str, Any] | None) -> str:
        """Why this peer may not send: `network`, `certificate`; empty where it may."""
        if self.elsewhere(address):
            return "network"
        if self._names and not self._names & names_of(certificate or {}):
            return "certificate"
        return ""

    def elsewhere(self, address: str) -> bool:
        """Whether an address is of none of the networks: known before anything is said."""
        if not self._networks:
            return False
        peer = ipaddress.ip_address(address.partition("%")[0])
        peer = getattr(peer, "ipv4_mapped", None) or peer
        return not any(peer in network for network in self._networks)


def names_of(certificate: dict[str, Any]) -> set[str]:
    """DNS names and common names of a certificate as `ssl` gives it, in lower case."""
    names = {value for kind, value in certificate.get("subjectAltName", ()) if kind == "DNS"}
    for group in certificate.get("subject", ()):
        names |= {value for kind, value in group if kind == "commonName"}
    return {name.lower() for name in names}
