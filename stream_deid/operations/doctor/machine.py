"""The machine itself: key, certificates, models' files, ports, space, clock."""

from __future__ import annotations

import ctypes
import errno
import shutil
import socket
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from stream_deid import assembly, config
from stream_deid.config import Settings, named_files
from stream_deid.config.named_files import not_writable
from stream_deid.errors import DeidError, Halt
from stream_deid.hardening import open_to_others
from stream_deid.operations import tls_files
from stream_deid.operations.doctor.findings import Area, DoctorFinding
from stream_deid.serving import manifest
from stream_deid.serving.local.server import assert_numpy, carrier
from stream_deid.serving.service import AUTO

MACHINE = Area("machine")
_LITTLE, _NOTHING = 1_000_000_000, 100_000_000
_SOON_S = 21 * 86_400
_TIME_ERROR = 5  # adjtimex(2): the clock is not synchronised
_SAID = ("keys.file", "release.former_keys", "triton.repository", "kafka.state_dir")
_OUR_PATHS = ("/healthz", "/readyz")


def look(settings: Settings) -> Iterator[DoctorFinding]:
    """Everything that can be said without a broker and without Triton."""
    yield from key(settings)
    yield from former_keys(settings)
    yield from files(settings)
    yield from certificates(settings)
    yield from models(settings)
    yield from ports(settings)
    yield from space(settings)
    yield from clock()


def key(settings: Settings) -> Iterator[DoctorFinding]:
    """The secret key: there, long enough, for its owner alone."""
    try:
        config.read_key(settings.keys)
    except Halt as error:
        yield MACHINE.of(error, "`stream-deid keygen FILE` makes a key; docs/keys.md")
        return
    if not settings.keys.file:
        yield MACHINE.warning(
            "the key comes from the environment, which child processes and crash reports see",
            "mount it as a file and set keys.file",
        )
    elif open_to_others(Path(settings.keys.file)):
        yield _open_to_others(settings.keys.file)
    else:
        yield MACHINE.well(f"key {settings.keys.file}")


def _open_to_others(file: str) -> DoctorFinding:
    return MACHINE.warning(
        f"the key {file} can be read or changed by other users",
        f"chmod 600 {file}; on Kubernetes defaultMode: 0440 with fsGroup",
    )


def former_keys(settings: Settings) -> Iterator[DoctorFinding]:
    """The keys that served before, by which `release` knows records sealed under them: as the
    present one, and each another than that and than the others.
    """
    known: dict[bytes, str] = {}
    with suppress(Halt):  # told of the present one
        known[config.read_key(settings.keys)] = "the key that serves"
    for file in settings.release.former_keys:
        alone = replace(settings.release, former_keys=(file,))
        try:
            (one,) = config.read_former_keys(alone)
        except Halt as error:
            yield MACHINE.of(error, "mount the key that served before; docs/keys.md")
            continue
        if other := known.get(one):
            yield MACHINE.warning(
                f"release.former_keys: {file} is {other} once more: records that were sealed "
                "under the former one stay",
                "mount the key that served before, or name none; docs/keys.md",
            )
        elif open_to_others(Path(file)):
            yield _open_to_others(file)
        else:
            yield MACHINE.well(f"former key {file}")
        known.setdefault(one, f"the key in {file}")


def files(settings: Settings) -> Iterator[DoctorFinding]:
    """What settings name is there, but for what others of these parts say."""
    for problem in named_files.unreadable(settings):
        if problem.path not in _SAID:
            yield MACHINE.error(problem.what, problem.remedy)


def certificates(settings: Settings) -> Iterator[DoctorFinding]:
    """Files for TLS: serviceable, not over soon, their keys for their owner alone."""
    for wire in tls_files.wires(settings):
        faults = list(tls_files.faults(wire))
        for fault in faults:
            yield MACHINE.error(f"{fault.setting}: {fault.what}", fault.remedy)
        key = wire.key
        if key and key.path.is_file() and open_to_others(key.path):
            yield MACHINE.warning(
                f"{key.setting}: {key.path} can be read or changed by other users",
                f"chmod 600 {key.path}",
            )
        for pem in wire.certificates:
            if pem.setting not in {fault.setting for fault in faults} and pem.path.is_file():
                yield _until(pem)


def _until(pem: tls_files.Pem) -> DoctorFinding:
    _, until = tls_files.validity(pem)
    day = tls_files.day(until)
    if until < time.time() + _SOON_S:
        return MACHINE.warning(f"{pem.setting}: {pem.path} is valid until {day}", "renew it")
    return MACHINE.well(f"{pem.setting}: valid until {day}")


def models(settings: Settings) -> Iterator[DoctorFinding]:
    """Manifests, files and engines; and that a pipeline can be made of them."""
    local = settings.triton.url == AUTO
    try:
        manifests = manifest.needed(settings.triton.repository, settings.model_names, hashes=local)
        if local and manifests:
            carrier()
            assert_numpy()
        made = assembly.assemble(settings, b"the doctor's, for nothing", manifests)
    except DeidError as error:
        yield MACHINE.of(error)
        return
    required = [name for setup in made.languages.values() for name in setup.required]
    versions = ", ".join(dict.fromkeys(required))
    yield MACHINE.well(f"release {made.release}: {versions}, policy {settings.policy.name}")


def ports(settings: Settings) -> Iterator[DoctorFinding]:
    """The ports that a worker would listen on."""
    host, port = settings.http.host, settings.http.port
    if port == 0 or _can_be_had(host, port):
        yield MACHINE.well(f"http.port {port} is free" if port else "http.port is any free one")
    elif _is_ours(host, port):
        yield MACHINE.well(f"http.port {port}: a worker answers there")
    else:
        yield MACHINE.error(
            f"http.port {port} of {host} is taken",
            "another http.port; `stream-deid worker --port 0` takes a free one",
        )


def _can_be_had(host: str, port: int) -> bool:
    with socket.socket() as one:
        one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)  # as the endpoint does
        try:
            one.bind((host, port))
        except OSError as error:
            return error.errno not in (errno.EADDRINUSE, errno.EACCES)
    return True


def _is_ours(host: str, port: int) -> bool:
    """Whether what listens there answers as a worker does."""
    own = "127.0.0.1" if host in ("0.0.0.0", "::") else host  # noqa: S104 - compared, not bound
    for path in _OUR_PATHS:
        try:
            with urllib.request.urlopen(f"http://{own}:{port}{path}", timeout=3):
                pass
        except urllib.error.HTTPError as error:
            if error.code != 503:
                return False
        except OSError:
            return False
    return True


def space(settings: Settings) -> Iterator[DoctorFinding]:
    """Where something is written: it can be, and there is room."""
    folder = Path(settings.kafka.state_dir or tempfile.gettempdir())
    existing = next(p for p in (folder, *folder.absolute().parents) if p.exists())
    if why := not_writable(existing):
        yield MACHINE.error(
            f"{existing} can't be written: {why}", "mount a folder; kafka.state_dir"
        )
        return
    free = shutil.disk_usage(existing).free
    if free < _NOTHING:
        yield MACHINE.error(f"{existing} has {free / 1e6:.0f} MB left", "make room")
    elif free < _LITTLE:
        yield MACHINE.warning(f"{existing} has {free / 1e6:.0f} MB left", "make room")
    else:
        yield MACHINE.well(f"{existing} can be written, {free / 1e9:.0f} GB left")


def clock() -> Iterator[DoctorFinding]:
    """Whether the kernel says that somebody keeps this clock right (Linux; adjtimex(2))."""
    asked = getattr(ctypes.CDLL(None), "adjtimex", None)
    state = asked(ctypes.create_string_buffer(512)) if asked else -1  # all zero: only asks
    if state == _TIME_ERROR:
        yield MACHINE.warning(
            "nothing keeps this machine's clock right (the kernel calls it unsynchronised)",
            "run chrony on the host: certificates, --from and --to depend on it",
        )
    elif state >= 0:
        yield MACHINE.well("the clock is synchronised")
