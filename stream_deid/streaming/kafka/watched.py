"""Kafka clients whose blocking calls stand under a deadline from outside.

librdkafka's calls take a time limit and do not always keep it. Each runs in a thread of its own
here, which is left behind when the call is not back in its time and some more: the caller goes on
with `Unavailable("kafka.hangs")`, at once with every later call of that client. The transactions
of a worker have their own watch, which puts a fresh producer in place (`kafka.transactions`).
"""

from __future__ import annotations

import math
import threading
from collections.abc import Callable
from concurrent.futures import Future, wait
from typing import Any, TypeVar

from confluent_kafka import Consumer, Producer
from confluent_kafka.admin import AdminClient

from stream_deid.errors import Unavailable
from stream_deid.streaming.observability import logs

_GRACE_S = 5.0  # what a call may take beyond its time
_LOOK_S = 1.0  # how long one look at it takes
_UNTIMED_S = 10.0  # for calls that take no time limit
_CLOSE_S = 10.0  # for the last commit and leaving the group

_log = logs.get("kafka")

T = TypeVar("T")


def within(seconds: float, call: Callable[[], T]) -> T:
    """What a call gives or raises. Raises `Unavailable("kafka.hangs")` where it is not back in
    `seconds` and some more, counted in looks: a process that slept meanwhile gives it its time.
    """
    future: Future[T] = Future()
    threading.Thread(target=answer, args=(future, call), name="kafka", daemon=True).start()
    for _ in range(math.ceil((max(0.0, seconds) + _GRACE_S) / _LOOK_S)):
        if wait([future], _LOOK_S).done:
            return future.result()
    raise Unavailable("kafka.hangs", f"a call of the Kafka client hangs beyond its {seconds:g} s")


def answer(future: Future[T], call: Callable[[], T]) -> None:
    """Have the future hold what a call gives or raises."""
    try:
        future.set_result(call())
    except BaseException as error:  # noqa: BLE001 - raised again by who waits
        future.set_exception(error)


class _Watched:
    """What all have; each is the library's class as well."""

    _hangs: Unavailable | None = None

    def _within(self, seconds: float, call: Callable[[], T]) -> T:
        if self._hangs is not None:
            raise self._hangs
        try:
            return within(seconds, call)
        except Unavailable as error:
            self._hangs = error
            raise

    def list_topics(self, topic: str | None = None, timeout: float = -1) -> Any:
        ask: Any = super().list_topics  # type: ignore[misc]
        given = (topic,) if topic else ()
        return self._within(timeout, lambda: ask(*given, timeout=timeout))


class WatchedAdmin(_Watched, AdminClient):
    """As confluent-kafka's; what gives futures is waited for with a time limit anyway."""

    def list_groups(self, group: str | None = None, timeout: float = -1) -> Any:
        ask = super().list_groups
        given = () if group is None else (group,)
        return self._within(timeout, lambda: ask(*given, timeout=timeout))


class WatchedConsumer(_Watched, Consumer):
    """As confluent-kafka's."""

    def committed(self, partitions: Any, timeout: float = -1) -> Any:
        ask = super().committed
        return self._within(timeout, lambda: ask(partitions, timeout=timeout))

    def get_watermark_offsets(
        self, partition: Any, timeout: float = -1, cached: bool = False
    ) -> Any:
        ask = super().get_watermark_offsets
        return self._within(timeout, lambda: ask(partition, timeout=timeout, cached=cached))

    def offsets_for_times(self, partitions: Any, timeout: float = -1) -> Any:
        ask = super().offsets_for_times
        return self._within(timeout, lambda: ask(partitions, timeout=timeout))

    def poll(self, timeout: float = -1) -> Any:
        ask = super().poll
        come = ask(0) if self._hangs is None else None
        return come if come is not None else self._within(timeout, lambda: ask(timeout))

    def consume(self, num_messages: int = 1, timeout: float = -1) -> Any:
        ask = super().consume
        if not timeout:  # what has come already
            return ask(num_messages, 0)
        return self._within(timeout, lambda: ask(num_messages, timeout))

    def assign(self, partitions: Any) -> None:
        ask = super().assign
        self._within(_UNTIMED_S, lambda: ask(partitions))

    def unassign(self) -> None:
        self._within(_UNTIMED_S, super().unassign)

    def incremental_unassign(self, partitions: Any) -> None:
        ask = super().incremental_unassign
        self._within(_UNTIMED_S, lambda: ask(partitions))

    def seek(self, partition: Any) -> None:
        ask = super().seek
        self._within(_UNTIMED_S, lambda: ask(partition))

    def close(self) -> None:
        """Commit what is stored, and leave the group; where that hangs it is left to the broker,
        which notices. Raises nothing.
        """
        try:
            self._within(_CLOSE_S, super().close)
        except Unavailable:
            _log.warning("close_hangs")


class WatchedProducer(_Watched, Producer):
    """As confluent-kafka's; `produce` and `poll` return by themselves."""

    def init_transactions(self, timeout: float = -1) -> None:
        ask = super().init_transactions
        self._within(timeout, lambda: ask(timeout))

    def begin_transaction(self) -> None:
        self._within(_UNTIMED_S, super().begin_transaction)

    def send_offsets_to_transaction(self, offsets: Any, group: Any, timeout: float = -1) -> None:
        ask = super().send_offsets_to_transaction
        self._within(timeout, lambda: ask(offsets, group, timeout))

    def commit_transaction(self, timeout: float = -1) -> None:
        ask = super().commit_transaction
        self._within(timeout, lambda: ask(timeout))

    def flush(self, timeout: float = -1) -> int:
        ask = super().flush
        return self._within(timeout, lambda: int(ask(timeout)))
