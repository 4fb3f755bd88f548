"""Files for TLS that settings name: whether a connection could be made with them.

Each file is PEM; a certificate stands first in its file and has its own key; both are of this time.
Nothing of a file but its dates is told.
"""

from __future__ import annotations

import ssl
import time
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from stream_deid.config import Settings

_PEM = "it must be in PEM, the certificate itself first"


@dataclass(frozen=True, slots=True)
class Pem:
    """One file: the setting that names it, and whether it is a bundle of which one is enough."""

    setting: str
    path: Path
    bundle: bool = False


@dataclass(frozen=True, slots=True)
class Wire:
    """The files of one connection; `password` of the key, where a setting can hold one."""

    ca: Pem | None = None
    certificate: Pem | None = None
    key: Pem | None = None
    password: str | None = field(default=None, repr=False)

    @property
    def certificates(self) -> list[Pem]:
        """The files that hold certificates."""
        return [one for one in (self.ca, self.certificate) if one]


@dataclass(frozen=True, slots=True)
class TlsFault:
    """Why a file doesn't serve, and what to do; `over`: it did, or will, at another time."""

    setting: str
    what: str
    remedy: str
    over: bool = False


def wires(settings: Settings) -> Iterator[Wire]:
    """Every connection whose files settings name."""
    security, options = settings.kafka.security, settings.registry.options
    yield _of_options("kafka.security", security)
    tokens = security.get("https.ca.location")
    yield Wire(ca=_pem("kafka.security.https.ca.location", tokens, bundle=True))
    yield _of_options("registry.options", options)
    for name in ("triton", "mllp", "mllp_out"):
        section = getattr(settings, name)
        yield Wire(
            _pem(f"{name}.ca", section.ca, bundle=True),
            _pem(f"{name}.certificate", section.certificate),
            _pem(f"{name}.key", section.key),
        )


def faults(wire: Wire) -> Iterator[TlsFault]:
    """What is wrong with the files of a connection; those that can't be read are left out."""
    there = []
    for pem in wire.certificates:
        if _readable(pem.path):
            found = list(_of_certificate(pem))
            yield from found
            there += [] if any(not one.over for one in found) else [pem]
    if wire.key and wire.certificate in there and _readable(wire.key.path):
        yield from _of_key(wire.key, wire.certificate, wire.password)


def validity(pem: Pem) -> tuple[float, float]:
    """Since when and until when a file serves (seconds since 1970); of a bundle the one that serves
    longest. Raises `ssl.SSLError` or `ValueError` where it holds no certificate.
    """
    spans = [_span(one) for one in _decoded(pem)]
    now = time.time()
    return max(spans, key=lambda span: (span[0] <= now <= span[1], span[1]))


def _of_options(name: str, options: Mapping[str, Any]) -> Wire:
    files = {
        one: _pem(
            f"{name}.ssl.{one}.location", options.get(f"ssl.{one}.location"), bundle=one == "ca"
        )
        for one in ("ca", "certificate", "key")
    }
    return Wire(**files, password=str(options.get("ssl.key.password", "")))


def _pem(setting: str, path: object, *, bundle: bool = False) -> Pem | None:
    return Pem(setting, Path(path), bundle) if isinstance(path, str) and path else None


def _readable(path: Path) -> bool:
    try:
        path.read_bytes()
    except (OSError, ValueError):
        return False
    return True


def _of_certificate(pem: Pem) -> Iterator[TlsFault]:
    try:
        since, until = validity(pem)
    except (ssl.SSLError, ValueError, KeyError):
        yield TlsFault(pem.setting, f"{pem.path} holds no certificate", _PEM)
        return
    now = time.time()
    if until < now:
        yield TlsFault(
            pem.setting, f"{pem.path} was valid until {day(until)}", "renew it", over=True
        )
    elif since > now:
        remedy = "look at this machine's clock, then at the certificate"
        yield TlsFault(pem.setting, f"{pem.path} is not valid yet", remedy, over=True)


def _of_key(key: Pem, certificate: Pem, password: str | None) -> Iterator[TlsFault]:
    try:  # an empty password: nobody is asked for one at a terminal
        ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT).load_cert_chain(
            certificate.path, key.path, password or ""
        )
    except (ssl.SSLError, ValueError) as error:
        if "MISMATCH" in (getattr(error, "reason", None) or ""):
            what = f"is not the key of {certificate.path}"
            remedy = "name the two that belong together"
        elif b"ENCRYPTED" in key.path.read_bytes():
            what = "is encrypted, and its password is missing or wrong"
            remedy = "store it unencrypted, for its owner alone"
            if password is not None:
                remedy = f"set {key.setting.removesuffix('location')}password"
        else:
            what, remedy = "holds no key", "it must be in PEM, the certificate's own"
        yield TlsFault(key.setting, f"{key.path} {what}", remedy)


def _decoded(pem: Pem) -> list[dict[str, Any]]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_CLIENT)
    if pem.bundle:
        context.load_verify_locations(pem.path)
        if found := context.get_ca_certs():  # those that may sign
            return [dict(one) for one in found]
    return [ssl._ssl._test_decode_cert(str(pem.path))]  # type: ignore[attr-defined]  # noqa: SLF001


def _span(certificate: Mapping[str, Any]) -> tuple[float, float]:
    since, until = certificate["notBefore"], certificate["notAfter"]
    return ssl.cert_time_to_seconds(since), ssl.cert_time_to_seconds(until)


def day(seconds: float) -> str:
    """The day of a moment, in UTC."""
    return time.strftime("%Y-%m-%d", time.gmtime(seconds))
