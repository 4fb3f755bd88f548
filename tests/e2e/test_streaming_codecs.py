"""Senders compress as they like; a batch that nobody could unpack had stopped all partitions."""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path

import aiokafka.codec
import pytest
from harness import PATIENCE_S, make_topics, notes, worker

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.rig.reconciliation import LedgerReader, publish
from stream_deid.streaming import app as faust_app

PARTITIONS = 2
CODECS = ("none", "gzip", "snappy", "lz4", "zstd")


def test_batches_of_every_codec_are_read(apache: Kafka, tmp_path: Path) -> None:
    make_topics(apache, PARTITIONS)
    with ExitStack() as stack:
        reader = LedgerReader(apache, PARTITIONS)
        stack.callback(reader.close)
        published = sum(
            publish(apache, notes(40), PARTITIONS, compression=codec) for codec in CODECS
        )
        one = stack.enter_context(worker(apache, tmp_path / "worker.log"))
        reader.until(lambda ledger: ledger.done >= published, PATIENCE_S)
        assert reader.settle(1.0).problems(published) == {}
        assert one.statuses == []


def test_a_worker_that_could_not_unpack_one_does_not_start(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    faust_app.refuse_missing_codecs()
    monkeypatch.setattr(aiokafka.codec, "has_zstd", lambda: False)
    with pytest.raises(Halt, match=r"kafka\.codecs.*zstd.*cramjam"):
        faust_app.refuse_missing_codecs()
