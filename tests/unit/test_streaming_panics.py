"""What a library in Rust panics over is no `Exception`; it is blamed on its note all the same."""

import asyncio
from types import SimpleNamespace

import pytest
from tokenizers import NormalizedString

from stream_deid.errors import Halt
from stream_deid.outcome import Source
from stream_deid.rig.hashing_worker import Hashing
from stream_deid.streaming.dispatcher import Dispatcher
from stream_deid.streaming.examine import OF_THE_PROCESS, Crashed, Examiner
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.replay.examining import Courtesy, Crash, Examination, ReplayPace
from stream_deid.streaming.replay.order import ReplayProgress
from stream_deid.streaming.replay.plan import ReplayPlan

CANARY = b"Zebulon Quackenbush"
PANIC = "PanicException"


class Panicking(Hashing):
    """A processor in which a library panics beside the pipeline."""

    async def process(self, raw, _source):
        NormalizedString(raw.decode()).filter(lambda _: 1)


class Ending(Hashing):
    """A processor around which the process ends."""

    def __init__(self, error):
        super().__init__()
        self._error = error

    async def process(self, *_):
        raise self._error


def _parcel(processor):
    examiner = Examiner(processor, Metrics(), asyncio.Event(), deadline_s=5.0)
    message = SimpleNamespace(topic="in", partition=2, offset=7, headers=None, value=CANARY)
    claim = SimpleNamespace(condemned=lambda _: False)
    return asyncio.run(examiner.parcel(claim, message))


class _Stream:
    """One message, then the end."""

    def __init__(self):
        self._left = [
            SimpleNamespace(
                topic=lambda: "in",
                partition=lambda: 2,
                offset=lambda: 7,
                headers=lambda: None,
                value=lambda: CANARY,
            )
        ]

    def take(self, _most, *_):
        left, self._left = self._left, []
        return left


async def _replayed(processor):
    examination = Examination(
        processor,
        _Stream(),
        ReplayPlan({}, {("in", 2): ReplayProgress(8, "d", 3)}),
        ReplayPace(deadline_s=5.0, most=4, courtesy=Courtesy()),
    )
    return [parcel async for parcels in examination.parcels() for parcel in parcels]


def test_a_panic_is_blamed_on_its_note():
    with pytest.raises(Crashed) as caught:
        _parcel(Panicking())
    assert (caught.value.offset, caught.value.kind) == (7, PANIC)
    assert caught.value.__suppress_context__


def test_a_panic_in_a_replay_is_blamed_on_its_note():
    with pytest.raises(Crash) as caught:
        asyncio.run(_replayed(Panicking()))
    assert (caught.value.source, caught.value.kind) == (Source("in", 2, 7), PANIC)
    assert caught.value.__suppress_context__


@pytest.mark.parametrize("kind", [kind for kind in OF_THE_PROCESS if kind is not GeneratorExit])
def test_the_end_of_the_process_is_blamed_on_no_note(kind):
    with pytest.raises(kind):
        _parcel(Ending(kind()))
    with pytest.raises(kind):
        asyncio.run(_replayed(Ending(kind())))


class _Lane:
    claim = SimpleNamespace(partition=2)

    def __init__(self, run):
        self.run = run


async def _raising(error):
    raise error


async def _panicking():
    NormalizedString(CANARY.decode()).filter(lambda _: 1)


def _lane_of_dispatcher(run):
    dispatcher = Dispatcher.__new__(Dispatcher)
    blamed = []

    async def blame(_claim, offset):
        blamed.append(offset)

    dispatcher._claims = SimpleNamespace(blame=blame)
    return dispatcher._run(_Lane(run)), blamed


def test_a_panic_in_a_lane_ends_the_process_by_its_kind_alone():
    running, blamed = _lane_of_dispatcher(_panicking)
    with pytest.raises(Halt, match=f"^stream.unforeseen: {PANIC}$") as caught:
        asyncio.run(running)
    assert not blamed
    assert caught.value.__suppress_context__


def test_a_crash_by_a_panic_is_told_to_the_claim():
    crash = Crashed(_Lane.claim, 7, PANIC)
    running, blamed = _lane_of_dispatcher(lambda: _raising(crash))
    with pytest.raises(Halt, match=PANIC):
        asyncio.run(running)
    assert blamed == [7]


def test_a_lane_that_is_cancelled_is_no_defect():
    running, _ = _lane_of_dispatcher(lambda: _raising(asyncio.CancelledError()))
    with pytest.raises(asyncio.CancelledError):
        asyncio.run(running)
