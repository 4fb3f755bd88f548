"""One file through the whole path, in order: JSON lines in and out, or HL7 v2 in and out.

A message that can't be processed is left out of the output and gets a line of its own in the
rejects, with its number, a stable code and a detail without text of it. Outputs appear when the
whole file is done (`writing`); the status is 0 only where every message read was released.
"""

from __future__ import annotations

import asyncio
import itertools
import signal
from collections.abc import AsyncGenerator
from contextlib import ExitStack, aclosing
from dataclasses import dataclass, replace
from pathlib import Path
from typing import NoReturn

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stream_deid import config, ending, exits, stderr
from stream_deid.errors import Halt, NoteRejected
from stream_deid.files.keyed_order import Drawn
from stream_deid.files.reading import STANDARD, InputFile, opened
from stream_deid.files.recipients import Shown, inner, outer
from stream_deid.files.writing import OutputFile, check_paths, done
from stream_deid.formats.hl7.er7.batches import BatchOutput, miscounted
from stream_deid.outcome import Dead, Released
from stream_deid.processor import Processor
from stream_deid.streaming import deadletter
from stream_deid.streaming.kafka.records import records_of


@dataclass(frozen=True, slots=True)
class FileJob:
    """What to read, what to write, and how; `-` is standard input or output. `outer`: for those
    who must not see originals, as `stream-deid release` does it.
    """

    source: Path
    out: Path
    audit: Path
    dead: Path | None = None
    format: str = "auto"
    language: str = ""
    concurrency: int = 32
    overwrite: bool = False
    progress: bool = True
    outer: bool = False
    config: Path | None = None

    @property
    def rejects(self) -> Path:
        """Where rejects go: as named, else beside the output (or the audit)."""
        beside = self.audit if self.out == STANDARD else self.out
        return self.dead or beside.parent / f"{beside.name}.dead.jsonl"


@dataclass(frozen=True, slots=True)
class OutputFiles:
    """Where clean notes, audit and rejects go, and what of a released note is `shown` there."""

    out: OutputFile | Drawn
    audit: OutputFile | Drawn
    dead: OutputFile
    shown: Shown


@dataclass(slots=True)
class FileTally:
    """What became of the messages."""

    released: int = 0
    rejected: int = 0


def main(settings: config.Settings, job: FileJob) -> int:
    """Run the job; a status of `exits`. Raises `Halt` or `Unavailable`, and writes nothing then."""
    console = Console(file=stderr.stream())
    _check(settings, job)
    if job.language:
        formats = replace(settings.formats, language=job.language)
        settings = replace(settings, formats=formats)
    if not settings.keys.file and not settings.keys.value:
        console.print(
            "[yellow]No key is set: using a fresh one for this run. Surrogates will not match "
            "those of other runs (see `stream-deid keygen`).[/]"
        )
        settings = config.with_a_key(settings)
    ending.on_signal(_leave, heeded=ending.BY_ANYBODY)
    ended = Ended()
    with opened(job.source, job.format) as source:
        for told in miscounted(source.around, source.count):
            console.print(f"[yellow]{source.name}: {told}. Is the file whole?[/]")
        try:
            tally = asyncio.run(run(settings, job, source, console, ended))
        except asyncio.CancelledError:
            _leave(ended.by, partly=job.out == STANDARD)
    console.print(f"{tally.released} released to {job.out}, audit in {job.audit}")
    if tally.rejected:
        console.print(f"[red]{tally.rejected} rejected; see {job.rejects}[/]")
        return exits.REJECTS
    return exits.OK


def _leave(number: signal.Signals, *, partly: bool = False) -> NoReturn:
    """Told to end: say what there is of the outputs. `partly`: some went to standard output."""
    written = "what went to standard output is not the whole" if partly else "nothing is written"
    stderr.stream().write(f"stream-deid: ended by {number.name}: {written}, no file was replaced\n")
    ending.leave(number)


@dataclass(slots=True)
class Ended:
    """A signal cancels the run, so that what was begun is removed on the way out."""

    by: signal.Signals = signal.SIGTERM

    def watch(self) -> None:
        """From here on signals cancel the task that calls this."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        assert task is not None

        def cancel(number: signal.Signals) -> None:
            self.by = number
            task.cancel()

        ending.on_signal(cancel, loop=loop, heeded=ending.BY_ANYBODY)


def _check(settings: config.Settings, job: FileJob) -> None:
    if job.concurrency < 1:
        raise Halt("file.concurrency", "--concurrency must be 1 or more")
    if job.language and job.language not in settings.models:
        known = ", ".join(sorted(settings.models))
        raise Halt("file.language", f"--language {job.language}: models are configured for {known}")
    outputs = [("--out", job.out), ("--audit", job.audit), ("--dead", job.rejects)]
    needed = [*config.files_named(settings), *([job.config] if job.config else [])]
    check_paths(job.source, outputs, overwrite=job.overwrite, needed=needed)


async def run(
    settings: config.Settings, job: FileJob, source: InputFile, console: Console, ended: Ended
) -> FileTally:
    """Process every message of `source`, `concurrency` at a time, in order."""
    processor = await Processor.open(settings, **await records_of(settings))
    ended.watch()
    bar = Progress(
        TextColumn("de-identifying"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(),
        console=console, disable=not job.progress,
    )  # fmt: skip
    try:
        with ExitStack() as stack:
            files = _outputs(job, settings)
            outputs = files.audit, files.dead, files.out  # no clean note without its record
            for one in outputs:
                stack.enter_context(one)
            stack.enter_context(bar)
            tally = await _write(processor, job, source, files, bar)
            if tally.released + tally.rejected != source.count:
                raise Halt("file.incomplete", "not every message was processed; nothing is written")
            done(outputs)
    finally:
        await processor.close()
    return tally


def _outputs(job: FileJob, settings: config.Settings) -> OutputFiles:
    out, trail, dead = (
        OutputFile(job.out),
        OutputFile(job.audit),
        OutputFile(job.rejects, lazy=True),
    )
    if not job.outer:
        return OutputFiles(out, trail, dead, inner)
    key = config.read_key(settings.keys)
    return OutputFiles(Drawn(out, key), Drawn(trail, key), dead, outer(settings))


async def _write(
    processor: Processor, job: FileJob, source: InputFile, files: OutputFiles, bar: Progress
) -> FileTally:
    tally = FileTally()
    task = bar.add_task("notes", total=source.count)
    lines = _lines_of(job, source)
    async with aclosing(_process(processor, job, source)) as results:
        async for number, raw, result in results:
            if isinstance(result, Released):
                clean, audit = files.shown(result)
                files.out.write(lines.message(number, clean))
                files.audit.write(audit + b"\n")
                tally.released += 1
            else:
                files.dead.write(_reject(processor, source.name, number, raw, result))
                if around := lines.message(number, None):
                    files.out.write(around)
                tally.rejected += 1
            bar.advance(task)
    if rest := lines.rest():
        files.out.write(rest)
    return tally


class _Lines:
    """Each message with a line end of its own, nothing around them."""

    def __init__(self, end: bytes, *, always: bool = True) -> None:
        self._end, self._always = end, always

    def message(self, _number: int, clean: bytes | None) -> bytes:
        if clean is None:
            return b""
        return clean if clean.endswith((b"\r", b"\n")) and not self._always else clean + self._end

    def rest(self) -> bytes:
        return b""


def _lines_of(job: FileJob, source: InputFile) -> _Lines | BatchOutput:
    """How the messages that come out are put one behind the other; those that stand in a drawn
    order (`outer`) are in no batch.
    """
    if source.format != "hl7v2":
        return _Lines(b"\n")
    return _Lines(b"\r", always=False) if job.outer else BatchOutput(source.around)


async def _process(
    processor: Processor, job: FileJob, source: InputFile
) -> AsyncGenerator[tuple[int, bytes, Released | NoteRejected]]:
    async def one(number: int, raw: bytes) -> tuple[int, bytes, Released | NoteRejected]:
        place = {"file": source.name, "line": number}
        try:
            return number, raw, await processor.handle(raw, place, source.format)
        except NoteRejected as rejected:
            return number, raw, rejected

    messages = enumerate(source.messages(), start=1)
    waiting = [asyncio.create_task(one(*m)) for m in itertools.islice(messages, job.concurrency)]
    try:
        while waiting:
            yield await waiting.pop(0)
            waiting += [asyncio.create_task(one(*m)) for m in itertools.islice(messages, 1)]
    finally:
        for task in waiting:
            task.cancel()
        await asyncio.gather(*waiting, return_exceptions=True)


def _reject(
    processor: Processor, name: str, number: int, raw: bytes, rejected: NoteRejected
) -> bytes:
    letter = deadletter.render(
        {"file": name, "line": number},
        Dead(rejected.code, rejected.detail),
        mac=processor.mac(raw),
        size=len(raw),
        release=processor.release,
    )
    return letter + b"\n"
