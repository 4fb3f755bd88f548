"""A repository of small real models and a real Triton server that serves it."""

import pytest
import tiny

from stream_deid.config import Triton
from stream_deid.rig.broker import free_port
from stream_deid.serving.local.server import LocalServer


@pytest.fixture(scope="session")
def repo(tmp_path_factory):
    path = tmp_path_factory.mktemp("models")
    for name, kind in tiny.MODELS.items():
        tiny.add_model(path, name, kind)
    return path


@pytest.fixture(scope="session")
def server(repo):
    with LocalServer(repo, list(tiny.MODELS), threads=1) as running:
        yield running


@pytest.fixture
def settings(repo, server):
    return Triton(url=server.url, repository=str(repo), request_timeout_s=5.0, max_in_flight=2)


@pytest.fixture
def unused_port():
    """A port that nobody listens on."""
    return free_port()
