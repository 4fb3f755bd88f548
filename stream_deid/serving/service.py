"""Puts the serving side together from settings: server (if local), client, batcher."""

from __future__ import annotations

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from stream_deid.config import Triton
from stream_deid.errors import Unavailable
from stream_deid.serving import manifest
from stream_deid.serving.batcher import Scorer
from stream_deid.serving.client import Client
from stream_deid.serving.local.server import LocalServer
from stream_deid.serving.manifest import Manifest
from stream_deid.serving.tls import Tls

AUTO = "auto"
RESTARTS = 1000
TELL_S = 5.0

_log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Service:
    """A running serving side: `scorer.score(...)`, `client.probe(...)`, the checked manifests."""

    manifests: dict[str, Manifest]
    client: Client
    scorer: Scorer
    server: LocalServer | None


@asynccontextmanager
async def serving(
    settings: Triton, models: Sequence[str], *, startup_s: float = 90.0
) -> AsyncIterator[Service]:
    """Check the manifests of `models`, start the local server if `url` is "auto", and connect.

    Ready when it is entered: every model has answered a real inference and its tensors are those
    of its manifest. Raises `Halt` (manifest, files, server) or `Unavailable` after `startup_s`.
    """
    repo = manifest.repository(settings.repository)
    local = settings.url == AUTO
    manifests = manifest.load_all(repo, models, hashes=local)
    async with AsyncExitStack() as stack:
        server = None
        if local:
            server = LocalServer(
                repo, models, threads=settings.threads, restarts=RESTARTS, startup_s=startup_s
            )
            stack.callback(server.stop)
            await asyncio.to_thread(server.start)
        client = await stack.enter_async_context(
            Client(
                server.url if server else settings.url,
                manifests,
                request_timeout_s=settings.request_timeout_s,
                tls=Tls.of(settings),
            )
        )
        async with _telling(client.url):
            try:
                await client.wait_ready(time.monotonic() + startup_s)
            except Unavailable as error:
                raise Unavailable(error.code, f"{client.url}: {error.detail}") from None
        scorer = await stack.enter_async_context(
            Scorer(
                client,
                max_in_flight=settings.max_in_flight,
                max_tokens=settings.max_tokens_in_flight,
            )
        )
        yield Service(manifests, client, scorer, server)


@asynccontextmanager
async def _telling(url: str) -> AsyncIterator[None]:
    """Say every few seconds that the models are waited for."""

    async def tell() -> None:
        began = time.monotonic()
        while True:
            await asyncio.sleep(TELL_S)
            waited = round(time.monotonic() - began)
            _log.warning(
                "waiting for Triton at %s: %d s without an answer of every model", url, waited,
                extra={"ours": {"event": "waiting_for_triton", "url": url, "seconds": waited}},
            )  # fmt: skip

    telling = asyncio.create_task(tell())
    try:
        yield
    finally:
        telling.cancel()
