"""Dead letters of a real worker, saved by other settings: replayed into the live topics beside
live notes, by a process that is killed in between.
"""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
from collections import Counter
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import chain
from pathlib import Path

import orjson
from flowing import Feeder, Output, in_order, outputs
from harness import PATIENCE_S, events, make_topics, until
from whole import MODELS, PARTITIONS, whole_environment

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed, poison
from stream_deid.serving.local.server import LocalServer

MORNING, LONGEST = 90, 700
MENDED = ("language.unsupported", "note.too_long")
PROGRAM = [sys.executable, "-m", "stream_deid.cli"]


class Site:
    """The settings of the morning, for English and short notes, and those that are mended."""

    def __init__(self, kafka: Kafka, triton: str, folder: Path) -> None:
        self.kafka, self._folder = kafka, folder
        self.mended = whole_environment(kafka, triton)
        self.morning = {k: v for k, v in self.mended.items() if "_MODELS__" not in k}
        self.morning["STREAM_DEID_MODELS"] = f"{{en = {orjson.dumps(MODELS['en']).decode()}}}"
        self.morning["STREAM_DEID_FORMATS__MAX_CHARS"] = str(LONGEST)

    def worker(self, env: dict[str, str], name: str) -> Supervised:
        return Supervised([*PROGRAM, "worker"], env=env, log=self._folder / f"{name}.log")

    def begun(self, *arguments: str) -> subprocess.Popen[str]:
        """A replay by the mended settings; its log is in the folder."""
        with (self._folder / "replay.log").open("ab") as log:
            return subprocess.Popen(
                [*PROGRAM, "replay", *arguments],
                env=os.environ | self.mended, stdout=subprocess.PIPE, stderr=log, text=True,
            )  # fmt: skip

    def command(self, *arguments: str) -> tuple[int, str]:
        """Status and answer of a command by the mended settings."""
        done = subprocess.run(
            [*PROGRAM, *arguments], env=os.environ | self.mended,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        return done.returncode, done.stdout


def morning() -> Iterator[tuple[bytes, bytes]]:
    """Notes of both languages, short ones and long ones, and what no setting mends."""
    for message in chain(feed(MORNING, 41), (bad for _, bad in poison())):
        yield message.key, message.value


def test_dead_letters_are_saved_beside_live_notes_by_a_replay_that_is_killed(
    apache: Kafka, server: LocalServer, tmp_path: Path, stack: ExitStack
) -> None:
    make_topics(apache, PARTITIONS)
    reader = LedgerReader(apache, PARTITIONS)
    stack.callback(reader.close)
    site = Site(apache, server.url, tmp_path)
    with site.worker(site.morning, "morning"), Feeder(apache, morning(), rate=50) as fed:
        fed.all_sent()
        reader.until(lambda ledger: ledger.done >= len(fed.sent), PATIENCE_S)
    before = fed.sent
    dead = {one.source: one.body["code"] for one in outputs(apache, apache.topic_dead)}
    codes = Counter(dead.values())
    saved = {source for source, code in dead.items() if code in MENDED}
    assert min(codes[code] for code in MENDED) > 5, codes
    lasting = Counter({code: n for code, n in codes.items() if code not in MENDED})
    assert lasting.total() > 5

    stack.enter_context(site.worker(site.mended, "mended"))
    order = ("--dead", *MENDED, "--live", "--rate", "5")
    _, said = site.command("replay", "--id", "save", *order, "--dry-run")
    assert f"{len(saved)} records at most" in said
    messages = ((message.key, message.value) for message in feed(3000, 42))
    with Feeder(apache, messages, rate=3) as live:
        first = site.begun("--id", "save", *order)
        until(lambda: len(of_a_replay(apache)) > 3, "some are saved")
        first.send_signal(signal.SIGKILL)
        first.communicate()
        second = site.begun("--id", "save", *order)
        said, _ = second.communicate(timeout=PATIENCE_S)
    assert second.returncode == 0, said
    assert [e["goes_on"] for e in events(tmp_path / "replay.log") if e["event"] == "replay"] == [
        False,
        True,
    ]
    sent = before | live.sent
    reader.until(lambda ledger: ledger.done >= len(sent), PATIENCE_S)
    reader.settle(2.0)

    notes, audits = outputs(apache, apache.topic_out), outputs(apache, apache.topic_audit)
    assert Counter(one.source for one in notes) == Counter(sent.keys() - dead.keys() | saved)
    assert Counter(one.source for one in audits) == Counter(one.source for one in notes)
    made = {one.source: one.release for one in notes}
    assert all(one.release == one.body["release"] == made[one.source] for one in audits)
    assert {one.source for one in notes if one.headers.get("replay") == b"save"} == saved
    assert len({made[source] for source in before.keys() - dead.keys()}) == 1
    assert {made[s] for s in saved} == {made[s] for s in live.sent if s in made}
    assert in_order(one for one in notes if "replay" in one.headers)
    assert in_order(one for one in notes if "replay" not in one.headers)
    told(site, saved)
    nothing_left(site, lasting)


def of_a_replay(kafka: Kafka) -> list[Output]:
    return [one for one in outputs(kafka, kafka.topic_out) if "replay" in one.headers]


def told(site: Site, saved: set[str]) -> None:
    """`trace` of a note that was saved knows both ends and calls it well."""
    status, said = site.command("trace", min(saved))
    assert "save" in said
    assert status == 0, said


def nothing_left(site: Site, lasting: Counter[str]) -> None:
    """Of the mended codes nothing is left to replay; what nothing mends is a dead letter again."""
    _, said = site.command("replay", "--dead", *MENDED, "--live", "--dry-run")
    assert "0 records at most" in said
    assert "all of them were released since" in said
    status, said = site.command("replay", "--id", "rest", "--dead", "--live")
    assert status == 3, said
    assert re.search(r"replay rest: 0 released", said)
    codes = Counter(one.body["code"] for one in outputs(site.kafka, site.kafka.topic_dead))
    assert {code: codes[code] for code in lasting} == {c: 2 * n for c, n in lasting.items()}
