"""The micro-batcher: windows of many notes, joined into batches of one model and one length.

A window is padded to the bucket that its own length gives, so its shape never depends on what
else waits, and the engines give a row the same bytes whatever shares its batch (measured; a
test holds it). So scores depend on the window alone, and a note processed again is the same.

A batch leaves when it is full or its first row has waited `linger_s`, as soon as fewer than
`max_in_flight` batches of its model are under way. Under load rows pile up behind these and
batches grow by themselves; an idle service answers a lone note after the linger. The bucket
whose first row has waited longest goes first. `max_tokens` bounds the padded tokens that wait
or are under way: beyond it callers wait, in order of arrival.

A batch that fails on a healthy model is halved until the row is found that the model can't
take; only its note is rejected. Any other failure reaches the callers of that batch alone.
"""

from __future__ import annotations

import asyncio
import time
from collections import deque
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, field
from types import TracebackType
from typing import Protocol, Self

import numpy as np
from numpy.typing import NDArray

from stream_deid.errors import DeidError, Halt, NoteRejected, Unavailable
from stream_deid.note import Window
from stream_deid.serving import wire
from stream_deid.serving.build.config_pbtxt import rows as full_rows
from stream_deid.serving.client import ModelFailed
from stream_deid.serving.manifest import Manifest

Scores = NDArray[np.float32]


class Infers(Protocol):
    """What the batcher needs of a client."""

    models: dict[str, Manifest]

    async def infer(self, name: str, arrays: wire.Arrays, deadline: float) -> Scores:
        """See `client.Client.infer`."""


@dataclass(slots=True)
class _Row:
    """One window that waits for its scores."""

    window: Window = field(repr=False)
    bucket: int
    deadline: float
    since: float
    result: asyncio.Future[Scores] = field(repr=False)


@dataclass(slots=True)
class _Lane:
    """What waits for one model, by bucket, and how many of its batches are under way."""

    model: Manifest
    queues: dict[int, deque[_Row]] = field(repr=False)
    wake: asyncio.Event = field(default_factory=asyncio.Event, repr=False)
    under_way: int = 0


class Scorer:
    """Scores windows for any number of concurrent callers. An asynchronous context manager."""

    def __init__(
        self,
        client: Infers,
        *,
        max_in_flight: int = 2,
        max_tokens: int = 65_536,
        batch_tokens: int = 2048,
        linger_s: float = 0.003,
    ) -> None:
        self._client = client
        self._max_in_flight, self._max_tokens = max_in_flight, max_tokens
        self._batch_tokens, self._linger_s = batch_tokens, linger_s
        self._lanes = {
            name: _Lane(model, {bucket: deque() for bucket in model.buckets})
            for name, model in client.models.items()
        }
        self._tokens = 0
        self._admission = asyncio.Lock()
        self._room = asyncio.Event()
        self._tasks: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        for lane in self._lanes.values():
            self._spawn(self._serve(lane))
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for lane in self._lanes.values():
            for queue in lane.queues.values():
                for row in queue:
                    _fail(row, Unavailable("scorer.closed", "the service is stopping"))

    @property
    def tokens(self) -> int:
        """Padded tokens that wait or are under way."""
        return self._tokens

    async def score(self, windows: Sequence[Window], deadline: float) -> list[Scores]:
        """Scores of each window, float32 [len(window), labels], in order.

        `deadline` is a reading of `time.monotonic()`. Raises `Unavailable` when it comes first,
        `NoteRejected("model.failed")` for a window that its healthy model can't take, `Halt` for
        one that is not as the manifest says. All or nothing: no partial result is returned.
        """
        buckets = [self._bucket(window) for window in windows]
        rows: list[_Row] = []
        try:
            async with asyncio.timeout_at(_loop_time(deadline)):
                for window, bucket in zip(windows, buckets, strict=True):
                    rows.append(await self._admit(window, bucket, deadline))
                return [await row.result for row in rows]
        except TimeoutError:
            raise Unavailable("triton.timeout", "no scores before the note's deadline") from None
        finally:
            for row in rows:
                _drop(row)

    def _bucket(self, window: Window) -> int:
        lane = self._lanes.get(window.model)
        if lane is None:
            raise Halt("window.model", f"no model {window.model} is configured")
        return wire.check_window(lane.model, window) if len(window) else 0

    async def _admit(self, window: Window, bucket: int, deadline: float) -> _Row:
        """Queue one window, once there is room for its tokens."""
        loop = asyncio.get_running_loop()
        lane = self._lanes[window.model]
        row = _Row(window, bucket, deadline, time.monotonic(), loop.create_future())
        if bucket == 0:
            row.result.set_result(np.zeros((0, lane.model.width), dtype=np.float32))
            return row
        async with self._admission:
            while self._tokens and self._tokens + bucket > self._max_tokens:
                self._room.clear()
                await self._room.wait()
            self._tokens += bucket
        row.result.add_done_callback(lambda _: self._release(bucket))
        lane.queues[bucket].append(row)
        lane.wake.set()
        return row

    def _release(self, bucket: int) -> None:
        self._tokens -= bucket
        self._room.set()

    async def _serve(self, lane: _Lane) -> None:
        """Send the batches of one model, for ever."""
        while True:
            lane.wake.clear()
            pause = self._dispatch(lane)
            try:
                async with asyncio.timeout(pause):
                    await lane.wake.wait()
            except TimeoutError:
                continue

    def _dispatch(self, lane: _Lane) -> float | None:
        """Send what is due; seconds until something may be due again (None: wait for news)."""
        while lane.under_way < self._max_in_flight:
            for queue in lane.queues.values():
                while queue and queue[0].result.done():
                    queue.popleft()
            waiting = [(q[0].since, bucket) for bucket, q in lane.queues.items() if q]
            if not waiting:
                return None
            now = time.monotonic()
            due = [
                (since, bucket)
                for since, bucket in waiting
                if now - since >= self._linger_s or self._full(lane, bucket)
            ]
            if not due:
                return max(0.0, min(waiting)[0] + self._linger_s - now)
            self._send(lane, min(due)[1])
        return None

    def _full(self, lane: _Lane, bucket: int) -> bool:
        return len(lane.queues[bucket]) >= full_rows(lane.model, bucket, self._batch_tokens)

    def _send(self, lane: _Lane, bucket: int) -> None:
        queue, batch = lane.queues[bucket], list[_Row]()
        limit = full_rows(lane.model, bucket, self._batch_tokens)
        while queue and len(batch) < limit:
            row = queue.popleft()
            if not row.result.done():
                batch.append(row)
        lane.under_way += 1
        self._spawn(self._run(lane, bucket, batch))

    async def _run(self, lane: _Lane, bucket: int, batch: list[_Row]) -> None:
        try:
            await self._infer(lane.model, bucket, batch)
        except asyncio.CancelledError:
            for row in batch:
                _fail(row, Unavailable("scorer.closed", "the service is stopping"))
            raise
        finally:
            lane.under_way -= 1
            lane.wake.set()

    async def _infer(self, model: Manifest, bucket: int, batch: list[_Row]) -> None:
        """Answer the rows of a batch, with scores or with the reason why there are none."""
        batch = [row for row in batch if not row.result.done()]
        if not batch:
            return
        try:
            arrays = wire.pack(model, [row.window for row in batch], bucket)
            deadline = max(row.deadline for row in batch)
            scores = await self._client.infer(model.name, arrays, deadline)
        except ModelFailed as error:
            await self._search(model, bucket, batch, error)
        except Exception as error:  # noqa: BLE001  # handed to the callers, who react to it
            for row in batch:
                _fail(row, error)
        else:
            for row, found in zip(batch, scores, strict=True):
                _answer(row, found)

    async def _search(
        self, model: Manifest, bucket: int, batch: list[_Row], error: ModelFailed
    ) -> None:
        """Halve a failed batch; a single row that fails on a well model rejects its note."""
        if len(batch) > 1:
            middle = len(batch) // 2
            await self._infer(model, bucket, batch[:middle])
            await self._infer(model, bucket, batch[middle:])
            return
        row, name = batch[0], model.name
        try:
            await self._client.infer(name, wire.probe_arrays(model), row.deadline)
        except DeidError:
            _fail(row, error)
            return
        try:
            arrays = wire.pack(model, [row.window], bucket)
            scores = await self._client.infer(name, arrays, row.deadline)
        except ModelFailed as again:
            detail = f"{name} can't score a window of this note ({again.code})"
            _fail(row, NoteRejected("model.failed", detail))
        except DeidError as other:
            _fail(row, other)
        else:
            _answer(row, scores[0])

    def _spawn(self, work: Coroutine[None, None, None]) -> None:
        task = asyncio.get_running_loop().create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)


def _loop_time(deadline: float) -> float:
    """The running loop's clock at a reading of `time.monotonic()`."""
    return asyncio.get_running_loop().time() + deadline - time.monotonic()


def _drop(row: _Row) -> None:
    """Nobody waits for this row any more."""
    if not row.result.cancel() and not row.result.cancelled():
        row.result.exception()  # seen, so that asyncio does not complain of it later


def _answer(row: _Row, scores: Scores) -> None:
    if not row.result.done():
        row.result.set_result(scores[: len(row.window)].copy())


def _fail(row: _Row, error: BaseException) -> None:
    if not row.result.done():
        row.result.set_exception(error)
