"""Who tries to get past the TLS of MLLP: with certificates that don't hold, older TLS, or none."""

from __future__ import annotations

import socket
import ssl
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from stream_deid.config import Mllp, MllpOut
from stream_deid.mllp.access import Guests, client_tls, server_tls
from stream_deid.rig.authority import Authority

LOOPBACK = "subjectAltName=IP:127.0.0.1,DNS:localhost\n"
MESSAGE = b"\x0bMSH|^~\\&|||||||ADT^A01|1|P|2.5\r\x1c\r"


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "ours")


@pytest.fixture(scope="module")
def theirs(tmp_path_factory: pytest.TempPathFactory) -> Authority:
    return Authority(tmp_path_factory.mktemp("tls") / "theirs")


@contextmanager
def heard(context: ssl.SSLContext | None) -> Iterator[tuple[int, list[bytes]]]:
    """The port of somebody who takes one connection, and what he gets to read on it."""
    got: list[bytes] = []
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(20)

        def take() -> None:
            connection, _ = server.accept()
            connection.settimeout(20)
            try:
                if context is not None:
                    connection = context.wrap_socket(connection, server_side=True)
                got.append(connection.recv(4096))
            except OSError:
                return
            finally:
                connection.close()

        thread = threading.Thread(target=take)
        thread.start()
        try:
            yield server.getsockname()[1], got
        finally:
            thread.join(20)


def said_to(port: int, context: ssl.SSLContext | None, name: str = "localhost") -> bool:
    """Whether a message could be sent, as far as the sender sees."""
    try:
        with socket.create_connection(("127.0.0.1", port), 10) as plain:
            plain.settimeout(10)
            line = context.wrap_socket(plain, server_hostname=name) if context else plain
            line.sendall(MESSAGE)
            line.recv(1)
    except OSError:
        return False
    return True


def listener(ours: Authority) -> ssl.SSLContext:
    crt, key = map(str, ours.issue("listener"))
    made = server_tls(Mllp(certificate=crt, key=key, ca=str(ours.certificate)), lambda _: None)
    assert made is not None
    return made


def sender(ca: Authority, mine: tuple[Path, Path] | None = None) -> ssl.SSLContext:
    crt, key = map(str, mine) if mine else ("", "")
    made = client_tls(MllpOut(ca=str(ca.certificate), certificate=crt, key=key))
    assert made is not None
    return made


def test_a_sender_with_a_good_certificate_is_heard(ours: Authority) -> None:
    with heard(listener(ours)) as (port, got):
        said_to(port, sender(ours, ours.issue("ehr")))
    assert got == [MESSAGE]


def of_a_server(ours: Authority) -> tuple[Path, Path]:
    return ours.issue("server-only", places=f"{LOOPBACK}extendedKeyUsage=serverAuth\n")


BAD_SENDERS = {
    "no certificate": lambda ours, _: sender(ours),
    "another authority's": lambda ours, theirs: sender(ours, theirs.issue("ehr")),
    "expired": lambda ours, _: sender(ours, ours.issue("old", days=-1)),
    "a server's": lambda ours, _: sender(ours, of_a_server(ours)),
    "in the clear": lambda *_: None,
}


@pytest.mark.parametrize("who", BAD_SENDERS)
def test_a_sender_that_can_not_show_who_it_is_is_not_heard(
    who: str, ours: Authority, theirs: Authority
) -> None:
    with heard(listener(ours)) as (port, got):
        said_to(port, BAD_SENDERS[who](ours, theirs))
    assert got == []


def test_older_tls_is_not_spoken(ours: Authority) -> None:
    old = sender(ours, ours.issue("ehr"))
    old.minimum_version, old.maximum_version = ssl.TLSVersion.TLSv1, ssl.TLSVersion.TLSv1_1
    old.set_ciphers("ALL:@SECLEVEL=0")
    with heard(listener(ours)) as (port, got):
        assert not said_to(port, old)
    assert got == []


def receiver(who: Authority, *, days: int = 2, places: str = LOOPBACK) -> ssl.SSLContext:
    made = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    made.load_cert_chain(*who.issue("receiver", days, places))
    return made


BAD_RECEIVERS = {
    "another authority's": lambda _, theirs: receiver(theirs),
    "expired": lambda ours, _: receiver(ours, days=-1),
    "of another host": lambda ours, _: receiver(ours, places="subjectAltName=DNS:elsewhere\n"),
    "a sender's": lambda ours, _: receiver(ours, places=f"{LOOPBACK}extendedKeyUsage=clientAuth\n"),
    "in the clear": lambda *_: None,
}


@pytest.mark.parametrize("who", BAD_RECEIVERS)
def test_nothing_is_sent_to_a_receiver_that_can_not_show_who_it_is(
    who: str, ours: Authority, theirs: Authority
) -> None:
    with heard(BAD_RECEIVERS[who](ours, theirs)) as (port, got):
        assert not said_to(port, sender(ours))
    assert all(b"MSH" not in one for one in got)  # in the clear he reads a ClientHello


LIKE_IT = [
    "*.example.org",
    "ehr-1.example.org.evil",
    "xehr-1.example.org",
    "ehr-1.example.org\0",
    "",
]


@pytest.mark.parametrize("shown", LIKE_IT)
def test_a_name_that_is_like_one_on_the_list_is_none(shown: str) -> None:
    certificate = {"subjectAltName": (("DNS", shown), ("email", "ehr-1.example.org"))}
    guests = Guests(Mllp(names=("ehr-1.example.org",)))
    assert guests.refusal("192.0.2.1", certificate) == "certificate"
