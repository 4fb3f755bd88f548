"""Traces: what a note brings goes on, what it doesn't is computed, and no word gets into a span."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from opentelemetry.sdk.trace.export.in_memory_span_exporter import InMemorySpanExporter

from stream_deid import config
from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.outcome import Dead, Released, Source, Stats
from stream_deid.rig.hashing_worker import Hashing
from stream_deid.streaming.delivery import Parcel, records
from stream_deid.streaming.observability.tracer import Exporting
from stream_deid.streaming.observability.traces import Times, trace_of

PLACE = Source("notes.raw", 3, 1207)
BROUGHT = "00-4bf92f3577b34da6a3ce929d0e0e4736-00f067aa0ba902b7-01"
TIMES = Times(sent=100.0, taken=100.5, processed=101.0, committed=101.25)


def headers(value, *others):
    return [("traceparent", value), *others]


def test_a_note_goes_on_with_the_trace_that_it_brings():
    trace = trace_of(headers(BROUGHT.encode()), PLACE, 1.0)
    assert (f"{trace.trace:032x}", f"{trace.parent:016x}") == tuple(BROUGHT.split("-")[1:3])
    assert trace.header.decode().startswith("00-4bf92f3577b34da6a3ce929d0e0e4736-")
    assert not trace_of(headers(BROUGHT[:-2].encode() + b"00"), PLACE, 1.0).sampled


@pytest.mark.parametrize(
    "value",
    [b"", b"MRN 1234567", BROUGHT.upper().encode(), b"ff" + BROUGHT.encode()[2:], None,
     b"00-" + b"0" * 32 + b"-00f067aa0ba902b7-01", BROUGHT[:-1].encode(), BROUGHT],
)  # fmt: skip
def test_what_is_no_trace_of_the_standard_is_left_behind(value):
    assert trace_of(headers(value), PLACE, 1.0) == trace_of(None, PLACE, 1.0)


@given(st.integers(0, 100), st.integers(0, 10**9), st.binary(max_size=60))
def test_the_same_message_has_the_same_header_whatever_it_brings(partition, offset, brought):
    place = Source("notes.raw", partition, offset)
    once, again = (trace_of(headers(brought), place, 0.5) for _ in range(2))
    assert once == again
    assert trace_of(headers(once.header), place, 0.5).trace == once.trace


def test_a_share_of_the_notes_is_sampled():
    sampled = sum(trace_of(None, Source("notes.raw", 0, n), 0.25).sampled for n in range(2000))
    assert 400 < sampled < 600


def spans_of(trace, outcome):
    exporter = InMemorySpanExporter()
    tracer = Exporting(exporter, "release-1")
    tracer.note(trace, PLACE, outcome, TIMES)
    tracer.close()
    return {span.name: span for span in exporter.get_finished_spans()}


def test_spans_tell_times_places_and_pseudonyms_and_no_word():
    trace = trace_of(headers(BROUGHT.encode(), ("baggage", b"name=Mary")), PLACE, 1.0)
    stats = Stats({"parse": 0.125, "score": 0.25}, {"NAME": 1}, note="pseudonym")
    spans = spans_of(trace, Released(b"Mary Hill", b"key", b"audit", stats))
    assert list(spans) == ["queue", "parse", "score", "commit", "deidentify"]
    whole = spans["deidentify"]
    assert (whole.context.trace_id, whole.context.span_id) == (trace.trace, trace.span)
    assert whole.parent.span_id == trace.parent
    assert all(spans[name].parent.span_id == trace.span for name in list(spans)[:-1])
    seconds = {name: (span.end_time - span.start_time) / 1e9 for name, span in spans.items()}
    assert seconds == pytest.approx(
        {"queue": 0.5, "parse": 0.125, "score": 0.25, "commit": 0.25, "deidentify": 1.25}
    )
    assert dict(whole.attributes) == {
        "messaging.system": "kafka",
        "messaging.destination.name": "notes.raw",
        "messaging.destination.partition.id": "3",
        "messaging.kafka.offset": 1207,
        "stream_deid.outcome": "released",
        "stream_deid.note": "pseudonym",
    }
    assert "Mary" not in "".join(span.to_json() for span in spans.values())


def test_a_dead_letter_is_told_by_its_code_and_what_is_not_sampled_not_at_all():
    outcome = Dead("json.syntax", "not well-formed")
    whole = spans_of(trace_of(None, PLACE, 1.0), outcome)["deidentify"]
    assert whole.attributes["stream_deid.outcome"] == "json.syntax"
    assert whole.parent is None
    assert spans_of(trace_of(None, PLACE, 0.0), outcome) == {}


@pytest.mark.parametrize(
    ("outcome", "more"), [(Released(b"n", b"k", b"a"), ["seal"]), (Dead("json.syntax", ""), [])]
)
def test_outputs_carry_the_trace_and_without_one_nothing_new(outcome, more):
    trace = trace_of(headers(BROUGHT.encode()), PLACE, 1.0)
    for parcel, names in (
        (Parcel(PLACE, outcome, b"raw", trace), ["source", "release", "traceparent"]),
        (Parcel(PLACE, outcome, b"raw"), ["source", "release"]),
    ):
        for record in records(0, parcel, Kafka(), Hashing()):
            assert [name for name, _ in record.headers] == names + more


@pytest.mark.parametrize("endpoint", ["collector:4318", "https://user:secret@collector/v1", "x"])
def test_an_endpoint_that_is_none_is_refused_and_secrets_in_it_untold(tmp_path, endpoint):
    path = tmp_path / "settings.toml"
    path.write_text(f'[traces]\nendpoint = "{endpoint}"\n')
    with pytest.raises(Halt, match=r"traces\.endpoint") as refused:
        config.load(path, {})
    assert "secret" not in refused.value.detail
