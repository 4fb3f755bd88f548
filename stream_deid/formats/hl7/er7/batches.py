r"""What lies around the messages of an HL7 v2 batch file. Source: HL7 v2.9, section 2.10.3.

file = [FHS] {[BHS] {message} [BTS]} [FTS]

A line of a text that begins alike ("BTS was given") is none of them: only a message or another of
them stands behind its line.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

OPENS = {"BTS": "BHS", "FTS": "FHS"}
"""The header of each trailer."""
_NAMED = re.compile(rb"(?:\A(?:\xef\xbb\xbf)?|[\r\n\x0b\x1c])([FB][HT]S)")
_END_OF_LINE = re.compile(rb"[\r\n\x1c]")
_SOMETHING = re.compile(rb"[^\r\n\x0b\x1c \t]")
_ENCODING = re.compile(rb"[^0-9A-Za-z_\s]{4,5}")
_LONGEST = 10  # figures of a count
_ORDINARY = rb"^~\&"


@dataclass(frozen=True, slots=True)
class BatchSegment:
    r"""A segment around messages: where it is, and how many messages stand before it.

    `declares`: a header's separators (`|^~\&`). `counts`: what a trailer says that there are (of
    messages, of batches); None where it says nothing.
    """

    name: str
    start: int
    before: int
    declares: bytes = b""
    counts: int | None = None


def batch_segments(raw: bytes, starts: Sequence[int]) -> Iterator[BatchSegment]:
    """The segments around the messages that begin at `starts`, in order."""
    separator = raw[starts[0] + 3 : starts[0] + 4] if starts else b"|"
    for at, end in _places(raw, separator, starts):
        name, first = raw[at : at + 3].decode(), raw[at + 4 : end].split(separator)[0]
        before = bisect_left(starts, at)
        if name in OPENS:
            yield BatchSegment(name, at, before, counts=_count(first))
        else:
            signs = _ENCODING.fullmatch(first)
            yield BatchSegment(name, at, before, separator + (signs[0] if signs else _ORDINARY))


def _count(written: bytes) -> int | None:
    return int(written) if written.isdigit() and len(written) < _LONGEST else None


def _places(raw: bytes, separator: bytes, starts: Sequence[int]) -> list[tuple[int, int]]:
    """Where each begins and its line ends. Behind it stands a message, another one or nothing: so
    no line of a text is one, and nothing is lost between them.
    """
    lines = []
    for found in _NAMED.finditer(raw):
        ended = _END_OF_LINE.search(raw, found.end())
        if raw[found.end() : found.end() + 1] in (separator, b"\r", b"\n", b"\x1c", b""):
            lines.append((found.start(1), ended.start() if ended else len(raw)))
    follows, places = {*starts, len(raw)}, []
    for at, end in reversed(lines):
        beyond = _SOMETHING.search(raw, end)
        if (beyond.start() if beyond else len(raw)) in follows:
            follows.add(at)
            places.append((at, end))
    return places[::-1]


def miscounted(segments: Sequence[BatchSegment], messages: int) -> Iterator[str]:
    """What each trailer that doesn't agree with what stands before it says."""
    begun, batches = 0, 0
    for one in segments:
        if one.name == "BHS":
            begun, batches = one.before, batches + 1
        there = one.before - begun if one.name == "BTS" else batches
        if one.name in OPENS and one.counts not in (None, there):
            yield f"{one.name}-1 says {one.counts:,} where {there:,} are"
    open_ = sum({"FHS": 1, "FTS": -1}.get(one.name, 0) for one in segments)
    if open_ > 0:
        yield f"FHS without FTS behind {messages:,} messages"


class BatchOutput:
    """Puts segments around the messages that come out, in order, with the counts of these.

    Of headers the separators stay. Applications, files, times, security and comments are withheld:
    they tell of the sender and of days.
    """

    def __init__(self, segments: Sequence[BatchSegment]) -> None:
        self._left = list(reversed(segments))
        self._messages = self._batches = 0
        self._ended = True
        self._separator = b"|"

    def message(self, number: int, clean: bytes | None) -> bytes:
        """What is written for message `number` of the input, from 1; None: it was rejected."""
        written = self._around(number)
        if clean is None:
            return written
        self._messages += 1
        written += self._after_an_end() + clean
        self._ended = clean.endswith((b"\r", b"\n"))
        return written

    def rest(self) -> bytes:
        """What is written behind the last message."""
        return self._around(None)

    def _around(self, number: int | None) -> bytes:
        written = b""
        while self._left and (number is None or self._left[-1].before < number):
            written += self._after_an_end() + self._written(self._left.pop()) + b"\r"
            self._ended = True
        return written

    def _after_an_end(self) -> bytes:
        return b"" if self._ended else b"\r"

    def _written(self, one: BatchSegment) -> bytes:
        if one.name not in OPENS:
            self._separator = one.declares[:1]
            if one.name == "BHS":
                self._messages, self._batches = 0, self._batches + 1
            return one.name.encode() + one.declares
        count = self._messages if one.name == "BTS" else self._batches
        return b"%s%s%d" % (one.name.encode(), self._separator, count)
