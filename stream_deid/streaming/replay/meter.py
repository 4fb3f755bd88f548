"""How far a replay is: a bar on a terminal, else a line in the log now and then."""

from __future__ import annotations

import time
from collections.abc import Callable
from types import TracebackType
from typing import Self

from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from stream_deid import stderr
from stream_deid.streaming.observability import logs

_log = logs.get("replay")


class Meter:
    """Counts towards `total` offsets; `done` of them before this run."""

    def __init__(
        self,
        total: int,
        *,
        every_s: float = 10.0,
        bar: bool | None = None,
        now: Callable[[], float] = time.monotonic,
    ) -> None:
        self._total, self._every_s, self._now = total, every_s, now
        self._done, self._began = 0, now()
        self._told = self._began
        shown = stderr.stream().isatty() if bar is None else bar
        self._bar = Progress(
            TextColumn("replaying"), BarColumn(), MofNCompleteColumn(),
            TextColumn("{task.fields[rate]:.1f}/s"), TimeRemainingColumn(),
            console=Console(file=stderr.stream()), disable=not shown,
        )  # fmt: skip
        self._task = self._bar.add_task("notes", total=total, rate=0.0)

    def __enter__(self) -> Self:
        self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._bar.stop()
        self.tell()

    @property
    def rate(self) -> float:
        """Notes a second of this run."""
        return self._done / max(self._now() - self._began, 1e-9)

    def advance(self, count: int) -> None:
        """So many more are done."""
        self._done += count
        self._bar.update(self._task, advance=count, rate=self.rate)
        if self._now() - self._told >= self._every_s:
            self.tell()

    def tell(self) -> None:
        """Now, into the log; `left_s` where a rate is known."""
        self._told = self._now()
        left = (self._total - self._done) / self.rate if self._done else None
        _log.info(
            "replaying", done=self._done, total=self._total, notes_per_s=round(self.rate, 2),
            left_s=None if left is None else round(left),
        )  # fmt: skip
