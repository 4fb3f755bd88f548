"""A worker whose processor replaces a note by a hash of it: test code, never shipped.

Deterministic, with a small awaited delay; `HASHING_DELAY_S` sets it. Notes that start with
`dead` are rejected, `crash` raise, `big` become larger than a broker takes, `slow` get no answer
in their time, `lazy` take until the file named by `HASHING_GATE` exists. While the file named by
`HASHING_AWAY` exists, everything is `Unavailable`. Where `HASHING_ASLEEP` names a file, the process
makes it and stops (SIGSTOP), once, at that moment of its claim which the file is named after.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import orjson

from stream_deid import config
from stream_deid.errors import NoteRejected, Unavailable
from stream_deid.outcome import Contact, Outcome, Released, Source, Stats
from stream_deid.streaming import worker
from stream_deid.streaming.kafka.transactions import Transactions
from stream_deid.streaming.shell import Shell


class Hashing:
    """The stand-in for de-identification: same bytes in, same bytes out."""

    release = "hashing-1"

    def __init__(self, delay_s: float, away: Path | None = None, gate: Path | None = None) -> None:
        self._delay_s = delay_s
        self._away = away
        self._gate = gate
        self._heard = time.monotonic()

    def mac(self, raw: bytes) -> str:
        return hashlib.blake2b(raw, key=b"tests", digest_size=16).hexdigest()

    async def process(self, raw: bytes, source: Source) -> Outcome:
        await asyncio.sleep(self._delay_s)
        if self._away and self._away.exists():
            raise Unavailable("hashing.away", "the hashing service is away")
        if raw.startswith(b"slow"):
            raise Unavailable("hashing.slow", "there is no end to this note")
        while raw.startswith(b"lazy") and self._gate and not self._gate.exists():  # noqa: ASYNC110
            await asyncio.sleep(0.05)
        if raw.startswith(b"dead"):
            raise NoteRejected("hashing.dead", "the note asked for it")
        if raw.startswith(b"crash"):
            raise ValueError(raw.decode())
        mac = self.mac(raw)
        note = mac.encode() * (200_000 if raw.startswith(b"big") else 64)
        place = [source.topic, source.partition, source.offset]
        audit = orjson.dumps({"source": place, "input_mac": mac})
        stats = Stats({"hash": 0.001}, {"NAME": 1})
        return Released(note, mac[:8].encode(), audit, stats)

    async def answers(self) -> bool:
        return self._away is None or not self._away.exists()

    async def contact(self) -> Contact:
        if await self.answers():
            self._heard = time.monotonic()
        return Contact(time.monotonic() - self._heard, {"hashing.away": 3})

    async def close(self) -> None:
        """Nothing to let go of."""


def open_processor(_: config.Settings) -> Hashing:
    delay_s = float(os.environ.get("HASHING_DELAY_S", "0.02"))
    away, gate = (os.environ.get(f"HASHING_{name}") for name in ("AWAY", "GATE"))
    return Hashing(delay_s, Path(away) if away else None, Path(gate) if gate else None)


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
        Shell.claim = slept(Shell.claim, before=True)
    else:
        Transactions.open = slept(Transactions.open, before=moment == "before_fencing")


if __name__ == "__main__":
    if asleep := os.environ.get("HASHING_ASLEEP"):
        fall_asleep(Path(asleep))
    sys.exit(worker.run(config.load(), open_processor))
