"""A collector of OpenTelemetry traces on loopback: keeps what it gets, counts spans by name."""

from __future__ import annotations

import gzip
from collections import Counter

from loopback import Answers, Loopback
from opentelemetry.proto.collector.trace.v1.trace_service_pb2 import ExportTraceServiceRequest


class Collector(Loopback):
    """Takes OTLP over HTTP at `url`."""

    def __init__(self) -> None:
        super().__init__(_Takes, "/v1/traces")
        self.names: Counter[str] = Counter()
        self.bodies: list[bytes] = []


class _Takes(Answers):
    server: Collector

    def post(self) -> None:
        body = self.asked()
        if self.headers.get("Content-Encoding") == "gzip":
            body = gzip.decompress(body)
        self.server.bodies.append(body)
        for resource in ExportTraceServiceRequest.FromString(body).resource_spans:
            for scope in resource.scope_spans:
                self.server.names.update(span.name for span in scope.spans)
        self.say(200)
