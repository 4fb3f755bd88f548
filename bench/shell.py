"""Notes a second of the shell with detection switched off.

    python bench/shell.py [--notes 20000] [--size 3000] [--partitions 6] [--workers 1]

Workers only hash (`rig.hashing_worker`), on Apache Kafka if KAFKA_HOME is set, else embedded.
The rate is taken between the first and the last batch seen by a read_committed reader.
"""

from __future__ import annotations

import argparse
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

from stream_deid import config
from stream_deid.config import Kafka
from stream_deid.rig.broker import open_broker
from stream_deid.rig.chaos import HASHING_WORKER
from stream_deid.rig.reconciliation import Reader, environment, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import create_topics


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=3_000)
    parser.add_argument("--partitions", type=int, default=6)
    parser.add_argument("--workers", type=int, default=1)
    parser.add_argument("--batch", type=int, default=Kafka().batch)
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        address = stack.enter_context(open_broker(kafka_home=config.local_broker()[1]))
        kafka = Kafka(bootstrap=address, session_timeout_s=6, heartbeat_s=0.5, batch=chosen.batch)
        create_topics(kafka, dict.fromkeys(kafka.topics, chosen.partitions))
        note = b"." * chosen.size
        published = publish(kafka, (note for _ in range(chosen.notes)), chosen.partitions)
        env = environment(kafka)
        for number in range(chosen.workers):
            log = folder / f"{number}.log"
            stack.enter_context(Supervised(HASHING_WORKER, env=env, log=log))
        reader = Reader(kafka, chosen.partitions)
        stack.callback(reader.close)
        reader.until(lambda seen: seen.done > 0, 60)
        first, began = reader.ledger.done, time.monotonic()
        reader.until(lambda seen: seen.done >= published, 300)
        seconds = time.monotonic() - began
        print(f"{(published - first) / seconds:,.0f} notes/s ({published} of {chosen.size} bytes)")


if __name__ == "__main__":
    main()
