"""Figures of `top` from pages of workers, and what stands in its tables."""

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.console import Console

from stream_deid.errors import Halt
from stream_deid.operations.top import command, figures, scraping, tables
from stream_deid.operations.top.figures import Figures
from stream_deid.operations.top.scraping import WorkerPage
from stream_deid.outcome import Dead, Released, Stats
from stream_deid.rig.broker import free_port
from stream_deid.streaming.health import Health
from stream_deid.streaming.observability.endpoint import Endpoint
from stream_deid.streaming.observability.metrics import Metrics


def note(seconds=0.1, **phi):
    return Released(b"note", b"key", b"audit", stats=Stats({"score": seconds}, phi))


def page(metrics, at, address="a:1"):
    return WorkerPage(address, at, dict(scraping.parsed(metrics.text().decode())))


def text(figures_, width=140):
    console = Console(width=width, file=None, record=True, quiet=False, force_terminal=False)
    with console.capture() as said:
        console.print(tables.render(figures_))
    return said.get()


def test_rates_are_of_what_grew_between_two_pages():
    one = Metrics(together=1)
    for _ in range(5):
        one.count(note(), 0)
    before = page(one, 100.0)
    for _ in range(20):
        one.count(note(NAME=2), 0)
    one.count(Dead("json.syntax", "detail"), 0)
    one.transactions.labels("committed").inc(3)
    found = Figures.of([before], [page(one, 110.0)])
    assert found.rate == pytest.approx(2.1)
    assert found.phi == {"NAME": 40}
    assert found.codes == {"json.syntax": 1}
    assert found.notes_a_transaction == 7
    assert [worker.rate for worker in found.workers] == [pytest.approx(2.1)]


def test_the_lag_of_a_partition_that_changes_hands_is_counted_once():
    pages = []
    for number, (first, second) in enumerate([(10, 3), (10, 0)]):
        one = Metrics()
        one.lagging({0: first, 1: second})
        pages.append(page(one, 1.0, f"w{number}:1"))
    assert Figures.of([], pages).lag == {0: 10, 1: 3}


def test_a_worker_that_was_started_anew_counts_from_nothing():
    old, new = Metrics(), Metrics()
    for _ in range(100):
        old.count(note(), 0)
    for _ in range(7):
        new.count(note(), 0)
    assert Figures.of([page(old, 0.0)], [page(new, 1.0)]).released == 7


def test_a_worker_that_has_just_come_brings_no_past():
    old = Metrics()
    for _ in range(100):
        old.count(note(), 0)
    found = Figures.of([page(Metrics(), 0.0)], [page(Metrics(), 1.0), page(old, 1.0, "b:1")])
    assert found.released == 0
    assert len(found.workers) == 2


def test_a_worker_that_is_away_is_told_and_not_counted():
    found = Figures.of(
        [], [WorkerPage("a:1", 0.0, problem="Connection refused"), page(Metrics(), 0.0)]
    )
    assert "1 of 2 workers" in text(found)
    assert "Connection refused" in text(found)


def test_what_waits_is_told_in_time_too():
    one = Metrics()
    one.lagging({0: 1200})
    before = page(one, 0.0)
    still = text(Figures.of([before], [page(one, 10.0)]))
    assert "1200 behind, which stand still" in still
    for _ in range(20):
        one.count(note(), 0)
    assert "10 min at this rate" in text(Figures.of([before], [page(one, 10.0)]))


@given(st.lists(st.floats(0.002, 119), min_size=1, max_size=60))
def test_quantiles_lie_in_the_bucket_of_the_true_one(seconds):
    metrics = Metrics()
    for value in seconds:
        metrics.count(note(value), 0)
    found = figures.latency(page(metrics, 0.0).values, "score")
    bounds = [float(dict(labels)["le"]) for (name, labels), _ in page(metrics, 0.0).values.items()
              if name.endswith("_bucket")]  # fmt: skip
    ordered = sorted(seconds)
    for share, told in ((0.5, found.p50), (0.99, found.p99)):
        true = ordered[max(0, math.ceil(share * len(ordered)) - 1)]
        upper = min(bound for bound in bounds if bound >= true)
        lower = max((bound for bound in bounds if bound < true), default=0.0)
        assert lower <= told <= upper
    assert found.mean == pytest.approx(sum(seconds) / len(seconds))


def test_tables_hold_every_figure():
    one = Metrics(together=1)
    one.lagging({partition: partition for partition in range(15)})
    one.count(note(0.3, NAME=3, DATE=1), 0)
    one.count(Dead("note.failed", "d"), 0)
    one.retries.labels("triton.timeout").inc()
    one.expired.inc(4)
    one.live.set(1)
    one.built("0.1.0+abc", "safe-harbor")
    said = text(Figures.of([], [page(one, 0.0)]))
    words = ("NAME", "DATE", "note.failed", "triton.timeout", "score", "live", "3 others",
             "4 DELETED UNREAD", "2 notes since their starts", "0.1.0+abc")  # fmt: skip
    for word in words:
        assert word in said


TRITON = """\
# TYPE nv_inference_request_success counter
nv_inference_request_success{{model="bert_en",version="1"}} {0}
nv_inference_request_failure{{model="bert_en",version="1"}} 0
nv_inference_count{{model="bert_en",version="1"}} {1}
nv_inference_exec_count{{model="bert_en",version="1"}} {0}
nv_inference_queue_duration_us{{model="bert_en",version="1"}} {2}
nv_inference_compute_infer_duration_us{{model="bert_en",version="1"}} {2}
nv_inference_request_success{{model="idle",version="1"}} 0
"""


def test_tritons_are_no_workers_and_tell_of_models():
    before, now = (
        WorkerPage("t:8002", at, dict(scraping.parsed(TRITON.format(*figures_))))
        for at, figures_ in ((0.0, (10, 50, 1_000_000)), (10.0, (30, 370, 3_000_000)))
    )
    found = Figures.of([before], [now])
    assert found.workers == []
    assert set(found.models) == {"bert_en"}
    model = found.models["bert_en"]
    assert (model.requests, model.batch) == (20, 16)
    assert (model.queue_s, model.compute_s) == (pytest.approx(0.1), pytest.approx(0.1))
    assert "2.0" in text(found)


def test_addresses_are_hosts_urls_or_names_of_many():
    assert scraping.addresses(["a:1", "https://b/x/metrics", "http://c:2", "a:1"]) == [
        "http://a:1/metrics", "https://b/x/metrics", "http://c:2/metrics",
    ]  # fmt: skip
    assert "http://127.0.0.1:9/metrics" in scraping.addresses(["dns:///localhost:9"])
    for wrong in ("a", "a:", ":1", "a:b", "dns:///nowhere.invalid:1"):
        with pytest.raises(Halt, match=r"top\.address"):
            scraping.addresses([wrong])


def test_once_prints_one_table_and_says_by_its_status_whether_all_are_well():
    metrics, port = Metrics(), free_port()
    endpoint = Endpoint("127.0.0.1", port, Health(), metrics)
    metrics.live.set(1)
    metrics.count(note(NAME=1), 0)
    console = Console(width=120)
    endpoint.start()
    try:
        with console.capture() as said:
            look = command.Look([f"127.0.0.1:{port}"], every_s=0.0, once=True)
            assert command.main(look, console) == 0
            both = command.Look([*look.addresses, f"127.0.0.1:{free_port()}"], 0.0, once=True)
            assert command.main(both, console) == 1
            metrics.live.set(0)
            assert command.main(look, console) == 1
    finally:
        endpoint.stop()
    assert "1 notes since their starts" in said.get()
    with console.capture() as said:
        assert command.main(look, console) == 1
    assert "Connection refused" in said.get()


def test_rates_are_of_the_last_half_minute():
    seen = [[WorkerPage("a", float(at))] for at in range(0, 100, 5)]
    kept: list[list[WorkerPage]] = []
    for one in seen:
        kept = command._kept([*kept, one])
    assert kept[-1][0].time - kept[0][0].time == pytest.approx(35, abs=5)
