"""The parts of a replay that need no broker: orders, progress, differences, courtesy."""

import asyncio
import math
import re
import shlex
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid import cli
from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.operations.reference.source import dead_letter_codes
from stream_deid.streaming.replay.arguments import job_of
from stream_deid.streaming.replay.command import _refuse_absent
from stream_deid.streaming.replay.difference import KINDS, Difference, difference
from stream_deid.streaming.replay.examining import Courtesy
from stream_deid.streaming.replay.meter import Meter
from stream_deid.streaming.replay.order import Bound, ReplayOrder, ReplayProgress, fresh_name, named
from stream_deid.streaming.replay.reading import OffsetRange, Picked
from stream_deid.streaming.replay.report import MISSING, SAME, Report


@pytest.mark.parametrize(
    ("text", "bound"),
    [
        ("1200", Bound(offset=1200)),
        ("0:12,3:40", Bound(offsets={0: 12, 3: 40})),
        ("2026-03-01", Bound(time_ms=1_772_323_200_000)),
        ("2026-03-01T01:00:00+01:00", Bound(time_ms=1_772_323_200_000)),
    ],
)
def test_a_bound_is_a_time_or_offsets(text, bound):
    assert Bound.parse(text) == bound


@pytest.mark.parametrize(
    "text", ["1969-12-31T23:59:59.999", "1969-12-31T23:59:59.998", "0001-01-01"]
)
def test_a_time_before_kafkas_is_its_first(text):
    """-1 and -2 are no times there but the newest and the oldest record."""
    assert Bound.parse(text) == Bound(time_ms=0)


@given(st.one_of(st.text(max_size=30), st.datetimes(timezones=st.timezones() | st.none()).map(str)))
def test_any_text_is_a_bound_that_kafka_takes_or_refused(text):
    try:
        bound = Bound.parse(text)
    except Halt:
        return
    assert bound.time_ms is None or bound.time_ms >= 0


@pytest.mark.parametrize("text", ["0", "-0.0", "0.0001", "1e-300", "nan", "inf", "-1", "1e99", ""])
def test_a_rate_that_would_never_move_or_bounds_nothing_is_refused(text, capsys):
    with pytest.raises(SystemExit) as ended:
        cli.main(["replay", f"--rate={text}", "--dry-run"])
    assert ended.value.code == 2
    told = capsys.readouterr().err
    assert "no number from 0.001 to 1000000000; leave it out for no bound" in told


@pytest.mark.parametrize("text", ["", "yesterday", "0:1,", "-5", "1:x", "2026-13-01"])
def test_what_is_neither_is_refused(text):
    with pytest.raises(Halt, match=r"replay\.range"):
        Bound.parse(text)


@pytest.mark.parametrize(
    "wrong",
    [
        {"share": (2, 2)},
        {"dead": (), "patients": ("P1",)},
        {"since_ms": 1},
    ],
)
def test_orders_that_contradict_themselves_are_refused(wrong):
    with pytest.raises(Halt, match=r"replay\.order"):
        ReplayOrder(**wrong)


def test_a_partition_that_one_end_alone_names_is_refused():
    with pytest.raises(Halt, match=r"partition 1, 2 stands in one of --from and --to only"):
        ReplayOrder(first=Bound(offsets={1: 5, 3: 1}), last=Bound(offsets={2: 9, 3: 4}))


def test_partitions_that_are_named_are_the_only_ones():
    order = ReplayOrder(first=Bound(offsets={2: 10}), last=Bound(offset=20))
    assert [partition for partition in range(4) if order.wants(partition)] == [2]


@given(st.integers(2, 5), st.integers(0, 40))
def test_every_partition_is_in_one_share(many, partition):
    assert sum(ReplayOrder(share=(which, many)).wants(partition) for which in range(many)) == 1


def test_another_order_release_or_key_is_another_replay():
    one = ReplayOrder(first=Bound(offset=1)).digest("r1", "k1")
    assert one == ReplayOrder(first=Bound(offset=1)).digest("r1", "k1")
    others = (
        ReplayOrder().digest("r1", "k1"),
        ReplayOrder(first=Bound(offset=1)).digest("r2", "k1"),
        ReplayOrder(first=Bound(offset=1)).digest("r1", "k2"),
    )
    assert len({one, *others}) == 4


@given(st.integers(0, 2**60), st.dictionaries(st.integers(0, 99), st.integers(1, 3), max_size=5))
def test_progress_comes_back_from_the_metadata(until, tries):
    progress = ReplayProgress(until, "0123456789abcdef", 12, tries)
    assert ReplayProgress.load(progress.dump(0)) == progress


@pytest.mark.parametrize("metadata", [None, "", "consumer", "[]", '{"61": 2}', "7"])
def test_metadata_of_others_is_no_progress(metadata):
    assert ReplayProgress.load(metadata) is None


def test_outputs_stand_beside_the_live_ones_unless_it_is_said():
    kafka = Kafka()
    beside, into = named(kafka, "x", live=False), named(kafka, "x", live=True)
    assert beside.topics == ("notes.raw", *(t + ".replay" for t in kafka.topics[1:]))
    assert into.topics == kafka.topics
    assert beside.group == into.group == "stream-deid-replay-x"
    assert named(kafka, "x", (1, 4), live=True).group == "stream-deid-replay-x-1-of-4"
    with pytest.raises(Halt, match=r"replay\.order"):
        named(kafka, "a/b", live=False)
    assert named(kafka, fresh_name(0.0), live=False).group.endswith("19700101-000000")


@given(st.sets(st.integers(0, 99)), st.integers(0, 120))
def test_what_is_wanted_next(offsets, at):
    expected = min((o for o in offsets if o >= at), default=None)
    assert Picked(sorted(offsets)).next(at) == expected
    assert OffsetRange(10, 20).next(at) == (max(10, at) if at < 20 else None)


def span(start, end, phi="NAME", **more):
    return {
        "start": start, "end": end, "type": phi, "detectors": ["bert@1"], "score": 1.0,
        "out_start": start, "out_end": end, "strategy": "surrogate", "path": "text", **more,
    }  # fmt: skip


RAW = {"text": "Ann Lee saw Dr. Bob Ray on Monday in Utah."}


def kinds(found):
    return [(change.kind, change.was, change.type) for change in found.changes]


def test_what_is_hidden_now_and_what_no_more():
    then, now = [span(0, 7), span(27, 33, "DATE")], [span(0, 7), span(16, 23)]
    found = difference(then, now, RAW, {}, {})
    assert kinds(found) == [("found", "", "NAME"), ("lost", "DATE", "DATE")]
    assert (found.hidden, found.freed) == (2, 1)


def test_type_bounds_and_surrogates():
    then = [span(0, 7), span(16, 23), span(37, 41, "STATE")]
    now = [span(0, 7), span(12, 23), span(37, 41, "CITY")]
    clean = {"text": "Eva Orr saw Dr. Tim Fox on Monday in Ohio."}
    other = {"text": "Ida Orr saw Dr. Tim Fox on Monday in Ohio."}
    found = difference(then, now, RAW, clean, other)
    assert kinds(found) == [
        ("surrogate", "NAME", "NAME"), ("moved", "NAME", "NAME"), ("retyped", "STATE", "CITY"),
    ]  # fmt: skip
    assert (found.hidden, found.freed) == (1, 0)
    assert kinds(difference(then, now, RAW, {}, other)) == kinds(found)[1:]


spans = st.lists(st.integers(0, 41), unique=True, min_size=0, max_size=8).map(
    lambda cuts: [
        span(a, b, "NAME" if a % 2 else "DATE")
        for a, b in zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False)
    ]
)


@given(spans, spans)
def test_the_other_way_round_what_was_found_is_lost(then, now):
    assert difference(then, then, RAW, RAW, RAW) == Difference(())
    there, back = difference(then, now, RAW, RAW, RAW), difference(now, then, RAW, RAW, RAW)
    assert (there.hidden, there.freed) == (back.freed, back.hidden)

    def places(found, kind):
        return sorted((c.start, c.end) for c in found.changes if c.kind == kind)

    assert places(there, "found") == places(back, "lost")


@given(spans, spans)
def test_no_change_holds_a_value(then, now):
    for change in difference(then, now, RAW, RAW, RAW).changes:
        entry = change.entry()
        assert set(entry) == {"kind", "type", "was", "detectors", "path", "start", "end"}
        assert entry["kind"] in KINDS


def test_a_report_says_it_in_words_and_in_rows():
    report = Report("new")
    report.verdicts.update({SAME: 7, "different": 2, MISSING: 1})
    report.add(difference([span(27, 33, "DATE")], [span(0, 7), span(16, 23)], RAW, {}, {}))
    assert report.words() == (
        "Release new, over 10 notes, would have hidden 2 more spans (2 NAME) and left 1 as they "
        "were (1 DATE). It hides 4 more words and frees 1. 0 spans got another type, 0 other "
        "bounds, 0 another surrogate. 7 notes came out the same. 1 have no output to compare with."
    )
    assert report.table() == [
        ("found", "", "NAME", "", 2),
        ("found", "", "NAME", "bert@1", 2),
        ("lost", "DATE", "", "", 1),
        ("lost", "", "DATE", "bert@1", 1),
    ]


def test_where_every_note_came_out_otherwise_the_key_is_asked_for():
    report = Report("new")
    report.verdicts.update({"different": 3})
    assert "is another key or tenant set here" in list(report.verification())[-1]
    report.verdicts.update({SAME: 1})
    assert not any("another key" in line for line in report.verification())


def test_nothing_compared_proves_nothing():
    assert not Report("r").proves


def test_a_rate_is_kept_and_nothing_is_saved_up():
    clock = [0.0]
    courtesy = Courtesy(10.0, now=lambda: clock[0])

    def allowed():
        return asyncio.run(courtesy.allows())

    assert allowed() == 1.0
    courtesy.begun(1)
    clock[0] = 0.5
    assert allowed() == 5.0
    clock[0] = 60.0
    assert allowed() == 10.0
    assert asyncio.run(Courtesy().allows()) == math.inf


def test_nothing_begins_while_the_workers_are_behind():
    clock, lag = [0.0], [7]
    courtesy = Courtesy(most_lag=5, lag=lambda: lag[0], look_s=2.0, now=lambda: clock[0])
    assert asyncio.run(courtesy.allows()) == 0
    lag[0] = 3
    assert asyncio.run(courtesy.allows()) == 0  # it has not looked again yet
    clock[0] = 2.0
    assert asyncio.run(courtesy.allows()) == math.inf


def test_the_meter_tells_rate_and_time_left(monkeypatch):
    told, clock = [], [0.0]
    monkeypatch.setattr(
        "stream_deid.streaming.replay.meter._log.info", lambda *_, **fields: told.append(fields)
    )
    meter = Meter(100, every_s=10.0, bar=False, now=lambda: clock[0])
    clock[0] = 10.0
    meter.advance(20)
    assert told == [{"done": 20, "total": 100, "notes_per_s": 2.0, "left_s": 40}]


def test_every_command_of_the_guide_is_one_of_the_program():
    guide = (Path(__file__).parents[2] / "docs/replay.md").read_text()
    lines = [line for line in guide.splitlines() if line.startswith("stream-deid ")]
    assert len(lines) > 8
    known = dead_letter_codes()
    for line in lines:
        arguments = cli._parser().parse_args(shlex.split(line, comments=True)[1:])
        job = job_of(arguments, known)
        assert job.name == (arguments.id or "")


REFUSED = [
    "--dead no.such.code", "--dead note.too_slwo", "--dead ''", "--patient ''", "--note 'a b'",
    "--patient nobody", "--id ''", "--id ../x", "--from ''", "--to ''", "--dead --since ''",
    "--from 0:5,0:6", "--from 9999999999999999999999", "--from 0:9999999999999999999999",
    "--from ٣", "--from tomorrow", "--from 7 --to 5", "--from 0:7,1:2 --to 0:5",
    "--from 2026-03-02 --to 2026-03-01", "--share 3/2", "--share ''", "--share 0/0",
    "--share ٣/٤", f"--share 0/{'9' * 5000}",
]  # fmt: skip


@pytest.mark.parametrize("given", REFUSED)
def test_what_means_nothing_is_refused_before_anything_is_asked(given):
    arguments = cli._parser().parse_args(["replay", *shlex.split(given)])
    with pytest.raises(Halt) as refused:
        job_of(arguments, {"note.too_slow", "json.syntax"})
    assert refused.value.code in ("replay.range", "replay.order")
    assert "\n" not in str(refused.value)


def test_a_code_that_nobody_gives_is_told_with_the_nearest():
    arguments = cli._parser().parse_args(["replay", "--dead", "note.too_slwo"])
    with pytest.raises(Halt, match=r"did you mean note\.too_slow\?"):
        job_of(arguments, {"note.too_slow", "json.syntax"})


def test_dead_letters_bear_the_codes_of_the_guide():
    guide = (Path(__file__).parents[2] / "docs/errors.md").read_text()
    table = guide.partition("## Dead letters")[2].partition("## ")[0]
    rows = [line.split("|")[1] for line in table.splitlines() if line.startswith("| `")]
    named = {code for row in rows for code in re.findall(r"`([^`]+)`", row)}
    assert named <= dead_letter_codes()
    assert not {"config.invalid", "kafka.unreachable"} & dead_letter_codes()


def test_to_prove_and_to_tell_differences_are_two_commands():
    with pytest.raises(SystemExit) as ended:
        cli.main(["replay", "--verify", "--diff", "x"])
    assert ended.value.code == 2


class _Three:
    def partitions(self, topic):
        return [(topic, number) for number in range(3)]


def test_a_partition_that_is_not_there_is_refused():
    _refuse_absent(ReplayOrder(first=Bound.parse("2:5")), Kafka(), _Three())
    with pytest.raises(Halt, match="no partition 99: it has 3"):
        _refuse_absent(ReplayOrder(last=Bound.parse("2:5,99:0")), Kafka(), _Three())
