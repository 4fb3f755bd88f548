"""One run: topics, workers, reader, feed and strikes; then the account."""

from __future__ import annotations

import math
import sys
import time
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from functools import partial
from pathlib import Path

from stream_deid import audit, exits
from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.rig.broker import Broker
from stream_deid.rig.chaos.feeding import Feeder
from stream_deid.rig.chaos.ledger import HashBook
from stream_deid.rig.chaos.plan import HASHING_WORKER, PARTITIONS, START, ChaosPlan
from stream_deid.rig.chaos.report import Account
from stream_deid.rig.chaos.stalls import ChaosEvent, stalls
from stream_deid.rig.chaos.striking import Striker
from stream_deid.rig.hashing_worker import Hashing
from stream_deid.rig.reconciliation import LedgerReader, environment, named_after
from stream_deid.rig.supervised import Supervised
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import create_topics

_LATE_S = 3.0
_STUB_BYTES_A_SECOND = 300_000


@dataclass(frozen=True, slots=True)
class Crew:
    """What a worker is: its command, its environment, and the keyed hash that its records hold.

    `triton`: the server that its models are on, to be struck as well.
    """

    command: Sequence[str]
    mac: Callable[[bytes], str] = field(repr=False)
    env: Mapping[str, str] = field(default_factory=dict, repr=False)
    triton: LocalServer | None = None


def stub(plan: ChaosPlan) -> Crew:
    """Workers that release hashes: delivery alone, without a model."""
    env = {
        "HASHING_DELAY_S": str(plan.delay_s),
        "HASHING_BYTES_A_SECOND": str(_STUB_BYTES_A_SECOND),
        "HASHING_REJECTS": "1",
    }
    return Crew(HASHING_WORKER, Hashing().mac, env)


def real(key: str, tenant: str, triton: LocalServer, settings_file: Path | None) -> Crew:
    """Whole workers with the models of `triton`."""
    config = ["--config", str(settings_file)] if settings_file else []
    env = {"STREAM_DEID_KEYS__VALUE": key, "STREAM_DEID_TRITON__URL": triton.url}
    command = [sys.executable, "-m", "stream_deid.cli", *config, "worker"]
    return Crew(command, partial(audit.keyed_mac, audit.mac_key(key.encode(), tenant)), env, triton)


def run(
    plan: ChaosPlan,
    broker: Broker,
    folder: Path,
    crew: Crew | None = None,
    tell: Callable[[str], None] = lambda _: None,
) -> Account:
    """Carry out a plan on a started broker; logs of the workers go to `folder`.

    Raises `Unavailable` where the broker or Triton does not come back, or the feed is not taken.
    """
    crew = crew or stub(plan)
    kafka = _settings(broker.bootstrap, plan)
    create_topics(kafka, dict.fromkeys(kafka.topics, PARTITIONS))
    began = time.monotonic()
    book = HashBook(kafka, crew.mac)
    with ExitStack() as stack:
        workers = [_worker(plan, kafka, crew, folder, number) for number in range(plan.workers)]
        for worker in workers:
            stack.enter_context(worker)
        reader = LedgerReader(kafka, PARTITIONS, math.inf if broker.durable else 5.0, book)
        stack.callback(reader.close)
        feeder = Feeder(kafka, plan, PARTITIONS, crew.mac)
        striker = Striker(plan, broker, workers, crew.triton)
        _meanwhile(plan, feeder, striker, reader, tell)
        late = _rest(plan, feeder, reader)
        ledger = reader.settle(_LATE_S)
        events = [ChaosEvent(START, began, began), *striker.events]
        bounds = replace(plan.bounds, start=min(plan.bounds.start, book.started() - began + 1))
        found = stalls(book.waits(feeder.sent), events, bounds)
    statuses = Counter(status for worker in workers for status in worker.statuses)
    counted = {
        "nothing_published": not feeder.published,
        "late": late,
        "notes_that_stood_still_too_long": broker.durable and sum(one.over for one in found),
        "workers_that_crashed": statuses[exits.CRASHED],
    }
    problems = ledger.problems(feeder.published) | book.problems(feeder.sent)
    problems |= {name: int(count) for name, count in counted.items() if count}
    return Account(
        published=feeder.published,
        released=len(ledger.notes),
        dead=book.codes(),
        events=Counter(event.kind for event in striker.events),
        statuses=statuses,
        stalls=found,
        problems=problems,
        seconds=time.monotonic() - began,
    )


def _worker(plan: ChaosPlan, kafka: Kafka, crew: Crew, folder: Path, number: int) -> Supervised:
    named = replace(kafka, member=f"w{number}" if plan.static else "")
    env = environment(named, STREAM_DEID_SHUTDOWN_S="10", **crew.env)
    log = folder / f"worker-{number}.log"
    return Supervised(crew.command, env=env, log=log, max_pause_s=2.0)


def _meanwhile(
    plan: ChaosPlan,
    feeder: Feeder,
    striker: Striker,
    reader: LedgerReader,
    tell: Callable[[str], None],
) -> None:
    """Feed, strike and read until the time is over."""
    end, told = time.monotonic() + plan.duration_s, time.monotonic()
    feeder.start()
    striker.start()
    while time.monotonic() < end and striker.error is None:
        reader.poll()
        if time.monotonic() - told > 30:
            told = time.monotonic()
            done, events = reader.ledger.done, len(striker.events)
            tell(f"{feeder.published} published, {done} done, {events} events")
    ending = time.monotonic()
    striker.stop()
    reader.poll(0.0)
    tell(f"{time.monotonic() - ending:.0f} s until everything is back; feed ends")
    feeder.stop()
    if feeder.forgotten:
        tell(f"{feeder.forgotten} messages were acknowledged by a broker that does not hold them")


def _rest(plan: ChaosPlan, feeder: Feeder, reader: LedgerReader) -> int:
    """Wait for what is left; how many notes did not come."""
    try:
        reader.until(lambda seen: seen.done >= feeder.published, plan.settle_s)
    except Unavailable:
        return feeder.published - reader.ledger.done
    return 0


def _settings(bootstrap: str, plan: ChaosPlan) -> Kafka:
    kafka = Kafka(
        bootstrap=bootstrap,
        session_timeout_s=plan.session_timeout_s,
        heartbeat_s=min(2.0, plan.session_timeout_s / 3),
    )
    return named_after(kafka, f"chaos-{plan.seed}")
