"""How a process ends: by which signals, and with the status that it has.

SIGTERM, SIGINT and SIGHUP drain one that does more than one thing; what debuggers send doesn't
end it.
"""

from __future__ import annotations

import atexit
import faulthandler
import os
import signal
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import TYPE_CHECKING, NoReturn

from stream_deid import exits, stderr, unsaid

if TYPE_CHECKING:
    import asyncio

_DRAIN = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_LEAVE_ALONE = (signal.SIGUSR1, signal.SIGUSR2)
BY_NOHUP = (signal.SIGHUP,)
BY_ANYBODY = _DRAIN
"""A shell has SIGINT ignored by what it starts in the background of a script."""

Call = Callable[[signal.Signals], object]


def on_signal(
    drain: Call,
    ignored: Call = lambda _: None,
    *,
    loop: asyncio.AbstractEventLoop | None = None,
    heeded: Collection[signal.Signals] = BY_NOHUP,
) -> None:
    """Have signals drain this process, and tell of those that do nothing. With `loop` both are told
    in it (where a signal arrives may be a callback of a library, which swallows what is raised),
    and nothing is once it is closed. Which of `heeded` are ignored stay so.
    """
    for numbers, call in (_DRAIN, drain), (_LEAVE_ALONE, ignored):
        for number in numbers:
            if number not in heeded or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, _handler(call, loop))


def _handler(call: Call, loop: asyncio.AbstractEventLoop | None) -> Callable[[int, object], None]:
    def told(number: int, _frame: object) -> None:
        if loop is None:
            call(signal.Signals(number))
            return
        with suppress(RuntimeError):  # it is closed: all is done
            loop.call_soon_threadsafe(call, signal.Signals(number))

    return told


def as_process(run: Callable[[], int]) -> NoReturn:
    """Be a process that does nothing but `run` and ends with its status.

    What native libraries do when a process exits is left out: they take down what threads of
    theirs still use (seen: OpenSSL in librdkafka, SIGSEGV), and the status is lost. Python's own
    is done: threads that are no daemons, `atexit`, streams. A native crash before that tells which
    lines of code ran, which hold no text.

    To be called before anything else that may be called at the exit.
    """
    status = exits.CRASHED
    unsaid.reduce()

    def end() -> None:
        unwritten = _flushed()
        os._exit(status or unwritten)

    atexit.register(end)
    with suppress(RuntimeError, ValueError, OSError):  # no standard error
        faulthandler.enable()
    try:
        status = run()
    except SystemExit as ended:
        if isinstance(ended.code, str):
            raise
        status = int(ended.code or 0)
    sys.exit(status)


def _flushed() -> int:
    """0, or what it is called where the last of an output can't be written."""
    try:
        for stream in (stderr.stream(), sys.stdout):
            if stream is not None and not stream.closed:
                stream.flush()
    except BrokenPipeError:
        return exits.CRASHED
    except OSError as error:
        line = f"stream-deid: file.system: an output: {error.strerror}\n"
        os.write(stderr.stream().fileno(), line.encode())
        return exits.MISCONFIGURED
    return exits.OK


def leave(number: signal.Signals) -> NoReturn:
    """End by unwinding, so that all that was started is taken along."""
    sys.exit(128 + number)
