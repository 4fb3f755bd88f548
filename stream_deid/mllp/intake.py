"""All senders: a lane for each that sends, the least used one given up where there are too many."""

from __future__ import annotations

import asyncio
import time
from collections import Counter, OrderedDict
from dataclasses import replace
from functools import partial

from stream_deid.config import Settings
from stream_deid.errors import Unavailable
from stream_deid.mllp.arrival import Arrival
from stream_deid.mllp.claim import SenderClaim
from stream_deid.mllp.lane import PendingMessage, SenderLane, away
from stream_deid.streaming.observability import logs

_GRACE_S = 1.0

_log = logs.get("mllp")


class Intake:
    """Takes messages; lives on one event loop."""

    def __init__(self, settings: Settings, partitions: int) -> None:
        """`partitions`: of `mllp.topic_seen`."""
        self._settings = settings.mllp
        timeout = min(settings.kafka.transaction_timeout_s, settings.mllp.ack_s)
        self._kafka = replace(settings.kafka, transaction_timeout_s=timeout)
        self._partitions = partitions
        self._lanes: OrderedDict[str, SenderLane] = OrderedDict()
        self._busy: Counter[str] = Counter()

    @property
    def senders(self) -> int:
        return len(self._lanes)

    async def take(self, arrival: Arrival) -> str:
        """`new` or `duplicate`, once the broker has confirmed the message.

        Raises `NoteRejected("mllp.too_large")`, `Unavailable("mllp.kafka" | "mllp.busy")`.
        """
        lane = self._lane(arrival.sender)
        future: asyncio.Future[str] = asyncio.get_running_loop().create_future()
        self._busy[arrival.sender] += 1
        try:
            lane.put(PendingMessage(arrival, time.monotonic() + self._settings.ack_s, future))
            return await asyncio.wait_for(future, self._settings.ack_s + _GRACE_S)
        except TimeoutError:
            if lane.hangs():
                self._replace(lane)
            raise away() from None
        finally:
            self._busy[arrival.sender] -= 1
            if not self._busy[arrival.sender]:
                del self._busy[arrival.sender]

    def close(self) -> None:
        for lane in self._lanes.values():
            lane.leave()
        self._lanes.clear()

    def _lane(self, sender: str) -> SenderLane:
        lane = self._lanes.get(sender)
        if lane is None or not lane.alive:
            self._make_room()
            make = partial(SenderClaim, self._kafka, self._settings, sender, self._partitions)
            lane = self._lanes[sender] = SenderLane(sender, make)
        self._lanes.move_to_end(sender)
        return lane

    def _make_room(self) -> None:
        if len(self._lanes) < self._settings.max_senders:
            return
        idle = next((sender for sender in self._lanes if sender not in self._busy), None)
        if idle is None:
            raise Unavailable("mllp.busy", "more senders at once than mllp.max_senders")
        self._lanes.pop(idle).leave()

    def _replace(self, lane: SenderLane) -> None:
        """Leave a lane that hangs; the next one fences what it may still do."""
        if self._lanes.get(lane.sender) is lane:
            del self._lanes[lane.sender]
            lane.leave()
            _log.warning("lane_hangs", sender=lane.sender[:8])
