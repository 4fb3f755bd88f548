"""Files for TLS are tried before anything starts; a mistake names file, setting and remedy."""

from __future__ import annotations

import subprocess
import sys
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from stream_deid.config import Kafka, Mllp, MllpOut, Registry, Settings, Triton
from stream_deid.config.declare import leaves
from stream_deid.operations import offline_checks, tls_files
from stream_deid.rig.authority import Authority


def openssl(*arguments: str) -> None:
    subprocess.run(["openssl", *arguments], check=True, capture_output=True)


@pytest.fixture(scope="module")
def files(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """A certificate and its key, and what goes wrong with such files."""
    authority = Authority(tmp_path_factory.mktemp("tls") / "ca")
    folder = authority.folder
    certificate, key = authority.issue("one")
    other_certificate, other = authority.issue("other")
    made = {"ca": authority.certificate, "certificate": certificate, "key": key, "other": other}
    for name, content in (
        ("empty", ""),
        ("prose", "no PEM"),
        ("half", certificate.read_text()[:400]),
    ):
        made[name] = folder / name
        made[name].write_text(content)
    made["encrypted"] = folder / "encrypted"
    openssl("rsa", "-aes256", "-passout", "pass:word", "-in", str(key), "-out",
            str(made["encrypted"]))  # fmt: skip
    made["binary"] = folder / "binary"
    openssl("x509", "-outform", "DER", "-in", str(certificate), "-out", str(made["binary"]))
    made["both"] = folder / "both"
    made["both"].write_text(made["ca"].read_text() + other_certificate.read_text())
    return {name: str(path) for name, path in made.items()}


def told(**triton: str) -> list[str]:
    settings = Settings(triton=replace(Triton(), url="t:8001", **triton))
    found = list(offline_checks.problems(settings))
    assert all(one.remedy for one in found)
    return [one.what for one in found]


def test_what_serves_is_no_mistake(files):
    assert told(ca=files["ca"], certificate=files["certificate"], key=files["key"]) == []
    assert told(ca=files["both"]) == []


@pytest.mark.parametrize("what", ["empty", "prose", "half", "binary", "key"])
def test_what_holds_no_certificate_is_named(files, what):
    assert told(ca=files[what]) == [f"triton.ca: {files[what]} holds no certificate"]
    said = told(ca=files["ca"], certificate=files[what], key=files["key"])
    assert said == [f"triton.certificate: {files[what]} holds no certificate"]


@pytest.mark.parametrize(
    ("what", "said"),
    [
        ("other", "is not the key of"),
        ("encrypted", "is encrypted, and its password is missing or wrong"),
        ("prose", "holds no key"),
        ("empty", "holds no key"),
        ("certificate", "holds no key"),
    ],
)
def test_a_key_that_is_not_the_certificates(files, what, said):
    (only,) = told(ca=files["ca"], certificate=files["certificate"], key=files[what])
    assert only.startswith(f"triton.key: {files[what]} {said}")


def of_kafka(files, **more: str) -> list[str]:
    security = {
        "security.protocol": "ssl", "ssl.ca.location": files["ca"],
        "ssl.certificate.location": files["certificate"], "ssl.key.location": files["key"],
    } | {name.replace("_", "."): value for name, value in more.items()}  # fmt: skip
    found = offline_checks.problems(Settings(kafka=Kafka(bootstrap="b:1", security=security)))
    return [f"{one.what} -> {one.remedy}" for one in found]


def test_every_mistake_of_kafkas_files_and_options_is_told_at_once(files):
    assert of_kafka(files) == []
    assert of_kafka(files, ssl_key_location=files["encrypted"], ssl_key_password="word") == []
    (wrong,) = of_kafka(files, ssl_key_location=files["encrypted"], ssl_key_password="no")
    assert wrong.endswith("set kafka.security.ssl.key.password")
    assert "word" not in wrong.split("->")[0].replace("password", "")
    said = of_kafka(files, ssl_ca_location=files["prose"], sasl_password="x")
    assert len(said) == 2
    assert "holds no certificate" in said[0]
    assert "has no SASL" in said[1]


@pytest.mark.parametrize(
    ("days", "said"), [(5, "was valid until"), (-2, "is not valid yet"), (1, None)]
)
def test_a_certificate_of_another_time(files, monkeypatch, days, said):
    moved = (datetime.now(UTC) + timedelta(days)).timestamp()
    monkeypatch.setattr(tls_files.time, "time", lambda: moved)
    found = told(ca=files["ca"], certificate=files["certificate"], key=files["key"])
    assert len(found) == (2 if said else 0)
    assert all(said in one for one in found)


def test_no_terminal_is_asked_for_a_password(files):
    """OpenSSL asks at the terminal for the password of a key, unless it is told one."""
    script = (
        "import sys; from stream_deid.config import Settings, Mllp, Triton, Kafka\n"
        "from stream_deid.operations import offline_checks\n"
        "ca, certificate, key = sys.argv[1:]\n"
        "kafka = Kafka(bootstrap='b:1', security={'security.protocol': 'ssl',"
        "'ssl.ca.location': ca,"
        "'ssl.certificate.location': certificate, 'ssl.key.location': key})\n"
        "print(len(list(offline_checks.problems(Settings(kafka=kafka,"
        "mllp=Mllp(certificate=certificate, key=key))))))"
    )
    names = [files["ca"], files["certificate"], files["encrypted"]]
    done = subprocess.run(
        [sys.executable, "-c", script, *names], input="word\n", capture_output=True, text=True,
        timeout=60, check=True, start_new_session=True,
    )  # fmt: skip
    assert done.stdout == "2\n"
    assert "pass phrase" not in done.stderr


def test_every_file_of_tls_that_a_setting_names_is_tried(tmp_path):
    """The next setting of a certificate is tried too, or named here with the reason why not."""
    named = {name: str(tmp_path / name) for name in ("ca", "certificate", "key")}
    options = {f"ssl.{name}.location": path for name, path in named.items()}
    settings = Settings(
        kafka=Kafka(security={**options, "https.ca.location": named["ca"]}),
        registry=Registry(options=options),
        triton=Triton(**named), mllp=Mllp(**named), mllp_out=MllpOut(**named),
    )  # fmt: skip
    tried = {
        pem.setting
        for wire in tls_files.wires(settings)
        for pem in (wire.ca, wire.certificate, wire.key)
        if pem
    }
    known = {leaf.path for leaf in leaves(settings, {"file"}) if Path(leaf.text).parent == tmp_path}
    assert known == tried
