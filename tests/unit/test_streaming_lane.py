"""Lanes and the room they share: large notes of one partition hold up no other."""

import asyncio
from types import SimpleNamespace

from lane_parts import lane_of

from stream_deid.outcome import Dead, Source
from stream_deid.streaming.bounds import Room
from stream_deid.streaming.delivery import Parcel
from stream_deid.streaming.lane import PartitionLane

LARGE, SMALL = 2_000_000, 100


class TimedNotes:
    """Lanes over one room, with notes that are done when they are told so."""

    def __init__(self) -> None:
        self.room, self.ahead = Room(4, 2_000_000), Room(1000, 100_000_000)
        self.done: dict[str, asyncio.Event] = {}
        self.begun: list[str] = []
        self.committed: list[str] = []
        self.changed = asyncio.Condition()

    def lane(self) -> PartitionLane:
        return lane_of(self.examine, self.ahead, self.room, commit=self.commit)

    async def put(self, lane: PartitionLane, name: str, size: int) -> None:
        self.done[name] = asyncio.Event()
        await self.ahead.take(size)
        message = SimpleNamespace(
            offset=len(self.done), value=name.encode().ljust(size, b"."), timestamp=0.0
        )
        lane.put(SimpleNamespace(message=message))

    async def examine(self, _: object, message: SimpleNamespace) -> Parcel:
        name = message.value.decode().rstrip(".")
        async with self.changed:
            self.begun.append(name)
            self.changed.notify_all()
        await self.done[name].wait()
        return Parcel(Source("notes.raw", 0, 0), Dead(name, ""), b"")

    async def commit(self, _: object, parcels: list[Parcel]) -> None:
        async with self.changed:
            self.committed += [parcel.outcome.code for parcel in parcels]
            self.changed.notify_all()

    async def until(self, names: list[str], committed: bool = True) -> None:
        """Wait until just these are committed (or begun)."""
        async with asyncio.timeout(5), self.changed:
            await self.changed.wait_for(
                lambda: (self.committed if committed else self.begun) == names
            )


def test_small_notes_go_on_beside_a_giant_that_fills_the_room() -> None:
    async def play() -> None:
        notes = TimedNotes()
        slow, quick = notes.lane(), notes.lane()
        running = [asyncio.ensure_future(lane.run()) for lane in (slow, quick)]
        await notes.put(slow, "giant", LARGE)
        await notes.until(["giant"], committed=False)
        for name in ("a", "b", "c"):  # the second waits for room, then finds itself alone
            await notes.put(quick, name, SMALL)
        for upto in (["a"], ["a", "b"], ["a", "b", "c"]):
            notes.done[upto[-1]].set()
            await notes.until(upto)
        notes.done["giant"].set()
        await notes.until(["a", "b", "c", "giant"])
        for lane in (slow, quick):
            lane.close()
        await asyncio.gather(*running)
        assert (notes.room.notes, notes.room.size) == (0, 0)
        assert (notes.ahead.notes, notes.ahead.size) == (0, 0)

    asyncio.run(play())


def test_giants_go_one_by_one_and_first_come_is_first_served() -> None:
    async def play() -> None:
        notes = TimedNotes()
        lanes = [notes.lane() for _ in range(3)]
        running = [asyncio.ensure_future(lane.run()) for lane in lanes]
        for number, lane in enumerate(lanes):
            await notes.put(lane, f"giant{number}", LARGE)
            await asyncio.sleep(0.01)
        for number in range(3):
            await notes.until([f"giant{n}" for n in range(number + 1)], committed=False)
            notes.done[f"giant{number}"].set()
        await notes.until([f"giant{n}" for n in range(3)])
        for lane in lanes:
            lane.close()
        await asyncio.gather(*running)

    asyncio.run(play())


def test_what_is_given_up_gives_its_room_back() -> None:
    async def play() -> None:
        notes = TimedNotes()
        lane = notes.lane()
        running = asyncio.ensure_future(lane.run())
        for name in ("a", "b", "c", "d", "e", "f"):
            await notes.put(lane, name, 400_000)
        await notes.until(["a", "b", "c", "d"], committed=False)
        assert lane.patience > 0
        lane.close()
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        assert (notes.room.notes, notes.room.size) == (0, 0)
        assert (notes.ahead.notes, notes.ahead.size) == (0, 0)
        assert notes.committed == []

    asyncio.run(play())
