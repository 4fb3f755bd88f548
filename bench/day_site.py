"""Everything that runs in the trials of a site (`bench/day.py`, `changes.py`, `disasters.py`,
`three_brokers.py`), what they are asked for, and the account of it.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Self

from day_cluster import Cluster
from day_parts import Book, Pods, Sender, wait

from stream_deid import config
from stream_deid.rig.synthetic import AUTHORITY, feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer

MODELS = {"en": "bilstm_crf_en", "es": "bilstm_crf_es"}
PARTITIONS, MORE_PARTITIONS = 6, 8
LIVE = ("notes.deid", "notes.audit", "notes.dead")
REPLAY = "stream-deid-replay"
_BEGAN = time.monotonic()


def options(words: str | None) -> argparse.ArgumentParser:
    """What every trial of the site takes."""
    parser = argparse.ArgumentParser(description=words)
    parser.add_argument("--rate", type=float, default=3.0, help="notes a second")
    parser.add_argument("--keep", type=Path, help="folder for logs")
    return parser


def say(text: str) -> None:
    print(f"{time.monotonic() - _BEGAN:6.1f} s  {text}", flush=True)


def secret(path: Path) -> Path:
    """A fresh key in a file of its owner."""
    path.touch(mode=0o600)
    path.write_text(config.new_key())
    return path


def notes() -> Iterator[bytes]:
    return (message.value for message in feed(sys.maxsize, 14))


@dataclass
class Site:
    """Everything that runs."""

    cluster: Cluster
    triton: LocalServer
    pods: Pods
    sender: Sender
    book: Book
    folder: Path

    @classmethod
    def opened(
        cls,
        stack: ExitStack,
        keep: Path | None,
        rate: float,
        also: tuple[str, ...] = (),
        *,
        three: bool = False,
    ) -> Self:
        """A cluster and a Triton that answer, and no pod yet.

        `keep`: where logs stay; `also`: topics of clean notes; `three`: nodes of Kafka, not one.
        """
        folder = keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(exist_ok=True)
        home = Path(os.environ["KAFKA_HOME"])
        cluster = stack.enter_context(Cluster(folder, home, PARTITIONS, three=three))
        cluster.make(*also)
        repo = manifest.repository()
        triton = stack.enter_context(LocalServer(repo, [*MODELS.values()], threads=1, restarts=10))
        say("Kafka over SASL_SSL and Triton answer")
        settings = {
            "STREAM_DEID_TRITON__URL": triton.url,
            "STREAM_DEID_KEYS__FILE": str(secret(folder / "key")),
            "STREAM_DEID_HTTP__HOST": "127.0.0.1",
            "STREAM_DEID_FORMATS__AUTHORITIES": f'{{"{AUTHORITY}" = ""}}',
        }
        pods = Pods(cluster, folder, {"en": MODELS["en"]}, settings)
        stack.callback(pods.scale, 0)
        sender = Sender(cluster.client("stream-deid-sender"), notes(), rate)
        book = Book(cluster.client("admin"), PARTITIONS, clean=also)
        return cls(cluster, triton, pods, sender, book, folder)

    def evening(self) -> int:
        """The account."""
        self.sender.stop()
        wait(lambda: self.book.done(self.sender.sent), "everything is out")
        self.pods.scale(0)
        time.sleep(3)  # for what comes twice and late
        wrong = self.book.account(self.sender.sent)
        say(f"{self.sender.count} notes sent; {self.state()}")
        say(f"ends of workers by status: {dict(self.pods.statuses)}")
        say("; ".join(f"{name} {number}" for name, number in wrong.items()))
        return int(any(wrong.values()))

    def some_notes(self, count: int) -> float:
        """Wait until so many more notes, and all before them, are out; the seconds."""
        wanted, began = self.sender.count + count, time.monotonic()
        wait(lambda: len(self.sender.sent) >= wanted, "the sender goes on")
        sent = dict(self.sender.sent)
        wait(lambda: self.book.done(sent), "notes come out")
        return time.monotonic() - began

    def doctor(self) -> None:
        job = self.pods.command("stream-deid-worker", "doctor")
        told = job.communicate(timeout=300)[0].strip()
        (self.folder / "doctor.txt").write_text(told)
        poor = [line for line in told.splitlines() if line.split()[:1] in (["error"], ["warning"])]
        say(f"doctor: status {job.returncode}, {len(poor)} warnings and errors")
        for line in poor:
            say(f"        {line.strip()}")

    def state(self) -> str:
        released = ", ".join(f"{n} by {name}" for name, n in sorted(self.book.releases.items()))
        dead = sum(bool(entry.dead) for entry in list(self.book.entries.values()))
        return f"released {released}; {dead} dead letters"

    def dead_letters(self) -> None:
        """The Spanish notes of the morning, again and into the live topics."""
        self.cluster.let(REPLAY, "topic", LIVE, "Write")
        job = self.pods.command(
            REPLAY, "replay", "--id", "spanish", "--live", "--dead", "language.unsupported"
        )
        told = job.communicate(timeout=900)[0].strip()
        say(f"dead letters: {told} (status {job.returncode})")
