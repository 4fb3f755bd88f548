"""Disasters, and the recipes of docs/operations.md ("Disaster recovery") as they are written.

    KAFKA_HOME=... python bench/disasters.py [--rate 3] [--keep FOLDER] [--only NAME ...]

The same site as in `bench/day.py`, with one worker. In order: the group's offsets deleted, clean
notes lost, the audit lost, the input made anew, a stretch of the input that can't be read any more
(bytes of a segment flipped on disk), the broker back from an older copy of its disk. After each the
account since the one before: the status is 1 if a note was lost, came out twice or has no audit.
"""

from __future__ import annotations

import re
import sys
import time
from collections.abc import Callable
from contextlib import ExitStack
from dataclasses import dataclass, field

from confluent_kafka import Consumer, TopicPartition
from day_parts import Book, wait
from day_site import LIVE, MODELS, PARTITIONS, REPLAY, Site, options, say

from stream_deid.streaming.kafka.clients import base_options

GROUP, INPUT, CLEAN, AUDIT = "stream-deid", "notes.raw", "notes.deid", "notes.audit"
RESET = re.compile(r"kafka-consumer-groups.sh (--reset-offsets .* --execute)")


@dataclass
class Disasters(Site):
    """One after the other; `wrong`: what the accounts found."""

    wrong: int = 0
    seen: list[str] = field(default_factory=list)

    def begin(self) -> None:
        self.pods.models = MODELS
        self.pods.scale(1)
        self.pods.all_ready()
        self.cluster.let(REPLAY, "topic", LIVE, "Write")
        self.sender.start()
        self.some_notes(30)

    def lost_offsets(self) -> None:
        """`doctor` finds in the outputs how far the group had come, and says what to type."""
        self._rest()
        self.cluster.tool("kafka-consumer-groups.sh", "--delete", "--group", GROUP)
        said = self._asked_doctor()
        for command in RESET.findall(said):
            self.cluster.tool("kafka-consumer-groups.sh", *command.split())
        again = RESET.findall(self._asked_doctor())
        say(f"doctor named {len(RESET.findall(said))} commands; after them {len(again)}")
        self._go_on("offsets deleted")

    def lost_clean_notes(self) -> None:
        """The topic is deleted and made again; a replay fills it with the same bytes."""
        self._rest()
        before = self._records(CLEAN)
        self._made_anew(CLEAN)
        self._replay("restore", "--live")
        after = self._records(CLEAN)
        say(f"clean notes: {len(before)} before, {len(after)} after, the same: {before == after}")
        self.wrong += before != after
        self.book.entries.clear()
        self.sender.sent.clear()
        self._go_on("clean notes lost")

    def lost_audit(self) -> None:
        """Replayed beside; the records are those that were lost."""
        self._rest()
        before = self._records(AUDIT)
        self._replay("audit")
        after = self._records(f"{AUDIT}.replay")
        say(
            f"audit: {len(before)} records, of the replay {len(after)}, the same: {before == after}"
        )
        self.wrong += before != after
        self._go_on("audit replayed")

    def input_made_anew(self) -> None:
        """Deleted and made again: offsets begin with 0 once more."""
        self._rest()
        self._made_anew(INPUT)
        self._again()
        say(f"after the input was made anew doctor says: {self._poor(self._asked_doctor())}")
        self._go_on("input made anew")

    def unreadable_stretch(self) -> None:
        """Bytes of one partition's segment are flipped on disk under a stopped broker."""
        self.pods.scale(0)
        at = len(self.sender.sent)
        wait(lambda: len(self.sender.sent) > at + 20, "notes wait")
        self._again()
        self.sender.pause()
        self.cluster.broker.stop()
        spoiled = self._flip(0)
        self.cluster.broker.start()
        self.sender.resume()
        self.pods.scale(1)
        time.sleep(60)
        log = (self.folder / "stream-deid-worker-0.log").read_text()
        told = sorted(set(re.findall(r'"code": ?"([a-z._]+)"', log[-20000:])))
        say(f"{spoiled} bytes flipped; worker {self.pods.running[0].statuses}, said {told}")
        say(f"doctor says: {self._poor(self._asked_doctor())}")

    def _replay(self, name: str, *more: str) -> None:
        job = self.pods.command(REPLAY, "replay", "--id", name, *more)
        told = job.communicate(timeout=900)[0].strip()
        say(f"replay {name}: {told[-160:]} (status {job.returncode})")

    def _rest(self) -> None:
        """Every note is out, no worker runs, and senders wait."""
        self.sender.pause()
        wait(lambda: self.book.done(dict(self.sender.sent)), "all is out")
        self.pods.scale(0)
        admin = self.cluster.admin()

        def empty() -> bool:
            return not admin.describe_consumer_groups([GROUP])[GROUP].result(10).members

        wait(empty, "the group is empty")

    def _go_on(self, what: str) -> None:
        self.sender.resume()
        self.pods.scale(1)
        self.some_notes(20)
        self.sender.pause()
        wait(lambda: self.book.done(dict(self.sender.sent)), "all is out")
        time.sleep(2)  # for what comes twice
        found = self.book.account(dict(self.sender.sent))
        found = {name: found[name] for name in ("lost", "twice", "unaudited")}
        self.wrong += any(found.values())
        self.sender.resume()
        say(f"{what}: {', '.join(f'{name} {number}' for name, number in found.items())}")

    def _again(self) -> None:
        """A new book: places begin anew."""
        self.book.close()
        self.sender.sent.clear()
        self.book = Book(self.cluster.client("admin"), PARTITIONS, newest=True)

    def _made_anew(self, topic: str) -> None:
        admin = self.cluster.admin()
        for future in admin.delete_topics([topic]).values():
            future.result(30)
        wait(lambda: topic not in admin.list_topics(timeout=10).topics, f"{topic} is gone")
        time.sleep(1)  # the broker's own delay
        self.cluster.make(topic)

    def _asked_doctor(self) -> str:
        job = self.pods.command(REPLAY, "doctor")
        return job.communicate(timeout=300)[0]

    def _poor(self, said: str) -> str:
        lines = [line.strip() for line in said.splitlines()]
        return " | ".join(line for line in lines if line.startswith(("error", "warning", "->")))

    def _records(self, topic: str) -> list[tuple[bytes, bytes]]:
        """Keys and values of a topic, sorted: what a reader of committed records sees."""
        options = base_options(self.cluster.client("admin"))
        reader = Consumer(
            {**options, "group.id": "bytes", "enable.partition.eof": True,
             "isolation.level": "read_committed", "auto.offset.reset": "earliest"}
        )  # fmt: skip
        reader.assign([TopicPartition(topic, p, 0) for p in range(PARTITIONS)])
        found, ends = [], 0
        while ends < PARTITIONS:
            for message in reader.consume(500, 1.0):
                if message.error() is None:
                    found.append((message.key() or b"", message.value() or b""))
                else:
                    ends += 1
        reader.close()
        return sorted(found)

    def _flip(self, partition: int) -> int:
        """Spoil the newest batches of a partition; the number of bytes."""
        folder = self.cluster.broker.folder / "data" / f"{INPUT}-{partition}"
        segment = max(folder.glob("*.log"))
        content = bytearray(segment.read_bytes().rstrip(b"\0"))
        at, count = len(content) - 3000, 64
        for place in range(at, at + count):
            content[place] ^= 0xFF
        segment.write_bytes(content)
        return count


STEPS: dict[str, Callable[[Disasters], None]] = {
    "offsets": Disasters.lost_offsets,
    "clean": Disasters.lost_clean_notes,
    "audit": Disasters.lost_audit,
    "input": Disasters.input_made_anew,
    "unreadable": Disasters.unreadable_stretch,
}


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--only", nargs="+", choices=STEPS, default=[*STEPS])
    chosen = parser.parse_args()
    with ExitStack() as stack:
        site = Disasters.opened(stack, chosen.keep, chosen.rate)
        site.begin()
        for name in chosen.only:
            STEPS[name](site)
        return int(site.wrong > 0)


if __name__ == "__main__":
    sys.exit(main())
