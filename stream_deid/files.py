"""`stream-deid file`: the same path as the worker's, over a file instead of a topic.

JSON lines in, JSON lines out, in the same order; or HL7 v2, one or more messages in one file,
in and out. A message that can't be processed is left out of the output and gets a line of its own
in the rejects, with its line (or message) number, a stable code and a detail without text of it.
"""

from __future__ import annotations

import asyncio
import itertools
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path
from typing import BinaryIO, Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stream_deid import config
from stream_deid.errors import Halt, NoteRejected
from stream_deid.formats import sniff
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.outcome import Dead, Released
from stream_deid.processor import Processor
from stream_deid.streaming import deadletter

EXIT_REJECTS = 3
_SNIFF_BYTES = 4096


@dataclass(frozen=True, slots=True)
class Job:
    """What to read, what to write, and how."""

    source: Path
    out: Path
    audit: Path
    dead: Path
    format: str = "auto"
    language: str = ""
    concurrency: int = 32
    progress: bool = True


@dataclass(slots=True)
class Tally:
    """What became of the messages."""

    released: int = 0
    rejected: int = 0


def main(settings: config.Settings, job: Job) -> int:
    """Run the job; 0, or `EXIT_REJECTS` where messages were rejected."""
    console = Console(stderr=True)
    if job.language:
        formats = replace(settings.formats, language=job.language)
        settings = replace(settings, formats=formats)
    if not settings.keys.file and not settings.keys.value:
        console.print(
            "[yellow]No key is set: using a fresh one for this run. Surrogates will not match "
            "those of other runs (see `stream-deid keygen`).[/]"
        )
        settings = config.with_a_key(settings)
    tally = asyncio.run(run(settings, job, console))
    console.print(f"{tally.released} released to {job.out}, audit in {job.audit}")
    if tally.rejected:
        console.print(f"[red]{tally.rejected} rejected; see {job.dead}[/]")
        return EXIT_REJECTS
    return 0


async def run(settings: config.Settings, job: Job, console: Console) -> Tally:
    """Process every message of the job's file, `concurrency` at a time, in order."""
    form, count = _examine(job)
    processor = await Processor.open(settings)
    tally = Tally()
    bar = Progress(
        TextColumn("de-identifying"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=console, disable=not job.progress,
    )  # fmt: skip
    try:
        with ExitStack() as stack:
            out = stack.enter_context(job.out.open("wb"))
            trail = stack.enter_context(job.audit.open("wb"))
            dead = stack.enter_context(_Lazy(job.dead))
            stack.enter_context(bar)
            task = bar.add_task("notes", total=count)
            end = b"" if form == "hl7v2" else b"\n"
            async for number, raw, result in _process(processor, job, form):
                if isinstance(result, Released):
                    out.write(result.note + end)
                    trail.write(result.audit + b"\n")
                    tally.released += 1
                else:
                    dead.write(_reject(processor, job, number, raw, result))
                    tally.rejected += 1
                bar.advance(task)
    finally:
        await processor.close()
    return tally


async def _process(
    processor: Processor, job: Job, form: str
) -> AsyncIterator[tuple[int, bytes, Released | NoteRejected]]:
    async def one(number: int, raw: bytes) -> tuple[int, bytes, Released | NoteRejected]:
        source = {"file": job.source.name, "line": number}
        try:
            return number, raw, await processor.handle(raw, source, form)
        except NoteRejected as rejected:
            return number, raw, rejected

    messages = enumerate(_messages(job.source, form), start=1)
    waiting = [asyncio.create_task(one(*m)) for m in itertools.islice(messages, job.concurrency)]
    try:
        while waiting:
            yield await waiting.pop(0)
            waiting += [asyncio.create_task(one(*m)) for m in itertools.islice(messages, 1)]
    finally:
        for task in waiting:
            task.cancel()


def _examine(job: Job) -> tuple[str, int]:
    """The file's format and how many messages it holds. Raises `Halt` where it can't be read."""
    try:
        with job.source.open("rb") as file:
            form = sniff(file.read(_SNIFF_BYTES)) if job.format == "auto" else job.format
        return form, sum(1 for _ in _messages(job.source, form))
    except OSError as error:
        raise Halt("file.unreadable", f"{job.source}: {error.strerror}") from None


def _messages(path: Path, form: str) -> Iterator[bytes]:
    if form == "hl7v2":
        yield from hl7v2.split(path.read_bytes())
        return
    with path.open("rb") as file:
        for line in file:
            stripped = line.rstrip(b"\r\n")
            if stripped:
                yield stripped


def _reject(
    processor: Processor, job: Job, number: int, raw: bytes, rejected: NoteRejected
) -> bytes:
    letter = deadletter.render(
        {"file": job.source.name, "line": number},
        Dead(rejected.code, rejected.detail),
        mac=processor.mac(raw),
        size=len(raw),
        release=processor.release,
    )
    return letter + b"\n"


class _Lazy:
    """A file that is made when the first byte is written to it."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._file: BinaryIO | None = None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        if self._file is not None:
            self._file.close()

    def write(self, data: bytes) -> None:
        if self._file is None:
            self._file = self._path.open("wb")
        self._file.write(data)
