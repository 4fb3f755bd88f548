"""Notes a second of a replay against those of one worker, with detection switched off.

    python bench/replay.py [--notes 20000] [--size 3000] [--partitions 6]

The worker and the replay only hash, on Apache Kafka if KAFKA_HOME is set. Both rates
are taken from the start of processing to the last commit.
"""

from __future__ import annotations

import argparse
import io
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from stream_deid import config
from stream_deid.config import Kafka, Settings
from stream_deid.rig.broker import open_broker
from stream_deid.rig.chaos import HASHING_WORKER
from stream_deid.rig.hashing_worker import REPEAT, Hashing
from stream_deid.rig.reconciliation import LedgerReader, environment, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import create_topics
from stream_deid.streaming.replay import command
from stream_deid.streaming.replay.job import ReplayJob
from stream_deid.streaming.replay.order import named


async def opened(_: Settings) -> Hashing:
    return Hashing(repeat=REPEAT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=3_000)
    parser.add_argument("--partitions", type=int, default=6)
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(open_broker(kafka_home=config.local_broker()[1]))
        kafka = Kafka(bootstrap=address, session_timeout_s=6, heartbeat_s=0.5)
        beside = named(kafka, "bench", live=False)
        create_topics(kafka, dict.fromkeys({*kafka.topics, *beside.topics}, chosen.partitions))
        note = b"." * chosen.size
        count = publish(kafka, (note for _ in range(chosen.notes)), chosen.partitions)
        reader = LedgerReader(kafka, chosen.partitions)
        stack.callback(reader.close)
        with Supervised(HASHING_WORKER, env=environment(kafka), log=folder / "worker.log"):
            reader.until(lambda seen: seen.done > 0, 60)
            first, began = reader.ledger.done, time.monotonic()
            reader.until(lambda seen: seen.done >= count, 300)
            print(f"worker: {(count - first) / (time.monotonic() - began):,.0f} notes/s")
        for job in (ReplayJob(name="bench"), ReplayJob(verify=True)):
            began, said = time.monotonic(), io.StringIO()
            command.main(Settings(kafka=kafka), job, opened, said)
            rate = count / (time.monotonic() - began)
            print(f"{'verify' if job.verify else 'replay'}: {rate:,.0f} notes/s, whole command")
            print(said.getvalue().rstrip())


if __name__ == "__main__":
    main()
