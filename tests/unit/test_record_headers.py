"""Records whose headers bear names that are not UTF-8, as aiokafka's consumers unpack them."""

from typing import Any

import pytest
from aiokafka.errors import CorruptRecordException
from aiokafka.record.default_records import _DefaultRecordBatchBuilderPy
from aiokafka.record.memory_records import MemoryRecords

from stream_deid.streaming.kafka.headers import _Records, misnamed

CODECS = {"none": 0, "gzip": 1, "snappy": 2, "lz4": 3, "zstd": 4}


class Latin(str):
    """A name that is sent as bytes of Latin-1."""

    __slots__ = ()

    def encode(self, *_: Any) -> bytes:
        return super().encode("latin-1")


def batch(codec: str, *names: str) -> bytes:
    made = _DefaultRecordBatchBuilderPy(2, CODECS[codec], 0, -1, -1, -1, 1 << 20)
    for at, name in enumerate(names):
        made.append(at, 1, b"key", b"note %d" % at, [(name, b"value"), ("none", None)])
    return bytes(made.build())


def read(records: Any) -> list[Any]:
    found = []
    while records.has_next():
        one = records.next_batch()
        assert one.validate_crc()
        assert not one.is_control_batch
        found += [(r.offset, r.key, r.value, tuple(r.headers)) for r in one]
    return found


@pytest.mark.parametrize("codec", CODECS)
def test_a_name_that_is_not_utf_8_stops_no_record(codec: str) -> None:
    content = batch(codec, "one", Latin("añadido"), "señal") + batch(codec, "plain")
    with pytest.raises((UnicodeDecodeError, CorruptRecordException)):
        read(MemoryRecords(content))
    found = read(_Records(content))
    assert [value for _, _, value, _ in found] == [b"note 0", b"note 1", b"note 2", b"note 0"]
    assert [misnamed(headers) for *_, headers in found] == [False, True, False, False]
    assert found[1][3] == (("a\udcf1adido", b"value"), ("none", None))
    assert found[2][3][0][0] == "señal"


def test_what_is_well_named_is_read_as_before() -> None:
    content = batch("none", "one", "two") + batch("zstd", "three")
    assert read(_Records(content)) == read(MemoryRecords(content))


def test_what_is_broken_is_told_as_before() -> None:
    content = bytearray(batch("none", "one"))
    content[61] = 2  # the length of the first record
    (only,) = [_Records(bytes(content)).next_batch()]
    with pytest.raises(CorruptRecordException):
        list(only)
