"""Notes a second of the shell with detection switched off, and how it grows with workers.

    python bench/shell.py [--notes 20000] [--partitions 6] [--workers 1 2 4] [--delay 0]
    python bench/shell.py --models real --notes 600 --workers 1 2 4

Workers only hash (`rig.hashing_worker`), on Apache Kafka if KAFKA_HOME is set, else embedded; each
number of workers has topics of its own. With `--delay` each note waits so many seconds, as for
models that have all the cores they want: then the cores of this machine are not what is measured.
With `--models real` workers are whole, share one Triton on this machine, and read the synthetic
feed of `demo` (1 kB a note). The rate is taken between the first and the last batch that a
read_committed reader sees, after all workers have joined.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field
from itertools import repeat
from pathlib import Path

from stream_deid import config
from stream_deid.config import Kafka
from stream_deid.rig.broker import open_broker
from stream_deid.rig.chaos import HASHING_WORKER
from stream_deid.rig.reconciliation import LedgerReader, environment, named_after, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import create_topics


@dataclass(frozen=True)
class Kind:
    """A kind of worker: its command and environment, and the notes that it is given."""

    command: Sequence[str]
    env: dict[str, str] = field(repr=False)
    notes: Callable[[], Iterable[bytes]]


def hashing(chosen: argparse.Namespace) -> Kind:
    note = b"." * chosen.size
    env = {"HASHING_DELAY_S": str(chosen.delay)}
    return Kind(HASHING_WORKER, env, lambda: repeat(note, chosen.notes))


def whole(stack: ExitStack, chosen: argparse.Namespace) -> Kind:
    settings = config.Settings()
    repo = manifest.repository(settings.triton.repository)
    triton = stack.enter_context(LocalServer(repo, settings.model_names))
    env = {"STREAM_DEID_KEYS__VALUE": config.new_key(), "STREAM_DEID_TRITON__URL": triton.url}
    command = [sys.executable, "-m", "stream_deid.cli", "worker"]
    return Kind(command, env, lambda: (message.value for message in feed(chosen.notes)))


def measured(
    broker: str, folder: Path, workers: int, kind: Kind, chosen: argparse.Namespace
) -> float:
    """Notes a second of so many workers."""
    kafka = named_after(
        Kafka(bootstrap=broker, session_timeout_s=6, heartbeat_s=0.5, batch=chosen.batch),
        f"shell{workers}",
    )
    create_topics(kafka, dict.fromkeys(kafka.topics, chosen.partitions))
    env = environment(kafka, **kind.env)
    with ExitStack() as stack:
        logs = [folder / f"{workers}-{number}.log" for number in range(workers)]
        for log in logs:
            stack.enter_context(Supervised(kind.command, env=env, log=log))
        reader = LedgerReader(kafka, chosen.partitions)
        stack.callback(reader.close)
        while not all(log.exists() and "partitions_claimed" in log.read_text() for log in logs):
            time.sleep(0.2)
        published = publish(kafka, kind.notes(), chosen.partitions)
        reader.until(lambda seen: seen.done > 0, 60)
        first, began = reader.ledger.done, time.monotonic()
        reader.until(lambda seen: seen.done >= published, 600)
        return (published - first) / (time.monotonic() - began)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--models", choices=["none", "real"], default="none")
    parser.add_argument("--notes", type=int, default=20_000)
    parser.add_argument("--size", type=int, default=3_000)
    parser.add_argument("--partitions", type=int, default=6)
    parser.add_argument("--workers", type=int, nargs="+", default=[1])
    parser.add_argument("--batch", type=int, default=Kafka().batch)
    parser.add_argument("--delay", type=float, default=0.0, help="seconds of each note")
    chosen = parser.parse_args()
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory()))
        broker = stack.enter_context(open_broker(kafka_home=config.local_broker()[1]))
        kind = whole(stack, chosen) if chosen.models == "real" else hashing(chosen)
        for workers in chosen.workers:
            rate = measured(broker, folder, workers, kind, chosen)
            print(f"{workers} workers: {rate:,.0f} notes/s", flush=True)


if __name__ == "__main__":
    main()
