"""A day in the life, as one script: upgrade, kills, growth, replay, rotation, and the account.

    KAFKA_HOME=... python bench/day.py [--rate 3] [--minutes 1] [--keep FOLDER]

Apache Kafka on loopback over SASL_SSL with the topics, users and rights of `deploy/k8s`; workers
with its settings file, under the names of its pods; a real Triton with the small models
(BiLSTM-CRF). Notes come in at `--rate` all day long. What a step does is printed with what was seen
of it; the status is 1 if a note was lost, came out twice, has no audit, or stayed a dead letter.
"""

from __future__ import annotations

import os
import signal
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from datetime import UTC, datetime

from day_parts import Book, wait
from day_site import MODELS, MORE_PARTITIONS, PARTITIONS, REPLAY, Site, options, say, secret


@dataclass
class Day(Site):
    """Everything that runs."""

    minutes: float = 1.0
    upgraded: datetime = field(default_factory=lambda: datetime.now(UTC))

    def morning(self) -> None:
        """Two workers that know English; Spanish notes become dead letters."""
        self.pods.scale(2)
        say(f"two workers ready after {self.pods.all_ready():.1f} s")
        self.doctor()
        self.sender.start()
        self.some_notes(40)
        say(f"traffic; {self.state()}")

    def upgrade(self) -> None:
        """Spanish is added: a second release, worker by worker."""
        self.pods.models = MODELS
        say(f"rolling upgrade to a release with Spanish: {self.pods.roll():.1f} s")
        self.some_notes(20)
        say(self.state())
        assert len(self.book.releases) == 2, "both releases have released"
        self.upgraded = datetime.now(UTC)

    def kills(self) -> None:
        """A worker, Triton and the broker are killed in turn; notes go on coming."""
        self.pods.running[0].kill()
        say(f"worker killed; what was sent, and 10 more, is out after {self.some_notes(10):.1f} s")
        os.kill(self.triton.pid, signal.SIGKILL)
        say(f"Triton killed; the same after {self.some_notes(10):.1f} s")
        self.cluster.broker.kill()
        self.cluster.broker.start()
        say(f"broker killed and answering; the same after {self.some_notes(10):.1f} s")
        self.pods.all_ready()

    def growth(self) -> None:
        """More partitions and a new password of the workers, by one rolling restart."""
        self.cluster.change_password("stream-deid-worker")
        self.cluster.grow("notes.raw", MORE_PARTITIONS)
        say(f"{MORE_PARTITIONS} partitions, new password: rolled in {self.pods.roll():.1f} s")
        sent = self.sender.sent
        wait(lambda: any(_partition(place) >= PARTITIONS for place in list(sent)), "they are fed")
        self.some_notes(20)
        self.doctor()

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
        self.some_notes(20)
        say(self.state())

    def _latency(self, since: float) -> str:
        until = time.monotonic()
        self.some_notes(1)
        return self.book.latency(dict(self.sender.sent), since, until)


DAY = (
    *(Day.morning, Day.upgrade, Day.kills, Day.growth),
    *(Day.dead_letters, Day.replay, Day.verify, Day.rotation),
)


def _partition(place: str) -> int:
    return int(place.split("/")[1])


def _stamp(moment: datetime) -> str:
    return moment.isoformat(timespec="seconds")


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--minutes", type=float, default=1.0, help="of live traffic alone")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        day = Day.opened(stack, chosen.keep, chosen.rate)
        day.minutes = chosen.minutes
        for step in DAY:
            step(day)
        return day.evening()


if __name__ == "__main__":
    sys.exit(main())
