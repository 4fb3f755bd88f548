"""What a defect of ours makes of a note: a dead letter of its own, without a word of it."""

import asyncio
import re
import threading
from dataclasses import replace

import orjson
import pytest
from tokenizers import NormalizedString

from stream_deid import audit
from stream_deid.assembly import compiled_lists, release_name
from stream_deid.config import Keys, Settings
from stream_deid.detect.examination import Language
from stream_deid.detect.fast.reviewed import Reviewed
from stream_deid.errors import Halt, NoteRejected, Unavailable
from stream_deid.pipeline import Pipeline
from stream_deid.processor import Processor
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

KEY = b"0123456789abcdef"
CANARY = "Quillfeather"
RAW = orjson.dumps({"note_id": "1", "patient_id": "2", "text": f"Seen by Dr. {CANARY}.",
                    "language": "en"})  # fmt: skip


class Scorer:
    """Answers nothing for no windows, or raises what it was given."""

    def __init__(self, error: Exception | None = None) -> None:
        self.error = error

    async def score(self, windows, _deadline):
        if self.error is not None:
            raise self.error
        return [None for _ in windows]


class Defective:
    """A detector with a defect that quotes the note."""

    def detect(self, text, _note):
        raise self.error(f"can't take {text}")

    def __init__(self, error: type[BaseException]) -> None:
        self.error = error


def processor(*detectors, scorer=None):
    pipeline = Pipeline(
        {"en": Language(detectors, ())}, Surrogates(Policy.named(), KEY), release="test"
    )
    return Processor(pipeline, scorer or Scorer(), Settings(), KEY)


def process(*detectors):
    return asyncio.run(processor(*detectors).handle(RAW, {}))


@pytest.mark.parametrize(
    "error",
    [ValueError, KeyError, RecursionError, AssertionError, OverflowError, ZeroDivisionError],
)
def test_a_defect_rejects_the_note_that_met_it_and_quotes_nothing(error):
    with pytest.raises(NoteRejected) as caught:
        process(Defective(error))
    assert caught.value.code == "note.failed"
    assert re.fullmatch(rf"begin: {error.__name__} at \w+/\w+\.py:\d+", caught.value.detail)
    assert CANARY not in str(caught.value)
    assert caught.value.__cause__ is None
    assert caught.value.__suppress_context__


class Panicking:
    """A detector in which a library in Rust panics over the note."""

    def detect(self, text, _note):
        NormalizedString(text).filter(lambda _: 1)


def test_a_panic_of_a_library_rejects_the_note_and_ends_nothing(capfd):
    """No `Exception` is what Rust makes of it: it ended `file`, and a worker again and again."""
    with pytest.raises(NoteRejected, match=r"note\.failed: begin: PanicException at ") as caught:
        process(Panicking())
    assert "panicked at" in capfd.readouterr().err
    assert "filter" not in str(caught.value)


@pytest.mark.parametrize(
    ("step", "where", "name"),
    [
        ("parse", Processor, "_parse"),
        ("begin", Pipeline, "begin"),
        ("finish", Pipeline, "finish"),
        ("render", audit, "render"),
    ],
)
def test_a_defect_of_every_step_is_the_notes(step, where, name, monkeypatch):
    def defective(*_, **__):
        raise ValueError(f"can't take {CANARY}")

    monkeypatch.setattr(where, name, defective)
    with pytest.raises(NoteRejected, match=rf"note\.failed: {step}: ValueError at ") as caught:
        process()
    assert CANARY not in str(caught.value)


def test_a_broken_invariant_is_the_notes_and_not_the_installations():
    class Overlapping:
        def detect(self, _text, _note):
            raise Halt("edit.order", "findings overlap")

    with pytest.raises(NoteRejected, match=r"note\.failed: begin: edit\.order at "):
        process(Overlapping())


@pytest.mark.parametrize(
    ("error", "passes"),
    [
        (Unavailable("triton.away", ""), Unavailable),
        (Halt("triton.contract", ""), Halt),
        (Halt("window.too-long", ""), NoteRejected),
        (NoteRejected("model.failed", ""), NoteRejected),
    ],
)
def test_only_what_concerns_the_process_ends_it(error, passes):
    with pytest.raises(passes):
        asyncio.run(processor(scorer=Scorer(error))._score([None], 0.0))


def test_memory_that_runs_out_is_the_processes_affair():
    with pytest.raises(MemoryError):
        process(Defective(MemoryError))


def test_the_release_names_the_fast_paths_and_their_lists(tmp_path):
    off = Settings()
    on = replace(off, fast_paths="inclusion", fast_lists=str(tmp_path))
    with pytest.raises(Halt, match=r"fast\.missing"):
        compiled_lists(on)
    one = Reviewed.of("inclusion", "en", ["no acute distress"])
    (tmp_path / "inclusion_en.txt").write_text(one.render(), "utf-8")
    lists = compiled_lists(on)
    assert compiled_lists(off) is None
    names = {release_name(off, {}), release_name(on, {}), release_name(on, {}, lists)}
    assert len(names) == 3


def test_two_tenants_of_one_key_do_not_learn_that_they_hold_the_same_message():
    hashes = {
        Processor(None, None, Settings(keys=Keys(tenant=tenant)), b"k" * 32).mac(b"a message")
        for tenant in ("", "north", "south")
    }
    assert len(hashes) == 3


class Gate:
    """A detector that lets the first note through, and the others once that one is done."""

    def __init__(self) -> None:
        self.open, self.in_time = threading.Event(), True

    def detect(self, _text, note):
        if note.note_id != "0":
            self.in_time &= self.open.wait(10)
        return []


def test_the_first_of_many_notes_is_out_before_the_last_has_begun():
    """After an outage all that waited begin together; what is heard isn't held up by that."""
    gate = Gate()
    taking = processor(gate)

    async def take(number):
        body = {"note_id": str(number), "patient_id": "2", "text": "Seen.", "language": "en"}
        await taking.handle(orjson.dumps(body), {})
        if number == 0:
            gate.open.set()

    async def take_all():
        await asyncio.gather(*(take(number) for number in range(100)))

    asyncio.run(take_all())
    assert gate.in_time
