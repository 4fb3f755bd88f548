"""A note that takes more processor time than its size allows is a dead letter; nothing else is."""

import asyncio
import gc
import json
import time
from pathlib import Path

import orjson
import pytest

from stream_deid import budget
from stream_deid.budget import NoteBudget, check
from stream_deid.config import Settings
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.patterns.base import Bank, Pattern
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.errors import NoteRejected
from stream_deid.labels import PhiType
from stream_deid.note import Note
from stream_deid.outcome import Dead, Released, Source
from stream_deid.pipeline import Pipeline
from stream_deid.processor import Processor
from stream_deid.streaming.examine import Examiner
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.view import View

KEY = b"0123456789abcdef"
HOSTILE, CANARY = "quillfeather1 ", "quillfeather"
DEV = Path(__file__).parents[2] / "corpora" / "dev"


class Clocks:
    """Time that passes, and what this thread spends of it."""

    def __init__(self):
        self.passed = self.spent = 0.0
        self.asked = 0

    def spending(self):
        self.asked += 1
        return self.spent

    def budget(self, seconds):
        return NoteBudget(seconds, lambda: self.passed, self.spending)


def test_what_is_spent_is_summed_over_steps_and_asked_for_only_where_it_may_be_too_much():
    clocks = Clocks()
    account = clocks.budget(10.0)

    def step(passes, spends):
        for _ in range(100):
            clocks.passed += passes / 100
            clocks.spent += spends / 100
            check()

    account.run(lambda: step(9.0, 6.0))
    assert account.left == pytest.approx(4.0)
    assert clocks.asked == 2  # as the step began and ended
    account.run(lambda: step(100.0, 3.0))  # it waits: for other threads, other processes
    assert account.left == pytest.approx(1.0)
    with pytest.raises(NoteRejected, match=r"note\.too_costly"):
        account.run(lambda: step(2.0, 2.0))
    assert account.left == pytest.approx(0.0, abs=0.05)
    with pytest.raises(NoteRejected, match=r"note\.too_costly"):
        account.run(lambda: None)  # what looks at no clock ends before the next step
    check()  # outside of a note there is nothing to spend


def test_a_step_without_a_turn_ends_the_note_before_the_next():
    clocks = Clocks()
    account = clocks.budget(1.0)

    def blind():
        clocks.passed += 5.0
        clocks.spent += 5.0

    account.run(blind)
    with pytest.raises(NoteRejected, match=r"note\.too_costly"):
        account.run(blind)
    assert clocks.spent == 5.0


def test_a_budget_grows_with_the_message_and_none_has_no_end():
    per_kb = 1000 / budget.BYTES_A_BUDGET_SECOND
    assert budget.seconds(20.0, 50_000) == pytest.approx(20.0 + 50 * per_kb)
    assert budget.seconds(0.0, 50_000) == float("inf")


def slow(hit):
    """A check of a pattern that takes a hundredth of a second for what is hostile."""
    until = time.thread_time() + (0.01 if hit.value == HOSTILE.strip() else 0.0)
    while time.thread_time() < until:
        pass
    return False


class SlowPattern:
    """A detector of one pattern, whose check is slow."""

    def __init__(self):
        self.bank = Bank((Pattern("slow", 1, PhiType.IDNUM, r"[a-z]+\d", slow),))

    def detect(self, text, _note):
        return self.bank.run(View(text))


class Waiting:
    """A detector that waits for longer than a note has."""

    def detect(self, _text, _note):
        time.sleep(0.3)
        for _ in range(10):
            check()
        return []


def processor(*detectors, budget_s=0.2):
    setups = {code: Language((*detectors, Patterns(code), KnownIdentifiers()), ())
              for code in ("en", "es")}  # fmt: skip
    pipeline = Pipeline(setups, Surrogates(Policy.named(), KEY), "test")
    return Processor(pipeline, None, Settings(budget_s=budget_s), KEY)


def message(text, language="en"):
    return orjson.dumps({"note_id": "1", "patient_id": "2", "text": text, "language": language})


def outcomes(subject, *raws):
    async def all_of_them():
        examiner = Examiner(subject, Metrics(), asyncio.Event(), deadline_s=60.0)
        notes = (examiner.outcome(raw, Source("t", 0, at)) for at, raw in enumerate(raws))
        return await asyncio.gather(*notes)

    return asyncio.run(all_of_them())


def test_a_slow_pattern_is_cut_within_its_budget_and_other_notes_go_on():
    raw = message(HOSTILE * 60)  # it would take 0.6 s of its 1.0 in each of four patterns
    allowed = budget.seconds(0.2, len(raw))
    subject = processor(*(SlowPattern() for _ in range(4)), budget_s=0.2)
    asyncio.run(processor(budget_s=0).handle(message("Seen by Dr. Vella on 3/4/2021."), {}))
    begun = time.process_time()
    hostile, *others = outcomes(
        subject, raw, *(message(f"seen on 3/{i}/2021") for i in range(1, 9))
    )
    spent = time.process_time() - begun
    assert isinstance(hostile, Dead)
    assert hostile.code == "note.too_costly"
    assert CANARY not in hostile.detail
    assert [type(one) for one in others] == [Released] * 8
    assert spent < 2 * allowed
    gc.collect()
    held = [one for one in gc.get_objects() if type(one) is Note and HOSTILE in repr(one.parts)]
    assert held == []


def test_time_that_a_note_waits_is_not_its_own():
    (one,) = outcomes(processor(Waiting(), budget_s=0.2), message("seen today"))
    assert isinstance(one, Released)


def test_a_budget_of_0_ends_nothing():
    (one,) = outcomes(processor(SlowPattern(), budget_s=0), message(HOSTILE * 40))
    assert isinstance(one, Released)


@pytest.mark.parametrize("language", ["en", "es"])
def test_no_development_note_takes_a_tenth_of_what_it_has(language, monkeypatch):
    accounts = []

    class Watched(NoteBudget):
        def __init__(self, seconds, *clocks):
            super().__init__(seconds, *clocks)
            self.allowed = seconds
            accounts.append(self)

    monkeypatch.setattr(budget, "NoteBudget", Watched)
    lines = (DEV / f"{language}_dev.jsonl").read_text(encoding="utf-8").splitlines()
    texts = [json.loads(line)["text"] for line in lines]
    subject = processor(budget_s=Settings().budget_s)
    for text in [*texts, "\n\n".join(texts)]:
        asyncio.run(subject.handle(message(text, language), {}))
    assert len(accounts) == len(texts) + 1
    assert max(1 - one.left / one.allowed for one in accounts) < 0.1
