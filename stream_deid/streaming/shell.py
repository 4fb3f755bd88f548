"""The agent's loop: every message goes to the lane of its partition (`lane`).

What is not committed is read again by the next owner, so a lane may be given up at any point
without loss.
"""

from __future__ import annotations

import asyncio
import inspect
import threading
import time
from collections.abc import AsyncIterator, Callable, Sequence
from functools import partial
from typing import Any

from stream_deid.config import Settings
from stream_deid.errors import DeidError, Halt, Unavailable
from stream_deid.outcome import AnyProcessor
from stream_deid.streaming.app import drain_s
from stream_deid.streaming.delivery import Claim, ClaimLost, Parcel, Receipt
from stream_deid.streaming.examine import Crashed, Examiner, Interrupted
from stream_deid.streaming.kafka import membership
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.lane import Acknowledge, Lane, Room
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.health import Health
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.observability.traces import Tracer

_BATCHES = 3  # how many batches' worth of notes is in hand: the models must not idle
_IN_HAND_BYTES = 2_000_000  # large notes go one by one: two would only take each other's time
_AHEAD_NOTES, _AHEAD_BYTES = 4000, 32_000_000  # what may wait in the lanes
_OPEN_S = 20.0  # for the committed offsets, beyond what opening a transaction may take
_LOOK_S = 0.5  # how often a commit that takes long is looked at

_log = logs.get("shell")


class Shell:
    """Everything between Faust's events and the broker; lives on the event loop."""

    def __init__(
        self,
        settings: Settings,
        processor: AnyProcessor,
        *,
        offsets: Offsets,
        health: Health,
        metrics: Metrics,
        tracer: Tracer | None = None,
    ) -> None:
        self._tracer = tracer
        self._kafka = settings.kafka
        self._deadline_s = settings.deadline_s
        self._drain_s = drain_s(settings)
        self._processor = processor
        self._offsets = offsets
        self._member = ""
        self._health = health
        self._metrics = metrics
        self._claims: dict[int, Claim] = {}
        self._leaving = asyncio.Event()
        self._examiner = Examiner(
            processor, metrics, self._leaving, deadline_s=settings.deadline_s, tracer=tracer
        )
        self._room = Room(_BATCHES * settings.kafka.batch, _IN_HAND_BYTES)
        self._ahead = Room(_AHEAD_NOTES, _AHEAD_BYTES)
        self._lanes: dict[int, Lane] = {}
        self._running: set[asyncio.Future[None]] = set()
        self._acknowledge: Acknowledge = _nobody

    def owned(self) -> set[int]:
        """The partitions claimed now (a copy; may be called from any thread)."""
        return set(self._claims)

    def patience(self, partition: int) -> float:
        """Until when (`time.monotonic()`) the note in hand of a partition has time; 0 without."""
        lane = self._lanes.get(partition)
        return 0.0 if lane is None else lane.patience

    async def claim(self, partitions: set[int], generation: int, member: str) -> None:
        """Open a claim on every partition of a new assignment; earlier claims end here.

        A process that slept on the way (SIGSTOP, a paused machine) may not be in the group any
        more, and would fence the owners of today. So the group is asked before and after: what it
        has given to others is not claimed, and what Faust reads of it is nobody's (`_claim_of`)
        until the group is joined again. Raises `Unavailable`: the process must end.
        """
        former, self._claims, self._member = self._claims, {}, member
        for claim in former.values():
            claim.drop()
        if await self._outdated(partitions):
            return
        fresh = [
            Claim(
                self._kafka,
                partition,
                generation,
                processor=self._processor,
                offsets=self._offsets,
            )
            for partition in sorted(partitions)
        ]
        opened = asyncio.gather(*(self._in_thread(claim.open) for claim in fresh))
        try:
            await asyncio.wait_for(opened, self._kafka.transaction_timeout_s + _OPEN_S)
        except TimeoutError:
            raise Unavailable("kafka.transaction", "the broker opens no claim") from None
        except ClaimLost as lost:
            raise Unavailable("kafka.fenced", f"another worker claims meanwhile: {lost}") from None
        if await self._outdated(partitions):
            for claim in fresh:
                claim.drop()
            return
        self._claims = {claim.partition: claim for claim in fresh}
        for claim in fresh:
            if claim.expired:
                self._metrics.expired.inc(claim.expired)
                _log.error("notes_expired_unread", partition=claim.partition, count=claim.expired)
        self._metrics.owned.set(len(fresh))
        self._leaving.clear()
        self._health.assigned(settled=True)
        _log.info("partitions_claimed", partitions=sorted(partitions), generation=generation)

    async def _outdated(self, partitions: set[int]) -> bool:
        """Whether the group has given these partitions to others, without a doubt."""
        held = await self._in_thread(membership.holds, self._kafka, self._member, partitions)
        if held is False:
            _log.warning("assignment_outdated", partitions=sorted(partitions))
        return held is False

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
        self._lanes = {}

    async def serve(self, stream: Any, events: AsyncIterator[Any]) -> None:
        """Take Faust's events one by one, and acknowledge them when they are committed.

        Raises whatever ends the process, as soon as a lane raises it: `Halt`, `Unavailable`
        after the deadline or for a claim that another worker took, `Halt("stream.unforeseen")`
        for anything else.
        """
        self._acknowledge = stream.ack
        while True:
            coming = asyncio.ensure_future(anext(events))
            coming.add_done_callback(_forget)
            await self._first(coming)
            try:
                event = coming.result()
            except StopAsyncIteration:
                return
            await self._take(event)

    async def _take(self, event: Any) -> None:
        claim = self._claim_of(event)
        if claim is not None:
            size = len(event.message.value or b"")
            await self._first(asyncio.ensure_future(self._ahead.take(size)))
            if self._claim_of(event) is claim:  # it may have been given up meanwhile
                self._lane(claim).put(event)
                return
            await self._ahead.give(size)
        await self._acknowledge(event)

    def _claim_of(self, event: Any) -> Claim | None:
        """The claim that an event of this assignment belongs to, if it is not committed yet."""
        message = event.message
        claim = self._claims.get(message.partition)
        if self._leaving.is_set() or claim is None or message.generation_id != claim.generation:
            return None
        return claim if message.offset >= claim.position else None

    def _lane(self, claim: Claim) -> Lane:
        lane = self._lanes.get(claim.partition)
        if lane is None or lane.claim is not claim:
            lane = Lane(
                claim,
                examine=self._examiner.parcel,
                commit=self._commit,
                acknowledge=self._acknowledge,
                time_of=self._examiner.time_of,
                room=self._room,
                ahead=self._ahead,
                metrics=self._metrics,
                batch=self._kafka.batch,
                tracer=self._tracer,
            )
            self._lanes[claim.partition] = lane
            self._running.add(asyncio.ensure_future(self._run(lane)))
        return lane

    async def _run(self, lane: Lane) -> None:
        try:
            await lane.run()
        except Interrupted:
            _log.info("lane_interrupted", partition=lane.claim.partition)
        except Crashed as crash:
            await self._blame(crash)
            raise Halt("stream.unforeseen", crash.kind) from None
        except (DeidError, ClaimLost) as error:
            _log.critical("lane_failed", exc_info=error)
            raise
        except Exception as error:  # noqa: BLE001 - its words may quote a note: only its type goes on
            _log.critical("lane_failed", exc_info=error)
            raise Halt("stream.unforeseen", type(error).__qualname__) from None

    async def close(self) -> None:
        """Let go of the processor and of every claim."""
        for claim in self._claims.values():
            claim.drop()
        self._claims = {}
        if self._tracer:
            await self._in_thread(self._tracer.close)
        closed = self._processor.close()
        if inspect.isawaitable(closed):
            await closed

    async def _first(self, awaited: asyncio.Future[Any]) -> None:
        """Wait for a future; a lane that fails meanwhile raises here."""
        while not awaited.done():
            await asyncio.wait({awaited, *self._running}, return_when=asyncio.FIRST_COMPLETED)
            ended = {task for task in self._running if task.done()}
            self._running -= ended
            for task in ended:
                if not task.cancelled() and task.exception() is not None:
                    awaited.cancel()
                    task.result()

    async def _commit(self, claim: Claim, parcels: Sequence[Parcel]) -> None:
        try:
            receipt = await self._committed(claim, parcels)
        except ClaimLost:
            self._metrics.transactions.labels("lost").inc()
            if self._claims.get(claim.partition) is claim:
                detail = f"partition {claim.partition} went to another worker meanwhile"
                raise Unavailable("kafka.fenced", detail) from None
            return
        self._metrics.transactions.labels("committed").inc()
        if receipt.attempts > 1:
            self._metrics.transactions.labels("aborted").inc(receipt.attempts - 1)
        for parcel in receipt.delivered:
            self._metrics.count(parcel.outcome, claim.partition)

    async def _committed(self, claim: Claim, parcels: Sequence[Parcel]) -> Receipt:
        """Commit under a deadline that holds from outside: what hangs is fenced and done again.

        Raises `Unavailable("kafka.transaction")` once the deadline of a note has passed.
        """
        deadline = time.monotonic() + self._deadline_s
        call: Callable[[], Receipt | None] = partial(claim.commit, parcels)
        if claim.suspect:
            claim.replace()
            call = claim.open
        while True:
            done = asyncio.ensure_future(self._in_thread(call))
            try:
                while not done.done() and not claim.overdue():
                    await asyncio.wait({done}, timeout=_LOOK_S)
                    if time.monotonic() > deadline:
                        raise Unavailable("kafka.transaction", "the broker settles nothing")
            finally:
                done.add_done_callback(_forget)
            if not done.done():
                _log.warning("commit_hangs", partition=claim.partition)
                self._metrics.transactions.labels("hung").inc()
                for other in self._claims.values():
                    other.suspect = True  # its producer has seen the same broker go
            elif not isinstance(done.exception(), ClaimLost):
                receipt: Receipt | None = done.result()
                if receipt is not None:
                    return receipt
                call = partial(claim.commit, parcels)
                continue
            elif not await self._holds(claim, deadline):
                done.result()  # raises it
            else:
                _log.warning("claim_taken_back", partition=claim.partition)
            claim.replace()
            call = claim.open

    async def _holds(self, claim: Claim, deadline: float) -> bool:
        """Whether a partition whose claim was fenced is still this worker's for the group: who
        fenced it had slept in the middle of a claim of former days.

        Raises `Interrupted` where partitions are given up meanwhile.
        """
        while self._claims.get(claim.partition) is claim and time.monotonic() < deadline:
            if self._leaving.is_set():
                raise Interrupted
            mine = {claim.partition}
            held = await self._in_thread(membership.holds, self._kafka, self._member, mine)
            if held is not None:
                return bool(held)
            await asyncio.sleep(_LOOK_S)
        return False

    async def _blame(self, crash: Crashed) -> None:
        """Remember the note; where that fails too, it only takes one more process to learn."""
        try:
            await self._in_thread(crash.claim.blame, crash.offset)
        except (DeidError, ClaimLost) as error:
            _log.warning("blame_failed", exc_info=error)

    async def _in_thread(self, call: Any, *args: Any) -> Any:
        """In a thread of its own, which may hang without holding up any other."""
        loop = asyncio.get_running_loop()
        future: asyncio.Future[Any] = loop.create_future()

        def run() -> None:
            try:
                result = call(*args)
            except BaseException as error:  # noqa: BLE001 - raised where it is awaited
                loop.call_soon_threadsafe(_settle, future, None, error)
            else:
                loop.call_soon_threadsafe(_settle, future, result, None)

        threading.Thread(target=run, name="claim", daemon=True).start()
        return await future


async def _nobody(_event: object) -> None:
    """Before Faust's stream is there, there is nobody to acknowledge to."""


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


def _forget(future: asyncio.Future[Any]) -> None:
    """Look at what nobody waits for any more, so that asyncio has nothing to say of it."""
    if not future.cancelled():
        future.exception()
