"""Spans by the SDK of OpenTelemetry (`stream-deid[traces]`); imported where they are wanted."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from opentelemetry import trace as api
from opentelemetry.exporter.otlp.proto.http.trace_exporter import OTLPSpanExporter
from opentelemetry.sdk.resources import Resource
from opentelemetry.sdk.trace import TracerProvider
from opentelemetry.sdk.trace.export import BatchSpanProcessor, SpanExporter
from opentelemetry.sdk.trace.id_generator import RandomIdGenerator

from stream_deid.config import Traces
from stream_deid.outcome import Dead, Outcome, Source
from stream_deid.streaming.observability.traces import Times, Trace, stages, trace_of

_FLUSH_S = 2


class _Ids(RandomIdGenerator):
    """Random ones but for the span of a note, which its headers have named."""

    note: Trace | None = None

    def generate_span_id(self) -> int:
        note, self.note = self.note, None
        return note.span if note else super().generate_span_id()

    def generate_trace_id(self) -> int:
        return self.note.trace if self.note else super().generate_trace_id()


class Exporting:
    """A tracer whose spans go to an exporter, in a thread of its own."""

    def __init__(self, exporter: SpanExporter, release: str, share: float = 1.0) -> None:
        self._share, self._ids = share, _Ids()
        resource = Resource({"service.name": "stream-deid", "service.version": release})
        self._provider = TracerProvider(resource=resource, id_generator=self._ids)
        self._provider.add_span_processor(BatchSpanProcessor(exporter))
        self._tracer = self._provider.get_tracer("stream_deid")

    @classmethod
    def over_http(cls, settings: Traces, release: str) -> Exporting:
        """To the endpoint of the settings."""
        exporter = OTLPSpanExporter(endpoint=settings.endpoint, timeout=_FLUSH_S)
        return cls(exporter, release, settings.share)

    def trace(self, headers: Iterable[tuple[str, bytes]] | None, source: Source) -> Trace:
        return trace_of(headers, source, self._share)

    def note(self, trace: Trace, source: Source, outcome: Outcome, times: Times) -> None:
        if not trace.sampled:
            return
        self._ids.note = trace
        whole = self._tracer.start_span(
            "deidentify",
            _above(trace),
            kind=api.SpanKind.CONSUMER,
            attributes=_attributes(source, outcome),
            start_time=_ns(min(times.sent, times.taken)),
        )
        inside = api.set_span_in_context(whole)
        for stage, begin, end in stages(times, outcome.stats.seconds):
            self._tracer.start_span(stage, inside, start_time=_ns(begin)).end(_ns(end))
        whole.end(_ns(times.committed))

    def close(self) -> None:
        self._provider.force_flush(_FLUSH_S * 1000)
        self._provider.shutdown()


def _above(trace: Trace) -> Any:
    """The context of the span that a note came from."""
    if not trace.parent:
        return None
    sampled = api.TraceFlags(api.TraceFlags.SAMPLED)
    remote = api.SpanContext(trace.trace, trace.parent, is_remote=True, trace_flags=sampled)
    return api.set_span_in_context(api.NonRecordingSpan(remote))


def _attributes(source: Source, outcome: Outcome) -> dict[str, str | int]:
    told = {"stream_deid.note": outcome.stats.note} if outcome.stats.note else {}
    return {
        "messaging.system": "kafka",
        "messaging.destination.name": source.topic,
        "messaging.destination.partition.id": str(source.partition),
        "messaging.kafka.offset": source.offset,
        "stream_deid.outcome": outcome.code if isinstance(outcome, Dead) else "released",
        **told,
    }


def _ns(seconds: float) -> int:
    return int(seconds * 1e9)
