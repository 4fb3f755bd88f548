"""components/triton-tls: real servers with its arguments, the client with its settings."""

import asyncio
import shutil
import socket
from dataclasses import replace

import pytest
import toolbox
import triton_server
from test_manifests_program import load, worker_container
from toolbox import pod_of, the

from stream_deid.config import Triton
from stream_deid.errors import DeidError
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port
from stream_deid.serving.service import serving

SERVER, CLIENT = "/run/secrets/triton-tls", "/run/secrets/triton-client"


@pytest.fixture(scope="module", params=["examples/triton-tls", "examples/triton-tls-cpu"])
def manifests(request, rendered):
    return rendered[request.param]


@pytest.fixture(scope="module")
def container(manifests):
    return pod_of(the(manifests, "Deployment", "stream-deid-triton"))["containers"][0]


def mounted(folder, authority, name):
    """A secret's folder as it is mounted: certificate, key, authority."""
    folder.mkdir()
    certificate, key = authority.issue(name)
    for source, target in ((certificate, "tls.crt"), (key, "tls.key")):
        shutil.copy(source, folder / target)
    shutil.copy(authority.certificate, folder / "ca.crt")
    return folder


@pytest.fixture(scope="module")
def site(tmp_path_factory):
    home = tmp_path_factory.mktemp("site")
    authority = Authority(home / "ca")
    return home, {
        SERVER: mounted(home / "server", authority, "stream-deid-triton"),
        CLIENT: mounted(home / "client", authority, "worker"),
    }


@pytest.fixture(scope="module")
def port(container, site):
    home, folders = site
    ports = {"8001": free_port(), "8002": free_port()}
    with triton_server.started(container, ports, home / "triton", folders):
        yield ports["8001"]


async def asked(settings, startup_s):
    async with serving(settings, [triton_server.MODEL], startup_s=startup_s) as service:
        return all((await service.client.healthy()).values())


@pytest.fixture
def client(manifests, site, port, tmp_path):
    """The worker's settings of Triton, with the files and the port of this test."""
    home, folders = site
    named = load(manifests, worker_container(manifests), tmp_path).triton
    files = {
        name: getattr(named, name).replace(CLIENT, str(folders[CLIENT]))
        for name in ("ca", "certificate", "key")
    }
    repository = str(home / "triton/repo")
    return replace(named, url=f"127.0.0.1:{port}", repository=repository, **files)


def test_a_worker_with_the_settings_of_the_manifest_is_answered(client, port):
    assert asyncio.run(asked(client, triton_server.PATIENCE_S))
    with socket.create_connection(("127.0.0.1", port)):
        pass  # what the probe asks


@pytest.mark.parametrize("lacks", ["certificate", "tls"])
def test_who_has_no_certificate_is_not_answered(client, lacks):
    assert asyncio.run(asked(client, triton_server.PATIENCE_S))
    bare = Triton(url=client.url, repository=client.repository)
    wrong = replace(client, certificate="", key="") if lacks == "certificate" else bare
    with pytest.raises(DeidError):
        asyncio.run(asked(wrong, 2.0))


def test_the_name_that_workers_ask_for_is_the_services(manifests, tmp_path):
    settings = load(manifests, worker_container(manifests), tmp_path)
    host = settings.triton.url.removeprefix("dns:///").partition(":")[0]
    the(manifests, "Service", host)
    text = (toolbox.K8S / "components/triton-tls/kustomization.yaml").read_text()
    assert f"`{host}`" in text


def test_probes_ask_for_the_port_and_not_in_grpc(container):
    for when in ("startup", "liveness", "readiness"):
        probe = container[f"{when}Probe"]
        assert probe["tcpSocket"] == {"port": "grpc"}
        assert "grpc" not in probe
