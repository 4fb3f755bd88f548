"""The claims of a worker's assignment: opened together, committed under deadlines from outside.

librdkafka's calls may hang (`kafka.transactions`); each runs in a thread of its own here, and what
does not come back is fenced and done again on a fresh producer.
"""

from __future__ import annotations

import asyncio
import threading
import time
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from typing import Any, TypeVar

from stream_deid.config import Settings
from stream_deid.errors import DeidError, Unavailable
from stream_deid.outcome import AnyProcessor
from stream_deid.streaming.delivery import ClaimLost, Parcel, PartitionClaim
from stream_deid.streaming.examine import Interrupted
from stream_deid.streaming.kafka import membership
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics

_OPEN_S = 20.0  # for the committed offsets, beyond what opening a transaction may take
_LOOK_S = 0.5  # how often a call that takes long is looked at

_log = logs.get("claims")

T = TypeVar("T")


class Claims:
    """What this worker owns now; `leaving` is set while partitions are given up."""

    def __init__(
        self,
        settings: Settings,
        processor: AnyProcessor,
        metrics: Metrics,
        leaving: asyncio.Event,
    ) -> None:
        self._kafka = settings.kafka
        self._deadline_s = settings.deadline_s
        self._processor = processor
        self._offsets = Offsets(settings.kafka)
        self._metrics = metrics
        self._leaving = leaving
        self._member = ""
        self._held: dict[int, PartitionClaim] = {}

    def partitions(self) -> set[int]:
        """The partitions claimed now (a copy; may be called from any thread)."""
        return set(self._held)

    def of(self, partition: int) -> PartitionClaim | None:
        """The claim on a partition, if there is one."""
        return self._held.get(partition)

    def positions(self) -> dict[int, int]:
        """Where each claim stands: the offset that its partition's reading goes on at."""
        return {partition: claim.position for partition, claim in self._held.items()}

    async def skipped(self, claim: PartitionClaim, expected: int, offset: int) -> int | None:
        """As `PartitionClaim.skipped`, in a thread."""
        found: int | None = await in_thread(claim.skipped, expected, offset)
        return found

    async def open(
        self, partitions: set[int], generation: int, member: str
    ) -> list[PartitionClaim] | None:
        """Claim every partition of a new assignment; earlier claims end here.

        A process that slept on the way (SIGSTOP, a paused machine) may not be in the group any
        more, and would fence the owners of today. So the group is asked before and after: what it
        has given to others is not claimed (None), and what Faust reads of it is nobody's until
        the group is joined again. Raises `Unavailable`: the process must end.
        """
        self.drop()
        self._member = member
        if await self._outdated(partitions):
            return None
        fresh = [
            PartitionClaim(
                self._kafka,
                partition,
                generation,
                processor=self._processor,
                offsets=self._offsets,
            )
            for partition in sorted(partitions)
        ]
        lost = await self._all_opened(fresh)
        if await self._outdated(partitions):
            for claim in fresh:
                claim.drop()
            return None
        if lost is not None:
            raise Unavailable("kafka.fenced", f"another worker claims meanwhile: {lost}")
        self._held = {claim.partition: claim for claim in fresh}
        return fresh

    def drop(self) -> None:
        """Let go of all; what they left open is settled by the next owners."""
        held, self._held = self._held, {}
        for claim in held.values():
            claim.drop()

    async def commit(self, claim: PartitionClaim, parcels: Sequence[Parcel]) -> None:
        """Commit parcels of one partition, and count them.

        Raises `Unavailable("kafka.transaction", "kafka.fenced")`, `Halt("stream.gap")`, and
        `Interrupted` where partitions are given up meanwhile.
        """
        receipt = await self._settled(claim, partial(claim.commit, parcels))
        if receipt is None:
            self._metrics.transactions.labels("lost").inc()
            return
        self._metrics.transactions.labels("committed").inc()
        if receipt.attempts > 1:
            self._metrics.transactions.labels("aborted").inc(receipt.attempts - 1)
        for parcel in receipt.delivered:
            self._metrics.count(parcel.outcome, claim.partition)

    async def begin(self, claim: PartitionClaim) -> None:
        """Note that notes of a claim are in hand (`suspects`). Raises as `commit`."""
        await self._settled(claim, claim.begin)

    async def attempt(self, claim: PartitionClaim, offset: int) -> None:
        """Note that a note which may end the process is looked at now. Raises as `commit`."""
        _log.warning("note_tried_alone", partition=claim.partition, offset=offset,
                     tries=claim.tries.get(offset, 0))  # fmt: skip
        await self._settled(claim, partial(claim.attempt, offset))

    async def blame(self, claim: PartitionClaim, offset: int) -> None:
        """Remember that a note ended this process; where that fails too, it only takes one more
        process to learn.
        """
        await _tried([partial(claim.blame, offset)], self._kafka.transaction_timeout_s)

    async def acquit(self, seconds: float) -> None:
        """Say of all that this process ends in order, or gives them up; what can't be said in so
        many seconds counts as killed.
        """
        await _tried([claim.acquit for claim in self._held.values()], seconds)

    async def _outdated(self, partitions: set[int]) -> bool:
        """Whether the group has given these partitions to others, without a doubt."""
        held = await in_thread(membership.holds, self._kafka, self._member, partitions)
        if held is False:
            _log.warning("assignment_outdated", partitions=sorted(partitions))
        return held is False

    async def _settled(self, claim: PartitionClaim, call: Callable[[], T]) -> T | None:
        """What a transaction of a claim returns, None where the claim went with its partition.

        The deadline holds from outside: what hangs is fenced and done again. Raises
        `Unavailable("kafka.transaction")` once the deadline of a note has passed, and
        `Unavailable("kafka.fenced")` where another worker took what is still this one's.
        """
        try:
            return await self._pressed(claim, call)
        except ClaimLost:
            if self._held.get(claim.partition) is claim:
                detail = f"partition {claim.partition} went to another worker meanwhile"
                raise Unavailable("kafka.fenced", detail) from None
            return None

    async def _pressed(self, claim: PartitionClaim, call: Callable[[], T]) -> T:
        deadline = time.monotonic() + self._deadline_s
        anew = claim.suspect
        while True:
            try:
                if anew:
                    claim.replace()
                    await self._opened(claim, deadline)
                if (done := await self._awaited(claim, call, deadline)) is not None:
                    return done.result()
                self._metrics.transactions.labels("hung").inc()
                for other in self._held.values():
                    other.suspect = True  # its producer has seen the same broker go
            except ClaimLost:
                if not await self._holds(claim, deadline):
                    raise
                _log.warning("claim_taken_back", partition=claim.partition)
            anew = True

    async def _all_opened(self, claims: Sequence[PartitionClaim]) -> ClaimLost | None:
        """Open claims side by side; the first that was lost, if any. Raises `Unavailable`."""
        deadline = time.monotonic() + self._kafka.transaction_timeout_s + _OPEN_S
        opened = [asyncio.ensure_future(self._opened(claim, deadline)) for claim in claims]
        done, rest = await asyncio.wait(opened, return_when=asyncio.FIRST_EXCEPTION)
        for one in rest:
            one.cancel()
        lost = None
        for one in done:
            if isinstance(error := one.exception(), ClaimLost):
                lost = error
            elif error is not None:
                raise error
        return lost

    async def _opened(self, claim: PartitionClaim, deadline: float) -> None:
        """Open a claim, on a fresh producer as often as one hangs. Raises `ClaimLost` too where the
        group has given the partition away meanwhile: its owner isn't to be fenced again.
        """
        while (done := await self._awaited(claim, claim.open, deadline)) is None:
            if await self._outdated({claim.partition}):
                raise ClaimLost(f"{claim.partition}: given to another")
            claim.replace()
        done.result()

    async def _awaited(
        self, claim: PartitionClaim, call: Callable[[], T], deadline: float
    ) -> asyncio.Future[T] | None:
        """The call when it is done; None where it hangs. Raises `Unavailable` past the deadline."""
        done: asyncio.Future[T] = asyncio.ensure_future(in_thread(call))
        try:
            while not done.done() and not claim.overdue():
                await asyncio.wait({done}, timeout=_LOOK_S)
                if time.monotonic() > deadline:
                    raise Unavailable("kafka.transaction", "the broker settles nothing")
        finally:
            done.add_done_callback(forget)
        if done.done():
            return done
        _log.warning("broker_call_hangs", partition=claim.partition)
        return None

    async def _holds(self, claim: PartitionClaim, deadline: float) -> bool:
        """Whether a partition whose claim was fenced is still this worker's for the group: who
        fenced it had slept in the middle of a claim of former days.

        Raises `Interrupted` where partitions are given up meanwhile.
        """
        while self._held.get(claim.partition) is claim and time.monotonic() < deadline:
            if self._leaving.is_set():
                raise Interrupted
            mine = {claim.partition}
            held = await in_thread(membership.holds, self._kafka, self._member, mine)
            if held is not None:
                return bool(held)
            await asyncio.sleep(_LOOK_S)
        return False


async def in_thread(call: Callable[..., Any], *args: Any) -> Any:
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


def forget(future: asyncio.Future[Any]) -> None:
    """Look at what nobody waits for any more, so that asyncio has nothing to say of it."""
    if not future.cancelled():
        future.exception()


def _settle(future: asyncio.Future[Any], result: Any, error: BaseException | None) -> None:
    if future.done():
        return
    if error is None:
        future.set_result(result)
    else:
        future.set_exception(error)


async def _tried(calls: Iterable[Callable[[], None]], seconds: float) -> None:
    """Side by side, in so much time; what fails is only logged."""
    tasks = [asyncio.ensure_future(in_thread(call)) for call in calls]
    if not tasks:
        return
    for task in tasks:
        task.add_done_callback(forget)
    done, late = await asyncio.wait(tasks, timeout=seconds)
    for task in done:
        if isinstance(error := task.exception(), (DeidError, ClaimLost)):
            _log.warning("note_down_failed", exc_info=error)
        elif error is not None:
            raise error
    if late:
        _log.warning("note_down_hangs", count=len(late))
