"""Senders and receivers of HL7 v2 by another implementation (python-hl7), and what Kafka holds."""

from __future__ import annotations

import asyncio
import sys
import threading
import time
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from pathlib import Path

import hl7
from confluent_kafka import Consumer, Message, TopicPartition
from harness import PATIENCE_S
from hl7.client import MLLPClient
from hl7.mllp import start_hl7_server

from stream_deid.config import Kafka
from stream_deid.rig.broker import free_port
from stream_deid.rig.reconciliation import environment
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import TO_THE_END, base_options, create_topics

PARTITIONS = 3
KEY = "tests-only-key-of-the-listener"


def message(number: str, *, sender: str = "LAB", patient: str = "1", text: str = "") -> bytes:
    """An ADT message; `number` is MSH-10."""
    lines = (
        f"MSH|^~\\&|{sender}|SITE|DEID|HUB|20260101120000||ADT^A01|{number}|P|2.5.1",
        f"PID|1||{patient}^^^HOSP^MR||DOE^JANE",
        f"NTE|1||{text or number}",
    )
    return ("\r".join(lines) + "\r").encode()


def seen_topic(kafka: Kafka) -> str:
    return f"{kafka.group}.seen"


def make_topics(kafka: Kafka) -> None:
    names = (kafka.topic_in, kafka.topic_out, seen_topic(kafka))
    create_topics(kafka, dict.fromkeys(names, PARTITIONS))


def settings(kafka: Kafka, **more: str) -> dict[str, str]:
    return environment(
        kafka,
        PYTHONPATH=str(Path(__file__).parents[2]),
        STREAM_DEID_KEYS__VALUE=KEY,
        STREAM_DEID_DEADLINE_S="60",
        STREAM_DEID_SHUTDOWN_S="5",
        **more,
    )


def listener(kafka: Kafka, port: int, log: Path, **more: str) -> Supervised:
    """A supervised `stream-deid mllp`."""
    env = settings(
        kafka,
        STREAM_DEID_MLLP__PORT=str(port),
        STREAM_DEID_MLLP__TOPIC_SEEN=seen_topic(kafka),
        **{"STREAM_DEID_MLLP__ACK_S": "10", **more},
    )
    command = [sys.executable, "-m", "stream_deid.cli", "mllp"]
    return Supervised(command, env=env, log=log, first_pause_s=0.1, max_pause_s=0.5)


def outlet(kafka: Kafka, port: int, log: Path, **more: str) -> Supervised:
    """A supervised `stream-deid mllp-out` that reads the clean notes of this group."""
    env = settings(
        kafka,
        STREAM_DEID_MLLP_OUT__HOST="127.0.0.1",
        STREAM_DEID_MLLP_OUT__PORT=str(port),
        STREAM_DEID_MLLP_OUT__TOPIC=kafka.topic_out,
        STREAM_DEID_MLLP_OUT__ACK_S="5",
        **more,
    )
    command = [sys.executable, "-m", "stream_deid.cli", "mllp-out"]
    return Supervised(command, env=env, log=log, first_pause_s=0.1, max_pause_s=0.5)


class Ehr:
    """A sender: sends a message until somebody says AA, on a fresh connection after any trouble.

    `ports` are gone round: the next one after each trouble, as a balancer would.
    """

    def __init__(self, *ports: int) -> None:
        self.ports, self.codes, self._at = ports, list[str](), 0
        self._client: MLLPClient | None = None

    def once(self, raw: bytes) -> str:
        """MSA-1 of the answer; empty where there is none."""
        try:
            if self._client is None:
                self._client = MLLPClient("127.0.0.1", self.ports[self._at % len(self.ports)])
                self._client.socket.settimeout(20)
            answer = self._client.send_message(raw)
        except OSError:
            answer = b""
        code = ""
        if answer:
            ack = hl7.parse(answer.strip(b"\x0b\x1c\r").decode())
            code = str(ack.segment("MSA")[1])
            number = str(hl7.parse(raw.decode()).segment("MSH")[10])
            assert str(ack.segment("MSA")[2]) == number, "an answer to another message"
        self.codes.append(code)
        if code != "AA":
            self.close()
            self._at += 1
        return code

    def until_taken(self, raw: bytes, seconds: float = PATIENCE_S) -> None:
        deadline = time.monotonic() + seconds
        while self.once(raw) != "AA":
            assert time.monotonic() < deadline, self.codes[-20:]
            time.sleep(0.05)  # the pause of a sender before it tries again

    def close(self) -> None:
        if self._client is not None:
            self._client.close()
            self._client = None


def read_all(kafka: Kafka, topic: str) -> list[Message]:
    """Every committed record of a topic, in order by partition."""
    options = {"group.id": f"{kafka.group}-test", "isolation.level": "read_committed",
               **TO_THE_END}  # fmt: skip
    consumer = Consumer({**base_options(kafka), **options})
    consumer.assign([TopicPartition(topic, p, 0) for p in range(PARTITIONS)])
    found: list[Message] = []
    ended: set[int] = set()
    deadline = time.monotonic() + PATIENCE_S
    while len(ended) < PARTITIONS and time.monotonic() < deadline:
        record = consumer.poll(0.5)
        if record is None:
            continue
        if record.error() is None:
            found.append(record)
        else:
            ended.add(int(record.partition() or 0))
    consumer.close()
    assert len(ended) == PARTITIONS
    return found


@dataclass
class Receiver:
    """A receiver by python-hl7; `decide(control id)` gives MSA-1, or None to hang up."""

    decide: Callable[[str], str | None] = lambda _: "AA"

    def __post_init__(self) -> None:
        self.port = free_port()
        self.got: list[str] = []
        self.bodies: list[str] = []
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._thread.start()
        asyncio.run_coroutine_threadsafe(self._start(), self._loop).result(10)

    async def _start(self) -> None:
        self._server = await start_hl7_server(self._serve, port=self.port, host="127.0.0.1")

    async def _serve(self, reader, writer) -> None:
        try:
            while not writer.is_closing():
                received = await reader.readmessage()
                number = str(received.segment("MSH")[10])
                self.got.append(number)
                self.bodies.append(str(received))
                code = self.decide(number)
                if code is None:
                    break
                writer.writemessage(received.create_ack(code))
                await writer.drain()
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    def close(self) -> None:
        self._loop.call_soon_threadsafe(self._server.close)
        self._loop.call_soon_threadsafe(self._loop.stop)


def bodies(records: Iterable[Message]) -> list[bytes]:
    return [record.value() or b"" for record in records]
