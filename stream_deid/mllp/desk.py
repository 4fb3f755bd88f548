"""What becomes of a block: its message, or all of its batch, taken, and the answer to it."""

from __future__ import annotations

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TypeVar

from stream_deid.errors import DeidError, NoteRejected
from stream_deid.mllp import answer, batch, header
from stream_deid.mllp.arrival import Arrival
from stream_deid.mllp.framing import Block
from stream_deid.mllp.header import NO_HEADER, Header
from stream_deid.mllp.house import House
from stream_deid.streaming.observability import logs

_LARGE = 65_536  # from this size on a message is parsed in a thread
_TOGETHER = 200  # messages of a batch that wait for one transaction

_T = TypeVar("_T")
_log = logs.get("mllp")


@dataclass(frozen=True, slots=True)
class Reply:
    """`message`: what is sent, if anything. `unsaid`: something was not taken, and its sender wants
    no answer.
    """

    message: bytes = field(repr=False)
    unsaid: bool


@dataclass(slots=True)
class _Incoming:
    """A message on its way: the `arrival` that it is, or what is `wrong` with it."""

    body: bytes = field(repr=False)
    head: Header = NO_HEADER
    arrival: Arrival | None = None
    wrong: answer.Refusal | None = None
    taken: bool = False

    def refuse(self, code: str) -> None:
        if self.wrong is None:
            self.wrong = answer.problem(code)


class Desk:
    """Of one connection; one block at a time."""

    def __init__(self, house: House) -> None:
        self._house = house

    async def take(self, block: Block) -> Reply:
        """Take what is in a block, once the broker has it, and answer."""
        started = time.perf_counter()
        try:
            if batch.begins(block.body):
                return await self._batch(block)
            one = await _apart(self._read, block.body, whole=block.whole)
            await self._send([one])
            return self._reply([one], block, lambda answers: answers[0])
        finally:
            self._house.metrics.seconds.observe(time.perf_counter() - started)
            self._house.metrics.senders.set(self._house.intake.senders)

    async def _batch(self, block: Block) -> Reply:
        """All of a batch or nothing of it: where one message can't be read, none is sent."""
        try:
            if not block.whole:
                raise _too_large()
            found = await _apart(batch.read, block.body, most=self._house.settings.window // 2)
        except NoteRejected as error:
            found, one = batch.unread(block.body), _Incoming(b"", batch.lead(block.body))
            one.refuse(error.code)
            return self._reply([one], block, found.answered)
        messages = [await _apart(self._read, body, whole=True) for body in found.messages]
        if any(one.wrong for one in messages):
            for one in messages:
                one.refuse("mllp.batch")
        for at in range(0, len(messages), _TOGETHER):
            if any(one.wrong and one.wrong.kind == "E" for one in messages[:at]):
                break  # what comes behind it would stand before it when it is sent again
            await self._send(messages[at : at + _TOGETHER])
        for one in messages:
            if not one.taken:
                one.refuse("mllp.kafka")
        return self._reply(messages, block, found.answered)

    def _read(self, body: bytes, *, whole: bool) -> _Incoming:
        one = _Incoming(body)
        try:
            one.head = header.read(body)
            if not whole:
                raise _too_large()
            one.arrival = self._house.registrar.arrival(one.head, body)
        except NoteRejected as error:
            one.refuse(error.code)
        return one

    async def _send(self, messages: Sequence[_Incoming]) -> None:
        """Have the broker take those with which nothing is wrong, in order."""
        metrics, intake = self._house.metrics, self._house.intake
        sent = [
            (one, intake.take(one.arrival)) for one in messages if one.arrival and not one.wrong
        ]
        kinds = await asyncio.gather(*(taking for _, taking in sent), return_exceptions=True)
        for (one, _), kind in zip(sent, kinds, strict=True):
            if isinstance(kind, DeidError):
                one.refuse(kind.code)
            elif isinstance(kind, BaseException):
                raise kind
            else:
                one.taken = True
                metrics.messages.labels(kind).inc()
                metrics.bytes.inc(len(one.body))

    def _reply(
        self,
        messages: Sequence[_Incoming],
        block: Block,
        together: Callable[[Sequence[bytes]], bytes],
    ) -> Reply:
        answers, unsaid = [], False
        for one in messages:
            code, message = answer.answer(one.head, one.wrong)
            self._house.metrics.answers.labels(code, one.wrong.code if one.wrong else "").inc()
            answers.append(message)
            unsaid = unsaid or (not message and one.wrong is not None)
        wrong = Counter(one.wrong.code for one in messages if one.wrong is not None)
        for code, count in sorted(wrong.items()):
            _log.warning("not_taken", code=code, bytes=len(block.body), messages=count)
        return Reply(together(answers) if any(answers) or not answers else b"", unsaid)


async def _apart(read: Callable[..., _T], body: bytes, **how: object) -> _T:
    """What is read of bytes; of many, while others are served."""
    if len(body) > _LARGE:
        return await asyncio.to_thread(read, body, **how)
    await asyncio.sleep(0)
    return read(body, **how)


def _too_large() -> NoteRejected:
    return NoteRejected("mllp.too_large", "longer than mllp.max_message_bytes")
