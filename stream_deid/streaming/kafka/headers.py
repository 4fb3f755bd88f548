"""Headers of records whose names are not UTF-8: Kafka takes any bytes, its Python clients do not.

aiokafka raises over such a name while it unpacks a batch whose checksum is right, Faust ends, and
the next process comes to the same place. So a batch over which it raises is read again by its own
slower reader with names that keep what can't be decoded, and the record becomes a dead letter.
confluent-kafka raises when it is asked for the headers of such a record.
"""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Mapping
from itertools import islice
from operator import methodcaller
from typing import Any, SupportsIndex, overload

from aiokafka.consumer import fetcher
from aiokafka.errors import CorruptRecordException
from aiokafka.record.default_records import _DefaultRecordBatchPy
from aiokafka.record.memory_records import MemoryRecords
from confluent_kafka import Message

from stream_deid.outcome import Dead

MISNAMED = Dead("kafka.headers", "the name of a header of the record is not UTF-8")

_HEAD = struct.Struct(">qi")  # base offset of a batch, length of the rest
_UNDECODED = "surrogateescape"
_ASKED = methodcaller("headers")
"""It returns a result and sets an exception. Where Python calls it directly and often, it sees the
result alone, and whatever comes next raises; through this the exception is seen there.
"""


def tolerate_names() -> None:
    """From now on aiokafka's consumers of this process hand over records with any header names."""
    fetcher.MemoryRecords = _Records


def misnamed(stated: Any) -> bool:
    """Whether a name among headers that Faust hands over is not UTF-8."""
    pairs: Iterable[Any] = stated.keys() if isinstance(stated, Mapping) else (
        name for name, _ in stated or ()
    )  # fmt: skip
    return any("\ud800" <= one <= "\udfff" for name in pairs for one in str(name))


def headers_in(message: Message) -> list[tuple[str, Any]] | None:
    """The headers of a record that confluent-kafka has read; None where a name is not UTF-8."""
    try:
        return list(_ASKED(message) or ())
    except (UnicodeDecodeError, SystemError):
        return None


class _Names(bytearray):
    """Bytes whose parts decode whatever they hold."""

    @overload
    def __getitem__(self, at: SupportsIndex, /) -> int: ...
    @overload
    def __getitem__(self, at: slice, /) -> _Names: ...
    def __getitem__(self, at: Any, /) -> Any:
        found = super().__getitem__(at)
        return _Names(found) if isinstance(at, slice) else found

    def decode(self, encoding: str = "utf-8", errors: str = _UNDECODED) -> str:
        return bytes(self).decode(encoding, errors)


class _Tolerant(_DefaultRecordBatchPy):  # type: ignore[misc] # final for type checkers
    _buffer: bytearray

    def _maybe_uncompress(self) -> None:
        super()._maybe_uncompress()
        self._buffer = _Names(self._buffer)


class _Batch:
    """A batch as aiokafka has it, read again where it raises over it."""

    def __init__(self, batch: Any, content: memoryview) -> None:
        self._batch, self._content = batch, content

    def __getattr__(self, name: str) -> Any:
        return getattr(self._batch, name)

    def __next__(self) -> Any:
        return next(self._batch)

    def __iter__(self) -> Iterator[Any]:
        taken = 0
        try:
            for record in self._batch:
                taken += 1
                yield record
        except (UnicodeDecodeError, CorruptRecordException):  # the second: without extensions
            yield from islice(_Tolerant(self._content), taken, None)


class _Records:
    """The batches of one answer to a fetch."""

    def __init__(self, content: bytes) -> None:
        self._records: Any = MemoryRecords(content)
        self._content, self._at = memoryview(content), 0

    def __getattr__(self, name: str) -> Any:
        return getattr(self._records, name)

    def next_batch(self) -> Any:
        batch = self._records.next_batch()
        if batch is None:
            return None
        begin = self._at
        self._at += _HEAD.size + _HEAD.unpack_from(self._content, begin)[1]
        if batch.producer_id is None:  # of an old format, which has no headers
            return batch
        return _Batch(batch, self._content[begin : self._at])
