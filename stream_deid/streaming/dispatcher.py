"""Each message to the lane of its partition (`lane`), and their claims given up in order.

What is not committed is read again by the next owner, so a lane may be given up at any point
without loss.
"""

from __future__ import annotations

import asyncio
import inspect
import math
import time
from collections.abc import AsyncIterator
from typing import Any

from stream_deid.config import Settings
from stream_deid.errors import DeidError, Halt
from stream_deid.outcome import AnyProcessor
from stream_deid.streaming.app import drain_s
from stream_deid.streaming.backlog import size_of
from stream_deid.streaming.bounds import LaneBounds, Room
from stream_deid.streaming.claims import Claims, forget, in_thread
from stream_deid.streaming.consumer import InputConsumer
from stream_deid.streaming.delivery import ClaimLost, PartitionClaim, most_in_hand
from stream_deid.streaming.examine import OF_THE_PROCESS, Crashed, Examiner, Interrupted
from stream_deid.streaming.health import Health
from stream_deid.streaming.lane import PartitionLane, Partners
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.telemetry import Telemetry

_IN_HAND_BYTES = 2_000_000  # large notes go one by one: two would only take each other's time
_AHEAD_NOTES, _AHEAD_BYTES = 4000, 32_000_000  # what may wait in the lanes
_PATIENT_S = 2.0  # so long nothing more may wait before a lane sheds what waits in it
_LAST_WORD_S = 3.0  # to take back what was noted of notes in hand

_log = logs.get("dispatcher")


class Dispatcher:
    """Everything between Faust's events and the broker; lives on the event loop."""

    def __init__(
        self,
        settings: Settings,
        processor: AnyProcessor,
        consumer: InputConsumer,
        *,
        health: Health,
        telemetry: Telemetry,
    ) -> None:
        self._drain_s = drain_s(settings)
        self._processor, self._consumer = processor, consumer
        self._health, self._telemetry = health, telemetry
        metrics, self._leaving = telemetry.metrics, asyncio.Event()
        self._claims = Claims(settings, processor, metrics, self._leaving)
        examiner = Examiner(
            processor, metrics, self._leaving,
            deadline_s=settings.deadline_s, tracer=telemetry.tracer,
        )  # fmt: skip
        self._partners = Partners(consumer, examiner, self._claims, telemetry)
        self._bounds = LaneBounds(
            hand=Room(most_in_hand(settings.kafka), _IN_HAND_BYTES),
            ahead=Room(_AHEAD_NOTES, _AHEAD_BYTES),
            batch=settings.kafka.batch,
        )
        self._lanes: dict[int, PartitionLane] = {}
        self._running: set[asyncio.Future[None]] = set()

    def owned(self) -> set[int]:
        """The partitions claimed now (a copy; may be called from any thread)."""
        return self._claims.partitions()

    def positions(self) -> dict[int, int]:
        """The offset at which each claimed partition's reading goes on."""
        return self._claims.positions()

    def patience(self, partition: int) -> float:
        """Until when (`time.monotonic()`) the note in hand of a partition has time; 0 without."""
        lane = self._lanes.get(partition)
        return 0.0 if lane is None else lane.patience

    async def read_idle(self, partition: int) -> None:
        """Have a claimed partition read from where its claim stands, if nothing of it is here."""
        lane = self._lanes.get(partition)
        here = lane is not None and (len(lane) or lane.waiting or lane.shedding)
        if partition in self._claims.partitions() and not here and not self._leaving.is_set():
            _log.warning("partition_read_again", partition=partition)
            await self._consumer.read_on(partition)

    async def claim(self, partitions: set[int], generation: int, member: str) -> None:
        """Open a claim on every partition of a new assignment; earlier claims end here.

        Raises `Unavailable`: the process must end.
        """
        fresh = await self._claims.open(partitions, generation, member)
        if fresh is None:
            return
        for claim in fresh:
            if claim.expired:
                self._telemetry.metrics.expired.inc(claim.expired)
                _log.error("notes_expired_unread", partition=claim.partition, count=claim.expired)
        self._telemetry.metrics.owned.set(len(fresh))
        self._leaving.clear()
        self._health.assigned(settled=True)
        _log.info("partitions_claimed", partitions=sorted(partitions), generation=generation)

    async def release(self) -> None:
        """Let the notes in hand finish (for a while), and take no other until the next claim."""
        self._health.assigned(settled=False)
        self._leaving.set()
        for lane in self._lanes.values():
            lane.close()
        if self._running:
            _, late = await asyncio.wait(self._running, timeout=self._drain_s)
            if late:
                left = sum(len(lane) for lane in self._lanes.values())
                _log.warning("notes_left_behind", count=left, drain_s=self._drain_s)
            for task in late:
                task.cancel()
        await self._claims.acquit(min(_LAST_WORD_S, self._drain_s / 2))
        self._lanes = {}

    async def serve(self, events: AsyncIterator[Any]) -> None:
        """Take Faust's events one by one, and acknowledge them when they are committed.

        Raises whatever ends the process, as soon as a lane raises it: `Halt`, `Unavailable`
        after the deadline or for a claim that another worker took, `Halt("stream.unforeseen")`
        for anything else.
        """
        while True:
            coming = asyncio.ensure_future(anext(events))
            coming.add_done_callback(forget)
            await self._first(coming)
            try:
                event = coming.result()
            except StopAsyncIteration:
                return
            await self._take(event)

    async def _take(self, event: Any) -> None:
        claim = self._claim_of(event)
        if claim is not None:
            size = size_of(event)
            taken = asyncio.ensure_future(self._bounds.ahead.take(size))
            while not await self._first(taken, _PATIENT_S):
                await self._shed()
            if self._claim_of(event) is claim:  # it may have been given up meanwhile
                lane = self._lane(claim)
                if not lane.shedding:
                    lane.put(event)
                    return
                self._consumer.pause(
                    claim.partition
                )  # Faust goes on with whatever it had held back itself
            await self._bounds.ahead.give(size)
        await self._consumer.acknowledge(event)

    async def _shed(self) -> None:
        """Have the lane in which most waits drop it: what stands behind a slow note would hold up
        all other partitions.
        """
        fullest = max(self._lanes.values(), key=lambda lane: lane.share, default=None)
        if fullest is not None and (count := await fullest.shed()):
            self._consumer.pause(fullest.claim.partition)
            _log.warning("lane_sheds", partition=fullest.claim.partition, count=count)

    def _claim_of(self, event: Any) -> PartitionClaim | None:
        """The claim that an event of this assignment belongs to, if it is not committed yet."""
        message = event.message
        claim = self._claims.of(message.partition)
        if self._leaving.is_set() or claim is None or message.generation_id != claim.generation:
            return None
        return claim if message.offset >= claim.position else None

    def _lane(self, claim: PartitionClaim) -> PartitionLane:
        lane = self._lanes.get(claim.partition)
        if lane is None or lane.claim is not claim:
            lane = PartitionLane(claim, self._partners, self._bounds)
            self._lanes[claim.partition] = lane
            self._running.add(asyncio.ensure_future(self._run(lane)))
        return lane

    async def _run(self, lane: PartitionLane) -> None:
        try:
            await lane.run()
        except Interrupted:
            _log.info("lane_interrupted", partition=lane.claim.partition)
        except Crashed as crash:
            await self._claims.blame(crash.claim, crash.offset)
            raise Halt("stream.unforeseen", crash.kind) from None
        except (DeidError, ClaimLost) as error:
            _log.critical("lane_failed", exc_info=error)
            raise
        except OF_THE_PROCESS:
            raise
        except BaseException as error:  # noqa: BLE001 - its words may quote a note: only its type goes on
            _log.critical("lane_failed", exc_info=error)
            raise Halt("stream.unforeseen", type(error).__qualname__) from None

    async def close(self) -> None:
        """Let go of the processor and of every claim."""
        self._claims.drop()
        if self._telemetry.tracer:
            await in_thread(self._telemetry.tracer.close)
        closed = self._processor.close()
        if inspect.isawaitable(closed):
            await closed

    async def _first(self, awaited: asyncio.Future[Any], seconds: float = math.inf) -> bool:
        """Whether a future is done in this time; a lane that fails meanwhile raises here."""
        until = time.monotonic() + seconds
        while not awaited.done() and (left := until - time.monotonic()) > 0:
            await asyncio.wait(
                {awaited, *self._running},
                timeout=None if left == math.inf else left,
                return_when=asyncio.FIRST_COMPLETED,
            )
            ended = {task for task in self._running if task.done()}
            self._running -= ended
            for task in ended:
                if not task.cancelled() and task.exception() is not None:
                    awaited.cancel()
                    task.result()
        return awaited.done()
