"""Another user of the machine looks at every process of a worker and of `file` while notes are
scored, from the moment they are started: nothing that holds a key, a setting or a note opens.
"""

from __future__ import annotations

import ctypes
import multiprocessing
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager, suppress
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import orjson
import pytest
from harness import AGAIN_AFTER_S, PATIENCE_S, make_topics
from whole import KEY, PARTITIONS, send, whole_environment

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.synthetic import feed

ROOT, NOBODY = 0, 65534
FILES = ("environ", "maps", "smaps", "mem", "stack", "auxv", "pagemap", "io")
LINKS = ("cwd", "exe", "root")
FOLDERS = ("fd", "fdinfo", "map_files")
PUBLIC = ("cmdline", "comm", "status", "stat", "limits", "cgroup")
"""What anybody may read of any process: no secret may stand there."""
ATTACH, DETACH = 16, 17
root_only = pytest.mark.skipif(os.getuid() != ROOT, reason="only root can become another user")


def family(first: int) -> Iterator[int]:
    """A process and all that descend from it, by what anybody may read."""
    parents = {}
    for place in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            parents[int(place.parent.name)] = int(place.read_text().rpartition(")")[2].split()[1])
    found = {first}
    while more := {one for one, parent in parents.items() if parent in found} - found:
        found |= more
    yield from found & parents.keys()


def opened(process: int) -> Iterator[str]:
    """What of a process opens to whoever asks."""
    place = Path("/proc") / str(process)
    for name in FILES:
        with suppress(OSError), (place / name).open("rb", buffering=0) as file:
            if name in {"mem", "pagemap"} or file.read(64):  # these need an address; to open is all
                yield name
    for name in LINKS:
        with suppress(OSError):
            (place / name).readlink()
            yield name
    for name in FOLDERS:
        with suppress(OSError):
            yield from {f"{name}/" for _ in (place / name).iterdir()}
    call = ctypes.CDLL(None, use_errno=True).ptrace
    if call(ATTACH, process, 0, 0) == 0:
        with suppress(OSError):
            os.waitpid(process, 0)
        call(DETACH, process, 0, 0)
        yield "ptrace"


def look(user: int, pipe: Connection) -> None:
    """As a `user`: say ready, be told whom to look at, look until told to end (but once at least),
    and tell what opened, what was public, and whose it was.
    """
    os.setgroups([])
    os.setgid(user)
    os.setuid(user)
    open_, public, seen = set[str](), set[bytes](), set[int]()
    pipe.send("ready")
    first = pipe.recv()
    while not seen or not pipe.poll(0.02):
        for process in family(first):
            seen.add(process)
            open_ |= set(opened(process))
            for name in PUBLIC:
                with suppress(OSError):
                    public.add((Path("/proc") / str(process) / name).read_bytes())
    pipe.send((open_, public, seen))


class Looking:
    """A look and what it told: names of what opened, texts of what is public, how many processes.

    It is ready when it is made, so that it misses nothing of a process that is started after it.
    """

    opened: set[str]
    public: bytes
    processes: int

    def __init__(self, pipe: Connection):
        self._pipe = pipe
        assert self._told() == "ready"

    def begin(self, process: int) -> None:
        self._pipe.send(process)

    def end(self) -> None:
        self._pipe.send("end")
        self.opened, public, seen = self._told()
        self.public, self.processes = b"\n".join(public), len(seen)

    def _told(self) -> Any:
        assert self._pipe.poll(PATIENCE_S)
        return self._pipe.recv()


@contextmanager
def looking_as(user: int) -> Iterator[Looking]:
    here, there = multiprocessing.Pipe()
    child = multiprocessing.get_context("spawn").Process(target=look, args=(user, there))
    child.start()
    try:
        yield Looking(here)
    finally:
        child.kill()
        child.join()


def closed_to_others(found: Looking, notes: list[bytes]) -> None:
    assert found.opened == set()
    assert found.processes >= 4, "the worker, Triton's supervisor, Triton and its models"
    secrets = [KEY.encode(), *(text for raw in notes for text in names_in(raw))]
    assert len(secrets) > 10
    assert not [one for one in secrets if one in found.public]


def names_in(raw: bytes) -> list[bytes]:
    """The longer words of a message's text that begin with a capital."""
    text = orjson.loads(raw)["text"]
    return [word.encode() for word in text.split() if word.istitle() and len(word) > 6][:4]


def json_notes(count: int) -> list[bytes]:
    return [m.value for m in feed(4 * count, 8) if m.format == "json"][:count]


@root_only
def test_another_user_sees_nothing_of_a_worker_and_its_triton(embedded: Kafka, tmp_path: Path):
    make_topics(embedded, PARTITIONS)
    notes = json_notes(24)
    placed = send(embedded, notes)
    command = [sys.executable, "-m", "stream_deid.cli", "worker"]
    env = {**os.environ, **whole_environment(embedded, "auto")}
    with (
        closing(LedgerReader(embedded, PARTITIONS, AGAIN_AFTER_S)) as reader,
        (tmp_path / "log").open("wb") as log,
        looking_as(NOBODY) as found,
        looking_as(ROOT) as control,
        subprocess.Popen(command, env=env, stdout=log, stderr=log) as process,
    ):
        found.begin(process.pid)
        reader.until(lambda ledger: ledger.done >= len(placed), PATIENCE_S)
        found.end()
        control.begin(process.pid)
        control.end()
        process.terminate()
        assert process.wait(PATIENCE_S) == 0
    closed_to_others(found, notes)
    assert control.opened >= {"environ", "maps", "mem", "cwd", "fd/"}, "whoever may read does"


@root_only
def test_another_user_sees_nothing_of_a_file_command_and_its_triton(tmp_path: Path):
    notes, source = json_notes(24), tmp_path / "notes.jsonl"
    source.write_bytes(b"\n".join(notes))
    command = [
        sys.executable, "-m", "stream_deid.cli", "file", str(source), "--quiet",
        "--out", str(tmp_path / "clean"), "--audit", str(tmp_path / "audit"),
    ]  # fmt: skip
    env = {**os.environ, "STREAM_DEID_KEYS__VALUE": KEY}
    with looking_as(NOBODY) as found, subprocess.Popen(command, env=env) as process:
        found.begin(process.pid)
        assert process.wait(PATIENCE_S) == 0
        found.end()
    closed_to_others(found, notes)
    for name in ("clean", "audit"):
        assert (tmp_path / name).stat().st_mode & 0o077 == 0
