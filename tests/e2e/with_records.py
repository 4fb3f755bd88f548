"""A worker without models whose patients have records; as a program."""

from __future__ import annotations

import sys
from typing import Any, cast

from stream_deid import config
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.outcome import PatientRecords
from stream_deid.pipeline import Pipeline
from stream_deid.processor import Processor
from stream_deid.streaming import worker
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

KEY = b"a key that is for tests alone, and long enough"


def open_ruled(settings: config.Settings, *, records: PatientRecords | None = None) -> Processor:
    """The real processor with patterns and records alone."""
    english = Language((Patterns("en"), KnownIdentifiers()), ())
    policy = Policy.named("expert-determination", {})
    pipeline = Pipeline({"en": english}, Surrogates(policy, KEY, "1", ""), "ruled-1")
    return Processor(pipeline, cast(Any, None), settings, KEY, records=records)


if __name__ == "__main__":
    sys.exit(worker.run(config.load(), open_ruled))
