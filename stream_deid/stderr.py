"""Standard error holds what this project says, and of what others say there the kind and how much.

Native libraries print by themselves (a panic in Rust, an assertion, what a debugging variable of
theirs asks for), and so do those of Python (a traceback): their words may quote a note. So
descriptor 2 becomes a pipe that this process reads itself, and what we say goes to a copy of the
former one. Nothing hangs on the reader: a pipe that is full refuses what is written to it, and at
a crash `faulthandler` tells kind and place past it.
"""

from __future__ import annotations

import atexit
import faulthandler
import fcntl
import logging
import os
import select
import sys
import threading
import time
from collections import Counter
from contextlib import suppress
from typing import TextIO

_STDERR, _STDOUT = 2, 1
_ROOM, _CHUNK = 1 << 20, 1 << 16
_LONGEST_LINE = 1 << 12
_EVERY_S = 60.0
_KINDS = (
    (b"panicked at", "panic"),
    (b"terminate called", "exception"),
    (b"Assertion", "assertion"),
    (b"Fatal Python error", "fatal"),
    (b"Traceback (most recent", "traceback"),
    (b"%3|", "librdkafka"),
    (b"OpenVINO", "openvino"),
    (b"onnxruntime", "onnxruntime"),
    (b"grpc", "grpc"),
)
"""By what stands in a line; a note that forges it gains a word of ours."""
_OTHER = "other"

_log = logging.getLogger("stream_deid.stderr")
_own: TextIO | None = None


def stream() -> TextIO:
    """Where this project says what it says."""
    return _own or sys.stderr


def alone(*, answers: bool) -> None:
    """From here on nobody else's words come out of this process. `answers`: it has an answer to
    give on standard output, which is left as it is.

    Does nothing where standard error is closed or is not this process's own (in a test).
    """
    global _own  # noqa: PLW0603 - a process has one standard error
    try:
        if _own is not None or sys.stderr.fileno() != _STDERR:
            return
        former = os.dup(_STDERR)
    except (AttributeError, OSError, ValueError):
        return
    reading, writing = os.pipe()
    with suppress(OSError):
        fcntl.fcntl(writing, fcntl.F_SETPIPE_SZ, _ROOM)
    os.set_blocking(reading, False)
    os.set_blocking(writing, False)
    sys.stderr.flush()
    _own = os.fdopen(former, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    for descriptor in (_STDERR,) if answers else (_STDERR, _STDOUT):
        os.dup2(writing, descriptor)
    os.close(writing)
    if faulthandler.is_enabled():
        faulthandler.enable(_own)
    if isinstance(logging.lastResort, logging.StreamHandler):
        logging.lastResort.setStream(_own)
    reader = _Reader(reading)
    threading.Thread(target=reader.run, name="words of others", daemon=True).start()
    atexit.register(reader.end)


class _Reader:
    """Reads what others say and tells that they did."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self._lock = threading.Lock()
        self._begun = b""
        self._untold: Counter[str] = Counter()
        self._told: dict[str, float] = {}

    def run(self) -> None:
        """For a thread of its own; ends with the process."""
        with suppress(OSError):  # somebody has closed it: words are left out all the same
            while True:
                select.select([self._descriptor], [], [])
                self.take()

    def end(self) -> None:
        """What was said last, with a line that has no end."""
        with suppress(OSError):
            os.write(_STDERR, b"\n")
        self.take(every_s=0.0)

    def take(self, *, every_s: float = _EVERY_S) -> None:
        """All that stands in the pipe by now; who goes on talking is told of so often."""
        with self._lock:
            with suppress(OSError):  # there is no more
                while chunk := os.read(self._descriptor, _CHUNK):
                    *lines, begun = (self._begun + chunk).split(b"\n")
                    self._begun = begun[:_LONGEST_LINE]
                    self._untold.update(_kind(line) for line in lines if line.strip())
            now = time.monotonic()
            for kind in [k for k in self._untold if now - self._told.get(k, -every_s) >= every_s]:
                self._told[kind] = now
                _tell(kind, self._untold.pop(kind))


def _tell(kind: str, lines: int) -> None:
    _log.warning(
        "words of a library are left out (%s, lines: %d)",
        kind,
        lines,
        extra={"ours": {"event": "words_left_out", "kind": kind, "lines": lines}},
    )


def _kind(line: bytes) -> str:
    return next((kind for words, kind in _KINDS if words in line), _OTHER)
