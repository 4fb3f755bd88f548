"""The rig's hashing worker (`rig.hashing_worker`), whose processor does as notes ask: test code.

A small awaited delay, which `HASHING_DELAY_S` sets. Notes that start with `dead` are rejected,
`crash` raise, `fatal` kill the process (SIGKILL, as the kernel does for memory), `big` become too
large for a broker, `slow` get no answer in their time, `lazy` take until the file named by
`HASHING_GATE` exists. While the file named by `HASHING_AWAY` exists, everything is `Unavailable`.
Where `HASHING_ASLEEP` names a file, the process makes it and stops (SIGSTOP), once, at that moment
of its claim which the file is named after. `HASHING_CLAIM_S` makes every claim take so much longer.
`HASHING_DEAF` names a call to the broker that only times out on the process's first four producers.
`HASHING_DROPS` has a fetch that was on the way fall into every rebalance, where Faust drops what it
brings. `HASHING_LOSES` makes Faust lose some records of each partition, `once` or `always`, or
`last` once those behind which nothing comes.
"""

from __future__ import annotations

import asyncio
import itertools
import os
import signal
import time
from collections.abc import AsyncIterator, Callable
from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from confluent_kafka import KafkaError, KafkaException, Producer
from faust.transport.drivers import aiokafka as driver

from stream_deid import config, ending
from stream_deid.errors import NoteRejected, Unavailable
from stream_deid.outcome import Contact, Outcome, Released, Source, Stats
from stream_deid.rig.hashing_worker import Hashing
from stream_deid.streaming import worker
from stream_deid.streaming.app import ClaimingApp
from stream_deid.streaming.dispatcher import Dispatcher
from stream_deid.streaming.kafka import transactions
from stream_deid.streaming.kafka.transactions import Transactions


class Obedient(Hashing):
    """The rig's stand-in for de-identification, which does as notes ask."""

    def __init__(self, delay_s: float, away: Path | None = None, gate: Path | None = None) -> None:
        super().__init__(delay_s, repeat=32)
        self._away = away
        self._gate = gate
        self._heard = time.monotonic()

    def note(self, raw: bytes) -> bytes:
        return super().note(raw) * (3000 if raw.startswith(b"big") else 1)

    async def process(self, raw: bytes, source: Source) -> Outcome:
        outcome = await super().process(raw, source)
        if self._away and self._away.exists():
            raise Unavailable("hashing.away", "the hashing service is away")
        if raw.startswith(b"slow"):
            raise Unavailable("hashing.slow", "there is no end to this note")
        while raw.startswith(b"lazy") and self._gate and not self._gate.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        if raw.startswith(b"fatal"):
            os.kill(os.getpid(), signal.SIGKILL)
        if raw.startswith(b"dead"):
            raise NoteRejected("hashing.dead", "the note asked for it")
        if raw.startswith(b"crash"):
            raise ValueError(raw.decode())
        assert isinstance(outcome, Released)
        return replace(outcome, stats=Stats({"hash": 0.001}, {"NAME": 1}))

    async def answers(self) -> bool:
        return self._away is None or not self._away.exists()

    async def contact(self) -> Contact:
        if await self.answers():
            self._heard = time.monotonic()
        return Contact(time.monotonic() - self._heard, {"hashing.away": 3})


def open_processor(_: config.Settings) -> Obedient:
    delay_s = float(os.environ.get("HASHING_DELAY_S", "0.02"))
    away, gate = (os.environ.get(f"HASHING_{name}") for name in ("AWAY", "GATE"))
    return Obedient(delay_s, Path(away) if away else None, Path(gate) if gate else None)


def fall_asleep(made: Path) -> None:
    """Stop this process once when partitions are `assigned`, or before or after one is `fenced`."""

    def stop() -> None:
        with suppress(FileExistsError):
            made.touch(exist_ok=False)
            os.kill(os.getpid(), signal.SIGSTOP)

    def slept(call: Callable[..., Any], *, before: bool) -> Callable[..., Any]:
        def late(*args: Any) -> Any:
            if before:
                stop()
            result = call(*args)
            if not before:
                stop()
            return result

        return late

    moment = made.name
    if moment == "assigned":
        Dispatcher.claim = slept(Dispatcher.claim, before=True)
    else:
        Transactions.open = slept(Transactions.open, before=moment == "before_fencing")


def claim_slowly(seconds: float) -> None:
    """Let the broker take its time with the claims of an assignment."""
    claim = Dispatcher.claim

    async def slow(
        dispatcher: Dispatcher, partitions: set[int], generation: int, member: str
    ) -> None:
        await asyncio.sleep(seconds)
        await claim(dispatcher, partitions, generation, member)

    Dispatcher.claim = slow


def hear_nothing(call: str) -> None:
    """As librdkafka's producers that never ask again who coordinates their transactions."""

    def times_out(_: Producer, *args: Any) -> None:
        time.sleep(args[-1])
        raise KafkaException(KafkaError(KafkaError._TIMED_OUT, retriable=True))

    deaf = type("Deaf", (Producer,), {call: times_out})
    kinds = itertools.chain([deaf] * 4, itertools.repeat(Producer))

    def producer(options: dict[str, Any]) -> Producer:
        return next(kinds)(options)

    transactions.Producer = producer


def drop_while_assigned() -> None:
    """What Faust does with a fetch that outlasts a rebalance, which it mostly doesn't."""
    assigned = ClaimingApp._on_partitions_assigned

    async def late(app: ClaimingApp, partitions: Any, generation_id: int = 0) -> None:
        thread = app.consumer._thread
        fetcher = thread._ensure_consumer()._fetcher
        await thread.call_thread(fetcher.fetched_records, set(), timeout=5.0, max_records=100)
        await app.consumer.perform_seek()
        await assigned(app, partitions, generation_id)

    ClaimingApp._on_partitions_assigned = late


def lose(*, always: bool, these: range) -> None:
    """Records at the offsets `these` of each partition don't come out of Faust's consumer."""
    getmany, lost = driver.Consumer.getmany, set()

    async def losing(consumer: Any, **how: Any) -> AsyncIterator[tuple[Any, Any]]:
        async for place, message in getmany(consumer, **how):
            this = place.partition, message.offset
            if message.offset in these and (always or this not in lost):
                lost.add(this)
            else:
                yield place, message

    driver.Consumer.getmany = losing


if __name__ == "__main__":
    if os.environ.get("HASHING_DROPS"):
        drop_while_assigned()
    if loses := os.environ.get("HASHING_LOSES"):
        lose(always=loses == "always", these=range(240, 250) if loses == "last" else range(60, 70))
    if call := os.environ.get("HASHING_DEAF"):
        hear_nothing(call)
    if more := os.environ.get("HASHING_CLAIM_S"):
        claim_slowly(float(more))
    if asleep := os.environ.get("HASHING_ASLEEP"):
        fall_asleep(Path(asleep))
    ending.as_process(lambda: worker.run(config.load(), open_processor))
