"""TLS to a Triton server: with the right certificates it answers, with others nothing is sent."""

import asyncio
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import grpc
import pytest

from stream_deid import config
from stream_deid.config import Triton
from stream_deid.errors import DeidError, Halt, Unavailable
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port
from stream_deid.serving.local.listening import Listening
from stream_deid.serving.local.server import LocalServer
from stream_deid.serving.service import serving
from stream_deid.serving.tls import Tls

MODEL = "tiny_lstm"


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "ours")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "theirs")


@pytest.fixture(scope="module")
def guarded(repo, ours):
    tls = Tls.read(ours.certificate, *ours.issue("triton"))
    with LocalServer(repo, [MODEL], Listening(grpc_port=free_port(), tls=tls), threads=1) as server:
        yield server


async def asked(settings: Triton) -> bool:
    async with serving(settings, [MODEL], startup_s=4.0) as service:
        return all((await service.client.healthy()).values())


def settings(repo, server, ca: Authority, who: Authority | None, days: int = 2) -> Triton:
    made = Triton(url=server.url, repository=str(repo), ca=str(ca.certificate))
    if who is None:
        return made
    certificate, key = who.issue("worker", days)
    return replace(made, certificate=str(certificate), key=str(key))


def run(settings: Triton) -> bool:
    return asyncio.run(asked(settings))


def test_with_the_right_certificates_the_models_answer(repo, guarded, ours) -> None:
    assert run(settings(repo, guarded, ours, ours))


def test_a_server_of_another_authority_gets_nothing(repo, guarded, ours, theirs) -> None:
    with pytest.raises(Unavailable):
        run(settings(repo, guarded, theirs, ours))


def test_without_our_certificate_or_with_anothers_the_server_refuses(
    repo, guarded, ours, theirs
) -> None:
    for who in (None, theirs):
        with pytest.raises(Unavailable):
            run(settings(repo, guarded, ours, who))


def test_with_a_certificate_that_has_expired_the_server_refuses(repo, guarded, ours) -> None:
    with pytest.raises(Unavailable):
        run(settings(repo, guarded, ours, ours, days=-1))


@contextmanager
def listening(certificate: Path, key: Path) -> Iterator[tuple[str, list[str]]]:
    """Somebody who speaks gRPC over TLS in a server's place, and what he was asked."""
    heard: list[str] = []

    class Hears(grpc.GenericRpcHandler):
        def service(self, details):
            heard.append(details.method)

    server = grpc.server(ThreadPoolExecutor(1), handlers=[Hears()])
    pair = (key.read_bytes(), certificate.read_bytes())
    port = server.add_secure_port("127.0.0.1:0", grpc.ssl_server_credentials([pair]))
    server.start()
    try:
        yield f"127.0.0.1:{port}", heard
    finally:
        server.stop(None).wait()


@pytest.mark.parametrize(
    ("shown", "believed"),
    [
        (("triton", 2, "subjectAltName=IP:127.0.0.1\n"), True),
        (("triton", -1, "subjectAltName=IP:127.0.0.1\n"), False),  # expired
        (("127.0.0.1", 2, "subjectAltName=DNS:triton.example,IP:10.0.0.1\n"), False),
        (("triton.example", 2, "keyUsage=digitalSignature\n"), False),
    ],
)
def test_a_server_is_asked_only_under_its_own_name_and_in_its_time(
    repo, ours, shown, believed
) -> None:
    with listening(*ours.issue(*shown)) as (url, heard):
        with pytest.raises(DeidError) as raised:
            run(Triton(url=url, repository=str(repo), ca=str(ours.certificate)))
        assert isinstance(raised.value, Unavailable) != believed
        assert bool(heard) == believed


def test_an_authority_without_a_certificate_is_not_the_worlds(repo, tmp_path) -> None:
    """An empty or broken file must not mean the authorities that the library brings."""
    for content in (b"", b"-----BEGIN CERTIFICATE-----\n"):
        (tmp_path / "ca.crt").write_bytes(content)
        with pytest.raises(Halt, match=r"triton\.tls"):
            run(Triton(url="127.0.0.1:1", repository=str(repo), ca=str(tmp_path / "ca.crt")))


def test_a_key_of_another_certificate_ends_the_start(repo, ours) -> None:
    certificate, _ = ours.issue("worker")
    _, key = ours.issue("other")
    made = Triton(url="127.0.0.1:1", repository=str(repo), ca=str(ours.certificate))
    with pytest.raises(Halt, match=r"triton\.tls"):
        run(replace(made, certificate=str(certificate), key=str(key)))


def test_in_the_clear_nothing_answers(repo, guarded) -> None:
    with pytest.raises(Unavailable):
        run(Triton(url=guarded.url, repository=str(repo)))


def test_half_set_certificates_are_refused(tmp_path) -> None:
    for body in ('certificate = "a"', 'ca = "c"\nkey = "k"', 'certificate = "a"\nkey = "k"'):
        path = tmp_path / "settings.toml"
        path.write_text(f'[triton]\nurl = "triton:8001"\n{body}\n')
        with pytest.raises(Halt) as raised:
            config.load(path, {})
        assert "triton.ca" in raised.value.detail
    with pytest.raises(Halt, match=r"triton\.tls"):
        Tls.of(Triton(url="triton:8001", ca=str(tmp_path / "missing.crt")))
