"""A text as patterns see it, with the way back to where everything stands."""

from __future__ import annotations

from stream_deid.budget import check
from stream_deid.text.folding import INVISIBLE, OVER, folded

_LEFT_OUT = INVISIBLE | OVER


class View:
    """A text as patterns see it: ASCII (`text` and its bytes `raw`), with the way back.

    `memo` keeps what checks find out about the whole text.
    """

    __slots__ = ("_ends", "_origin", "lower", "memo", "raw", "text")

    def __init__(self, original: str) -> None:
        check()
        self.memo: dict[str, object] = {}
        self._origin: list[int] | None = None
        self._ends: list[int] = []
        if not original.isascii() and not _LEFT_OUT.isdisjoint(original):
            self._origin = [i for i, c in enumerate(original) if c not in _LEFT_OUT]
            self._ends = [_behind_marks(original, i + 1) for i in self._origin]
            original = "".join(original[i] for i in self._origin)
        self.text = folded(original)
        self.lower = self.text.lower()
        self.raw = self.text.encode("ascii")

    def origin(self, start: int, end: int) -> tuple[int, int]:
        """Offsets in the original text of `text[start:end]`, end > start."""
        if self._origin is None:
            return start, end
        return self._origin[start], self._ends[end - 1]


def _behind_marks(text: str, at: int) -> int:
    """Where the marks end that stand over the letter before `at`."""
    while at < len(text) and text[at] in OVER:
        at += 1
    return at
