"""What a value is made of: stretches that stay as they are, and stretches of parts.

A value of a message (a string, a document) may hold several parts, or stretches of one part with
markup between them. `Slice`s say where; `written` puts the value together again.
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from stream_deid.budget import check
from stream_deid.labels import PhiType
from stream_deid.note import CleanPart, Edit


def plain(text: str) -> str:
    """The text as it is."""
    return text


@dataclass(frozen=True, slots=True)
class Slice:
    """`[start, end)` of the text of part number `part`; `raw` is how it stands in the value.

    `escape` writes changed text as the value needs it.
    """

    part: int
    start: int
    end: int
    raw: str = field(repr=False)
    escape: Callable[[str], str] = plain


Piece = str | Slice


class PartMaker(Protocol):
    """Who makes parts of what a document holds; each answer is the number of a part."""

    def text(self, text: str, path: str, seams: Sequence[int] = ()) -> int: ...

    def declared(self, text: str, path: str, phi: PhiType, length: int | None = None) -> int: ...


def written(pieces: Sequence[Piece], texts: Sequence[str], clean: Sequence[CleanPart]) -> str:
    """The value with every edit of its parts made; `texts[i]` is the text of part i as parsed."""
    return "".join(
        piece if isinstance(piece, str) else _stretch(piece, texts, clean[piece.part].edits)
        for piece in pieces
    )


def _stretch(piece: Slice, texts: Sequence[str], edits: Sequence[Edit]) -> str:
    """A stretch after editing; an edit over several stretches is written where it starts."""
    check()
    first = bisect_right(edits, piece.start, key=lambda e: e.finding.end)
    last = bisect_left(edits, piece.end, first, key=lambda e: e.finding.start)
    touching = edits[first:last]
    if not touching:
        return piece.raw
    text = texts[piece.part]
    out: list[str] = []
    at = piece.start
    for edit in touching:
        out.append(text[at : max(at, edit.finding.start)])
        if edit.finding.start >= piece.start:
            out.append(edit.replacement)
        at = min(edit.finding.end, piece.end)
    out.append(text[at : piece.end])
    return piece.escape("".join(out))
