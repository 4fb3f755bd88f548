"""`top` reads a real Triton's own metrics."""

import asyncio
import time

from stream_deid.config import Triton
from stream_deid.operations.top import scraping
from stream_deid.operations.top.figures import Figures
from stream_deid.rig.broker import free_port
from stream_deid.serving import manifest
from stream_deid.serving.client import Client
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer


async def ask(url, repo, times):
    manifests = manifest.load_all(repo, ["tiny_lstm"])
    async with Client(url, manifests, request_timeout_s=Triton().request_timeout_s) as client:
        await client.wait_ready(time.monotonic() + 60)
        for _ in range(times):
            await client.probe("tiny_lstm")


def test_models_of_a_real_server(repo):
    port = free_port()
    urls = scraping.addresses([f"127.0.0.1:{port}"])
    with LocalServer(
        repo, ["tiny_lstm"], Listening(grpc_port=free_port(), metrics_port=port), threads=1
    ) as server:
        asyncio.run(ask(server.url, repo, 1))
        before = scraping.scrape(urls)
        asyncio.run(ask(server.url, repo, 12))
        deadline = time.monotonic() + 30
        found = Figures.of(before, scraping.scrape(urls))
        while not found.models or found.models["tiny_lstm"].requests < 12:
            assert time.monotonic() < deadline
            found = Figures.of(before, scraping.scrape(urls))
    model = found.models["tiny_lstm"]
    assert model.failures == 0
    assert model.batch >= 1
    assert model.compute_s > 0
    assert found.workers == []
