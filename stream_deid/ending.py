"""Signals of a process that does more than one thing: SIGTERM, SIGINT and SIGHUP drain it; what
debuggers send doesn't end it.
"""

from __future__ import annotations

import asyncio
import signal
import sys
from collections.abc import Callable, Collection
from contextlib import suppress
from typing import NoReturn

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


def leave(number: signal.Signals) -> NoReturn:
    """End by unwinding, so that all that was started is taken along."""
    sys.exit(128 + number)
