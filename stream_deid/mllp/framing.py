"""MLLP blocks in a stream of bytes: `<VT> message <FS> <CR>` (HL7 MLLP release 1, appendix C).

Pure: bytes in, blocks out, however the network cut them. A message holds neither VT nor FS (they
are no characters of any HL7 v2 character set), so a VT inside a block says that the sender began
again: what came before it is dropped, was never answered, and will be sent again.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

START, END, RETURN = b"\x0b", b"\x1c", b"\r"
HEAD = 4096
"""So many bytes are kept of a block that is too long: enough for its MSH, to answer it."""


@dataclass(frozen=True, slots=True)
class Block:
    """One message without its frame; of one that is too long (`whole` is false) the beginning."""

    body: bytes = field(repr=False)
    whole: bool = True


def wrap(message: bytes) -> bytes:
    """The message as a block."""
    return START + message + END + RETURN


class Blocks:
    """Cuts a stream into blocks; holds at most `limit` bytes and what `feed` was given last.

    `cut` counts blocks that were begun and not ended, `noise` the bytes between blocks since the
    last one (line ends are none), `dropped` all of these. `lenient`: FS ends a block, whatever
    comes behind it.
    """

    def __init__(self, limit: int, *, lenient: bool = False) -> None:
        self.noise = self.cut = self.dropped = 0
        self.inside = False
        self._limit = limit
        self._end = END if lenient else END + RETURN
        self._held = bytearray()
        self._head: bytes | None = None
        self._searched = 0

    @property
    def size(self) -> int:
        """How many bytes of an unfinished block are held."""
        return len(self._held)

    @property
    def half_ended(self) -> bool:
        """Whether the block in hand has its FS, and no CR behind it."""
        return self.inside and self._held.rstrip(b"\n").endswith(END)

    def feed(self, data: bytes) -> Iterator[Block]:
        """The blocks that end in `data`. To be used up before the next call."""
        self._held += data
        while True:
            if not self.inside and not self._begin():
                return
            end = self._held.find(self._end, self._searched)
            again = self._held.find(START, self._searched, end if end >= 0 else len(self._held))
            if again >= 0:
                self.cut += 1
                del self._held[: again + 1]
                self._head, self._searched = None, 0
                continue
            if end < 0:
                self._shorten()
                return
            yield self._finish(end)

    def _begin(self) -> bool:
        at = self._held.find(START)
        between = self._held if at < 0 else self._held[:at]
        noise = len(between.translate(None, b"\r\n"))
        self.noise, self.dropped = self.noise + noise, self.dropped + noise
        if at < 0:
            self._held.clear()
            return False
        del self._held[: at + 1]
        self.inside, self._head, self._searched = True, None, 0
        return True

    def _finish(self, end: int) -> Block:
        if self._head is not None or end > self._limit:
            block = Block(self._head or bytes(self._held[:HEAD]), whole=False)
        else:
            block = Block(bytes(self._held[:end]))
        del self._held[: end + len(self._end)]
        self.inside, self.noise = False, 0
        return block

    def _shorten(self) -> None:
        """Let go of what is too long to be taken, but for its beginning and a half end."""
        if len(self._held) > self._limit + 1:
            if self._head is None:
                self._head = bytes(self._held[:HEAD])
            del self._held[:-1]
        self._searched = max(0, len(self._held) - 1)
