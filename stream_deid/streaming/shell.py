"""The agent's loop: take batches, process their notes at once, deliver them in order.

A batch may hold notes of several partitions; each partition's share is committed as a whole,
by its own claim, and after its share of the batch before. A few batches are in hand at a time,
so that one slow note does not idle the models. What is not committed is read again by the next
owner, so a batch may be dropped at any point without loss.
"""

from __future__ import annotations

import asyncio
import inspect
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from stream_deid.config import Settings
from stream_deid.errors import DeidError, Halt
from stream_deid.outcome import Processor
from stream_deid.streaming.app import drain_s
from stream_deid.streaming.delivery import Claim, ClaimLost, Parcel
from stream_deid.streaming.examine import Crashed, Examiner, Interrupted
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.health import Health
from stream_deid.streaming.observability.metrics import Metrics

_BATCHES = 3

_log = logs.get("shell")


class Shell:
    """Everything between Faust's events and the broker; lives on the event loop."""

    def __init__(
        self,
        settings: Settings,
        processor: Processor,
        *,
        offsets: Offsets,
        health: Health,
        metrics: Metrics,
        threads: int = 8,
    ) -> None:
        self._kafka = settings.kafka
        self._deadline_s = settings.deadline_s
        self._drain_s = drain_s(settings)
        self._processor = processor
        self._offsets = offsets
        self._health = health
        self._metrics = metrics
        self._threads = ThreadPoolExecutor(threads, thread_name_prefix="claim")
        self._claims: dict[int, Claim] = {}
        self._leaving = asyncio.Event()
        self._examiner = Examiner(processor, metrics, self._leaving)
        self._slots = asyncio.Semaphore(_BATCHES)
        self._batches: list[asyncio.Task[None]] = []

    def owned(self) -> set[int]:
        """The partitions claimed now (a copy; may be called from any thread)."""
        return set(self._claims)

    async def claim(self, partitions: set[int], generation: int) -> None:
        """Open a claim on every partition of a new assignment; earlier claims end here.

        Raises `ClaimLost`, `Unavailable`: the process must end, for Faust would read on.
        """
        former, self._claims = self._claims, {}
        for claim in former.values():
            claim.drop()
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
        await asyncio.gather(*(self._in_thread(claim.open) for claim in fresh))
        self._claims = {claim.partition: claim for claim in fresh}
        for claim in fresh:
            if claim.expired:
                self._metrics.expired.inc(claim.expired)
                _log.error("notes_expired_unread", partition=claim.partition, count=claim.expired)
        self._metrics.owned.set(len(fresh))
        self._leaving.clear()
        self._health.assigned(settled=True)
        _log.info("partitions_claimed", partitions=sorted(partitions), generation=generation)

    async def release(self) -> None:
        """Let the batches in hand finish (for a while), and take no other until the next claim."""
        self._health.assigned(settled=False)
        self._leaving.set()
        if self._batches:
            _, late = await asyncio.wait(self._batches, timeout=self._drain_s)
            if late:
                _log.warning("batches_left_behind", count=len(late), drain_s=self._drain_s)

    async def serve(self, stream: Any, batches: AsyncIterator[Sequence[Any]]) -> None:
        """Deliver batch after batch of Faust's events, and acknowledge them.

        Raises whatever ends the process, as soon as any batch raises it: `Halt`, `Unavailable`
        after the deadline, `ClaimLost` of a claim still held, `Halt("stream.unforeseen")` for
        anything else.
        """
        while True:
            coming = asyncio.ensure_future(anext(batches))
            await self._first(coming)
            try:
                events = coming.result()
            except StopAsyncIteration:
                return
            slot = asyncio.ensure_future(self._slots.acquire())
            await self._first(slot)
            before = self._batches[-1] if self._batches else None
            batch = asyncio.create_task(self._batch(stream, list(events), before))
            batch.add_done_callback(self._ended)
            self._batches.append(batch)

    async def close(self) -> None:
        """Let go of the processor and of every claim."""
        for claim in self._claims.values():
            claim.drop()
        self._claims = {}
        self._threads.shutdown(wait=False, cancel_futures=True)
        closed = self._processor.close()
        if inspect.isawaitable(closed):
            await closed

    async def _first(self, awaited: asyncio.Future[Any]) -> None:
        """Wait for a future; a batch that fails meanwhile raises here."""
        while not awaited.done():
            await asyncio.wait({awaited, *self._batches}, return_when=asyncio.FIRST_COMPLETED)
            for batch in self._batches:
                if batch.done() and batch.exception() is not None:
                    awaited.cancel()
                    batch.result()
            self._batches = [batch for batch in self._batches if not batch.done()]

    def _ended(self, batch: asyncio.Task[None]) -> None:
        if not batch.cancelled() and batch.exception() is None:
            self._slots.release()

    async def _batch(
        self, stream: Any, events: list[Any], before: asyncio.Task[None] | None
    ) -> None:
        admitted = self._admit(events)
        delivered = False
        try:
            await self._deliver(admitted, before)
            delivered = True
            for event in events:
                await stream.ack(event)
        except Interrupted:
            _log.info("batch_interrupted", notes=len(events))
        except Crashed as crash:
            await self._blame(crash)
            raise Halt("stream.unforeseen", crash.kind) from None
        except (DeidError, ClaimLost) as error:
            _log.critical("batch_failed", exc_info=error)
            raise
        except Exception as error:  # noqa: BLE001 - its words may quote a note: only its type goes on
            _log.critical("batch_failed", exc_info=error)
            raise Halt("stream.unforeseen", type(error).__qualname__) from None
        finally:
            if not delivered:
                for claim in admitted:
                    claim.broken = True

    def _admit(self, events: Sequence[Any]) -> dict[Claim, list[Any]]:
        """Events of this assignment that are not committed yet, by claim."""
        admitted: dict[Claim, list[Any]] = defaultdict(list)
        if self._leaving.is_set():
            return admitted
        for event in events:
            message = event.message
            claim = self._claims.get(message.partition)
            current = claim is not None and message.generation_id == claim.generation
            if claim is not None and current and message.offset >= claim.position:
                admitted[claim].append(message)
        return admitted

    async def _deliver(
        self, admitted: dict[Claim, list[Any]], before: asyncio.Task[None] | None
    ) -> None:
        if not admitted:
            return
        taken = time.time()
        deadline = time.monotonic() + self._deadline_s
        try:
            async with asyncio.TaskGroup() as group:
                work = {
                    claim: [
                        group.create_task(self._examiner.parcel(claim, message, deadline))
                        for message in messages
                    ]
                    for claim, messages in admitted.items()
                }
        except BaseExceptionGroup as failed:
            raise failed.exceptions[0] from None
        if before is not None:
            await asyncio.wait({before})
        if any(claim.broken for claim in admitted):
            raise Interrupted
        processed = time.time()
        await asyncio.gather(
            *(self._commit(claim, [t.result() for t in tasks]) for claim, tasks in work.items())
        )
        committed = time.time()
        self._metrics.observe("commit", committed - processed)
        for messages in admitted.values():
            for message in messages:
                self._metrics.observe("queue", max(0.0, taken - message.timestamp))
                self._metrics.observe("total", max(0.0, committed - message.timestamp))

    async def _commit(self, claim: Claim, parcels: Sequence[Parcel]) -> None:
        try:
            receipt = await self._in_thread(claim.commit, parcels)
        except ClaimLost:
            self._metrics.transactions.labels("lost").inc()
            if self._claims.get(claim.partition) is claim:
                raise
            return
        self._metrics.transactions.labels("committed").inc()
        if receipt.attempts > 1:
            self._metrics.transactions.labels("aborted").inc(receipt.attempts - 1)
        for parcel in receipt.delivered:
            self._metrics.count(parcel.outcome)

    async def _blame(self, crash: Crashed) -> None:
        """Remember the note; where that fails too, it only takes one more process to learn."""
        try:
            await self._in_thread(crash.claim.blame, crash.offset)
        except (DeidError, ClaimLost) as error:
            _log.warning("blame_failed", exc_info=error)

    async def _in_thread(self, call: Any, *args: Any) -> Any:
        return await asyncio.get_running_loop().run_in_executor(self._threads, call, *args)
