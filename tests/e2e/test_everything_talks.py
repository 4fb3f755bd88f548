"""A worker whose libraries are all told to talk, with every exporter on and broken messages, keys
and headers: no word of them is in what it says, writes, exports or leaves behind.
"""

from __future__ import annotations

import os
import subprocess
import sys
import urllib.request
from contextlib import closing
from pathlib import Path

import orjson
from collector import Collector
from confluent_kafka import Consumer, Producer
from harness import AGAIN_AFTER_S, PATIENCE_S, events, make_topics
from whole import PARTITIONS, whole_environment

from stream_deid.config import Kafka
from stream_deid.rig.reconciliation import LedgerReader
from stream_deid.streaming.kafka.clients import base_options

NAME, NUMBER = "Quillfeather", "84736251"
TALK = {
    "GRPC_VERBOSITY": "debug",
    "GRPC_TRACE": "all",
    "RUST_BACKTRACE": "full",
    "RUST_LOG": "trace",
    "OPENVINO_LOG_LEVEL": "5",
    "PYTHONASYNCIODEBUG": "1",
    "PYTHONWARNINGS": "always",
    "PYTHONDEVMODE": "1",
    "PYTHONFAULTHANDLER": "1",
}
NOTE = {
    "note_id": NUMBER,
    "patient_id": NAME,
    "text": f"Seen by Dr. Zebulon {NAME} on 3/4/2021, MRN {NUMBER}.",
    "patient": {"names": [f"Zebulon {NAME}"], "ids": [NUMBER]},
}
HL7 = f"MSH|^~\\&|{NAME}|{NAME}|||2021||ORU^R01|{NUMBER}|P|2.5\rPID|1||{NUMBER}||{NAME}^Z\r"
BROKEN = [
    orjson.dumps(NOTE),
    orjson.dumps(NOTE)[:-20],
    orjson.dumps(NOTE | {"text": {NAME: NUMBER}}),
    orjson.dumps(NOTE | {"language": NAME, NAME: [NAME]}),
    orjson.dumps(NOTE | {"timestamp": NAME, "note_type": NAME}),
    orjson.dumps(NOTE).decode().encode("utf-16"),
    orjson.dumps(NOTE).replace(b"Dr.", b"\xff\xfe"),
    HL7.encode(),
    f"{HL7}OBX|1|{NAME}|{NAME}||\\X{NAME}\\|\r".encode(),
    f"MSH|^~\\&|{NAME}|||||{NAME}^{NAME}|{NUMBER}|P|2.5|||||||{NAME}\rPID|{NAME}".encode("utf-16"),
    orjson.dumps({"resourceType": NAME, NAME: NAME}),
    orjson.dumps({"resourceType": "Patient", "name": [{"family": NAME, NAME: 1}], "id": NUMBER}),
    b"\0\0\0\0\1" + NAME.encode(),
    NAME.encode() * 20_000,
]


def _published(kafka: Kafka) -> int:
    producer = Producer(base_options(kafka))
    headers = [(NAME, NAME.encode()), ("baggage", NAME.encode()), ("tracestate", NAME.encode())]
    for number, raw in enumerate(BROKEN):
        producer.produce(
            kafka.topic_in, raw, key=NAME.encode(), headers=headers, partition=number % PARTITIONS
        )
    assert producer.flush(60) == 0
    return len(BROKEN)


def _metrics(log: Path) -> bytes:
    address = next(e["address"] for e in events(log) if e["event"] == "endpoint")
    kinds = {"Accept": "application/openmetrics-text"}
    asked = urllib.request.Request(f"{address}/metrics", headers=kinds)  # noqa: S310 - ours
    with urllib.request.urlopen(asked, timeout=10) as answer:  # noqa: S310 - ours
        return answer.read()


def _records(kafka: Kafka) -> list[bytes]:
    """Keys, headers and values of audits and dead letters."""
    options = {**base_options(kafka), "group.id": "looks", "auto.offset.reset": "earliest"}
    found = []
    with closing(Consumer(options)) as consumer:
        consumer.subscribe([kafka.topic_audit, kafka.topic_dead])
        while len(found) < len(BROKEN):
            if (one := consumer.poll(PATIENCE_S)) is not None and not one.error():
                found.append(repr((one.key(), one.headers(), one.value())).encode())
    return found


def test_a_worker_of_which_everything_talks_tells_nothing(embedded: Kafka, tmp_path: Path):
    make_topics(embedded, PARTITIONS)
    count, log, scratch = _published(embedded), tmp_path / "log", tmp_path / "scratch"
    scratch.mkdir()
    command = [sys.executable, "-m", "stream_deid.cli", "worker"]
    with Collector() as collector, log.open("wb") as out:
        told = {
            "STREAM_DEID_HTTP__EXEMPLARS": "true",
            "STREAM_DEID_TRACES__ENDPOINT": collector.url,
            "TMPDIR": str(scratch),
        }
        env = os.environ | TALK | whole_environment(embedded, "auto", **told)
        with (
            closing(LedgerReader(embedded, PARTITIONS, AGAIN_AFTER_S)) as reader,
            subprocess.Popen(command, env=env, stdout=out, stderr=out) as process,
        ):
            reader.until(lambda ledger: ledger.done >= count, PATIENCE_S)
            page = _metrics(log)
            process.terminate()
            assert process.wait(PATIENCE_S) == 0
    said = [log.read_bytes(), page, *collector.bodies, *_records(embedded)]
    left = [p for p in scratch.rglob("*") if p.is_file()]
    whole = b"\n".join([*said, *(p.read_bytes() for p in left)]).lower()
    assert collector.names["deidentify"] >= count
    assert NAME.lower().encode() not in whole
    assert b"zebulon" not in whole
    assert NUMBER.encode() not in whole
    assert not [line for line in log.read_bytes().splitlines() if line[:1] != b"{"], "own words"
    kinds = {e["kind"] for e in events(log) if e["event"] == "words_left_out"}
    assert "grpc" in kinds, "they did talk"
