"""What is told of notes to those who watch: counts and times, and traces where they are wanted."""

from __future__ import annotations

from dataclasses import dataclass

from stream_deid.outcome import Outcome, Source
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.observability.traces import Times, Trace, Tracer


@dataclass(frozen=True, slots=True)
class Telemetry:
    """The metrics of a worker, and its tracer if it has one."""

    metrics: Metrics
    tracer: Tracer | None = None

    def committed(
        self, outcome: Outcome, source: Source, trace: Trace | None, times: Times
    ) -> None:
        """A note went out: how long it waited and took, and its spans."""
        note = outcome.stats.note
        self.metrics.observe("queue", max(0.0, times.taken - times.sent), note)
        self.metrics.observe("total", max(0.0, times.committed - times.sent), note)
        if self.tracer and trace:
            self.tracer.note(trace, source, outcome, times)
