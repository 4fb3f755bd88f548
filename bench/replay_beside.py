"""What a replay costs live notes: p50 and p99 of a worker alone, and beside replays.

    python bench/replay_beside.py [--rate 3] [--seconds 25] [--backlog 300]

A real worker and real replays on one Triton with the small models (BiLSTM-CRF), on Apache Kafka if
KAFKA_HOME is set. A note's latency: from its record in the input to its record in the output.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
import time
from contextlib import ExitStack
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from confluent_kafka import Consumer, KafkaError, Message, Producer, TopicPartition

from stream_deid import config
from stream_deid.config import Kafka
from stream_deid.rig.broker import open_broker
from stream_deid.rig.reconciliation import LedgerReader, environment
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import base_options, create_topics
from stream_deid.streaming.replay.order import named

PARTITIONS = 3
MODELS = {"EN": '["bilstm_crf_en"]', "ES": '["bilstm_crf_es"]'}
REPLAYS = {
    "alone": None,
    "beside a replay at 2 notes/s": ("--rate=2",),
    "beside a replay with --max-lag 2": ("--max-lag=2",),
    "beside a replay without bounds": (),
}


@dataclass
class Live:
    """Sends notes at a rate and finds out when each came out."""

    kafka: Kafka
    notes: list[bytes]
    sent: dict[str, int] = field(default_factory=dict)

    def send(self, rate: float, seconds: float) -> None:
        producer = Producer(base_options(self.kafka))

        def report(_: KafkaError | None, record: Message) -> None:
            place = f"{record.topic()}/{record.partition()}/{record.offset()}"
            self.sent[place] = record.timestamp()[1]

        begin = time.monotonic()
        for n in range(int(rate * seconds)):
            time.sleep(max(0.0, begin + n / rate - time.monotonic()))
            note = self.notes[n % len(self.notes)]
            producer.produce(self.kafka.topic_in, note, on_delivery=report)
            producer.poll(0)
        producer.flush(30)

    def latencies(self) -> np.ndarray:
        """Seconds, of everything sent; waits until it is out."""
        options = {"group.id": "bench", "isolation.level": "read_committed"}
        consumer = Consumer({**base_options(self.kafka), **options})
        consumer.assign([TopicPartition(self.kafka.topic_out, p, 0) for p in range(PARTITIONS)])
        found: dict[str, float] = {}
        while self.sent.keys() - found.keys():
            for message in consumer.consume(500, 1.0):
                source = dict(message.headers() or ()).get("source", b"").decode()
                if source in self.sent:
                    found[source] = (message.timestamp()[1] - self.sent[source]) / 1000
        consumer.close()
        return np.array(list(found.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rate", type=float, default=3.0)
    parser.add_argument("--seconds", type=float, default=25.0)
    parser.add_argument("--backlog", type=int, default=300)
    chosen = parser.parse_args()
    names = ["bilstm_crf_en", "bilstm_crf_es"]
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(open_broker(kafka_home=config.local_broker()[1]))
        kafka = Kafka(bootstrap=address, session_timeout_s=6, heartbeat_s=0.5)
        beside = named(kafka, "bench", live=False)
        create_topics(kafka, dict.fromkeys({*kafka.topics, *beside.topics}, PARTITIONS))
        server = stack.enter_context(LocalServer(manifest.repository(), names, threads=1))
        models = {f"STREAM_DEID_MODELS__{k}": v for k, v in MODELS.items()}
        env = environment(kafka, STREAM_DEID_TRITON__URL=server.url,
                          STREAM_DEID_KEYS__VALUE="bench-key-0123456789", **models)  # fmt: skip
        notes = [message.value for message in feed(chosen.backlog, 3)]
        program = [sys.executable, "-m", "stream_deid.cli"]
        stack.enter_context(Supervised([*program, "worker"], env=env, log=folder / "worker.log"))
        Live(kafka, notes).send(1000.0, chosen.backlog / 1000)
        reader = LedgerReader(kafka, PARTITIONS)
        reader.until(lambda seen: seen.done > 5, 120)
        first, began = reader.ledger.done, time.monotonic()
        reader.until(lambda seen: seen.done >= chosen.backlog, 300)
        rate = (chosen.backlog - first) / (time.monotonic() - began)
        print(f"worker through its backlog: {rate:.1f} notes/s", flush=True)
        reader.close()
        for number, (name, arguments) in enumerate(REPLAYS.items()):
            replay = None
            if arguments is not None:
                log = stack.enter_context((folder / f"{number}.log").open("w"))
                command = [*program, "replay", f"--id=bench{number}", *arguments]
                replay = subprocess.Popen(  # noqa: S603 - ours
                    command, env=os.environ | env, stdout=log, stderr=log
                )
                while '"event": "replay"' not in (folder / f"{number}.log").read_text():
                    time.sleep(0.1)
            live = Live(kafka, notes)
            live.send(chosen.rate, chosen.seconds)
            took = live.latencies()
            p50, p99 = np.percentile(took, [50, 99]) * 1000
            print(f"{name}: p50 {p50:.0f} ms, p99 {p99:.0f} ms ({len(took)} notes)", flush=True)
            if replay is not None:
                replay.terminate()
                replay.wait()
                last = (folder / f"{number}.log").read_text().rsplit('"notes_per_s": ', 1)[-1]
                print(f"  the replay: {last.split(',')[0]} notes/s", flush=True)


if __name__ == "__main__":
    main()
