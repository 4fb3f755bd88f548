"""The processor time that one note may take outside of the models, and its end.

Whatever loops over what a note holds asks `check()` at each turn. That costs a look at a clock that
the system reads without a call into the kernel: no thread spends more of a processor's time than
passes, so what it has spent is asked for only once that much has passed since it was asked for
last. The clocks are handed in by who sets the budget; where nobody has, `check` does nothing.
"""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from typing import TypeVar

from stream_deid.errors import NoteRejected

R = TypeVar("R")

BYTES_A_BUDGET_SECOND = 1000
"""Beyond the least that every note has, a second for so many bytes of its message: some thirty
times what an ordinary note takes (docs/security.md).
"""


class NoteBudget:
    """What one note has left, over all of its steps, whichever threads run them.

    `passing` reads a clock that goes on whatever this thread does, `spending` the processor time
    of this thread.
    """

    __slots__ = ("_left", "_passing", "_spending", "_stop", "_until")

    def __init__(
        self, seconds: float, passing: Callable[[], float], spending: Callable[[], float]
    ) -> None:
        self._left, self._passing, self._spending = seconds, passing, spending
        self._stop = self._until = 0.0

    @property
    def left(self) -> float:
        """Seconds that are left between two steps."""
        return self._left

    def run(self, step: Callable[[], R]) -> R:
        """One step of the note, on its account. Raises `NoteRejected("note.too_costly")`."""
        self._stop = self._spending() + self._left
        self._until = self._passing() + self._left
        before = _in_force.set(self)
        try:
            self.check()
            return step()
        finally:
            _in_force.reset(before)
            self._left = self._stop - self._spending()

    def check(self) -> None:
        """Raises `NoteRejected("note.too_costly")` once nothing is left."""
        if self._passing() < self._until:
            return
        left = self._stop - self._spending()
        if left <= 0:
            raise NoteRejected(
                "note.too_costly", "it takes more processor time than a note of its size has"
            )
        self._until = self._passing() + left


_in_force: ContextVar[NoteBudget | None] = ContextVar("stream_deid_budget", default=None)


def seconds(least: float, size: int) -> float:
    """What a note has whose message is of `size` bytes; no end of it where `least` is 0."""
    return least + size / BYTES_A_BUDGET_SECOND if least else float("inf")


def check() -> None:
    """One more turn of a loop over what a note holds.

    Raises `NoteRejected("note.too_costly")` where the note has spent what it has.
    """
    budget = _in_force.get()
    if budget is not None:
        budget.check()
