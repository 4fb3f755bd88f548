"""One pass from a text and its edits to the new text, and the map between their offsets."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Sequence

from stream_deid.errors import Halt
from stream_deid.note import Edit, Finding


def place(replacements: Iterable[tuple[Finding, str, str]]) -> tuple[Edit, ...]:
    """Edits with their output offsets, from (finding, replacement, strategy) in text order.

    Raises `Halt("edit.order")` where findings overlap or are out of order.
    """
    edits: list[Edit] = []
    shift = last = 0
    for finding, replacement, strategy in replacements:
        if finding.start < last:
            raise Halt("edit.order", "findings of a part must be disjoint and in order")
        start = finding.start + shift
        edits.append(Edit(finding, replacement, strategy, start, start + len(replacement)))
        shift += len(replacement) - (finding.end - finding.start)
        last = finding.end
    return tuple(edits)


def rewrite(text: str, edits: Sequence[Edit]) -> str:
    """`text` with every edit applied, in one pass.

    Raises `Halt("edit.order")` where edits overlap, are out of order or lie outside the text,
    and `Halt("edit.place")` where an edit's output offsets are not those of its replacement.
    """
    pieces: list[str] = []
    last = length = 0
    for edit in edits:
        start, end = edit.finding.start, edit.finding.end
        if start < last or end > len(text):
            raise Halt("edit.order", "edits must be disjoint, in order and inside the text")
        pieces.append(text[last:start])
        length += start - last
        if edit.out_start != length:
            raise Halt("edit.place", "an edit's output offsets are not where it is written")
        pieces.append(edit.replacement)
        length += len(edit.replacement)
        last = end
    pieces.append(text[last:])
    return "".join(pieces)


def map_offset(edits: Sequence[Edit], offset: int) -> int:
    """Where the character at `offset` of the source stands in the output.

    Offsets inside a replaced span map to the start of its replacement.
    """
    index = bisect_right(edits, offset, key=lambda e: e.finding.start) - 1
    if index < 0:
        return offset
    edit = edits[index]
    if offset < edit.finding.end:
        return edit.out_start
    return edit.out_end + offset - edit.finding.end
