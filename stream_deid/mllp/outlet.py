"""`stream-deid mllp-out`: sends released HL7 v2 to a receiver, in order, and commits after its ACK.

At least once: what was sent and not committed when a process ended is sent again, under the same
control id (MSH-10), by which the receiver knows it.
"""

from __future__ import annotations

import threading
import time
from typing import Any

from confluent_kafka import Consumer, KafkaException, Message

from stream_deid import ending
from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt, NoteRejected, Unavailable
from stream_deid.mllp import header
from stream_deid.mllp.access import client_tls
from stream_deid.mllp.framing import END, START
from stream_deid.mllp.health import MllpHealth
from stream_deid.mllp.metrics import SenderMetrics
from stream_deid.mllp.receiver import Receiver
from stream_deid.streaming.kafka.awaiting import Patience, await_topics
from stream_deid.streaming.kafka.clients import RECEIVE_LIMIT, base_options, client
from stream_deid.streaming.kafka.rights import refuse_denied
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.endpoint import Endpoint

_TAKEN, _REJECTED = ("AA", "CA"), ("AR", "CR")
_POLL_S = 0.5
_FIRST_PAUSE_S, _LAST_PAUSE_S = 0.2, 5.0

_log = logs.get("mllp_out")


class Outlet:
    """One process of the group; blocking."""

    def __init__(
        self,
        settings: Settings,
        *,
        ended: threading.Event,
        standing: MllpHealth,
        metrics: SenderMetrics,
    ) -> None:
        own = settings.mllp_out
        if not own.host:
            raise Halt("mllp.receiver_missing", "set mllp_out.host")
        self._kafka, self._deadline_s = settings.kafka, settings.deadline_s
        self._stop_at_reject = own.on_reject == "stop"
        self._topic = own.topic or settings.release.topic_notes
        self._receiver = Receiver(own.host, own.port, client_tls(own), ack_s=own.ack_s)
        self._ended, self._standing, self._metrics = ended, standing, metrics
        self._consumer = client(Consumer, _reader(settings.kafka, settings.deadline_s + own.ack_s))

    def run(self) -> None:
        """Send until ended. Raises `Unavailable("mllp.receiver")`, `Halt("mllp.rejected")`."""
        kafka = self._kafka
        patience = Patience(self._deadline_s, logs.warnings_to(_log), ended=self._ended.is_set)
        await_topics(kafka, (self._topic,), patience)
        if self._ended.is_set():
            return
        self._consumer.subscribe([self._topic])
        self._standing.hinder("start", "")
        _log.info("sending", topic=self._topic)
        try:
            while not self._ended.is_set():
                self._standing.beat()
                message = self._consumer.poll(_POLL_S)
                if message is not None:
                    self._take(message)
        finally:
            self._receiver.close()
            self._consumer.close()  # commits what was acknowledged

    def _take(self, message: Message) -> None:
        error = message.error()
        if error is not None:
            refuse_denied(error)
            _log.warning("consume_failed", code=error.name())
            return
        value = message.value()
        if value is None or not _is_hl7(value):
            self._metrics.messages.labels("other").inc()
        elif not self._deliver(_sendable(value), message):
            return
        try:
            self._consumer.store_offsets(message)
        except KafkaException as lost:  # the partition has another owner, who sends it again
            _log.warning("not_stored", code=lost.args[0].name())

    def _deliver(self, value: bytes, message: Message) -> bool:
        """Send until it is acknowledged; false where the process was told to end before."""
        deadline = time.monotonic() + self._deadline_s
        pause = _FIRST_PAUSE_S
        while not self._ended.is_set():
            self._standing.beat()
            reason = self._try(value, message)
            if not reason:
                self._standing.hinder("receiver", "")
                self._metrics.waiting.set(0)
                return True
            self._standing.hinder("receiver", "the receiver takes nothing")
            self._metrics.waiting.set(1)
            self._metrics.tries.labels(reason).inc()
            _log.warning("not_acknowledged", reason=reason, **_place(message))
            if time.monotonic() + pause > deadline:
                raise Unavailable("mllp.receiver", f"{reason} for {self._deadline_s:g} s")
            self._ended.wait(pause)
            pause = min(2 * pause, _LAST_PAUSE_S)
        return False

    def _try(self, value: bytes, message: Message) -> str:
        """Send once; why it is to be tried again, or nothing."""
        started = time.perf_counter()
        try:
            code = self._receiver.send(value)
        except TimeoutError:
            return "timeout"
        except OSError:
            return "connection"
        self._metrics.seconds.observe(time.perf_counter() - started)
        if code in _TAKEN:
            self._metrics.messages.labels("sent").inc()
            return ""
        if code not in _REJECTED:
            return code if code in ("AE", "CE") else "answer"
        self._metrics.messages.labels("rejected").inc()
        _log.error("rejected", ack=code, **_place(message))
        if self._stop_at_reject:
            place = "{topic}/{partition}/{offset}".format_map(_place(message))
            raise Halt("mllp.rejected", f"the receiver answers {code} to {place}")
        return ""


def _is_hl7(value: bytes) -> bool:
    try:
        header.read(value)
    except NoteRejected:
        return False
    return True


def _sendable(value: bytes) -> bytes:
    """The message so that it is answered, without bytes that would end its block."""
    return header.with_original_mode(value).translate(None, START + END)


def _place(message: Message) -> dict[str, Any]:
    return {
        "topic": message.topic(),
        "partition": message.partition(),
        "offset": message.offset(),
    }


def _reader(kafka: Kafka, patience_s: float) -> dict[str, Any]:
    """Offsets are stored by us after each ACK, and committed every second."""
    return {
        **base_options(kafka),
        "group.id": f"{kafka.group}-mllp-out",
        "enable.auto.commit": True,
        "auto.commit.interval.ms": 1000,
        "enable.auto.offset.store": False,
        "auto.offset.reset": "earliest",
        "isolation.level": "read_committed",
        "session.timeout.ms": int(kafka.session_timeout_s * 1000),
        "max.poll.interval.ms": max(300_000, int(2000 * patience_s)),
        "receive.message.max.bytes": RECEIVE_LIMIT,
    }


def main(settings: Settings) -> int:
    """Run until a signal ends it (`ending`)."""
    logs.configure()
    ended = threading.Event()
    ending.on_signal(lambda _: ended.set())
    standing, metrics = MllpHealth(), SenderMetrics()
    endpoint = Endpoint(settings.http.host, settings.http.port, standing, metrics)
    endpoint.start()
    try:
        Outlet(settings, ended=ended, standing=standing, metrics=metrics).run()
    finally:
        endpoint.stop()
    return 0
