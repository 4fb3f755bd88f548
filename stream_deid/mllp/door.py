"""Who is connected, from the first packet on: before TLS is spoken and before a block has come.

Whoever has brought no block yet is silent: a sender that waits for its first message, or somebody
who wants nothing but the place. Of one address so many may be silent at once, and where all places
are taken the longest silent one of the address that has most of them gives up its own. So silent
connections, with handshakes that never end among them, keep no sender out, who speaks at once.
"""

from __future__ import annotations

import asyncio
import socket
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field


@dataclass(eq=False, slots=True)
class Visitor:
    """A connection; `leave` ends it at once."""

    address: str
    leave: Callable[[], object] = field(repr=False)
    silent: bool = True


class Door:
    """Counts visitors. Lives on one event loop."""

    def __init__(self, most: int, most_silent: int) -> None:
        self._most, self._most_silent = most, most_silent
        self._inside: dict[Visitor, None] = {}  # in their order

    def enter(self, visitor: Visitor) -> tuple[bool, Visitor | None]:
        """Whether there is a place, and who gave it up."""
        sent_off = None
        silent = Counter(one.address for one in self._inside if one.silent)
        if silent[visitor.address] >= self._most_silent:
            sent_off = self._send_off(visitor.address)
        elif len(self._inside) >= self._most:
            if not silent:
                return False, None
            silent[visitor.address] += 1
            sent_off = self._send_off(silent.most_common(1)[0][0])
        self._inside[visitor] = None
        return True, sent_off

    def left(self, visitor: Visitor) -> None:
        self._inside.pop(visitor, None)

    def _send_off(self, address: str) -> Visitor:
        found = next(one for one in self._inside if one.silent and one.address == address)
        self.left(found)
        found.leave()
        return found


async def opened(host: str, port: int, backlog: int) -> list[socket.socket]:
    """Sockets that listen at all addresses of a name. Raises `OSError`."""
    found: list[socket.socket] = []
    known = await asyncio.get_running_loop().getaddrinfo(
        host or None, port, type=socket.SOCK_STREAM, flags=socket.AI_PASSIVE
    )
    try:
        for family, address in dict.fromkeys((one[0], one[4]) for one in known):
            found.append(socket.create_server(address, family=family, backlog=backlog))
            found[-1].setblocking(False)
    except OSError:
        for one in found:
            one.close()
        raise
    return found
