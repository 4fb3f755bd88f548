"""A worker that releases nothing but keyed hashes: it measures and shakes the shell alone.

`python -m stream_deid.rig.hashing_worker` is a whole worker in which processing is replaced by a
hash of the message, so that rate and behaviour under kills are those of Kafka and this package.
No note text can come out of it, by accident or otherwise. It is a program of its own: no
setting turns a real worker into this one. `HASHING_DELAY_S` adds a pause to each note,
`HASHING_BYTES_A_SECOND` one by its size; with `HASHING_REJECTS=1` what is neither JSON nor HL7 is
rejected.
"""

from __future__ import annotations

import asyncio
import hashlib
import math
import os

import orjson

from stream_deid import config, ending, seal
from stream_deid.errors import NoteRejected
from stream_deid.outcome import Contact, Outcome, Released, Source, Stats
from stream_deid.streaming import worker

PUBLIC_KEY = b"hashing-worker-public"
"""Its seals' key, which `stream-deid release` has to be given; public, as that of its hashes."""

REPEAT = 48
"""A released note is its hash so many times."""


class Hashing:
    """Same bytes and source in, same bytes out: a note of hexadecimal digits, and its audit."""

    release = "hashing-1"

    def __init__(
        self,
        delay_s: float = 0.0,
        repeat: int = 1,
        *,
        bytes_a_second: float = math.inf,
        rejects: bool = False,
    ) -> None:
        self._delay_s = delay_s
        self._repeat = repeat
        self._bytes_a_second = bytes_a_second
        self._rejects = rejects

    def mac(self, raw: bytes) -> str:
        """A hash of the message; the key is public, so feed it synthetic notes only."""
        return hashlib.blake2b(raw, key=b"hashing", digest_size=32).hexdigest()

    def seal(self, kind: str, key: bytes | None, value: bytes) -> bytes:
        """The seal of a record under the public key."""
        return seal.seal(seal.seal_key(PUBLIC_KEY, ""), kind, key, value)

    def note(self, raw: bytes) -> bytes:
        """What is released for a message."""
        return (self.mac(raw) * self._repeat).encode()

    async def process(self, raw: bytes, source: Source) -> Outcome:
        """Hash the message after the pause. Raises `NoteRejected` where it was told to."""
        pause = self._delay_s + len(raw) / self._bytes_a_second
        if pause:
            await asyncio.sleep(pause)
        if self._rejects:
            reject(raw)
        mac = self.mac(raw)
        place = {"topic": source.topic, "partition": source.partition, "offset": source.offset}
        audit = orjson.dumps({"source": place, "release": self.release, "input_mac": mac})
        note = self.note(raw)
        return Released(note, mac[:8].encode(), audit, Stats())

    async def answers(self) -> bool:
        """It needs nobody."""
        return True

    async def contact(self) -> Contact:
        """It needs nobody."""
        return Contact()

    async def close(self) -> None:
        """Nothing to let go of."""


def reject(raw: bytes) -> None:
    """Raise `NoteRejected` for what is no message of ours, by its first bytes or as JSON."""
    from stream_deid.formats import sniff  # noqa: PLC0415 - with lists that no other trial needs

    if sniff(raw) == "json":
        try:
            orjson.loads(raw)
        except orjson.JSONDecodeError:
            raise NoteRejected("json.syntax", "the message is not well-formed JSON") from None


def open_hashing(_: config.Settings) -> Hashing:
    """The processor as the environment asks for it; outputs of about 3 kB."""
    return Hashing(
        float(os.environ.get("HASHING_DELAY_S", "0")),
        repeat=REPEAT,
        bytes_a_second=float(os.environ.get("HASHING_BYTES_A_SECOND", "inf")),
        rejects=os.environ.get("HASHING_REJECTS") == "1",
    )


if __name__ == "__main__":
    ending.as_process(lambda: worker.run(config.load(), open_hashing))
