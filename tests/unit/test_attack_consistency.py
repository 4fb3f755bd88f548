"""The figures of a cohort: right on the real engine, and sensitive to what would be wrong."""

from __future__ import annotations

from datetime import date

import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st
from surrogate_helpers import KEY, surrogates

from stream_deid.attack import command, consistency
from stream_deid.attack.cohort import (
    DATE_FORMATS,
    CohortMention,
    NameSource,
    chart_note,
    patient,
    write,
)
from stream_deid.attack.consistency_worker import WHOLE, ConsistencyJob, day, holds, observed
from stream_deid.attack.figures import Consistency
from stream_deid.errors import Halt
from stream_deid.labels import PhiType

NAMES = NameSource()


def row(**changes):
    base = {
        "parts": {"smith": "jones", "ann": "mary"},
        "people": {"patient": ["ann smith", "jones mary"]},
        "values": {"mrn": ["number", "123", "456"]},
        "dates": {"day0": ["2020-01-01", "2020-03-01"]},
        "generalised": 0, "spans": {"name": 1}, "own": {}, "shown": {},
    }  # fmt: skip
    return orjson.dumps(base | changes)


def test_two_processes_agree_on_everything_but_the_stated_residual():
    advanced: list[int] = []
    out = consistency.measure(ConsistencyJob(40, 3, 0, KEY.hex()), lambda: advanced.append(1))
    assert (out.patients, len(advanced), out.spans.total()) == (40, 80, 960)
    for kind in ("numbers", "places", "organisations"):
        assert out.same[kind].kept == out.same[kind].total > 0
    assert out.same["whole names"].kept >= 0.95 * out.same["whole names"].total > 0
    assert out.intervals.kept == out.intervals.total > 200
    assert out.merged_in_note.kept == out.merged_people.kept == out.own[WHOLE] == 0
    assert out.merged_in_note.total > 1000


def test_how_many_processes_run_changes_no_figure():
    job = ConsistencyJob(18, 3, 0, KEY.hex())
    advanced: list[int] = []
    beside = consistency.measure(job, lambda: advanced.append(1), jobs=2, block=5)
    assert beside == consistency.measure(job, lambda: None)
    assert (beside.patients, len(advanced)) == (18, 36)


@given(patients=st.integers(0, 60), first=st.integers(0, 9), size=st.integers(1, 70))
def test_blocks_hold_every_patient_once_in_order(patients, first, size):
    made = consistency.blocks(ConsistencyJob(patients, 1, 0, "", first=first), size)
    numbers = [n for b in made for n in range(b.first, b.first + b.patients)]
    assert numbers == list(range(first, first + patients))
    assert all(0 < b.patients <= size for b in made)


def test_figures_of_two_blocks_add_up_to_those_of_all():
    other = row(people={"patient": ["ann smith", "brown mary"]}, own={"name": 1})
    pairs = [(row(), row()), (row(), other), (other, other), (row(), other)]
    out = Consistency()
    for block in (pairs[:3], pairs[3:]):
        out.absorb(consistency.compare(*zip(*block, strict=True)))
    assert out == consistency.compare(*zip(*pairs, strict=True))
    assert (out.patients, out.same["whole names"].total, out.shared_numbers) == (4, 4, (6, 6))


def test_a_cohort_depends_on_its_seed_and_number_alone():
    once = [chart_note(patient(n, 5, NAMES), 0) for n in range(3)]
    assert once[2] == chart_note(patient(2, 5, NAMES), 0)
    assert once[2] != chart_note(patient(2, 6, NAMES), 0)


@pytest.mark.parametrize("form", DATE_FORMATS)
def test_days_are_read_back_from_every_format(form):
    made = date(2019, 5, 3)
    mention = CohortMention(PhiType.DATE, made.strftime(form), "date", "day0", form)
    found = observed(surrogates(), write([mention], "n", "p", date(2019, 6, 1)))
    before, after = found.dates["day0"]
    assert before == made.isoformat()
    assert 35 <= abs((date.fromisoformat(after) - made).days) <= 330
    assert day(mention.value, form) == made


def test_what_would_be_wrong_is_counted():
    other = row(
        parts={"smith": "brown", "bell": "mary"},
        people={"patient": ["ann smith", "brown mary"], "kin": ["bell tom", "jones mary"]},
        values={"mrn": ["number", "123", "789"]},
        dates={"day1": ["2020-01-11", "2020-03-12"]},
        own={"name": 1}, shown={"name": 2},
    )  # fmt: skip
    out = consistency.compare([row()], [other])
    assert (out.same["name parts, listed"].kept, out.same["name parts, listed"].total) == (0, 1)
    assert (out.same["numbers"].kept, out.same["numbers"].total) == (0, 1)
    assert (out.intervals.kept, out.intervals.total) == (0, 1)
    assert sum(s.kept for s in out.merged_over_notes.values()) == 1
    assert out.merged_people.kept == 1
    assert (out.own["name"], out.shown["name"]) == (1, 2)


def test_patients_who_share_values_are_counted_before_and_after():
    same = row(people={"patient": ["ann smith", "brown mary"]})
    out = consistency.compare([row(), row(), same], [row(), row(), same])
    assert (out.shared_names, out.same_to_same) == ((3, 1), 1)
    assert out.shared_numbers == (3, 3)


@pytest.mark.parametrize(
    ("kind", "value", "text", "expected"),
    [
        ("name", "Bin Colombo", "Bin Rizzo", True), ("name", "COLOMBO, BIN", "Rizzo, Tom", False),
        ("name", "Ann Lee", "Anna Leech", False), ("number", "123", "1234 0123", False),
        ("number", "123", "0123 (123)", True), ("place", "Salem", "new SALEM", True),
    ],
)  # fmt: skip
def test_originals_are_found_as_whole_words(kind, value, text, expected):
    assert holds(text, CohortMention(PhiType.PATIENT, value, kind, "k")) is expected


def test_a_failing_process_no_process_and_an_unknown_part_stop_the_attack(tmp_path):
    with pytest.raises(Halt, match=r"attack\.observe"):
        consistency.measure(ConsistencyJob(1, 1, 0, "not a key"), lambda: None)
    with pytest.raises(Halt, match=r"attack\.jobs"):
        consistency.measure(ConsistencyJob(1, 1, 0, KEY.hex()), lambda: None, jobs=0)
    with pytest.raises(Halt, match=r"attack\.part"):
        command.main(command.AttackPlan(tmp_path, ("nothing",)))
