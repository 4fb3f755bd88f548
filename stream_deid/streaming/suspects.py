"""Notes that ended a process, remembered in Kafka itself.

The next process reads such a note again. So that it does not stop its partition for good, what
happened is written into the metadata of the partition's committed offset:

* `{"61": 2}`: the note at offset 61 has ended two processes. After `LIMIT` of them it becomes a
  dead letter without being looked at.
* `{"begun": 2}`: two processes began with the notes from this very offset on, committed none, and
  never said that they ended: they were killed (for their memory, by a crash inside of a library, by
  the watch over a loop that hung), and any note that was in hand may be why. From `UNEXPLAINED` of
  these on notes are taken one by one, each noted as tried before it is looked at.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import orjson

from stream_deid.outcome import Dead

LIMIT = 3
UNEXPLAINED = 2
_KEPT = 16
_BEGUN = "begun"

DEAD = Dead("note.crashes", f"processing it has ended the process {LIMIT} times")


def encode(tries: Mapping[int, int], position: int, begun: int = 0) -> str:
    """Metadata for an offset committed at `position`: what is still to be read of `tries`, and how
    many processes began from there and did not end in order.
    """
    kept = sorted(item for item in tries.items() if item[0] >= position)[:_KEPT]
    told = {str(offset): count for offset, count in kept} | ({_BEGUN: begun} if begun else {})
    return orjson.dumps(told).decode() if told else ""


def decode(metadata: str | None) -> dict[int, int]:
    """The tries of `encode`; metadata of anybody else counts as none."""
    try:
        return {int(at): int(n) for at, n in _loaded(metadata).items() if at != _BEGUN}
    except (ValueError, TypeError, AttributeError):
        return {}


def unexplained(metadata: str | None) -> int:
    """How many processes began from the offset and did not end in order."""
    try:
        return int(_loaded(metadata).get(_BEGUN, 0))
    except (ValueError, TypeError, AttributeError):
        return 0


def _loaded(metadata: str | None) -> Any:
    return orjson.loads(metadata or "{}")
