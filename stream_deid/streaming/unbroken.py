"""Whether a partition's records come without a break, from where its claim stands.

Faust hands over what it has fetched before the claim was there, may lose what it fetches while a
group rebalances, and hands over again what it is set back to. So a lane takes the record that
follows the one it took last, and none beyond one that has not come.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from stream_deid.streaming.delivery import PartitionClaim
from stream_deid.streaming.observability import logs

_TRIES = 3  # so often a record is asked for again; then the commit refuses (`stream.gap`)

_log = logs.get("unbroken")

Look = Callable[[PartitionClaim, int, int], Awaitable[int | None]]


class Unbroken:
    """The records of one claim in their order; `expected` is where the next one may stand."""

    def __init__(self, claim: PartitionClaim, skipped: Look) -> None:
        self.expected = claim.position
        self._claim = claim
        self._skipped = skipped
        self._tries = 0

    def came(self, offset: int) -> bool:
        """Whether the record at `offset` has been taken."""
        return offset < self.expected

    async def missing(self, offset: int) -> int | None:
        """The first record before `offset` that has not come, and is to be read again; None where
        the one at `offset` is next. Raises `Unavailable("kafka.no_record")`.
        """
        if offset == self.expected:
            return None
        found = await self._skipped(self._claim, self.expected, offset)
        if found is None or self._tries == _TRIES:
            return None
        self._tries += 1
        _log.warning("records_read_again", partition=self._claim.partition, offset=found,
                     before=offset, tries=self._tries)  # fmt: skip
        return found

    def taken(self, offset: int) -> None:
        """The record at `offset` begins."""
        self.expected, self._tries = offset + 1, 0
