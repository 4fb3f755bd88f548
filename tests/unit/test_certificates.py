"""Which renewed files end a worker, and when: none that is half written or would not serve."""

import shutil
from pathlib import Path

import pytest

from stream_deid.config import Kafka, Settings, Triton
from stream_deid.rig.authority import Authority
from stream_deid.streaming.certificates import Certificates


@pytest.fixture(scope="module")
def authority(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("authority") / "ca")


@pytest.fixture
def files(authority: Authority, tmp_path: Path) -> Path:
    """A folder as a mounted secret: `ca`, `crt`, `key`."""
    write(tmp_path, authority, "first")
    return tmp_path


def write(folder: Path, authority: Authority, name: str, *parts: str) -> None:
    """A fresh certificate of `name`; `parts`: only these of its files."""
    certificate, key = authority.issue(name)
    made = {"ca": authority.certificate, "crt": certificate, "key": key}
    for part in parts or made:
        shutil.copy(made[part], folder / part)


def watched(folder: Path, member: str = "worker-0") -> Certificates:
    security = {
        "security.protocol": "ssl",
        "ssl.ca.location": str(folder / "ca"),
        "ssl.certificate.location": str(folder / "crt"),
        "ssl.key.location": str(folder / "key"),
    }
    return Certificates(Settings(kafka=Kafka(bootstrap="b:1", security=security, member=member)))


def looks(certificates: Certificates, times: int = 3) -> list[bool]:
    return [certificates.renewed() for _ in range(times)]


def test_the_same_files_written_again_are_no_others(files: Path) -> None:
    certificates = watched(files)
    for name in ("ca", "crt", "key"):
        (files / name).write_bytes((files / name).read_bytes())
    assert looks(certificates) == [False, False, False]


def test_others_count_when_two_looks_find_the_same(files: Path, authority: Authority) -> None:
    certificates = watched(files)
    write(files, authority, "second")
    assert looks(certificates, 2) == [False, True]


def test_a_certificate_without_its_key_is_waited_for(files: Path, authority: Authority) -> None:
    certificates = watched(files)
    write(files, authority, "third", "crt")
    assert looks(certificates) == [False, False, False]
    shutil.copy(authority.folder / "third.key", files / "key")
    assert looks(certificates, 2) == [False, True]


@pytest.mark.parametrize("content", [b"", b"no certificate"])
def test_files_that_would_not_serve_are_left_alone(files: Path, content: bytes) -> None:
    certificates = watched(files)
    (files / "ca").write_bytes(content)
    assert looks(certificates) == [False, False, False]


def test_a_file_that_is_gone_is_left_alone(files: Path) -> None:
    certificates = watched(files)
    (files / "crt").unlink()
    assert looks(certificates) == [False, False, False]


def test_those_of_triton_count(files: Path, authority: Authority) -> None:
    triton = Triton(ca=str(files / "ca"), certificate=str(files / "crt"), key=str(files / "key"))
    certificates = Certificates(Settings(triton=triton))
    write(files, authority, "fourth")
    assert looks(certificates, 2) == [False, True]


def test_who_has_none_waits_for_nothing() -> None:
    assert looks(Certificates(Settings())) == [False, False, False]


def test_workers_take_turns_by_their_number(files: Path) -> None:
    assert [watched(files, f"worker-{n}").turn_s for n in (0, 1, 2, 10)] == [0, 20, 40, 0]
