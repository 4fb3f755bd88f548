"""The model server: reached at each of its addresses, every model there, its tensors, its speed."""

from __future__ import annotations

import asyncio
import socket
import ssl
import time
from collections.abc import Iterator, Mapping

from stream_deid.config import Settings
from stream_deid.config import Triton as TritonSettings
from stream_deid.errors import DeidError, Halt
from stream_deid.operations.doctor.findings import Area, DoctorFinding
from stream_deid.serving import manifest
from stream_deid.serving.client import Client
from stream_deid.serving.local.server import carrier
from stream_deid.serving.manifest import Manifest
from stream_deid.serving.service import AUTO
from stream_deid.serving.tls import Tls

TRITON = Area("triton")
_WAIT_S = 15.0
_DNS = "dns:///"
_SLOW_S = 2.0
_CONNECT_S = 3.0


def look(settings: Settings) -> Iterator[DoctorFinding]:
    """A real inference with every model. A local server is made by the worker: nothing to ask, as
    where the worker has all models itself.
    """
    triton = settings.triton
    if not settings.model_names:
        yield TRITON.well("every model is read in the worker: no server is asked")
        return
    if triton.url == AUTO:
        yield _own_server()
        return
    try:
        repo = manifest.repository(triton.repository)
        manifests = manifest.load_all(repo, settings.model_names, hashes=False)
        tls = Tls.of(triton)
    except DeidError as error:
        yield TRITON.of(error, "the models can't be asked for before this is mended")
        return
    addresses = list(_addresses(triton.url))
    if not addresses:
        yield TRITON.error(
            f"{triton.url}: the name has no address", "triton.url; DNS, the headless Service"
        )
        return
    if len(addresses) == 1:
        addresses = [triton.url]
    for address in addresses:  # behind the balanced name a sick replica would not show
        yield from asyncio.run(_asked(address, manifests, tls, triton))


def _own_server() -> DoctorFinding:
    try:
        carrier()
    except Halt as error:
        return TRITON.of(error, "the worker starts a server on this machine's CPU: it needs one")
    return TRITON.well("triton.url is auto: the worker starts a server on this machine's CPU")


def _addresses(url: str) -> Iterator[str]:
    """`host:port` of each address of a name; what is an address is one."""
    if url.startswith(("unix:", "ipv4:", "ipv6:")):
        yield url
        return
    try:
        port = int(url.rpartition(":")[2])
        found = socket.getaddrinfo(_host(url), port, type=socket.SOCK_STREAM)
    except (OSError, ValueError):
        return
    for address in sorted({str(info[4][0]) for info in found}):
        yield f"[{address}]:{port}" if ":" in address else f"{address}:{port}"


def _host(url: str) -> str:
    return url.removeprefix(_DNS).rpartition(":")[0].strip("[]")


async def _asked(
    url: str, manifests: Mapping[str, Manifest], tls: Tls | None, settings: TritonSettings
) -> list[DoctorFinding]:
    found = []
    called = _host(settings.url) if tls and url != settings.url else ""
    for name, model in manifests.items():
        patience = settings.request_timeout_s
        async with Client(
            url, {name: model}, request_timeout_s=patience, tls=tls, name=called
        ) as client:
            try:
                await client.wait_ready(time.monotonic() + _WAIT_S)
                found += await _measured(client, url, name)
            except DeidError as error:
                why = _refusal(url, tls, called) if error.code == "triton.unavailable" else ""
                found.append(_unwell(url, error, why))
                if error.code in ("triton.unavailable", "triton.timeout"):
                    break  # the others would only take as long
    return found


async def _measured(client: Client, url: str, name: str) -> list[DoctorFinding]:
    began = time.monotonic()
    await client.probe(name)
    took = time.monotonic() - began
    found = [TRITON.well(f"{url}: {name} answers in {took * 1000:.0f} ms, tensors as its manifest")]
    if took > _SLOW_S:
        found = [
            TRITON.warning(
                f"{url}: {name} takes {took:.1f} s for one small window",
                "is something else at work there? threads, limits, a GPU that is not used",
            )
        ]
    if not await client.independent(name, time.monotonic() + _WAIT_S):
        found.append(
            TRITON.warning(
                f"{url}: {name} gives other bytes in a batch than alone: replays will differ",
                "docs/deployment.md: build plans anew, or fix the batch size",
            )
        )
    return found


def _refusal(url: str, tls: Tls | None, called: str) -> str:
    """Why no connection can be made: gRPC calls all of it UNAVAILABLE. Empty where one can."""
    host = _host(url)
    try:
        address = (host, int(url.rpartition(":")[2]))
        with socket.create_connection(address, _CONNECT_S) as bare:
            if tls is not None:
                context = tls.context()
                context.set_alpn_protocols(["h2"])
                with context.wrap_socket(bare, server_hostname=called or host) as one:
                    if not one.recv(1):
                        return ": it hangs up: our certificate is not one that it takes"
    except ssl.SSLCertVerificationError as error:
        return f": its certificate: {error.verify_message}"
    except ssl.SSLError as error:
        return f": {error.reason}"
    except (OSError, ValueError) as error:
        return f": {getattr(error, 'strerror', None) or error}"
    return ""


def _unwell(url: str, error: DeidError, why: str) -> DoctorFinding:
    remedies = {
        "triton.unavailable": "is it running, and does the network let us through? triton.url, TLS",
        "triton.timeout": "Triton's log and load; triton.request_timeout_s",
        "triton.model-missing": "the server does not serve it: its model repository, its log",
        "triton.stub-dead": "the model's process died: Triton's log, its memory limit",
        "triton.contract": "server and worker have other models: deploy both from one release",
    }
    return TRITON.error(f"{url}: {error}{why}", remedies.get(error.code, "Triton's log"))
