"""One sender's messages: a thread that writes them to Kafka in the order in which they came.

What waits is written together (group commit), so many connections of one sender share a
transaction.
"""

from __future__ import annotations

import asyncio
import queue
import random
import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from confluent_kafka import KafkaException

from stream_deid.errors import DeidError, NoteRejected, Unavailable
from stream_deid.mllp.arrival import Arrival
from stream_deid.mllp.claim import SenderClaim
from stream_deid.streaming.kafka.transactions import ClaimLost
from stream_deid.streaming.observability import logs

NEW, DUPLICATE = "new", "duplicate"
_MOST, _MOST_BYTES = 200, 4_000_000
_PAUSE_S = 0.2

_log = logs.get("mllp")


@dataclass(slots=True)
class PendingMessage:
    """A message, how long it may take (`time.monotonic()`), and where its fate is told."""

    arrival: Arrival
    deadline: float
    future: asyncio.Future[str] = field(repr=False)

    def settle(self, result: str | DeidError) -> None:
        """Tell it; may be called from any thread."""
        loop = self.future.get_loop()
        if not loop.is_closed():
            loop.call_soon_threadsafe(self._settle, result)

    def _settle(self, result: str | DeidError) -> None:
        if self.future.done():
            return
        if isinstance(result, DeidError):
            self.future.set_exception(result)
        else:
            self.future.set_result(result)


class SenderLane:
    """The thread of one sender; `open_claim` makes a claim that is not opened yet."""

    def __init__(self, sender: str, open_claim: Callable[[], SenderClaim]) -> None:
        self.sender = sender
        self._new_claim = open_claim
        self._claim: SenderClaim | None = None
        self._orders: queue.SimpleQueue[PendingMessage | None] = queue.SimpleQueue()
        self._left = threading.Event()
        self._thread = threading.Thread(target=self._run, name="mllp-lane", daemon=True)
        self._thread.start()

    def put(self, order: PendingMessage) -> None:
        self._orders.put(order)

    @property
    def alive(self) -> bool:
        """Whether its thread runs; a defect may have ended it."""
        return self._thread.is_alive()

    def hangs(self) -> bool:
        """Whether a call to the broker has not come back in its time."""
        claim = self._claim
        return claim is not None and claim.overdue()

    def leave(self) -> None:
        """End the thread after what it has; one that hangs takes nothing more if it wakes up."""
        self._left.set()
        self._orders.put(None)

    def _run(self) -> None:
        while (first := self._orders.get()) is not None:
            self._serve(self._together(first))
        self._give_up()

    def _together(self, first: PendingMessage) -> list[PendingMessage]:
        orders, size = [first], len(first.arrival.raw)
        while len(orders) < _MOST and size < _MOST_BYTES:
            try:
                order = self._orders.get_nowait()
            except queue.Empty:
                break
            if order is None:
                self._orders.put(None)
                break
            orders.append(order)
            size += len(order.arrival.raw)
        return orders

    def _serve(self, orders: list[PendingMessage]) -> None:
        """Try until every order is settled or its time is over."""
        while orders := _in_time(orders):
            try:
                orders = self._try(orders)
            except (ClaimLost, DeidError, KafkaException) as error:
                _log.warning("claim_given_up", sender=self.sender[:8], exc_info=error)
                self._give_up()
                if self._left.is_set():
                    return
                time.sleep(_PAUSE_S * (0.5 + random.random()))

    def _try(self, orders: list[PendingMessage]) -> list[PendingMessage]:
        """Write what is new; what is to be tried again comes back."""
        deadline = max(order.deadline for order in orders)
        claim = self._claim
        if claim is None:
            claim = self._claim = self._new_claim()
            claim.open(deadline)
        fresh = _fresh(claim, orders)
        failed = claim.put([order.arrival for order in fresh], deadline) if fresh else None
        if failed is None:
            _settle(orders, fresh)
            return []
        if not failed.oversized:
            time.sleep(_PAUSE_S)
            return orders
        worst = max(failed.oversized, key=lambda index: len(fresh[index].arrival.raw))
        fresh[worst].settle(NoteRejected("mllp.too_large", "the broker refuses it for its size"))
        return [order for order in orders if order is not fresh[worst]]

    def _give_up(self) -> None:
        if self._claim is not None:
            self._claim.drop()
            self._claim = None


def _fresh(claim: SenderClaim, orders: Sequence[PendingMessage]) -> list[PendingMessage]:
    """Those that were not taken yet, each message once."""
    found: dict[tuple[bytes, bytes], PendingMessage] = {}
    for order in orders:
        if not claim.window.knows(order.arrival):
            found.setdefault((order.arrival.number, order.arrival.digest), order)
    return list(found.values())


def _settle(orders: Sequence[PendingMessage], fresh: Sequence[PendingMessage]) -> None:
    new = {id(order) for order in fresh}
    for order in orders:
        order.settle(NEW if id(order) in new else DUPLICATE)


def _in_time(orders: Sequence[PendingMessage]) -> list[PendingMessage]:
    now, left = time.monotonic(), []
    for order in orders:
        if order.deadline > now:
            left.append(order)
        else:
            order.settle(away())
    return left


def away() -> Unavailable:
    """The broker has not confirmed a message in its time."""
    return Unavailable("mllp.kafka", "the broker has not confirmed the message in time")
