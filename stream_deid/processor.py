"""The whole path of one message: parse, begin, score, finish, render.

What the worker and `files` drive: bytes and their coordinates go in, a clean message and its
audit record come out.
"""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AsyncExitStack, contextmanager
from functools import partial
from typing import TYPE_CHECKING, Any, ParamSpec, Self, TypeVar

from stream_deid import audit, budget, config, formats, seal, unsaid
from stream_deid.assembly import assemble, check
from stream_deid.detect.examination import Pending
from stream_deid.detect.neural.passages import Chunk, Heard, Scores
from stream_deid.errors import DeidError, Halt, NoteRejected, Unavailable
from stream_deid.formats import Format, sniff
from stream_deid.note import NO_HEADERS, AuditRecord, Deidentified, Headers, Note, Window
from stream_deid.outcome import (
    BYTES_A_SECOND,
    FAILED,
    Contact,
    Outcome,
    PatientRecord,
    PatientRecords,
    Released,
    Source,
    Stats,
)
from stream_deid.pipeline import Pipeline
from stream_deid.records import beside, looked_up
from stream_deid.serving import manifest
from stream_deid.serving.batcher import Scorer
from stream_deid.serving.build import cpu as engines
from stream_deid.serving.client import Client
from stream_deid.serving.local.server import carrier
from stream_deid.serving.service import AUTO, serving

if TYPE_CHECKING:
    from stream_deid.registry import SchemaRegistry

P = ParamSpec("P")
R = TypeVar("R")

SLICE = 128
"""So many windows of a note are scored at a time."""

BEGINNERS = 4
"""So many notes are parsed and begun at once. A note that has begun doesn't wait for all those
behind it: after an outage the first of many is out when it is done.
"""


class Processor:
    """Turns raw messages into outcomes; safe for many notes at once on one event loop."""

    def __init__(
        self,
        pipeline: Pipeline,
        scorer: Scorer | None,
        settings: config.Settings,
        key: bytes,
        client: Client | None = None,
        *,
        records: PatientRecords | None = None,
    ) -> None:
        self._client = client
        self._records = records
        self._pipeline = pipeline
        self._scorer = scorer
        self._settings = settings
        self._formats = formats.made(settings.formats, settings.formats.accept)
        self._readers = formats.made(settings.formats)
        self._registry = _registry(settings.registry)
        self._mac_key = audit.mac_key(key, settings.keys.tenant)
        self._seal_key = seal.seal_key(key, settings.keys.tenant)
        self._stack = AsyncExitStack()
        self._beginning = asyncio.Semaphore(BEGINNERS)

    @classmethod
    async def open(
        cls, settings: config.Settings, *, records: PatientRecords | None = None
    ) -> Self:
        """Everything checked and every model answering; raises `Halt` or `Unavailable`. `records`
        of patients are closed with it.

        `triton.url = "auto"` builds the CPU engines that are missing, and starts a Triton server
        of its own on this machine. Where no model is served, there is no server.
        """
        key = check(settings)
        names = settings.model_names
        if names and settings.triton.url == AUTO:
            repo = manifest.repository(settings.triton.repository)
            carrier()  # building takes minutes: say at once that nothing could serve
            for name in names:
                await asyncio.to_thread(engines.build, repo, name)
        async with AsyncExitStack() as stack:
            if names:
                served = await stack.enter_async_context(
                    serving(settings.triton, names, startup_s=settings.deadline_s)
                )
                made = assemble(settings, key, served.manifests)
                processor = cls(made, served.scorer, settings, key, served.client, records=records)
            else:
                processor = cls(assemble(settings, key, {}), None, settings, key, records=records)
            if records is not None:
                stack.callback(records.close)
            processor._stack = stack.pop_all()
        return processor

    @property
    def release(self) -> str:
        """The name of this release of code, models, policy and key epoch."""
        return self._pipeline.release

    def mac(self, raw: bytes) -> str:
        """The keyed hash of a message."""
        return audit.keyed_mac(self._mac_key, raw)

    def seal(self, kind: str, key: bytes | None, value: bytes) -> bytes:
        """The seal of a record."""
        return seal.seal(self._seal_key, kind, key, value)

    async def process(self, raw: bytes, source: Source) -> Outcome:
        """One message of a topic. Raises `NoteRejected`, `Unavailable`, `Halt`."""
        return await self.handle(raw, source.place, headers=source.headers)

    async def handle(
        self,
        raw: bytes,
        source: Mapping[str, Any],
        form: str = "auto",
        headers: Headers = NO_HEADERS,
    ) -> Released:
        """One message from anywhere: `source` goes into the audit record as it is."""
        steps = self._steps(raw)
        wire, note, clean, record, seen = await self._examine(raw, form, headers, steps)
        out = await steps.run("render", wire.render, note, clean)
        entry = await steps.run(
            "render", audit.render, record, source, self._mac_key, raw, out, records=seen
        )
        return Released(
            note=out,
            key=clean.patient_id.encode(),
            audit=entry,
            stats=Stats(
                seconds=steps.laps,
                phi=audit.types_released(clean.parts),
                words=sum(len(part.text.split()) for part in clean.parts),
                note=clean.note_id,
            ),
        )

    async def explain(self, raw: bytes, form: str = "auto") -> tuple[Note, Deidentified]:
        """What `handle` makes of a message, for somebody who may see both."""
        _, note, clean, *_ = await self._examine(raw, form, NO_HEADERS, self._steps(raw))
        return note, clean

    async def _examine(
        self, raw: bytes, form: str, headers: Headers, steps: _Steps
    ) -> tuple[Format, Note, Deidentified, AuditRecord, list[PatientRecord] | None]:
        async with self._beginning:
            wire, note = await steps.run("parse", self._parse, raw, form, headers)
            seen: list[PatientRecord] | None = None
            if self._records is not None:
                absent = self._settings.records.absent
                found = await looked_up(note, self._records)
                note, seen = await steps.run("begin", beside, note, found, absent, self._readers)
            pending = await steps.run("begin", self._pipeline.begin, note)
        deadline = time.monotonic() + self._settings.deadline_s + len(raw) / BYTES_A_SECOND
        heard = [await self._hear(pending, chunk, deadline, steps) for chunk in pending.chunks]
        clean, record = await steps.run("finish", self._pipeline.finish, pending, heard)
        return wire, pending.note, clean, record, seen

    async def _hear(self, pending: Pending, chunk: Chunk, deadline: float, steps: _Steps) -> Heard:
        """What the models say of one chunk; its windows and scores end here."""
        windows = await steps.run("begin", self._pipeline.windows, pending, chunk)
        with steps.lap("score"):
            scores = await self._score(windows, deadline)
        return await steps.run("finish", self._pipeline.hear, pending, chunk, windows, scores)

    async def _score(self, windows: Sequence[Window], deadline: float) -> list[Scores]:
        scores: list[Scores] = []
        if self._scorer is None:
            return scores  # no model is served, so none has windows
        try:
            for at in range(0, len(windows), SLICE):  # so that a long note leaves room for others
                scores += await self._scorer.score(windows[at : at + SLICE], deadline)
        except Halt as error:
            if not error.code.startswith("window."):
                raise
            raise failed("score", error) from None
        return scores

    async def answers(self) -> bool:
        """Whether every model answers an inference now, and the registry did when last asked."""
        if self._registry is not None and self._registry.away:
            return False
        if self._records is not None and self._records.away:
            return False
        return self._client is None or all((await self._client.healthy()).values())

    async def contact(self) -> Contact:
        """Since when a model has been silent, and what was asked again."""
        return await self._client.contact() if self._client else Contact()

    async def close(self) -> None:
        """Let go of the connection to the model server."""
        await self._stack.aclose()

    def _steps(self, raw: bytes) -> _Steps:
        allowed = budget.seconds(self._settings.budget_s, len(raw))
        return _Steps(budget.NoteBudget(allowed, time.monotonic, time.thread_time))

    def _parse(self, raw: bytes, form: str, headers: Headers) -> tuple[Format, Note]:
        if self._registry is not None and self._registry.wrote(raw):
            raw = self._registry.json(raw)
        name = sniff(raw) if form == "auto" else form
        wire = self._formats.get(name)
        if wire is None:
            raise NoteRejected("format.refused", f"format {name} is not among formats.accept")
        return wire, wire.parse(raw, headers)


def _registry(settings: config.Registry) -> SchemaRegistry | None:
    """The Schema Registry, if there is one. Raises `Halt("registry.missing")`."""
    if not settings.url:
        return None
    try:
        from stream_deid.registry import SchemaRegistry  # noqa: PLC0415 - libraries that few need
    except ImportError:
        raise Halt(
            "registry.missing", "registry.url is set: install stream-deid[registry]"
        ) from None
    return SchemaRegistry(settings)


def _blaming_the_note(stage: str, step: Callable[[], R]) -> R:
    """What a note makes the pure pipeline raise concerns that note: it becomes a dead letter.

    Nothing of it has left, and no other note is touched. Only what concerns the process passes: no
    task is cancelled and no signal comes in a thread, so whatever else a library raises here is a
    defect, a panic of one in Rust too, which is no `Exception`.
    """
    try:
        return step()
    except (NoteRejected, Unavailable, MemoryError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - whatever a defect raises; its words may quote the note
        raise failed(stage, error) from None


def failed(stage: str, error: BaseException) -> NoteRejected:
    """The rejection of a note that a defect of ours met: kind and place of the error, no words."""
    kind = error.code if isinstance(error, DeidError) else type(error).__qualname__
    return NoteRejected(FAILED, f"{stage}: {kind} at {unsaid.place(error.__traceback__)}")


class _Steps:
    """The steps of one note: each in a thread, on the note's account, blamed on it where it breaks.

    `laps`: seconds by stage, as they passed.
    """

    def __init__(self, account: budget.NoteBudget) -> None:
        self.laps: dict[str, float] = {}
        self._account = account

    async def run(
        self, stage: str, step: Callable[P, R], /, *args: P.args, **kwargs: P.kwargs
    ) -> R:
        """What `step` gives."""
        blamed = partial(_blaming_the_note, stage, partial(step, *args, **kwargs))
        with self.lap(stage):
            return await asyncio.to_thread(self._account.run, blamed)

    @contextmanager
    def lap(self, stage: str) -> Iterator[None]:
        """The time of the block is the stage's."""
        begun = time.perf_counter()
        yield
        self.laps[stage] = self.laps.get(stage, 0.0) + time.perf_counter() - begun
