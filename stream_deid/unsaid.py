"""What Python says by itself of an error that nobody takes: its kind and place, never its words.

Words of an error may quote a note, and so may what a library logs where no log is configured
(`streaming/observability/logs` reduces those of services).
"""

from __future__ import annotations

import logging
import sys
import threading
import traceback
import warnings
from pathlib import Path
from types import TracebackType
from typing import TextIO

from stream_deid import stderr

OWN = "stream_deid"
_HERE = f"{Path(__file__).parent}/"


def reduce() -> None:
    """From here on: in threads, in destructors and callbacks, at the end, and in logs."""
    threading.excepthook = lambda told: _say(
        f"a thread ({_thread(told.thread)})", told.exc_type, told.exc_traceback
    )
    sys.unraisablehook = lambda told: _say("a callback", told.exc_type, told.exc_traceback)
    sys.excepthook = lambda kind, _, trace: _say("this process", kind, trace)
    warnings.showwarning = _warn
    last = logging.StreamHandler(stderr.stream())
    last.setLevel(logging.WARNING)
    last.setFormatter(_Reduced())
    logging.lastResort = last
    logging.raiseExceptions = False  # a record that can't be formatted would be printed whole


def line_of(file: str, number: int | None) -> str:
    """A line of code as it is told everywhere: its file with the folder around it, its number."""
    return f"{'/'.join(Path(file).parts[-2:])}:{number}"


def passed(trace: TracebackType | None) -> list[str]:
    """The lines that an error passed, each with the function around it; the last is innermost."""
    frames = traceback.extract_tb(trace)
    return [f"{line_of(frame.filename, frame.lineno)} {frame.name}" for frame in frames]


def place(trace: TracebackType | None) -> str:
    """Where an error came from: the last line of this project that it passed, else the last."""
    frames = traceback.extract_tb(trace)
    if not frames:
        return "?"
    ours = (frame for frame in reversed(frames) if frame.filename.startswith(_HERE))
    at = next(ours, frames[-1])
    return line_of(at.filename, at.lineno)


def _say(whose: str, kind: type[BaseException] | None, trace: TracebackType | None) -> None:
    if kind is None or issubclass(kind, SystemExit) or stderr.stream() is None:
        return
    at = place(trace)
    stderr.stream().write(f"stream-deid: defect: {kind.__qualname__} at {at} in {whose}\n")


def _warn(  # noqa: PLR0917 - as Python calls it
    message: Warning | str,  # noqa: ARG001
    category: type[Warning],
    filename: str,
    lineno: int,
    file: TextIO | None = None,  # noqa: ARG001
    line: str | None = None,  # noqa: ARG001
) -> None:
    if stderr.stream() is not None:
        at = line_of(filename, lineno)
        stderr.stream().write(f"stream-deid: {category.__name__} at {at}\n")


def _thread(thread: threading.Thread | None) -> str:
    """Its name; of one that is called after what it does, that it has none of its own."""
    return thread.name if thread is not None and thread.name.isascii() else "?"


class _Reduced(logging.Formatter):
    """Our own words, of others where they said something; no errors' words."""

    def format(self, record: logging.LogRecord) -> str:
        error = record.exc_info[1] if record.exc_info else None
        met = ""
        if error is not None:
            met = f" ({type(error).__qualname__} at {place(error.__traceback__)})"
        if record.name.partition(".")[0] == OWN:
            return f"{record.getMessage()}{met}"
        at = line_of(record.pathname, record.lineno)
        return f"{record.levelname.lower()} of {record.name} at {at}{met}"
