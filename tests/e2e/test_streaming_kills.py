"""Nothing is lost and nothing comes twice, whatever is killed and when."""

from __future__ import annotations

import math
import random
import signal
import time
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from confluent_kafka import ConsumerGroupState
from confluent_kafka.admin import AdminClient, NewPartitions
from harness import AGAIN_AFTER_S, PATIENCE_S, committed, make_topics, notes, worker

from stream_deid.config import Kafka
from stream_deid.rig.broker import Broker
from stream_deid.rig.reconciliation import Ledger, LedgerReader, publish
from stream_deid.streaming.kafka.clients import base_options

PARTITIONS = 4


def _exactly_once(kafka: Kafka, reader: LedgerReader, published: int) -> None:
    ledger = reader.settle(1.0)
    assert ledger.problems(published) == {}
    assert committed(kafka, PARTITIONS) == published


def _done(number: int):
    return lambda ledger: ledger.done >= number


def _begin(
    kafka: Kafka, stack: ExitStack, count: int, again_after_s: float = math.inf
) -> tuple[LedgerReader, int]:
    make_topics(kafka, PARTITIONS)
    published = publish(kafka, notes(count), PARTITIONS)
    reader = LedgerReader(kafka, PARTITIONS, again_after_s)
    stack.callback(reader.close)
    return reader, published


def test_sigterm_in_mid_batch_drains_and_ends_with_0(
    embedded: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    reader, published = _begin(embedded, stack, 1500)
    first = stack.enter_context(worker(embedded, tmp_path / "a.log", HASHING_DELAY_S="0.1"))
    reader.until(_done(200), PATIENCE_S)
    assert first.stop() == 0
    assert 200 <= reader.settle(0.5).done < published
    stack.enter_context(worker(embedded, tmp_path / "b.log"))
    reader.until(_done(published), PATIENCE_S)
    _exactly_once(embedded, reader, published)


def test_kills_of_the_only_worker_on_the_embedded_broker(
    embedded: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    """As a static member: noida-db lets nobody in while a dead dynamic member is remembered."""
    reader, published = _begin(embedded, stack, 2000, AGAIN_AFTER_S)
    static = replace(embedded, member="only")
    only = stack.enter_context(worker(static, tmp_path / "a.log", HASHING_DELAY_S="0.05"))
    for done in (300, 900, 1500):
        reader.until(_done(done), PATIENCE_S)
        only.kill()
    reader.until(_done(published), PATIENCE_S)
    _exactly_once(embedded, reader, published)
    assert only.statuses == [-signal.SIGKILL] * 3


@pytest.mark.parametrize("member", ["", "only"])
def test_kills_of_the_only_worker(
    apache: Kafka, member: str, tmp_path: Path, stack: ExitStack
) -> None:
    reader, published = _begin(apache, stack, 3000)
    only = stack.enter_context(worker(replace(apache, member=member), tmp_path / "a.log"))
    for done in (250, 850, 1550, 2250):
        reader.until(_done(done), PATIENCE_S)
        only.kill()
    reader.until(_done(published), PATIENCE_S)
    _exactly_once(apache, reader, published)
    assert only.statuses == [-signal.SIGKILL] * 4


def test_a_second_worker_joins_and_leaves(apache: Kafka, tmp_path: Path, stack: ExitStack) -> None:
    reader, published = _begin(apache, stack, 3000)
    apache = replace(apache, session_timeout_s=60.0)  # nobody dies here, however slow the machine
    first = stack.enter_context(worker(apache, tmp_path / "a.log", HASHING_DELAY_S="0.3"))
    reader.until(_done(500), PATIENCE_S)
    second = stack.enter_context(worker(apache, tmp_path / "b.log", HASHING_DELAY_S="0.3"))
    _until_claimed(tmp_path / "b.log", reader)
    published += publish(apache, notes(1500), PARTITIONS)
    reader.until(_done(published - 1000), PATIENCE_S)
    assert second.stop() == 0
    reader.until(_done(published), PATIENCE_S)
    _exactly_once(apache, reader, published)
    assert first.statuses == []  # joining and leaving disturbs nobody


def test_partitions_that_are_added_are_served_after_a_rolling_restart_of_static_members(
    apache: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    reader, published = _begin(apache, stack, 400)
    named = [replace(apache, member=f"w-{number}", session_timeout_s=10) for number in range(2)]
    logs = [tmp_path / "0.log", tmp_path / "1.log"]
    running = [stack.enter_context(worker(one, log)) for one, log in zip(named, logs, strict=True)]
    for log in logs:
        _until_claimed(log, reader)
    reader.until(_done(published), PATIENCE_S)
    admin = AdminClient(base_options(apache))
    grown = admin.create_partitions([NewPartitions(apache.topic_in, PARTITIONS + 2)])
    grown[apache.topic_in].result(30)
    for one, old, log in zip(named, running, logs, strict=True):
        assert old.stop() == 0
        log.unlink()
        stack.enter_context(worker(one, log))
        _until_claimed(log, reader)
    published += publish(apache, notes(100), PARTITIONS + 2)
    reader.until(_done(published), PATIENCE_S)
    assert reader.settle(1.0).problems(published) == {}


@pytest.mark.parametrize("restarted", [False, True])
def test_partitions_that_are_added_are_served_by_the_workers_that_run(
    apache: Kafka, tmp_path: Path, stack: ExitStack, restarted: bool
) -> None:
    """A static member that was restarted leads its group and isn't told so."""
    reader, published = _begin(apache, stack, 400)
    named, log = replace(apache, member="only", session_timeout_s=30), tmp_path / "0.log"
    running = stack.enter_context(worker(named, log))
    reader.until(_done(published), PATIENCE_S)
    if restarted:
        assert running.stop() == 0
        log.unlink()
        running = stack.enter_context(worker(named, log))
        _until_claimed(log, reader)
    admin = AdminClient(base_options(apache))
    grown = admin.create_partitions([NewPartitions(apache.topic_in, PARTITIONS + 2)])
    grown[apache.topic_in].result(30)
    published += publish(apache, notes(100), PARTITIONS + 2)
    reader.until(_done(published), PATIENCE_S)
    assert reader.settle(1.0).problems(published) == {}
    assert running.statuses == []


def test_a_worker_that_waits_for_the_group_ends_cleanly_when_told_to(
    apache: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    """A static member that went away is waited for; who joins meanwhile has nothing in hand."""
    make_topics(apache, PARTITIONS)
    patient = replace(apache, session_timeout_s=30)
    gone = stack.enter_context(worker(replace(patient, member="w-0"), tmp_path / "0.log"))
    reader = LedgerReader(apache, PARTITIONS)
    stack.callback(reader.close)
    _until_claimed(tmp_path / "0.log", reader)
    assert gone.stop() == 0
    joining = stack.enter_context(worker(patient, tmp_path / "1.log"))
    admin, deadline = AdminClient(base_options(apache)), time.monotonic() + 60
    while _state(admin, apache) is ConsumerGroupState.STABLE:
        assert time.monotonic() < deadline
    assert joining.stop() == 0
    assert b'"critical"' not in (tmp_path / "1.log").read_bytes()


def _state(admin: AdminClient, kafka: Kafka) -> ConsumerGroupState:
    group = admin.describe_consumer_groups([kafka.group], request_timeout=10)[kafka.group]
    return group.result(10).state


def test_kills_of_two_workers_and_of_the_broker(
    apache: Kafka, apache_broker: Broker, tmp_path: Path, stack: ExitStack
) -> None:
    reader, published = _begin(apache, stack, 4000)
    pair = [stack.enter_context(worker(apache, tmp_path / f"{n}.log")) for n in "ab"]
    dice = random.Random(7)
    for done in (400, 1250, 2100, 3000):
        reader.until(_done(done), PATIENCE_S)
        victim = dice.choice(pair)
        victim.kill()
        if done in (1250, 3000):
            apache_broker.kill()
            dice.choice(pair).kill()
            apache_broker.start()
    reader.until(_done(published), PATIENCE_S)
    _exactly_once(apache, reader, published)


def test_after_a_restart_of_the_broker_the_same_workers_go_on(
    apache: Kafka, apache_broker: Broker, tmp_path: Path, stack: ExitStack
) -> None:
    """A commit that hung in librdkafka held everything up for 250 s, until the watch ended it."""
    reader, published = _begin(apache, stack, 3000)
    # a broker that starts slowly on a loaded machine must not look like one that stays away
    patient = replace(apache, session_timeout_s=60.0, transaction_timeout_s=120.0)
    delay = {"HASHING_DELAY_S": "0.3"}
    logs = [tmp_path / f"{name}.log" for name in "ab"]
    pair = [stack.enter_context(worker(patient, log, **delay)) for log in logs]
    for log in logs:  # the restart is what is tried here
        _until_claimed(log, reader)
    reader.until(_done(600), PATIENCE_S)
    apache_broker.kill()
    apache_broker.start()
    reader.until(_done(reader.ledger.done + 200), 90)  # 1.4 s where nothing else runs
    reader.until(_done(published), PATIENCE_S)
    _exactly_once(apache, reader, published)
    assert [one.statuses for one in pair] == [[], []]


def _until_claimed(log: Path, reader: LedgerReader) -> None:
    deadline = time.monotonic() + PATIENCE_S
    while b'"partitions_claimed"' not in (log.read_bytes() if log.exists() else b""):
        assert time.monotonic() < deadline
        reader.poll()


def test_processed_again_everything_is_identical(
    apache: Kafka, tmp_path: Path, stack: ExitStack
) -> None:
    """Another group, hash seed and batch size read the same input to topics of their own."""
    first, published = _begin(apache, stack, 1000)
    again = replace(
        apache,
        group=f"{apache.group}-again",
        topic_out=f"{apache.group}-again.deid",
        topic_audit=f"{apache.group}-again.audit",
        topic_dead=f"{apache.group}-again.dead",
        batch=7,
    )
    make_topics(again, PARTITIONS)
    second = LedgerReader(again, PARTITIONS)
    stack.callback(second.close)
    stack.enter_context(worker(apache, tmp_path / "a.log", PYTHONHASHSEED="1"))
    stack.enter_context(worker(again, tmp_path / "b.log", PYTHONHASHSEED="2"))
    first.until(_done(published), PATIENCE_S)
    second.until(_done(published), PATIENCE_S)
    assert _contents(apache, first.settle(0.5)) == _contents(again, second.settle(0.5))


def _contents(kafka: Kafka, ledger: Ledger) -> dict[tuple[str, str], set[bytes]]:
    return {
        (topic.removeprefix(kafka.group), source): values
        for (topic, source), values in ledger.values.items()
    }
