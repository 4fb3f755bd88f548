"""A day in the life, as one script: upgrade, kills, growth, replay, rotation, and the account.

    KAFKA_HOME=... python bench/day.py [--rate 3] [--minutes 1] [--keep FOLDER]

Apache Kafka on loopback over SASL_SSL with the topics, users and rights of `deploy/k8s`; workers
with its settings file, under the names of its pods; a real Triton with the small models
(BiLSTM-CRF). Notes come in at `--rate` all day long. What a step does is printed with what was seen
of it; the status is 1 if a note was lost, came out twice, has no audit, or stayed a dead letter.
"""

from __future__ import annotations

import argparse
import os
import signal
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path

from day_parts import Book, Cluster, Pods, Sender, wait

from stream_deid import config
from stream_deid.rig.synthetic import AUTHORITY, feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer

MODELS = {"en": "bilstm_crf_en", "es": "bilstm_crf_es"}
PARTITIONS, MORE_PARTITIONS = 6, 8
LIVE = ("notes.deid", "notes.audit", "notes.dead")
REPLAY = "stream-deid-replay"
_BEGAN = time.monotonic()


def say(text: str) -> None:
    print(f"{time.monotonic() - _BEGAN:6.1f} s  {text}", flush=True)


@dataclass
class Day:
    """Everything that runs."""

    cluster: Cluster
    triton: LocalServer
    pods: Pods
    sender: Sender
    book: Book
    folder: Path
    minutes: float
    upgraded: datetime = field(default_factory=lambda: datetime.now(UTC))

    def morning(self) -> None:
        """Two workers that know English; Spanish notes become dead letters."""
        self.pods.scale(2)
        say(f"two workers ready after {self.pods.all_ready():.1f} s")
        self._doctor()
        self.sender.start()
        self._some_notes(40)
        say(f"traffic; {self._state()}")

    def upgrade(self) -> None:
        """Spanish is added: a second release, worker by worker."""
        self.pods.models = MODELS
        say(f"rolling upgrade to a release with Spanish: {self.pods.roll():.1f} s")
        self._some_notes(20)
        say(self._state())
        assert len(self.book.releases) == 2, "both releases have released"
        self.upgraded = datetime.now(UTC)

    def kills(self) -> None:
        """A worker, Triton and the broker are killed in turn; notes go on coming."""
        self.pods.running[0].send(signal.SIGKILL)
        say(f"worker killed; what was sent, and 10 more, is out after {self._some_notes(10):.1f} s")
        os.kill(self.triton.pid, signal.SIGKILL)
        say(f"Triton killed; the same after {self._some_notes(10):.1f} s")
        self.cluster.broker.kill()
        self.cluster.broker.start()
        say(f"broker killed and answering; the same after {self._some_notes(10):.1f} s")
        self.pods.all_ready()

    def growth(self) -> None:
        """More partitions and a new password of the workers, by one rolling restart."""
        self.cluster.change_password("stream-deid-worker")
        self.cluster.grow("notes.raw", MORE_PARTITIONS)
        say(f"{MORE_PARTITIONS} partitions, new password: rolled in {self.pods.roll():.1f} s")
        sent = self.sender.sent
        wait(lambda: any(_partition(place) >= PARTITIONS for place in list(sent)), "they are fed")
        self._some_notes(20)
        self._doctor()

    def dead_letters(self) -> None:
        """The Spanish notes of the morning, again and into the live topics."""
        self.cluster.let_write(REPLAY, LIVE)
        job = self.pods.command(
            REPLAY, "replay", "--id", "spanish", "--live", "--dead", "language.unsupported"
        )
        told = job.communicate(timeout=900)[0].strip()
        say(f"dead letters: {told} (status {job.returncode})")

    def replay(self) -> None:
        """The morning again under the new release, beside live traffic; killed, it goes on."""
        since = time.monotonic()
        time.sleep(60 * self.minutes)
        say(f"live alone: {self._latency(since)}")
        arguments = ("replay", "--id", "morning", "--rate", "2", "--to", _stamp(self.upgraded))
        since = time.monotonic()
        first = self.pods.command(REPLAY, *arguments)
        aside = Book(self.cluster.client("admin"), PARTITIONS, ".replay")
        wait(lambda: len(aside.entries) > 5, "the replay has begun")
        first.kill()
        first.wait()
        second = self.pods.command(REPLAY, *arguments)
        wait(lambda: second.poll() is not None, "the replay ends", 1800)
        say(f"beside a replay at 2 notes/s, killed once: {self._latency(since)}")
        time.sleep(1)
        aside.close()
        ends = [len(entry.notes) + len(entry.dead) for entry in aside.entries.values()]
        say(f"the replay: {len(ends)} notes, status {second.returncode}")
        assert max(ends) == 1, "each note is there once"

    def verify(self) -> None:
        """What this release has released since the upgrade is what it makes, byte for byte."""
        job = self.pods.command(REPLAY, "replay", "--verify", "--from", _stamp(self.upgraded))
        told = job.communicate(timeout=1800)[0].strip().replace("\n", "; ")
        say(f"--verify since the upgrade: {told} (status {job.returncode})")
        assert job.returncode == 0, "the same bytes"

    def rotation(self) -> None:
        """A new key and a new epoch, with the workers stopped in between; notes wait."""
        self.pods.scale(0)
        before = self.sender.count
        key = secret(self.folder / "key-2")
        self.pods.settings |= {"STREAM_DEID_KEYS__FILE": str(key), "STREAM_DEID_KEYS__EPOCH": "2"}
        self.pods.scale(2)
        self.pods.all_ready()
        say(f"key rotated; {self.sender.count - before} notes came meanwhile and waited")
        self._some_notes(20)
        say(self._state())

    def evening(self) -> int:
        """The account."""
        self.sender.stop()
        wait(lambda: self.book.done(self.sender.sent), "everything is out")
        self.pods.scale(0)
        time.sleep(3)  # for what comes twice and late
        wrong = self.book.account(self.sender.sent)
        say(f"{self.sender.count} notes sent; {self._state()}")
        say(f"ends of workers by status: {dict(self.pods.statuses)}")
        say("; ".join(f"{name} {number}" for name, number in wrong.items()))
        return int(any(wrong.values()))

    def _some_notes(self, count: int) -> float:
        """Wait until so many more notes, and all before them, are out; the seconds."""
        wanted, began = self.sender.count + count, time.monotonic()
        wait(lambda: len(self.sender.sent) >= wanted, "the sender goes on")
        sent = dict(self.sender.sent)
        wait(lambda: self.book.done(sent), "notes come out")
        return time.monotonic() - began

    def _latency(self, since: float) -> str:
        until = time.monotonic()
        self._some_notes(1)
        return self.book.latency(dict(self.sender.sent), since, until)

    def _doctor(self) -> None:
        job = self.pods.command("stream-deid-worker", "doctor")
        told = job.communicate(timeout=300)[0].strip()
        (self.folder / "doctor.txt").write_text(told)
        poor = [line for line in told.splitlines() if line.split()[:1] in (["error"], ["warning"])]
        say(f"doctor: status {job.returncode}, {len(poor)} warnings and errors")
        for line in poor:
            say(f"        {line.strip()}")

    def _state(self) -> str:
        released = ", ".join(f"{n} by {name}" for name, n in sorted(self.book.releases.items()))
        dead = sum(bool(entry.dead) for entry in list(self.book.entries.values()))
        return f"released {released}; {dead} dead letters"


DAY = (
    *(Day.morning, Day.upgrade, Day.kills, Day.growth),
    *(Day.dead_letters, Day.replay, Day.verify, Day.rotation),
)


def _partition(place: str) -> int:
    return int(place.split("/")[1])


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def secret(path: Path) -> Path:
    """A fresh key in a file of its owner."""
    path.touch(mode=0o600)
    path.write_text(config.new_key())
    return path


def notes() -> Iterator[bytes]:
    return (message.value for message in feed(sys.maxsize, 14))


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=3.0, help="notes a second")
    parser.add_argument("--minutes", type=float, default=1.0, help="of live traffic alone")
    parser.add_argument("--keep", type=Path, help="folder for logs")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = chosen.keep or Path(stack.enter_context(tempfile.TemporaryDirectory()))
        folder.mkdir(exist_ok=True)
        cluster = stack.enter_context(Cluster(folder, Path(os.environ["KAFKA_HOME"]), PARTITIONS))
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
        sender = Sender(cluster.client("stream-deid-sender"), notes(), chosen.rate)
        book = Book(cluster.client("admin"), PARTITIONS)
        day = Day(cluster, triton, pods, sender, book, folder, chosen.minutes)
        for step in DAY:
            step(day)
        return day.evening()


if __name__ == "__main__":
    sys.exit(main())
