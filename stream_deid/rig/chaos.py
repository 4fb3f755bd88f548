"""Chaos: kill workers and the broker at random, then account for every note.

The same seed gives the same victims and moments. By default the workers are `sealed` ones,
which shakes delivery without any model; `command` can name others. Kills of the broker, and of
several workers within a minute, need a broker that survives them: `KAFKA_HOME`.
"""

from __future__ import annotations

import argparse
import logging
import math
import random
import signal
import sys
import tempfile
import time
from collections.abc import Iterable, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, field, replace
from pathlib import Path

from stream_deid import config
from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.rig.broker import ApacheKafka, Broker, NoidaDb
from stream_deid.rig.reconciliation import Reader, environment, named_after, publish
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import create_topics
from stream_deid.streaming.observability.logs import LIBRDKAFKA

SEALED = (sys.executable, "-m", "stream_deid.rig.hashing_worker")
PARTITIONS = 6
_BROKER_SHARE = 0.15
_TERM_SHARE = 0.3


@dataclass(frozen=True, slots=True)
class Plan:
    """What to do: `duration_s` of kills at `kill_rate` a second, then wait for the rest."""

    seed: int = 1
    duration_s: float = 60.0
    kill_rate: float = 0.2
    workers: int = 2
    notes: int = 5000
    delay_s: float = 0.02
    settle_s: float = 180.0
    static: bool = False
    command: Sequence[str] = SEALED


@dataclass(slots=True)
class Account:
    """What happened and what is wrong; `problems` is empty if every note is there once."""

    published: int = 0
    released: int = 0
    dead: int = 0
    kills: dict[str, int] = field(default_factory=dict)
    statuses: dict[int, int] = field(default_factory=dict)
    problems: dict[str, int] = field(default_factory=dict)
    seconds: float = 0.0

    def lines(self) -> list[str]:
        shown = {
            "published": self.published,
            "released": self.released,
            "dead letters": self.dead,
            "lost": self.problems.get("lost", 0),
            "duplicates": self.problems.get("duplicates", 0),
            "seconds": round(self.seconds, 1),
        }
        rows = [f"{name:<22}{value}" for name, value in shown.items()]
        rows += [f"{f'kills: {name}':<22}{value}" for name, value in sorted(self.kills.items())]
        rows += [f"{f'exits with {s}':<22}{n}" for s, n in sorted(self.statuses.items())]
        rows += [f"{f'WRONG: {name}':<22}{value}" for name, value in sorted(self.problems.items())]
        return rows


def run(plan: Plan, broker: Broker, folder: Path, feed: Iterable[bytes] | None = None) -> Account:
    """Carry out a plan on a started broker; logs of the workers go to `folder`."""
    kafka = _settings(broker.bootstrap, plan)
    create_topics(kafka, dict.fromkeys(kafka.topics, PARTITIONS))
    account, began = Account(), time.monotonic()
    account.published = publish(kafka, feed or _notes(plan), PARTITIONS)
    pause = {"SEALED_DELAY_S": str(plan.delay_s), "STREAM_DEID_SHUTDOWN_S": "10"}
    envs = [
        environment(replace(kafka, member=f"w{n}" if plan.static else ""), **pause)
        for n in range(plan.workers)
    ]
    with ExitStack() as stack:
        workers = [
            Supervised(plan.command, env=env, log=folder / f"worker-{n}.log", max_pause_s=2.0)
            for n, env in enumerate(envs)
        ]
        for worker in workers:
            stack.enter_context(worker)
        reader = Reader(kafka, PARTITIONS, math.inf if broker.durable else 5.0)
        stack.callback(reader.close)
        _strike(plan, broker, workers, reader, account)
        try:
            reader.until(lambda seen: seen.done >= account.published, plan.settle_s)
        except Unavailable:
            account.problems["late"] = account.published - reader.ledger.done
        ledger = reader.settle(3.0)
    account.problems |= ledger.problems(account.published)
    account.released, account.dead = len(ledger.notes), len(ledger.dead)
    for worker in workers:
        for status in worker.statuses:
            account.statuses[status] = account.statuses.get(status, 0) + 1
    account.seconds = time.monotonic() - began
    return account


def main(arguments: argparse.Namespace) -> int:
    """`stream-deid chaos`: print the account; 0 if nothing is lost, twice or without audit."""
    logging.getLogger(LIBRDKAFKA).setLevel(logging.CRITICAL)  # a killed broker is no news here
    plan = Plan(
        seed=arguments.seed,
        duration_s=arguments.duration,
        kill_rate=arguments.kill_rate,
        workers=arguments.workers,
        notes=arguments.notes,
    )
    _, home = config.local_broker()
    with tempfile.TemporaryDirectory(prefix="stream-deid-chaos-") as scratch:
        folder = Path(scratch)
        broker = ApacheKafka(folder, Path(home)) if home else NoidaDb(folder)
        plan = replace(plan, static=not broker.durable)  # noida-db forgets no dynamic member
        with broker:
            account = run(plan, broker, folder)
    sys.stdout.write("\n".join(account.lines()) + "\n")
    return 1 if account.problems else 0


def _settings(bootstrap: str, plan: Plan) -> Kafka:
    kafka = Kafka(
        bootstrap=bootstrap,
        session_timeout_s=6.0,
        heartbeat_s=0.5,
        transaction_timeout_s=20.0,
    )
    return named_after(kafka, f"chaos-{plan.seed}")


def _notes(plan: Plan) -> Iterable[bytes]:
    dice = random.Random(plan.seed)
    return (f"note {i} ".encode().ljust(dice.randint(200, 6000), b".") for i in range(plan.notes))


def _strike(
    plan: Plan, broker: Broker, workers: list[Supervised], reader: Reader, account: Account
) -> None:
    """Kill at exponentially distributed moments until the time is over or the work is done."""
    dice = random.Random(plan.seed)
    end = time.monotonic() + plan.duration_s
    following = time.monotonic() + dice.expovariate(plan.kill_rate) if plan.kill_rate else end
    while time.monotonic() < end and reader.ledger.done < account.published:
        reader.poll()
        if time.monotonic() < following:
            continue
        following = time.monotonic() + dice.expovariate(plan.kill_rate)
        what = _one(dice, broker, workers)
        if what:
            account.kills[what] = account.kills.get(what, 0) + 1


def _one(dice: random.Random, broker: Broker, workers: list[Supervised]) -> str:
    if dice.random() < _BROKER_SHARE and broker.durable:
        broker.kill()
        if dice.random() < 0.5:
            dice.choice(workers).send(signal.SIGKILL)
        broker.start()
        return "broker SIGKILL"
    number = signal.SIGTERM if dice.random() < _TERM_SHARE else signal.SIGKILL
    return f"worker {number.name}" if dice.choice(workers).send(number) else ""
