"""A partition's lane, for tests that say what its neighbours do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from stream_deid.streaming.lane import PartitionLane, Room, Turn


async def nothing(*_: object) -> None:
    return


def lane_of(
    examine: Any,
    ahead: Room,
    room: Room,
    *,
    claim: Any = None,
    begin: Any = nothing,
    commit: Any = nothing,
    skipped: Any = nothing,
    read_again: Any = nothing,
    read_on: Any = nothing,
) -> PartitionLane:
    """A lane of a claim that nobody takes away; what isn't given does nothing."""
    return PartitionLane(
        claim or SimpleNamespace(alone=lambda _: False, position=0, partition=0),
        examine=examine,
        claims=SimpleNamespace(begin=begin, commit=commit, skipped=skipped),
        read_again=read_again,
        read_on=read_on,
        turn=Turn(),
        acknowledge=nothing,
        time_of=lambda _: 60.0,
        room=room,
        ahead=ahead,
        metrics=SimpleNamespace(observe=lambda *_: None),
        batch=10,
    )
