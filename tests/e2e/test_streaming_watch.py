"""Lag without progress is noticed from outside Faust, whatever Faust believes."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Self

import pytest
from confluent_kafka import Consumer, Producer
from harness import PATIENCE_S, make_topics, notes

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import publish
from stream_deid.streaming.health import Health
from stream_deid.streaming.kafka.clients import base_options, reader_options
from stream_deid.streaming.lag_watch import LagWatch, Watched, WatchTimes
from stream_deid.streaming.observability.metrics import Metrics

STALL_S, GRACE_S = 1.0, 0.5
LONG_S = 2 * (STALL_S + GRACE_S)
"""By then the watch would have seen what stands still."""


@pytest.fixture(params=["embedded", "apache"])
def kafka(request: pytest.FixtureRequest) -> Kafka:
    found: Kafka = request.getfixturevalue(request.param)
    make_topics(found, 2)
    return found


class _Ends:
    def __init__(self, kafka: Kafka, owned: set[int], until: float = 0.0) -> None:
        self.errors: list[BaseException] = []
        self.read_again: list[int] = []
        self.health = Health()
        self.health.assigned(settled=True)
        self.watch = LagWatch(
            kafka,
            Watched(
                owned=lambda: owned,
                end=self.errors.append,
                patience=lambda _: until,
                read_again=self.read_again.append,
            ),
            WatchTimes(STALL_S, again_s=STALL_S / 2, every_s=0.1, grace_s=GRACE_S),
            self.health,
            Metrics(),
        )

    def until(self, condition: Callable[[], bool], seconds: float = PATIENCE_S) -> None:
        deadline = time.monotonic() + seconds
        while not condition():
            self.health.beat()
            assert time.monotonic() < deadline
            time.sleep(0.05)

    def __enter__(self) -> Self:
        self.watch.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.watch.stop()
        self.watch.join(30)


def test_a_partition_that_nobody_owns_ends_the_worker(kafka: Kafka) -> None:
    publish(kafka, notes(10), 2)
    with _Ends(kafka, owned=set()) as seen:
        seen.until(lambda: bool(seen.health.live()))
        assert "partition 0 has no owner and stands at 0" in seen.health.live()
        seen.until(lambda: bool(seen.errors))
        assert seen.read_again == []
    assert getattr(seen.errors[0], "code", "") == "stream.stalled"


def test_an_owned_partition_that_stands_still_is_read_again_and_ends_the_worker(
    kafka: Kafka,
) -> None:
    publish(kafka, notes(10), 2)
    with _Ends(kafka, owned={0, 1}) as seen:
        seen.until(lambda: {0, 1} <= set(seen.read_again))
        seen.until(lambda: "partition 1 is owned and stands at 0" in seen.health.live())


def test_a_partition_whose_note_still_has_time_is_left_alone(kafka: Kafka) -> None:
    publish(kafka, notes(10), 2)
    end = time.monotonic() + LONG_S
    with _Ends(kafka, owned={0, 1}, until=end) as seen:
        seen.until(lambda: time.monotonic() > end or bool(seen.health.live()))
        assert time.monotonic() > end
        seen.until(lambda: "partition 1 is owned and stands at 0" in seen.health.live())


def test_a_partition_that_somebody_else_owns_is_not_our_affair(kafka: Kafka) -> None:
    publish(kafka, notes(10), 2)
    other = Consumer({**reader_options(kafka), "session.timeout.ms": 6000})
    other.subscribe([kafka.topic_in])
    deadline = time.monotonic() + PATIENCE_S
    while len(other.assignment()) < 2:
        other.poll(0.1)
        assert time.monotonic() < deadline
    with _Ends(kafka, owned=set()) as seen:
        end = time.monotonic() + LONG_S
        while time.monotonic() < end:
            seen.health.beat()
            other.poll(0.1)
            assert seen.health.live() == []
    other.close()


def test_markers_of_a_senders_transaction_are_no_lag_that_stands_still(kafka: Kafka) -> None:
    sender = Producer({**base_options(kafka), "transactional.id": f"{kafka.group}-sender"})
    sender.init_transactions(30)
    sender.begin_transaction()
    sender.produce(kafka.topic_in, b"never to be read", partition=0)
    sender.flush(30)
    sender.abort_transaction(30)
    with _Ends(kafka, owned={0, 1}) as seen:
        end = time.monotonic() + LONG_S
        while time.monotonic() < end:
            seen.health.beat()
            time.sleep(0.1)
            assert seen.health.live() == []
        lag = seen.watch._metrics.registry.get_sample_value
        seen.until(lambda: lag("stream_deid_lag", {"partition": "0"}) == 0)
        publish(kafka, notes(1), 2, only=0)
        seen.until(lambda: (lag("stream_deid_lag", {"partition": "0"}) or 0) > 0)
