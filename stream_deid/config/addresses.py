"""Addresses that can never be any; whether somebody answers at one is for `doctor`."""

from __future__ import annotations

import ipaddress
import re
from collections.abc import Callable, Iterator, Mapping

from stream_deid.config.declare import SettingText, leaves
from stream_deid.config.problems import MASK, Problem
from stream_deid.config.settings import Settings

_HOST = re.compile(r"(?![\d.]+$)[A-Za-z0-9_](?:[A-Za-z0-9_.-]{0,252})")
_ADDRESS = re.compile(
    r"(?:[A-Z_]+://)?(?P<host>\[[0-9a-fA-F:.%]+\]|[^:/\s\[\]]+)(?::(?P<port>\d{1,5}))?"
)
_ENDPOINT = re.compile(r"https?://[^\s@/]+(?:/\S*)?")
_URL = re.compile(r"https?://[^\s@/?#]+(?:/[^\s@?#]*)?")
_ANY = frozenset({"0.0.0.0", "::", "[::]"})  # noqa: S104 - compared, not bound
_LOOPBACK = {"localhost": "127.0.0.1", "::1": "127.0.0.1", "[::1]": "127.0.0.1"}
_REMEDIES = {
    "kafka.bootstrap": (
        "brokers are written as host:port,host:port (9092 in the clear, as a rule); "
        "kafka.security takes credentials"
    ),
    "triton.url": "host:port of its gRPC interface, dns:///name:port, or auto",
    "traces.endpoint": (
        "https://collector:4318/v1/traces; credentials go into OTEL_EXPORTER_OTLP_HEADERS"
    ),
    "registry.url": "https://host:port; registry.options takes credentials",
}


def check(settings: Settings) -> Iterator[Problem]:
    """Every address among the settings that is none."""
    for leaf in leaves(settings, _WRONG):
        for what in _WRONG[leaf.kind](leaf.text):
            remedy = _REMEDIES.get(leaf.path, _EXAMPLES[leaf.kind])
            yield Problem(leaf.path, _said(leaf, what), remedy)


def taken_twice(settings: Settings) -> Iterator[Problem]:
    """Ports that one process would listen on twice, or reach itself at."""
    http, mllp, out = settings.http, settings.mllp, settings.mllp_out
    if http.port == mllp.port and _meet(http.host, mllp.host):
        yield Problem(
            "mllp.port",
            f"ports must differ: mllp.port and http.port are both {http.port}",
            "give each a port of its own: `stream-deid mllp` listens on both",
        )
    if http.port == out.port and out.host and _reaches(out.host, http.host):
        yield Problem(
            "mllp_out.port",
            f"ports must differ: mllp_out.port and http.port are both {http.port} of this machine",
            "give http.port another one: `stream-deid mllp-out` would send to itself",
        )


def _meet(host: str, other: str) -> bool:
    """Whether who listens on one host takes a port from who listens on the other."""
    return _alike(host) == _alike(other) or bool(_ANY & {host, other})


def _reaches(host: str, listening: str) -> bool:
    """Whether who connects to a host meets who listens here."""
    return _alike(host) in (_alike(listening), _LOOPBACK["localhost"] if listening in _ANY else "")


def _alike(host: str) -> str:
    return _LOOPBACK.get(host.lower(), host.lower())


def _said(leaf: SettingText, what: str) -> str:
    return f"{leaf.path}: {what}" if leaf.kind == "brokers" else f"{leaf.path} is {what}"


def _brokers(text: str) -> Iterator[str]:
    for one in text.split(","):
        if not is_address(one.strip()):
            yield f"{_told(one)} is no address"
        elif not is_address(one.strip(), port=True):
            yield f"{_told(one)} has no port"


def _server(text: str) -> Iterator[str]:
    somewhere = text == "auto" or text.startswith("unix:/")
    if not somewhere and not is_address(text.removeprefix("dns:///"), port=True):
        yield f"{_told(text)}, which is no address"


def _host(text: str) -> Iterator[str]:
    if not is_address(text) or ":" in text.rpartition("]")[2]:
        yield f"{_told(text)}, which is no address"


def _url(text: str) -> Iterator[str]:
    if not _URL.fullmatch(text):
        yield f"{_told(text)}, which is no address"


def _endpoint(text: str) -> Iterator[str]:
    if not _ENDPOINT.fullmatch(text):
        yield f"{_told(text)}, which is no address of HTTP"


_WRONG: Mapping[str, Callable[[str], Iterator[str]]] = {
    "brokers": _brokers, "server": _server, "host": _host, "url": _url, "endpoint": _endpoint,
}  # fmt: skip
_EXAMPLES = {
    "brokers": "host:port,host:port", "server": "host:port", "host": "127.0.0.1, 0.0.0.0",
    "url": "https://host:port/path", "endpoint": "https://host:port/path",
}  # fmt: skip


def _told(address: str) -> str:
    """An address as it may be told: without a name and password before its host."""
    before, at, host = address.strip().rpartition("@")
    scheme = before.partition("://")[0] + "://" if "://" in before else ""
    return repr(f"{scheme}{MASK}@{host}" if at else host)


def is_address(text: str, *, port: bool = False) -> bool:
    """Whether a text can be `host:port`, or a host alone unless `port`."""
    found = _ADDRESS.fullmatch(text)
    if found is None or (port and not found["port"]):
        return False
    if found["port"] and not 0 < int(found["port"]) <= 65535:
        return False
    try:
        ipaddress.ip_address(found["host"].strip("[]"))
    except ValueError:
        return _HOST.fullmatch(found["host"]) is not None
    return True
