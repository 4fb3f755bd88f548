"""Every change that a site meets, made while notes come, with kills, and the account of it.

    KAFKA_HOME=... python bench/changes.py [--former CHECKOUT] [--rate 3] [--keep FOLDER]

The same site as in `bench/day.py`. In order: an upgrade and the way back with both releases at work
and a kill of each, a model added and taken away, a release whose model Triton doesn't serve, a new
topic of clean notes, more partitions, a new epoch by a rolling restart, another input topic, and
another group. `--former`: a checkout of the release to come from and go back to; without, it is
this code in another epoch (not for another tenant, whose dead letters nobody else may replay). The
status is 1 if a note was lost, came out twice, has no audit or one of another release, or stayed a
dead letter.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Mapping
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

from confluent_kafka import ConsumerGroupState
from day_parts import wait
from day_site import MODELS, MORE_PARTITIONS, PARTITIONS, REPLAY, Site, options, say

CLEAN, INPUT, GROUP = "clean.notes", "notes.in", "notes-group"
WORKER, SENDER = "stream-deid-worker", "stream-deid-sender"
OUT_OF_THE_GROUP_S = 60.0


@dataclass
class Changes(Site):
    """What is changed, one after the other."""

    former: dict[str, str] = field(default_factory=dict)
    """Variables that make a pod one of the former release."""

    def begin(self) -> None:
        self.pods.settings |= self.former
        self.pods.scale(2)
        self.pods.all_ready()
        self.sender.start()
        self.some_notes(20)
        say(f"two workers of the former release; {self.state()}")

    def upgrade_and_back(self) -> None:
        """A worker of each release, each killed; then all new; the same on the way back."""
        self._present()
        self.pods.replace(1)
        self._both_at_work("one worker upgraded")
        say(f"all upgraded in {self.pods.roll():.1f} s")
        self.some_notes(15)
        self._past()
        self.pods.replace(1)
        self._both_at_work("one worker rolled back")
        say(f"all rolled back in {self.pods.roll():.1f} s")
        self.some_notes(15)
        say(self.state())
        self._present()
        self.pods.roll()

    def models(self) -> None:
        """Spanish added, taken away, added again; each a rolling restart."""
        for models in (MODELS, {"en": MODELS["en"]}, MODELS):
            self.pods.models = models
            took = self.pods.roll()
            said = f"{self.some_notes(15):.1f} s"
            say(f"models {' and '.join(models)}: rolled in {took:.1f} s, 15 notes later {said}")
        say(self.state())

    def a_model_that_is_not_served(self) -> None:
        """A rolling update stops at the first worker that doesn't become ready."""
        self.pods.models = MODELS | {"es": "bert_es"}
        self.pods.replace(1, wait_s=0)
        took = self.some_notes(15)
        ended = [*self.pods.running[1].statuses]
        self.pods.models = MODELS
        self.pods.replace(1)
        say(
            f"a model that Triton lacks: the other worker did all in {took:.1f} s; it ended {ended}"
        )

    def clean_topic(self) -> None:
        """Another topic of clean notes, by a rolling restart: each note is in one of the two."""
        self.cluster.let(WORKER, "topic", [CLEAN], "Write", "Describe")
        self.cluster.let(REPLAY, "topic", [CLEAN], "Read", "Write", "Describe")
        self.pods.settings["STREAM_DEID_KAFKA__TOPIC_OUT"] = CLEAN
        say(f"clean notes to {CLEAN}: rolled in {self.pods.roll():.1f} s")
        self.some_notes(15)

    def growth(self) -> None:
        """More partitions of the input, and no restart."""
        began, sent = time.monotonic(), self.sender.sent
        self.cluster.grow(self.sender.topic, MORE_PARTITIONS)

        def reached() -> list[str]:
            return [place for place in list(sent) if int(place.split("/")[1]) >= PARTITIONS]

        wait(lambda: bool(reached()), "senders see the new partitions")
        seen = time.monotonic() - began
        wait(lambda: self.book.done(dict.fromkeys(reached()[:1], 0.0)), "a worker has them")
        took = time.monotonic() - began
        say(f"more partitions: fed after {seen:.1f} s, their first note out after {took:.1f} s")
        self.some_notes(15)

    def epoch(self) -> None:
        """A new epoch by a rolling restart: for that time both are at work, told by the release."""
        before = set(self.book.releases)
        self.pods.settings["STREAM_DEID_KEYS__EPOCH"] = "2"
        self.pods.replace(1)
        self.some_notes(15)
        self.pods.running[1].kill()
        self.some_notes(10)
        self.pods.roll()
        self.some_notes(10)
        assert len(set(self.book.releases) - before) == 1, "the epoch names another release"
        say(f"new epoch with both at work and a kill; {self.state()}")

    def input_topic(self) -> None:
        """Senders move to another topic; the workers follow when the first is read to its end."""
        self.cluster.make(INPUT)
        self.cluster.let(SENDER, "topic", [INPUT], "Write", "Describe")
        self.cluster.let(WORKER, "topic", [INPUT], "Read", "Describe")
        self.cluster.let(WORKER, "transactionalId", ["stream-deid-notes.in-*"], "Write", "Describe")
        former, self.sender.topic = self.sender.topic, INPUT
        wait(lambda: any(place.startswith(INPUT) for place in list(self.sender.sent)), "it moves")
        wait(lambda: self._done(of=former), "the former input is read")
        self._stopped()
        self.pods.settings["STREAM_DEID_KAFKA__TOPIC_IN"] = INPUT
        self._started(f"input {INPUT}")

    def group(self) -> None:
        """Another group, which begins where the first has stopped."""
        self._stopped()
        tool, names = "kafka-consumer-groups.sh", ("--group", "stream-deid")
        told = self.cluster.tool(
            tool, "--reset-offsets", *names, "--topic", INPUT, "--to-current", "--export"
        )
        offsets = self.folder / "offsets.csv"
        offsets.write_text(told)
        self.cluster.tool(
            *(tool, "--reset-offsets", "--group", GROUP),
            *("--from-file", str(offsets), "--execute"),
        )
        self.cluster.let(WORKER, "group", [GROUP], "Read", "Describe")
        self.cluster.let(WORKER, "transactionalId", [f"{GROUP}-*"], "Write", "Describe")
        self.pods.settings["STREAM_DEID_KAFKA__GROUP"] = GROUP
        self._started(f"group {GROUP}")

    def _present(self) -> None:
        for name in self.former:
            self.pods.settings.pop(name)

    def _past(self) -> None:
        self.pods.settings |= self.former

    def _both_at_work(self, what: str) -> None:
        """Two releases release notes, and each outlives a kill."""
        before = dict(self.book.releases)
        self.some_notes(15)
        grown = self._grown(before)
        self.pods.running[0].kill()
        first = self.some_notes(10)
        self.pods.running[1].kill()
        second = self.some_notes(10)
        self.pods.all_ready()
        assert len(grown) == 2, f"both releases at work, not {grown}"
        say(f"{what}, {len(grown)} at work; after a kill of each all is out in {first:.1f} and "
            f"{second:.1f} s")  # fmt: skip

    def _grown(self, before: Mapping[str, int]) -> list[str]:
        now = dict(self.book.releases)
        return sorted(name for name, count in now.items() if count > before.get(name, 0))

    def _done(self, of: str) -> bool:
        sent = {place: at for place, at in list(self.sender.sent.items()) if place.startswith(of)}
        return self.book.done(sent)

    def _stopped(self) -> None:
        """No worker, and none that the group still waits for."""
        self.pods.scale(0)
        admin, began = self.cluster.admin(), time.monotonic()
        group = self.pods.settings.get("STREAM_DEID_KAFKA__GROUP", "stream-deid")

        def empty() -> bool:
            answer = admin.describe_consumer_groups([group])[group].result(10)
            return bool(answer.state == ConsumerGroupState.EMPTY)

        wait(empty, "the group is empty", OUT_OF_THE_GROUP_S)
        say(f"all stopped; the group is empty after {time.monotonic() - began:.1f} s")

    def _started(self, what: str) -> None:
        self.pods.scale(2)
        took = self.pods.all_ready()
        self.some_notes(15)
        say(f"{what}: ready after {took:.1f} s; {self.state()}")


CHANGES = (
    *(Changes.begin, Changes.upgrade_and_back, Changes.models, Changes.a_model_that_is_not_served),
    *(Changes.clean_topic, Changes.growth, Changes.epoch, Changes.dead_letters),
    *(Changes.input_topic, Changes.group),
)


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--former", type=Path, help="a checkout of the former release")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        site = Changes.opened(stack, chosen.keep, chosen.rate, (CLEAN,))
        former = str(chosen.former) if chosen.former else ""
        site.former = {"PYTHONPATH": former} if former else {"STREAM_DEID_KEYS__EPOCH": "former"}
        for step in CHANGES:
            step(site)
        return site.evening()


if __name__ == "__main__":
    sys.exit(main())
