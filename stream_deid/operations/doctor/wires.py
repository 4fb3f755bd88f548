"""What leaves this machine in the clear: notes, their tokens, pseudonyms beside times."""

from __future__ import annotations

import ipaddress
from collections.abc import Iterator
from dataclasses import dataclass
from urllib.parse import urlsplit

from stream_deid.config import Settings
from stream_deid.operations.doctor.findings import Area, DoctorFinding
from stream_deid.serving.service import AUTO

WIRES = Area("wires")
_PROTECTED = ("ssl", "sasl_ssl")
_DNS = "dns:///"


@dataclass(frozen=True, slots=True)
class _Wire:
    """`carries`: what somebody on the network would read; `remedy`: settings that close it."""

    setting: str
    addresses: list[str]
    closed: bool
    carries: str
    remedy: str


def look(settings: Settings) -> Iterator[DoctorFinding]:
    """A warning for each wire to another host that is not TLS; a mesh with mTLS is not seen."""
    away = [wire for wire in _wires(settings) if any(map(_elsewhere, wire.addresses))]
    for wire in away:
        if not wire.closed:
            yield WIRES.warning(
                f"{wire.setting} is elsewhere and in the clear: {wire.carries} can be read on the "
                "network between",
                f"{wire.remedy}; or a network that nobody else is in, or a mesh with mTLS",
            )
    if all(wire.closed for wire in away):
        yield WIRES.well("nothing leaves this machine in the clear")


def _wires(settings: Settings) -> Iterator[_Wire]:
    kafka, triton, registry = settings.kafka, settings.triton, settings.registry
    yield _Wire(
        "kafka.bootstrap",
        kafka.bootstrap.split(","),
        kafka.security.get("security.protocol", "plaintext").lower() in _PROTECTED,
        "raw notes (and passwords, where SASL is PLAIN)",
        "kafka.security: security.protocol ssl or sasl_ssl, docs/deployment.md",
    )
    yield _Wire(
        "triton.url",
        [] if triton.url == AUTO else [triton.url],
        bool(triton.ca),
        "tokens of notes, which are their words,",
        "triton.ca, and TLS at the server: docs/security.md",
    )
    yield _web(
        "traces.endpoint", settings.traces.endpoint, "pseudonyms of notes beside their times"
    )
    yield _web("registry.url", registry.url, "schemas, which decide how notes are read,")


def _web(setting: str, url: str, carries: str) -> _Wire:
    parts = urlsplit(url)
    addresses = [parts.netloc] if parts.netloc else []
    return _Wire(setting, addresses, parts.scheme == "https", carries, f"{setting} with https")


def _elsewhere(address: str) -> bool:
    """Whether an address may be another host; a socket of this one and loopback are not."""
    if address.startswith("unix:"):
        return False
    bare = address.strip().removeprefix(_DNS).removeprefix("ipv4:").removeprefix("ipv6:")
    host = urlsplit(f"//{bare}").hostname or ""
    try:
        return not ipaddress.ip_address(host).is_loopback
    except ValueError:
        return host != "localhost" and not host.endswith(".localhost")
