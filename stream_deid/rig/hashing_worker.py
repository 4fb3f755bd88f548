"""A worker that releases nothing but keyed hashes: it measures and shakes the shell alone.

`python -m stream_deid.rig.hashing_worker` is a whole worker in which processing is replaced by a
hash of the message, so that rate and behaviour under kills are those of Kafka and this package.
No note text can come out of it, by accident or otherwise. It is a program of its own: no
setting turns a real worker into this one. `SEALED_DELAY_S` adds a pause to each note.
"""

from __future__ import annotations

import asyncio
import hashlib
import os
import sys

import orjson

from stream_deid import config
from stream_deid.outcome import Outcome, Released, Source, Stats
from stream_deid.streaming import worker


class Sealed:
    """Same bytes and source in, same bytes out: a note of hexadecimal digits, and its audit."""

    release = "sealed-1"

    def __init__(self, delay_s: float = 0.0, repeat: int = 1) -> None:
        self._delay_s = delay_s
        self._repeat = repeat

    def mac(self, raw: bytes) -> str:
        """A hash of the message; the key is public, so feed it synthetic notes only."""
        return hashlib.blake2b(raw, key=b"sealed", digest_size=32).hexdigest()

    async def process(self, raw: bytes, source: Source) -> Outcome:
        """Hash the message after the pause; rejects nothing."""
        if self._delay_s:
            await asyncio.sleep(self._delay_s)
        mac = self.mac(raw)
        place = {"topic": source.topic, "partition": source.partition, "offset": source.offset}
        audit = orjson.dumps({"source": place, "release": self.release, "input_mac": mac})
        note = (mac * self._repeat).encode()
        return Released(note, mac[:8].encode(), audit, Stats())

    async def answers(self) -> bool:
        """It needs nobody."""
        return True

    async def close(self) -> None:
        """Nothing to let go of."""


def open_sealed(_: config.Settings) -> Sealed:
    """The processor as the environment asks for it; outputs of about 3 kB."""
    return Sealed(float(os.environ.get("SEALED_DELAY_S", "0")), repeat=48)


if __name__ == "__main__":
    sys.exit(worker.run(config.load(), open_sealed))
