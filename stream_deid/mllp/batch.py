"""A batch in one block, and the batch of its answers (HL7 v2.9, section 2.10.3).

    [FHS] {[BHS] {message} [BTS]} [FTS]

Its messages are taken one by one, all or none: where one can't be read, none is. The answer is a
batch alike, with an acknowledgment for each message that wants one; BHS-12 (FHS-12) names the
batch (file) that it answers, by BHS-11 (FHS-11).
"""

from __future__ import annotations

import uuid
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime

from stream_deid.errors import NoteRejected
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.hl7.er7.batches import OPENS, BatchSegment
from stream_deid.mllp.header import NO_HEADER, Header, of_line

_HEADERS = (b"FHS", b"BHS")
_NUMBER, _ANSWERS = 11, 12  # of FHS and BHS: its own control id, that of the one it answers


@dataclass(frozen=True, slots=True)
class Batch:
    """`around` are the segments around its messages, `headers` what stands in those that open."""

    messages: tuple[bytes, ...] = field(repr=False)
    around: tuple[BatchSegment, ...]
    headers: tuple[Header, ...] = field(repr=False)

    def answered(self, answers: Sequence[bytes]) -> bytes:
        """The batch of its answers, each in its place; an empty one is left out."""
        return _Answered(self).whole(answers)


def begins(body: bytes) -> bool:
    """Whether a block is a batch."""
    try:
        of_line(body, _HEADERS)
    except NoteRejected:
        return False
    return True


def lead(body: bytes) -> Header:
    """What a batch says of its sender and receiver, for an answer to none of its messages."""
    head = of_line(body, _HEADERS)
    return Header(head.separator, head.fields[:6])


def unread(body: bytes) -> Batch:
    """A batch that can't be cut into messages, as far as an answer needs it."""
    head = of_line(body, _HEADERS)
    return Batch((), (BatchSegment(head.fields[0].decode(), 0, 0),), (head,))


def read(body: bytes, *, most: int) -> Batch:
    """Cut a block that `begins` so. Raises `NoteRejected`: `hl7.batch` (it is not all there),
    `mllp.batch` (more than `most` messages).
    """
    messages, around = hl7v2.cut(body)
    if len(messages) > most:
        raise NoteRejected("mllp.batch", f"more than {most:,} messages, half of mllp.window")
    headers = (
        NO_HEADER if one.name in OPENS else of_line(body[one.start :], (one.name.encode(),))
        for one in around
    )
    return Batch(tuple(messages), tuple(around), tuple(headers))


class _Answered:
    """Puts answers where the messages stood; a batch or file that has no trailer gets one."""

    def __init__(self, batch: Batch) -> None:
        self._batch = batch
        self._out: list[bytes] = []
        self._open: list[tuple[str, bytes]] = []
        self._counts = {"BHS": 0, "FHS": 0}

    def whole(self, answers: Sequence[bytes]) -> bytes:
        done = 0
        for one, head in zip(self._batch.around, self._batch.headers, strict=True):
            self._put(answers[done : one.before])
            done = one.before
            if one.name in OPENS:
                self._close(OPENS[one.name])
            else:
                self._close(one.name)
                self._open.append((one.name, head.separator))
                self._counts["FHS"] += one.name == "BHS"
                self._out.append(_opened(one.name, head))
        self._put(answers[done:])
        self._close("FHS")
        return b"".join(self._out)

    def _put(self, answers: Sequence[bytes]) -> None:
        there = [answer for answer in answers if answer]
        self._counts["BHS"] += len(there)
        self._out += there

    def _close(self, name: str) -> None:
        """End what is open down to the last `name`; a file ends its batches."""
        while self._open and (name == "FHS" or self._open[-1][0] == name):
            kind, separator = self._open.pop()
            self._out.append(_closed(kind.replace("H", "T", 1), separator, self._counts[kind]))
            self._counts[kind] = 0


def _opened(name: str, head: Header) -> bytes:
    now = datetime.now(UTC).strftime("%Y%m%d%H%M%S+0000").encode()
    number = uuid.uuid4().hex[:20].encode()
    fields = [
        name.encode(), head.delimiters, head.at(5), head.at(6), head.at(3), head.at(4), now, b"",
        b"", b"", number, head.at(_NUMBER),
    ]  # fmt: skip
    while not fields[-1]:
        fields.pop()
    return head.separator.join(fields) + b"\r"


def _closed(name: str, separator: bytes, count: int) -> bytes:
    return b"%s%s%d\r" % (name.encode(), separator, count)
