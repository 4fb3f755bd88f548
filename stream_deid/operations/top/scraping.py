"""Reads `/metrics` of several workers at once."""

from __future__ import annotations

import http.client
import socket
import time
import urllib.error
import urllib.request
from collections.abc import Iterable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

from prometheus_client.parser import text_string_to_metric_families

from stream_deid.errors import Halt

_TIMEOUT_S = 3.0
_DNS = "dns:///"

Series = tuple[str, frozenset[tuple[str, str]]]
"""(name, labels)."""


@dataclass(frozen=True, slots=True)
class WorkerPage:
    """What one worker told at a moment; `problem`: why it told nothing."""

    address: str
    time: float
    values: Mapping[Series, float] = field(default_factory=dict)
    problem: str = ""


def addresses(given: Iterable[str]) -> list[str]:
    """URLs of `/metrics`. `host:port`, a whole URL, or `dns:///name:port` for all its addresses.

    Raises `Halt("top.address")`.
    """
    found: dict[str, None] = {}
    for one in given:
        if one.startswith(("http://", "https://")):
            found[one if one.count("/") > 2 else f"{one}/metrics"] = None
            continue
        host, colon, port = one.removeprefix(_DNS).rpartition(":")
        if not colon or not host or not port.isdecimal():
            raise Halt("top.address", f"{one}: write HOST:PORT, a URL, or {_DNS}NAME:PORT")
        names = _resolved(host, int(port)) if one.startswith(_DNS) else [host]
        found.update(dict.fromkeys(f"http://{name}:{port}/metrics" for name in names))
    return list(found)


def _resolved(host: str, port: int) -> list[str]:
    try:
        infos = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)
    except OSError:
        raise Halt("top.address", f"{host}: the name has no address") from None
    names = {str(info[4][0]) for info in infos}
    return sorted(f"[{name}]" if ":" in name else name for name in names)


def scrape(urls: list[str]) -> list[WorkerPage]:
    """A page of each worker, in order; one that is away has a problem instead of values."""
    with ThreadPoolExecutor(max_workers=min(32, len(urls) or 1)) as pool:
        return list(pool.map(_page, urls))


def _page(url: str) -> WorkerPage:
    address = url.removeprefix("http://").removesuffix("/metrics")
    try:
        with urllib.request.urlopen(url, timeout=_TIMEOUT_S) as answer:  # noqa: S310 - http only, see addresses
            text = answer.read().decode()
        return WorkerPage(address, time.monotonic(), dict(parsed(text)))
    except urllib.error.HTTPError as error:
        problem = f"HTTP {error.code}"
    except urllib.error.URLError as error:
        problem = getattr(error.reason, "strerror", None) or type(error.reason).__name__
    except (OSError, ValueError, http.client.HTTPException) as error:
        problem = type(error).__name__
    return WorkerPage(address, time.monotonic(), problem=problem)


def parsed(text: str) -> Iterator[tuple[Series, float]]:
    """Every series of a page in Prometheus' text format."""
    for family in text_string_to_metric_families(text):
        for sample in family.samples:
            yield (sample.name, frozenset(sample.labels.items())), sample.value
