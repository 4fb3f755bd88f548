"""Notes that ended a process, remembered in Kafka itself.

A note that makes the code raise ends the process, and the next process reads it again. So that
it does not stop its partition for good, each such end is written into the metadata of the
partition's committed offset: `{"61": 2}` says that the note at offset 61 has ended two
processes. After `LIMIT` of them the note becomes a dead letter without being looked at.
"""

from __future__ import annotations

from collections.abc import Mapping

import orjson

from stream_deid.outcome import Dead

LIMIT = 3
_KEPT = 16

DEAD = Dead("note.crashes", f"processing it has ended the process {LIMIT} times")


def encode(tries: Mapping[int, int], position: int) -> str:
    """Metadata for an offset committed at `position`: what is still to be read of `tries`."""
    kept = sorted(item for item in tries.items() if item[0] >= position)[:_KEPT]
    return orjson.dumps({str(offset): count for offset, count in kept}).decode() if kept else ""


def decode(metadata: str | None) -> dict[int, int]:
    """The tries of `encode`; metadata of anybody else counts as none."""
    try:
        found = orjson.loads(metadata or "{}")
        return {int(offset): int(count) for offset, count in found.items()}
    except (ValueError, TypeError, AttributeError):
        return {}
