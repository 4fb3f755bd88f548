"""The stretches of a text that the fast paths compare: sentences, and pieces of them at a colon.

The same cutting serves mining and the service, so that what was counted is what is met.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from stream_deid.text.folding import folded
from stream_deid.text.sentences import sentences

_MARK = re.compile(r"(?:[-*+>#=_\s\ufeff]|[•·▪–—]|\(?[0-9]{1,2}[.)](?=\s)|\(?[a-z]\)(?=\s))+")
"""What opens an item of a list, or a file (a byte order mark)."""
_COLON = re.compile(r"[^\W\d_][^\W\d_ /()&,-]*(?:[ /()&,-]+[^\W\d_ /()&,-]+){0,5}:\s+")
"""A heading in a line: up to six words without digits, and a colon."""
_EDGES = " \t\r\n.,;:!?()[]"


def whole(text: str) -> Iterator[tuple[int, int]]:
    """`[start, end)` of each sentence, without the mark that opens an item of a list."""
    for start, end in sentences(text):
        mark = _MARK.match(text, start, end)
        first = mark.end() if mark else start
        if first < end:
            yield first, end


def pieces(
    text: str, sentences_: Iterable[tuple[int, int]] | None = None
) -> Iterator[tuple[int, int]]:
    """The same, cut behind a heading that opens it ("Lungs: clear to auscultation").

    `sentences_`: what `whole` says of the text, where that is known.
    """
    for start, end in whole(text) if sentences_ is None else sentences_:
        heading = _COLON.match(text, start, end)
        if heading is None:
            yield start, end
            continue
        yield start, start + len(heading.group().rstrip())
        yield heading.end(), end


def normal(sentence: str) -> str:
    """The form in which sentences are compared: folded, lower-case, single spaces, bare edges."""
    return " ".join(folded(sentence).lower().split()).strip(_EDGES)
