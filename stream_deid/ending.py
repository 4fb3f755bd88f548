"""Signals of a service: SIGTERM, SIGINT and SIGHUP drain it; what debuggers send doesn't end it."""

from __future__ import annotations

import signal
import sys
from collections.abc import Callable

_DRAIN = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)
_LEAVE_ALONE = (signal.SIGUSR1, signal.SIGUSR2)


def on_signal(
    drain: Callable[[signal.Signals], object],
    ignored: Callable[[signal.Signals], object] = lambda _: None,
) -> None:
    """Have signals drain this process, and tell of those that do nothing. Where `nohup` has SIGHUP
    ignored it stays so.
    """
    for numbers, call in (_DRAIN, drain), (_LEAVE_ALONE, ignored):
        for number in numbers:
            if number != signal.SIGHUP or signal.getsignal(number) != signal.SIG_IGN:
                signal.signal(number, _handler(call))


def _handler(call: Callable[[signal.Signals], object]) -> Callable[[int, object], None]:
    def told(number: int, _frame: object) -> None:
        call(signal.Signals(number))

    return told


def leave(number: signal.Signals) -> None:
    """End by unwinding, so that all that was started is taken along."""
    sys.exit(128 + number)
