"""A partition's lane, for tests that say what its neighbours do."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

from stream_deid.streaming.bounds import LaneBounds, Room
from stream_deid.streaming.lane import PartitionLane, Partners
from stream_deid.streaming.observability.telemetry import Telemetry


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
        Partners(
            consumer=SimpleNamespace(acknowledge=nothing, read_again=read_again, read_on=read_on),
            examiner=SimpleNamespace(parcel=examine, time_of=lambda _: 60.0),
            claims=SimpleNamespace(begin=begin, commit=commit, skipped=skipped),
            telemetry=Telemetry(SimpleNamespace(observe=lambda *_: None)),
        ),
        LaneBounds(hand=room, ahead=ahead, batch=10),
    )
