"""What a transaction makes of the library's errors."""

import time
from types import SimpleNamespace

import pytest
from confluent_kafka import KafkaError, KafkaException

from stream_deid.config import Kafka
from stream_deid.streaming.kafka.transactions import ClaimLost, Record, Transactions


def test_who_is_fenced_while_it_flushes_has_lost_its_claim():
    """The library's `flush` raised SystemError on a loaded machine, and the worker crashed."""
    fenced = KafkaException(KafkaError(KafkaError._FENCED, fatal=True))

    def flush(_):
        raise SystemError("returned a result with an exception set") from fenced

    nothing = SimpleNamespace(
        begin_transaction=lambda: None, produce=lambda *_, **__: None, poll=lambda _: 0, flush=flush
    )
    transactions = Transactions(Kafka(bootstrap="127.0.0.1:1"), "group-notes-0")
    transactions._producer = nothing
    with pytest.raises(ClaimLost):
        transactions.run([Record(0, "out", b"", b"", [])], (), None, time.monotonic() + 5)
