"""One giant of prose beside small notes: how long it takes, what memory, and who waits for it.

    KAFKA_HOME=/path/to/kafka .venv/bin/python bench/giants.py [--characters N] [--deadline 120]

Apache Kafka, Triton on this machine's CPU with the models that are served, one whole worker. The
giant is clinical prose of `corpora/train`, notes in a drawn order, each time with other digits and
other people; it goes to partition 0. Small notes of the feed go to the other partitions all the
while, one every two seconds. Ends when all are answered; 1 where one is lost or twice, or where the
giant is neither released nor dead by its own time (`note.too_slow`).
"""

from __future__ import annotations

import argparse
import os
import random
import re
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack
from itertools import count
from pathlib import Path
from statistics import median

import orjson
import psutil
from confluent_kafka import Producer

from stream_deid import config
from stream_deid.config import Kafka
from stream_deid.rig.broker import ApacheKafka
from stream_deid.rig.reconciliation import LedgerReader, environment, named_after
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import base_options, create_topics
from stream_deid.training.data.corpora import MARK

PARTITIONS = 4
EVERY_S = 2.0
ROOT = Path(__file__).parent.parent
_HEAD = re.compile(r"^=== .*$", re.MULTILINE)
_GIVEN = ("Nadia", "Harold", "Wilma", "Tobias", "Ingrid", "Cedric", "Paloma", "Desmond", "Freya")
_SURNAME = (("Whit", "Fern", "Holm", "Brack", "Ashen", "Stan"), ("combe", "dale", "worth", "ley"))


def prose(characters: int, seed: int) -> str:
    """Notes of the training corpus in a drawn order, with other people and digits each time."""
    dice = random.Random(seed)
    files = sorted((ROOT / "corpora/train/en").rglob("*.txt"))
    notes = [note for file in files for note in _HEAD.split(file.read_text())[1:]]
    parts: list[str] = []
    size = 0
    while size < characters:
        parts.append(_varied(dice.choice(notes), dice))
        size += len(parts[-1])
    return "".join(parts)[:characters]


def _varied(note: str, dice: random.Random) -> str:
    def other(found: re.Match[str]) -> str:
        label, text = found.groups()
        if label in ("PATIENT", "DOCTOR"):
            return f"{dice.choice(_GIVEN)} {''.join(map(dice.choice, _SURNAME))}"
        return re.sub(r"\d", lambda _: str(dice.randrange(1, 10)), text) if len(text) > 4 else text

    return MARK.sub(other, note)


def ticks(dice: random.Random) -> Iterator[float]:
    """Moments at which a small note is due, a little uneven."""
    began = time.monotonic()
    for number in count():
        yield began + EVERY_S * (number + dice.random() / 2)


class Waits:
    """Places of messages with the time at which they were sent, and how long each took."""

    def __init__(self, kafka: Kafka) -> None:
        self.sent: dict[str, float] = {}
        self.took: dict[str, float] = {}
        self._topic = kafka.topic_in
        options = {**base_options(kafka), "message.max.bytes": kafka.max_message_bytes}
        self._producer = Producer(options)

    def send(self, value: bytes, partition: int) -> None:
        """Send and await that the broker has it."""

        def taken(error: object, record: object) -> None:
            assert error is None, error
            place = f"{record.topic()}/{record.partition()}/{record.offset()}"  # type: ignore[attr-defined]
            self.sent[place] = time.monotonic()

        self._producer.produce(self._topic, value, partition=partition, on_delivery=taken)
        assert self._producer.flush(60) == 0

    def look(self, reader: LedgerReader, kafka: Kafka) -> None:
        """Note what has come out since."""
        out = {source for topic, source in reader.ledger.values if topic != kafka.topic_audit}
        for place in out & self.sent.keys() - self.took.keys():
            self.took[place] = time.monotonic() - self.sent[place]


def peak_mb(process: psutil.Process) -> dict[str, float]:
    """Resident memory now of the worker and of Triton's processes, by what they are."""
    found: dict[str, float] = {"worker": 0.0, "triton": 0.0}
    for child in process.children(recursive=True):
        try:
            line = " ".join(child.cmdline())
            size = child.memory_info().rss / 2**20
        except psutil.Error:
            continue
        if "stream_deid.cli" in line and line.endswith("worker"):
            found["worker"] += size
        elif "triton" in line:
            found["triton"] += size
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--characters", type=int, default=1_800_000)
    parser.add_argument("--deadline", type=float, default=120.0, help="deadline_s of the worker")
    parser.add_argument("--seed", type=int, default=11)
    parser.add_argument("--log", type=Path)
    args = parser.parse_args()
    settings = config.load()
    with ExitStack() as stack:
        scratch = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="giants-")))
        broker = stack.enter_context(ApacheKafka(scratch, Path(os.environ["KAFKA_HOME"])))
        repository = manifest.repository(settings.triton.repository)
        triton = stack.enter_context(LocalServer(repository, settings.model_names))
        kafka = named_after(Kafka(bootstrap=broker.bootstrap), "giants")
        create_topics(kafka, dict.fromkeys(kafka.topics, PARTITIONS))
        env = environment(
            kafka,
            STREAM_DEID_KEYS__VALUE=config.new_key(),
            STREAM_DEID_TRITON__URL=triton.url,
            STREAM_DEID_DEADLINE_S=str(args.deadline),
        )
        command = [sys.executable, "-m", "stream_deid.cli", "worker"]
        log = args.log or scratch / "worker.log"
        worker = stack.enter_context(Supervised(command, env=env, log=log))
        reader = LedgerReader(kafka, PARTITIONS)
        stack.callback(reader.close)
        text = prose(args.characters, args.seed)
        note = {"note_id": "giant", "patient_id": "p-1", "language": "en", "text": text}
        return watched(kafka, worker, reader, orjson.dumps(note), args.seed)


def watched(kafka: Kafka, worker: Supervised, reader: LedgerReader, note: bytes, seed: int) -> int:
    """Send the giant, and small notes until it is answered; print what was seen."""
    waits, small = Waits(kafka), feed(sys.maxsize, seed)
    waits.send(next(small).value, 1)  # the worker is there when this is out
    reader.until(lambda ledger: ledger.done >= 1, 240)
    before, loads = peak_mb(psutil.Process()), [os.getloadavg()[0]]
    most = dict(before)
    waits.send(note, 0)
    [giant] = [place for place in waits.sent if place.split("/")[1] == "0"]
    for due in ticks(random.Random(seed)):
        while (left := due - time.monotonic()) > 0:
            reader.poll(min(left, 0.2))
            waits.look(reader, kafka)
        if giant in waits.took:
            break
        waits.send(next(small).value, 1 + len(waits.sent) % (PARTITIONS - 1))
        most = {k: max(v, most[k]) for k, v in peak_mb(psutil.Process()).items()}
        loads.append(os.getloadavg()[0])
    reader.until(lambda ledger: ledger.done >= len(waits.sent), 240)
    waits.look(reader, kafka)
    ledger = reader.settle(1.0)
    others = sorted(took for place, took in waits.took.items() if place.split("/")[1] != "0")
    letter = next(iter(ledger.values.get((kafka.topic_dead, giant), ())), b"")
    code = orjson.loads(letter)["code"] if letter else ""
    problems = ledger.problems(len(waits.sent))
    print(f"giant        {len(note):,} bytes: {code or 'released'} after {waits.took[giant]:.0f} s")
    print(f"memory (MB)  before {before}, most {most}")
    print(f"small notes  {len(others)}: median {median(others):.1f} s, longest {others[-3:]}")
    print(f"load         {min(loads):.1f} to {max(loads):.1f}")
    print(f"worker       {worker.starts} start(s), ended with {worker.statuses}")
    print(f"account      {problems or 'each once'}")
    return 1 if problems or code not in ("", "note.too_slow") else 0


if __name__ == "__main__":
    sys.exit(main())
