"""Of whatever is handed over, in whatever order, a lane takes each record once and in order."""

from __future__ import annotations

import asyncio
from types import SimpleNamespace
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from lane_parts import lane_of

from stream_deid.outcome import Dead, Source
from stream_deid.streaming import lane as lanes
from stream_deid.streaming.bounds import Room
from stream_deid.streaming.delivery import Parcel
from stream_deid.streaming.lane import PartitionLane

RECORDS = [0, 1, 2, 4, 5, 9, 10, 11]
"""Offsets of a partition; what lies between holds no record."""

lanes._AGAIN_S = 0.02


class SetBackConsumer:
    """A lane and a consumer that is set back when it is told to; it never gives out `lost`."""

    def __init__(self, position: int, lost: int | None = None) -> None:
        self.claim = SimpleNamespace(position=position, partition=0, alone=lambda _: False)
        self.lost = lost
        self.taken: list[int] = []
        self.set_back = self.shed = 0
        self.ahead = Room(1000, 1000)

    def lane(self) -> PartitionLane:
        return lane_of(
            self.examine,
            self.ahead,
            Room(100, 1000),
            claim=self.claim,
            skipped=self.skipped,
            read_again=self.read_again,
            read_on=self.read_on,
        )

    async def hand_over(self, offsets: list[int]) -> None:
        for offset in offsets:
            if offset != self.lost and not self.running.shedding:
                await self.ahead.take(1)
                message = SimpleNamespace(offset=offset, value=b".", timestamp=0.0)
                self.running.put(SimpleNamespace(message=message))

    async def play(self, handed: list[int], until: int, shed_at: int = 0) -> list[int]:
        self.running = self.lane()
        task = asyncio.ensure_future(self.running.run())
        if shed_at:
            await self.hand_over(handed[:shed_at])
            self.shed += await self.running.shed()
        await self.hand_over(handed[shed_at:])
        async with asyncio.timeout(5):
            while not self.taken or self.taken[-1] < until:  # noqa: ASYNC110
                await asyncio.sleep(0)
        self.running.close()
        await task
        return self.taken

    async def examine(self, _: object, message: Any) -> Parcel:
        self.taken.append(message.offset)
        return Parcel(Source("notes.raw", 0, message.offset), Dead("x", ""), b"")

    async def skipped(self, _: object, expected: int, offset: int) -> int | None:
        return next((one for one in RECORDS if expected <= one < offset), None)

    async def read_on(self, _: int) -> None:
        await self.read_again()

    async def read_again(self) -> None:
        self.set_back += 1
        await self.hand_over([one for one in RECORDS if one >= self.claim.position])


@settings(deadline=None)
@given(st.lists(st.sampled_from(RECORDS), max_size=30), st.sampled_from(RECORDS))
def test_each_once_and_in_order(handed: list[int], position: int) -> None:
    consumer = SetBackConsumer(position)
    due = [one for one in RECORDS if one >= position]
    assert asyncio.run(consumer.play([*handed, RECORDS[-1]], RECORDS[-1])) == due
    assert (consumer.ahead.notes, consumer.ahead.size) == (0, 0)


def test_holes_without_a_record_are_stepped_over() -> None:
    consumer = SetBackConsumer(3)
    assert asyncio.run(consumer.play([4, 5, 9], 9)) == [4, 5, 9]
    assert consumer.set_back == 0


def test_a_record_that_never_comes_is_left_to_the_commit() -> None:
    """Also where nothing else comes meanwhile: a lane that waits for it would stand still."""
    consumer = SetBackConsumer(0, lost=4)
    assert asyncio.run(consumer.play([0, 1, 2, 5], 5))[:4] == [0, 1, 2, 5]
    assert consumer.set_back == 3


@settings(deadline=None)
@given(
    st.lists(st.sampled_from(RECORDS), min_size=1, max_size=30),
    st.sampled_from(RECORDS),
    st.integers(1, 30),
)
def test_what_is_shed_is_read_again(handed: list[int], position: int, shed_at: int) -> None:
    """Whatever stands at its head, a lane that dropped what waited in it goes on by itself."""
    consumer = SetBackConsumer(position)
    due = [one for one in RECORDS if one >= position]
    assert asyncio.run(consumer.play([*handed, RECORDS[-1]], RECORDS[-1], shed_at)) == due
    assert (consumer.ahead.notes, consumer.ahead.size) == (0, 0)
