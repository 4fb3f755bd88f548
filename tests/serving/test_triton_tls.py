"""TLS to a Triton server: with the right certificates it answers, with others nothing is sent."""

import asyncio
import shutil
import time
from dataclasses import replace
from pathlib import Path

import pytest
import tritonclient.grpc as triton

from stream_deid import config
from stream_deid.config import Triton
from stream_deid.errors import Halt, Unavailable
from stream_deid.rig.authority import Authority
from stream_deid.rig.broker import free_port
from stream_deid.serving.local.server import LocalServer
from stream_deid.serving.service import serving
from stream_deid.serving.tls import Tls

MODEL = "tiny_lstm"


class OverTls(LocalServer):
    """A server that asks every client for a certificate."""

    def __init__(self, repo: Path, ca: Authority, port: int) -> None:
        super().__init__(repo, [MODEL], threads=1, grpc_port=port)
        self._tls = Tls(ca.certificate, *ca.issue("triton"))

    def _addresses(self) -> list[str]:
        files = self._tls.certificate, self._tls.key, self._tls.ca
        certificate, key, ca = (shutil.copy(str(file), self._private) for file in files)
        return [
            *super()._addresses(),
            "--grpc-use-ssl=true",
            "--grpc-use-ssl-mutual=true",
            f"--grpc-server-cert={certificate}",
            f"--grpc-server-key={key}",
            f"--grpc-root-cert={ca}",
        ]

    def wait_ready(self, timeout_s: float) -> None:
        end = time.monotonic() + timeout_s
        while True:
            try:
                with triton.InferenceServerClient(self.url, **self._tls.options()) as client:
                    if client.is_model_ready(MODEL):
                        return
            except triton.InferenceServerException:
                assert time.monotonic() < end


@pytest.fixture(scope="module")
def ours(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "ours")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "theirs")


@pytest.fixture(scope="module")
def guarded(repo, ours):
    with OverTls(repo, ours, free_port()) as server:
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
