"""A rolling upgrade under load: two releases at work at once, on real parts.

The releases differ by their policy. Members are replaced one by one while notes come, and one of
each release is killed in between.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections import Counter
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

from flowing import Feeder, in_order, outputs
from harness import PATIENCE_S, events, make_topics, until
from whole import PARTITIONS, whole_environment, whole_worker

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed
from stream_deid.serving.local.server import LocalServer

OLD, NEW = {}, {"STREAM_DEID_POLICY__NAME": "limited-data-set"}
FOLLOWING = 12
"""Notes that must be out after each change before the next is made."""


class Members:
    """The pods of a StatefulSet: static members, replaced one by one."""

    def __init__(self, kafka: Kafka, triton: str, folder: Path, stack: ExitStack) -> None:
        self._kafka, self._triton, self._folder, self._stack = kafka, triton, folder, stack
        self.running: dict[int, Supervised] = {}
        self.ended: list[int] = []

    def start(self, number: int, release: dict[str, str]) -> None:
        kafka = replace(self._kafka, member=f"w-{number}", session_timeout_s=10.0)
        log = self._folder / f"{number}.log"
        self.running[number] = self._stack.enter_context(
            whole_worker(kafka, self._triton, log, **release)
        )

    def replace(self, number: int, release: dict[str, str]) -> None:
        worker = self.running.pop(number)
        worker.stop()
        self.ended += worker.statuses
        (self._folder / f"{number}.log").unlink()
        self.start(number, release)
        until(lambda: self.ready(number), f"worker {number} is ready")

    def kill(self, number: int) -> None:
        self.running[number].kill()

    def ready(self, number: int) -> bool:
        told = [e for e in events(self._folder / f"{number}.log") if e["event"] == "endpoint"]
        if not told:
            return False
        try:
            with urllib.request.urlopen(f"{told[-1]['address']}/readyz", timeout=5):  # noqa: S310
                return True
        except OSError:
            return False


def test_members_of_two_releases_lose_nothing_and_each_note_names_the_one_that_made_it(
    apache: Kafka, server: LocalServer, tmp_path: Path, stack: ExitStack
) -> None:
    make_topics(apache, PARTITIONS)
    reader = LedgerReader(apache, PARTITIONS)
    stack.callback(reader.close)
    members = Members(apache, server.url, tmp_path, stack)
    messages = ((message.key, message.value) for message in feed(5000, 33))

    def more() -> None:
        wanted = reader.ledger.done + FOLLOWING
        reader.until(lambda ledger: ledger.done >= wanted, PATIENCE_S)

    members.start(0, OLD)
    members.start(1, OLD)
    until(lambda: members.ready(0) and members.ready(1), "both are ready")
    with Feeder(apache, messages, rate=4) as feeder:
        more()
        members.replace(1, NEW)
        both_release(apache)
        for number in (0, 1):  # one of each release, with both at work
            members.kill(number)
            more()
        members.replace(0, NEW)
        more()
        members.replace(0, OLD)  # the way back, half of it
        both_release(apache)
        members.replace(0, NEW)
        more()
    reader.until(lambda ledger: ledger.done >= len(feeder.sent), PATIENCE_S)
    assert reader.settle(2.0).problems(len(feeder.sent)) == {}
    for worker in members.running.values():
        worker.stop()
    assert set(members.ended) <= {0, -signal.SIGKILL}

    notes, audits = outputs(apache, apache.topic_out), outputs(apache, apache.topic_audit)
    audited = {one.source: one for one in audits}
    assert all(audited[n.source].release == n.release for n in notes)
    assert all(one.body["release"] == one.release for one in audits)
    assert in_order(notes)
    made = Counter(one.release for one in notes)
    assert len(made) == 2
    assert min(made.values()) >= FOLLOWING
    for release in (OLD, NEW):
        proved(apache, server.url, made, release)


def both_release(kafka: Kafka) -> None:
    """Wait until notes of both releases have come since now."""
    now = time.time() * 1000

    def seen() -> set[str]:
        return {one.release for one in outputs(kafka, kafka.topic_out) if one.time_ms > now}

    until(lambda: len(seen()) == 2, "notes of both releases")


def proved(kafka: Kafka, triton: str, made: Counter[str], release: dict[str, str]) -> None:
    """Each release makes byte for byte what bears its name, and says what is another's."""
    env = os.environ | whole_environment(kafka, triton, **release)
    done = subprocess.run(
        [sys.executable, "-m", "stream_deid.cli", "replay", "--verify"],
        env=env, capture_output=True, text=True, check=False,
    )  # fmt: skip
    found = re.search(r"(\d+) of (\d+) notes came out byte for byte", done.stdout)
    others = re.search(r"(\d+) were released under (\S+), this is (\S+)", done.stdout)
    assert found, done.stdout + done.stderr[-3000:]
    assert others, done.stdout
    assert int(others[1]) == made[others[2]]
    assert (int(found[1]), int(found[2])) == (made[others[3]], made.total())
