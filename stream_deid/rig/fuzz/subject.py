"""What is fuzzed: the worker's path of one message, with votes drawn instead of a model's.

Formats, patterns, record matching, windows, settling, surrogates, rendering, audit, the reaction to
errors and the dead letter are the real ones (`streaming.examine`); there is no broker.
"""

from __future__ import annotations

import asyncio
import io
import random
import re
import time
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from dataclasses import dataclass, field, replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

from stream_deid.config import Formats, PolicySettings, Settings
from stream_deid.detect.examination import Detector, Language, passages_of, plain_readings
from stream_deid.detect.neural.passages import Scores
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.note import Detection, Note, Window
from stream_deid.outcome import Dead, Released
from stream_deid.pipeline import Pipeline
from stream_deid.processor import Processor
from stream_deid.rig.fuzz.drawn_scores import drawn, tagger
from stream_deid.rig.fuzz.messages import FuzzInput
from stream_deid.serving.batcher import Scorer
from stream_deid.streaming import deadletter
from stream_deid.streaming.delivery import PartitionClaim
from stream_deid.streaming.examine import Examiner
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import POLICIES, Policy

KEY = b"a key for fuzzing, known to everybody"
RELEASE = "fuzz"
SETTINGS = replace(
    Settings(),
    deadline_s=0.01,
    formats=Formats(json_maps=(str(Path(__file__).parent / "data/map.toml"),)),
)


@dataclass(frozen=True, slots=True)
class Result:
    """What became of one message.

    `error`: what came out instead of an outcome. `letter`: the dead letter of a `Dead`. `note`: as
    it was parsed, where it got so far. `seconds`: CPU time of this process.
    """

    outcome: Released | Dead | None
    error: BaseException | None = field(repr=False)
    letter: bytes = field(repr=False)
    note: Note | None = field(repr=False)
    log: str = field(repr=False)
    seconds: float = 0.0

    @property
    def written(self) -> bytes:
        """Everything that would be published."""
        if isinstance(self.outcome, Released):
            return b"\n".join((self.outcome.note, self.outcome.key, self.outcome.audit))
        return self.letter


class Votes:
    """Stands where detectors stand, to see the note, and where the models stand, to score it."""

    def __init__(self) -> None:
        self.note: Note | None = None
        self._rng = random.Random()
        self._named = re.compile(r"(?!)")

    def begin(self, one: FuzzInput) -> None:
        """The next message gets the votes of its seed."""
        self.note, self._rng, self._named = None, random.Random(one.votes), one.named

    def detect(self, text: str, note: Note) -> list[Detection]:  # noqa: ARG002 - the signatures that are asked for
        self.note = note
        return []

    async def score(self, windows: Sequence[Window], deadline: float) -> list[Scores]:  # noqa: ARG002
        if not windows:
            return []
        assert self.note is not None
        texts = [one.text for one in passages_of(self.note, plain_readings(self.note))]
        return drawn(windows, texts, self.note.language, self._rng, self._named)


Assemble = Callable[[str, Votes], Pipeline]


def assemble(policy: str, votes: Votes, *more: Detector) -> Pipeline:
    """The pipeline that a worker has under this policy, but for the models."""
    setups = {
        code: Language((votes, Patterns(code), KnownIdentifiers(), *more), (tagger(code),))
        for code in ("en", "es")
    }
    return Pipeline(setups, Surrogates(Policy.named(policy), KEY), RELEASE)


class _AtOnce(ThreadPoolExecutor):
    """Runs what it is given where it is called: one message at a time gains nothing by threads, and
    handing it over and back costs more than most messages do on a busy machine.
    """

    def submit(self, fn: Callable[..., Any], /, *args: Any, **named: Any) -> Future[Any]:
        done: Future[Any] = Future()
        try:
            done.set_result(fn(*args, **named))
        except Exception as error:  # noqa: BLE001 - as a thread of a pool does
            done.set_exception(error)
        return done


class Subject:
    """One processor for each policy, on an event loop of their own; catches every log line.

    Takes over the logging of this process; `close` lets go of the loop.
    """

    def __init__(self, make: Assemble = assemble) -> None:
        self._votes = Votes()
        self._processors: Mapping[str, Processor] = {
            name: Processor(
                make(name, self._votes),
                cast(Scorer, self._votes),
                replace(SETTINGS, policy=PolicySettings(name)),
                KEY,
            )
            for name in POLICIES
        }
        self._log = io.StringIO()
        logs.configure(self._log)
        self._loop = asyncio.new_event_loop()
        self._loop.set_default_executor(_AtOnce(1))

    def close(self) -> None:
        self._loop.run_until_complete(self._loop.shutdown_default_executor())
        self._loop.close()

    def take(self, one: FuzzInput) -> Result:
        """One message through the whole path; the same message gets the same votes."""
        processor = self._processors[one.policy]
        message = SimpleNamespace(
            topic="fuzz", partition=0, offset=one.number, value=one.raw, headers=None
        )
        self._votes.begin(one)
        self._log.seek(0)
        self._log.truncate()
        began = time.process_time()
        outcome: Released | Dead | None = None
        error: BaseException | None = None
        letter = b""
        try:
            outcome = self._loop.run_until_complete(_outcome(processor, message))
        except Exception as caught:  # noqa: BLE001 - finding it is what this is for
            error = caught
        seconds = time.process_time() - began
        if isinstance(outcome, Dead):
            mac, place = processor.mac(one.raw), {"topic": "fuzz", "offset": one.number}
            letter = deadletter.render(
                place, outcome, mac=mac, size=len(one.raw), release=processor.release
            )
        return Result(outcome, error, letter, self._votes.note, self._log.getvalue(), seconds)


async def _outcome(processor: Processor, message: Any) -> Released | Dead:
    examiner = Examiner(processor, Metrics(), asyncio.Event(), deadline_s=SETTINGS.deadline_s)
    claim = cast(PartitionClaim, SimpleNamespace(condemned=lambda _: False))
    return (await examiner.parcel(claim, message)).outcome
