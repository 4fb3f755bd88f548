"""Tables of Markdown."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


def table(head: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    """A table; `|` and line ends in cells are escaped."""
    lines = [_row(head), _row(["---"] * len(head)), *(_row(row) for row in rows)]
    return "\n".join(lines) + "\n"


def code(text: str) -> str:
    """`text` as code; nothing for nothing."""
    return f"`{text}`" if text else ""


def _row(cells: Sequence[str]) -> str:
    told = (" ".join(cell.replace("|", "\\|").split()) for cell in cells)
    return "| " + " | ".join(told) + " |"
