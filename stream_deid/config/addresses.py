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
