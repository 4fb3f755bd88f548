"""A worker whose clock of the day is wrong, and steps, while notes come.

    KAFKA_HOME=... python bench/clock.py -25200 -28000 2400 -2400 0

Each argument is by how many seconds the clock is wrong, for `--each` seconds. The worker releases
hashes; `tests/e2e/wrong_clock.c` (it needs a C compiler) tells the time. Printed: the longest time
without a release, the account of all notes, the ends of the worker. The status is 1 where a note
was lost, came twice or is a dead letter. Brokers since Kafka 4 take nothing from a clock that is
more than an hour ahead: end with a right one (0), and all must be there.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from contextlib import ExitStack
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "e2e"), str(ROOT)]

from flowing import Feeder  # noqa: E402 - of the tests
from harness import kafka_home, kafka_settings, make_topics, worker  # noqa: E402
from wrong_clock import telling  # noqa: E402

from stream_deid.rig.broker import ApacheKafka  # noqa: E402
from stream_deid.rig.reconciliation import LedgerReader  # noqa: E402

PARTITIONS, PATIENCE_S = 3, 60.0


def released(reader: LedgerReader, seconds: float) -> float:
    """Read for so long; the longest time in which nothing came, in seconds."""
    began = last = time.monotonic()
    done, longest = reader.ledger.done, 0.0
    while (now := time.monotonic()) - began < seconds:
        reader.poll()
        if reader.ledger.done > done:
            done, last = reader.ledger.done, now
        longest = max(longest, now - last)
    return longest


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("wrong", nargs="+", type=int)
    parser.add_argument("--each", type=float, default=15.0)
    parser.add_argument("--rate", type=float, default=20.0)
    arguments = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = stack.enter_context(ApacheKafka(folder / "kafka", kafka_home()))
        kafka = kafka_settings(broker.bootstrap, "clock")
        make_topics(kafka, PARTITIONS)
        reader = LedgerReader(kafka, PARTITIONS)
        stack.callback(reader.close)
        clock = folder / "clock"
        clock.write_text(f"{arguments.wrong[0]}\n")
        env = telling(folder, clock)
        only = stack.enter_context(worker(kafka, folder / "worker.log", **env))
        messages = ((b"p%d" % (n % 7), b"note %d" % n) for n in range(1_000_000))
        with Feeder(kafka, messages, rate=arguments.rate) as feeder:
            released(reader, 10.0)  # it starts
            for seconds in arguments.wrong:
                clock.write_text(f"{seconds}\n")
                longest = released(reader, arguments.each)
                print(f"{seconds:+d} s: nothing for {longest:.1f} s, {reader.ledger.done} done")
        reader.until(lambda ledger: ledger.done >= len(feeder.sent), PATIENCE_S)
        found = reader.settle().problems(len(feeder.sent)) | {"dead": len(reader.ledger.dead)}
        print(f"{len(feeder.sent)} notes: {found}; the worker ended with {only.statuses}")
    return int(any(found.values()))


if __name__ == "__main__":
    sys.exit(main())
