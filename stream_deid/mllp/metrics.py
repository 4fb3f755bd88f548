"""Prometheus metrics of the listener and of the sender; labels hold codes, never words."""

from __future__ import annotations

from prometheus_client import (
    CONTENT_TYPE_LATEST,
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
)

_SECONDS = (0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 5.0, 10.0, 30.0)


class _Page:
    def __init__(self) -> None:
        self.registry = CollectorRegistry()

    def _counter(self, name: str, told: str, *labels: str) -> Counter:
        return Counter(f"stream_deid_{name}", told, labels, registry=self.registry)

    def _gauge(self, name: str, told: str) -> Gauge:
        return Gauge(f"stream_deid_{name}", told, registry=self.registry)

    def _seconds(self, name: str, told: str) -> Histogram:
        return Histogram(
            f"stream_deid_{name}_seconds", told, buckets=_SECONDS, registry=self.registry
        )

    def text(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def page(self, _: str) -> tuple[str, bytes]:
        """Kind and text of the page; there is one kind."""
        return CONTENT_TYPE_LATEST, self.text()


class ListenerMetrics(_Page):
    """Everything that the listener counts."""

    def __init__(self) -> None:
        super().__init__()
        self.answers = self._counter("mllp_answers", "Messages by MSA-1 and code", "ack", "code")
        self.messages = self._counter("mllp_messages", "Messages taken, new or known", "kind")
        self.bytes = self._counter("mllp_bytes", "Bytes of messages taken")
        self.refused = self._counter("mllp_refused", "Connections refused, by reason", "reason")
        self.closed = self._counter("mllp_closed", "Connections ended, by reason", "reason")
        self.cut = self._counter("mllp_cut", "Blocks that were begun and not ended")
        self.noise = self._counter("mllp_noise_bytes", "Bytes between blocks, dropped")
        self.connections = self._gauge("mllp_connections", "Open connections")
        self.senders = self._gauge("mllp_senders", "Senders whose messages are being taken")
        self.kafka = self._gauge("mllp_kafka", "1 if the broker answers")
        self.held = self._gauge("mllp_held_bytes", "Bytes of messages in hand")
        self.seconds = self._seconds("mllp", "From the end of a block to its answer")


class SenderMetrics(_Page):
    """Everything that `mllp-out` counts."""

    def __init__(self) -> None:
        super().__init__()
        self.messages = self._counter(
            "mllp_out_messages", "Records by what became of them", "result"
        )
        self.tries = self._counter("mllp_out_tries", "Tries that failed, by reason", "reason")
        self.waiting = self._gauge("mllp_out_waiting", "1 while the receiver takes nothing")
        self.seconds = self._seconds("mllp_out", "From sending a message to its ACK")
