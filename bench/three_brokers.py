"""A cluster of three brokers loses one, two and all of them, while notes come; and the account.

    KAFKA_HOME=... python bench/three_brokers.py [--rate 3] [--away 150] [--keep FOLDER]

The same site as in `bench/day.py`, on three nodes (replication 3, two in sync before a write is
confirmed), with two workers. In order: each node is killed and comes back, with a kill of a worker
while it is away; two at once, for `--away` seconds, with a kill of a worker and `doctor` in them;
all three. The status is 1 if a note was lost, came out twice, has no audit or stayed a dead letter,
if a write was confirmed by one node alone, or a worker ended otherwise than told, killed, or for
want of Kafka (75).
"""

from __future__ import annotations

import signal
import sys
import time
from contextlib import ExitStack
from dataclasses import dataclass

from day_parts import wait
from day_site import MODELS, Site, options, say

from stream_deid.rig.three_nodes import ThreeNodes

ENDS = {0, 75, -signal.SIGKILL}


@dataclass
class Losses(Site):
    """What is lost, one after the other; `alone`: writes that one node alone confirmed."""

    alone: int = 0

    @property
    def nodes(self) -> ThreeNodes:
        broker = self.cluster.broker
        assert isinstance(broker, ThreeNodes)
        return broker

    def begin(self) -> None:
        self.pods.models = MODELS
        self.pods.scale(2)
        self.pods.all_ready()
        self.sender.start()
        self.some_notes(20)
        say(f"two workers; {self.state()}")

    def one(self) -> None:
        """Each node in turn: it led partitions, a coordinator or the controllers."""
        for number in self.nodes.nodes:
            self._in_sync()
            self.nodes.kill(number)
            without = self.some_notes(10)
            self.pods.running[number % 2].kill()
            killed = self.some_notes(10)
            self.nodes.start([number])
            say(
                f"node {number} killed: 10 notes later all is out in {without:.1f} s, after a kill "
                f"of a worker in {killed:.1f} s; back: {self.some_notes(10):.1f} s"
            )

    def two(self, away_s: float) -> None:
        """The third has no majority and too few replicas: nothing is taken, nothing released."""
        self._in_sync()
        self.nodes.kill(1, 2)
        began = time.monotonic()
        time.sleep(10)  # what was under way
        sent, out = len(self.sender.sent), len(self.book.entries)
        self.pods.running[0].kill()
        self.doctor()
        time.sleep(max(0.0, away_s - (time.monotonic() - began)))
        self.alone += len(self.sender.sent) - sent + len(self.book.entries) - out
        waiting = self.sender.count - sent
        self.nodes.start([1, 2])
        back, took = time.monotonic() - began, self.some_notes(10)
        say(f"two nodes away for {back:.0f} s: {self.alone} notes taken or released, {waiting} "
            f"wait at the sender; back: all is out after {took:.1f} s")  # fmt: skip

    def all_three(self) -> None:
        self._in_sync()
        self.nodes.kill(*self.nodes.nodes)
        self.pods.running[1].kill()
        self.nodes.start()
        say(f"all three killed, and a worker: answer again, all is out in {self.some_notes(10):.1f}"
            " s")  # fmt: skip

    def _in_sync(self) -> None:
        """Every replica has what its leader has: as one waits before the next broker goes."""
        admin = self.cluster.admin()

        def in_sync() -> bool:
            topics = admin.list_topics(timeout=30).topics.values()
            parts = [part for topic in topics for part in topic.partitions.values()]
            return all(len(part.isrs) == len(part.replicas) for part in parts)

        wait(in_sync, "replicas in sync")

    def night(self) -> int:
        wrong = self.evening()
        odd = [status for status in self.pods.statuses if status not in ENDS]
        say(f"confirmed by one node alone {self.alone}; unexplained ends of workers {odd}")
        return int(bool(wrong or self.alone or odd))


def main() -> int:
    parser = options(__doc__)
    parser.add_argument("--away", type=float, default=150.0, help="seconds without two nodes")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        site = Losses.opened(stack, chosen.keep, chosen.rate, three=True)
        site.begin()
        site.one()
        site.two(chosen.away)
        wait(lambda: site.book.done(dict(site.sender.sent)), "all is out")
        site.all_three()
        return site.night()


if __name__ == "__main__":
    sys.exit(main())
