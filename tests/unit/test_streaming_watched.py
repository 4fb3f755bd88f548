"""Every blocking call of the Kafka clients stands under a deadline from outside."""

import ast
import threading
import time
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace

import pytest
from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient

import stream_deid
from stream_deid.config import Kafka
from stream_deid.errors import Unavailable
from stream_deid.streaming import lag_watch
from stream_deid.streaming.health import Health
from stream_deid.streaming.kafka import watched
from stream_deid.streaming.kafka.clients import client, reader_options
from stream_deid.streaming.kafka.watched import (
    WatchedAdmin,
    WatchedConsumer,
    WatchedProducer,
    within,
)
from stream_deid.streaming.lag_watch import LagWatch, Watched, WatchTimes
from stream_deid.streaming.observability.metrics import Metrics

ROOT = Path(stream_deid.__file__).parent
NOWHERE = Kafka(bootstrap="127.0.0.1:1")
AT_ONCE = {
    Consumer: {
        "assignment", "cluster_id", "commit", "consumer_group_metadata", "elect_leaders",
        "incremental_assign", "memberid", "pause", "position", "resume", "set_sasl_credentials",
        "store_offsets", "subscribe", "unsubscribe",
    },
    Producer: {
        "abort_transaction", "close", "cluster_id", "elect_leaders", "poll",
        "produce", "produce_batch", "purge", "set_sasl_credentials",
    },
}  # fmt: skip
"""What doesn't wait for a broker, and (`commit`, `abort_transaction`...) what nobody here calls."""


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(watched, "_GRACE_S", 0.2)
    monkeypatch.setattr(watched, "_LOOK_S", 0.1)


@pytest.fixture
def never() -> Iterator[threading.Event]:
    event = threading.Event()
    yield event
    event.set()


def test_a_call_that_hangs_is_given_up_and_so_is_its_client(never: threading.Event) -> None:
    consumer = client(Consumer, reader_options(NOWHERE))
    assert isinstance(consumer, WatchedConsumer)
    with pytest.raises(Unavailable, match=r"kafka\.hangs"):
        consumer._within(0.1, never.wait)
    begin = time.monotonic()
    for call in (consumer.poll, consumer.list_topics, lambda: consumer.committed([])):
        with pytest.raises(Unavailable, match=r"kafka\.hangs"):
            call()
    consumer.close()
    assert time.monotonic() - begin < 1


def test_what_a_call_gives_or_raises_comes_through() -> None:
    assert within(1, lambda: 7) == 7
    with pytest.raises(ZeroDivisionError):
        within(1, lambda: 1 / 0)


@pytest.mark.parametrize(
    ("plain", "kept"), [(Consumer, WatchedConsumer), (Producer, WatchedProducer)]
)
def test_every_call_that_waits_for_a_broker_is_watched(plain: type, kept: type) -> None:
    calls = {name for name in dir(plain) if not name.startswith("_")}
    watched_calls = kept.__dict__.keys() | watched._Watched.__dict__.keys()
    assert calls - AT_ONCE[plain] - watched_calls == set()


def test_every_client_of_the_service_is_made_where_it_is_watched() -> None:
    """A producer of its own has `Transactions` alone, with a watch of its own."""
    made = []
    for folder in ("streaming", "mllp"):
        for path in (ROOT / folder).rglob("*.py"):
            for node in ast.walk(ast.parse(path.read_text())):
                if isinstance(node, ast.Call):
                    made += [(path.name, kind) for kind in kinds_made(node)]
    assert made == [("transactions.py", "Producer")]
    assert isinstance(client(AdminClient, {"bootstrap.servers": "127.0.0.1:1"}), WatchedAdmin)


def kinds_made(call: ast.Call) -> list[str]:
    """The unwatched kinds of clients that a call makes."""
    name = ast.unparse(call.func)
    if name == "client" and call.args:
        return [kind for kind in [ast.unparse(call.args[0])] if kind == "Producer"]
    return [name] if name in ("Consumer", "Producer", "AdminClient") else []


def test_the_watch_over_lag_judges_though_its_look_hangs(
    monkeypatch: pytest.MonkeyPatch, never: threading.Event
) -> None:
    """A loop that stood still was not seen, and what `/healthz` said was old."""
    opened: list[object] = []

    def offsets(_: Kafka) -> SimpleNamespace:
        hung = client(Consumer, reader_options(NOWHERE))
        opened.append(hung)
        ask = lambda: hung._within(0.1, never.wait)  # noqa: E731
        return SimpleNamespace(partitions=ask, close=hung.close)

    monkeypatch.setattr(lag_watch, "Offsets", offsets)
    ends: list[BaseException] = []
    watch = LagWatch(
        NOWHERE, Watched(owned=set, end=ends.append),
        WatchTimes(stall_s=1, every_s=0.1, grace_s=0.3), Health(beat_s=0.5), Metrics(),
    )  # fmt: skip
    watch.start()
    deadline = time.monotonic() + 60
    while not ends or len(opened) < 2:
        assert time.monotonic() < deadline
        time.sleep(0.05)
    watch.stop()
    watch.join(60)
    assert getattr(ends[0], "code", "") == "stream.stalled"
