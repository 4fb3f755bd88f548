"""`stream-deid fuzz` finds faults that were put in, and reproduces what it found."""

import os
import re
import time
from dataclasses import replace
from pathlib import Path

import orjson
import pytest

from stream_deid.cli import main
from stream_deid.errors import Halt, NoteRejected, Unavailable
from stream_deid.labels import PhiType
from stream_deid.note import Detection
from stream_deid.pipeline import Pipeline
from stream_deid.rig.fuzz import messages, run, samples
from stream_deid.rig.fuzz.checks import CANARY_RELEASED, FuzzFault, faults
from stream_deid.rig.fuzz.messages import FuzzInput
from stream_deid.rig.fuzz.run import Bench, FuzzPlan, FuzzTally
from stream_deid.rig.fuzz.shrink import shrunk
from stream_deid.rig.fuzz.subject import Subject, assemble
from stream_deid.streaming.observability import logs

CANARY = "Bazovimeru"
NOBODY = re.compile("(?!)")
OURS = samples.load(())


class Planted:
    """A detector with a defect: does what it is told to where the canary stands."""

    def __init__(self, fault):
        self.fault = fault

    def detect(self, text, _note):
        return self.fault(text) if CANARY in text else []


def subject(fault):
    return Subject(lambda policy, votes: assemble(policy, votes, Planted(fault)))


def note(text=f"Seen by Dr. {CANARY}.", policy="expert-determination", **fields) -> FuzzInput:
    body = {"note_id": "n1", "patient_id": "p1", "language": "en", "text": text, **fields}
    raw = orjson.dumps(body)
    return FuzzInput(1, 0, "json", policy, 3, raw, (CANARY,), (CANARY,), NOBODY)


def found(subject, one) -> list[FuzzFault]:
    try:
        return faults(one, subject.take(one), subject.take(one))
    finally:
        subject.close()


def whats(subject, one) -> set[str]:
    return {fault.what for fault in found(subject, one)}


def test_an_ordinary_note_has_no_fault():
    assert found(Subject(), note()) == []


def test_a_defect_is_found_with_its_place():
    def fault(_text):
        raise IndexError

    (one,) = found(subject(fault), note())
    assert one.what == "defect"
    assert re.fullmatch(r"begin: IndexError at \w+/\w+\.py:\d+", one.where)


def test_what_ends_the_process_is_found():
    def fault(_text):
        raise MemoryError

    assert whats(subject(fault), note()) == {"raises"}


def test_a_log_line_with_text_is_found():
    def fault(text):
        logs.get("planted").warning("seen", what=text[:9])
        return []

    assert whats(subject(fault), note()) == {"text told"}


def test_a_log_line_with_a_name_is_found():
    def fault(text):
        logs.get("planted").warning("seen", what=text.lower())
        return []

    assert whats(subject(fault), note()) == {"canary told"}


def test_text_in_an_audit_is_found():
    def fault(text):
        return [Detection(0, 4, PhiType.CITY, text)]

    assert "canary told" in whats(subject(fault), note())


def test_an_output_that_differs_the_second_time_is_found():
    calls = iter(range(1000))

    def fault(_text):
        return [Detection(0, 4, PhiType.CITY, f"planted@{next(calls)}")]

    assert whats(subject(fault), note()) == {"differs when processed again"}


def test_a_name_that_is_released_is_found():
    one = note(text=f"The {CANARY} walks.")
    assert whats(Subject(), replace(one, votes=_quiet(one))) == {CANARY_RELEASED}


def _quiet(one):
    """A seed of votes that tag nothing."""
    subject = Subject()
    try:
        return next(
            seed
            for seed in range(99)
            if b'"spans":[]' in subject.take(replace(one, votes=seed)).written
        )
    finally:
        subject.close()


@pytest.mark.parametrize(
    ("error", "what"),
    [
        (NoteRejected("planted.code", ""), "unknown code"),
        (NoteRejected("json.type", f"{CANARY} is no number"), "canary told"),
        (Unavailable("planted.away", ""), "waits"),
        (Halt("edit.order", ""), "defect"),
    ],
)
def test_a_rejection_that_is_none_of_ours_is_found(error, what):
    def fault(_text):
        raise error

    assert whats(subject(fault), note()) == {what}


def test_inputs_depend_on_seed_and_number_alone():
    first = [messages.make(5, number, OURS) for number in range(60)]
    assert first == [messages.make(5, number, OURS) for number in reversed(range(60))][::-1]
    assert len({one.raw for one in first}) > 55
    assert messages.make(6, 7, OURS).raw != messages.make(5, 7, OURS).raw


def test_every_kind_of_input_comes_up_and_most_are_read():
    kinds = {messages.make(1, number, OURS).kind for number in range(400)}
    assert kinds >= {kind for kind, *_ in messages._MAKERS} - {"bytes"}


def test_a_shrunk_input_still_shows_its_fault():
    raw = "Á" * 300 + "fault" + "b" * 200
    small = shrunk(raw.encode(), lambda now: b"fault" in now)
    assert small == b"fault"


def _planted_work(task, pipe):
    """Stands for the processes of a run: input 3 ends its process, input 5 hangs."""

    class Planted(Bench):
        def __init__(self):
            self.plan = task.plan

        def input(self, number):
            return number

        def look(self, number, tally):
            if number == 3:
                os._exit(9)
            if number == 5:
                time.sleep(600)
            tally.inputs += 1
            tally.failed += [(number, 10, FuzzFault("planted"))] if number == 6 else []

    run.inspect(task, pipe, Planted())


def test_an_input_that_ends_or_hangs_its_process_is_a_fault_and_the_run_goes_on():
    plan = FuzzPlan(count=9, jobs=2, stuck_s=4.0)
    total = run.run(plan, lambda _: None, _planted_work)
    assert total.inputs == 9
    assert sorted((number, str(fault)) for number, _, fault in total.failed) == [
        (3, "process dies: status 9"),
        (5, "stuck: for 4 s"),
        (6, "planted"),
    ]


def test_a_run_of_the_command_and_one_of_its_inputs(capsys, tmp_path):
    arguments = ["fuzz", "--seed", "3", "--count", "60", "--samples", "--slow", "1000"]
    assert main(arguments) == 0
    assert capsys.readouterr().out.startswith("inputs                    60 in ")
    keep = ["--only", "11", "--keep", str(tmp_path)]
    assert main([*arguments, *keep]) == 0
    assert Path(tmp_path / "3-11").read_bytes() == messages.make(3, 11, OURS).raw


def test_one_input_of_so_many_is_processed_twice_in_each_process():
    subject = Subject()
    bench, tally = Bench(FuzzPlan(jobs=2, twice=4), OURS, subject), FuzzTally()
    twice = []
    for number in range(16):
        before = tally.twice
        assert bench.look(replace(note(), number=number), tally) == []
        twice += [number] * (tally.twice - before)
    subject.close()
    assert twice == [0, 1, 8, 9]


def test_a_slow_input_is_found():
    def fault(text):
        end = time.process_time() + 0.2
        while time.process_time() < end:
            len(text)
        return []

    bench = Bench(FuzzPlan(slow=3.0, slow_s=0.1), OURS, subject(fault))
    assert [one.what for one in bench.look(note(), FuzzTally())] == ["slow"]


def test_the_pipeline_is_the_one_that_serves():
    made = assemble("safe-harbor", object())
    assert isinstance(made, Pipeline)
    detectors = made.languages["en"].detectors[1:]
    assert [type(one).__name__ for one in detectors] == ["Patterns", "KnownIdentifiers"]
