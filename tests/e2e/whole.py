"""The whole pipeline as the tests run it: real worker, real Triton, the committed BiLSTM-CRFs."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path

import orjson
from confluent_kafka import Producer

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import environment, named_after
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import base_options

KEY = "tests-only-key-of-the-whole-stream"
MODELS = {"en": ["bilstm_crf_en"], "es": ["bilstm_crf_es"]}
PARTITIONS = 3


def whole_environment(kafka: Kafka, triton: str, **more: str) -> dict[str, str]:
    """The settings of the whole service as a process finds them."""
    models = {
        f"STREAM_DEID_MODELS__{language.upper()}": orjson.dumps(names).decode()
        for language, names in MODELS.items()
    }
    usual = {
        "STREAM_DEID_KEYS__VALUE": KEY,
        "STREAM_DEID_TRITON__URL": triton,
        "STREAM_DEID_SHUTDOWN_S": "20",
    }
    return environment(kafka, **(usual | models | more))


def whole_worker(kafka: Kafka, triton: str, log: Path, **more: str) -> Supervised:
    """A supervised `stream-deid worker`, not started yet."""
    env = whole_environment(kafka, triton, **more)
    return Supervised([sys.executable, "-m", "stream_deid.cli", "worker"], env=env, log=log)


def send(kafka: Kafka, values: Iterable[bytes]) -> dict[str, bytes]:
    """Publish round robin; the messages by their coordinates."""
    producer = Producer({**base_options(kafka), "message.max.bytes": kafka.max_message_bytes})
    placed: dict[str, bytes] = {}

    def report(value: bytes):
        def on_delivery(error, record):
            assert error is None
            placed[f"{record.topic()}/{record.partition()}/{record.offset()}"] = value

        return on_delivery

    for number, value in enumerate(values):
        producer.produce(
            kafka.topic_in, value, partition=number % PARTITIONS, on_delivery=report(value)
        )
    assert producer.flush(60) == 0
    return placed


def outputs_of(kafka: Kafka, group: str) -> Kafka:
    """The same input, read by another group into topics of its own."""
    return replace(named_after(kafka, group), topic_in=kafka.topic_in)
