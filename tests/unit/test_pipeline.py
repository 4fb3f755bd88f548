"""The pure composition: what goes in, what comes out, and what makes it refuse."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_deid.detect.examination import Language
from stream_deid.detect.fast.inclusion import Inclusion
from stream_deid.detect.fast.paths import FastPaths
from stream_deid.detect.fast.reviewed import INCLUSION, TEMPLATES, Reviewed
from stream_deid.detect.fast.templates import Templates
from stream_deid.detect.neural import passages
from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.detect.neural.passages import Chunk
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.errors import Halt, NoteRejected
from stream_deid.labels import PhiType
from stream_deid.note import Known, Note, Part, Span
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.wordchar import WordCharEncoder

KEY = b"0123456789abcdef"
NAME = "Quillfeather"
FILLER = "stable overnight with good urine output and no new complaints. "
TAGGER = ModelSpec(
    name="tagger",
    version="1",
    kind="wordchar",
    languages=("en",),
    labels=("O", "B-PATIENT", "I-PATIENT"),
    window=64,
    overlap=16,
    wordchar=WordCharEncoder.from_json(json.dumps({"words": [], "alphabet": ""})),
)


def pipeline(*models: ModelSpec) -> Pipeline:
    detectors = (Patterns("en"), KnownIdentifiers())
    return Pipeline(
        {"en": Language(detectors, models)}, Surrogates(Policy.named(), KEY), release="test"
    )


def note(text: str, **changes) -> Note:
    return replace(Note("n1", "p1", (Part(text, "text"),), "en"), **changes)


def scores(pending, windows) -> list[np.ndarray]:
    """Scores that say PATIENT for exactly the word NAME: what a perfect model would answer."""
    out = []
    for window in windows:
        array = np.zeros((len(window), 3), dtype=np.float32)
        array[:, 0] = 4.0
        text = pending.texts[window.part]
        for row, (start, end) in enumerate(zip(window.starts, window.ends, strict=True)):
            if text[start:end] == NAME:
                array[row, 1] = 9.0
        out.append(array)
    return out


def run(made: Pipeline, given_note: Note):
    pending = made.begin(given_note)
    return made.finish(pending, heard(made, pending))


def heard(made: Pipeline, pending):
    """What the perfect model says of every chunk."""
    return [
        made.hear(pending, chunk, windows, scores(pending, windows))
        for chunk in pending.chunks
        for windows in [made.windows(pending, chunk)]
    ]


def test_a_note_with_a_name_a_date_and_a_phone():
    text = f"Seen 3/4/2021: Mr. {NAME} called from 617-555-0143. BP 120/80."
    clean, audit = run(pipeline(TAGGER), note(text))
    released = clean.parts[0].text
    for value in (NAME, "3/4/2021", "617-555-0143"):
        assert value not in released
    assert released.endswith("BP 120/80.")
    spans = {s["type"]: s for s in audit.body["spans"]}
    assert text[spans["PATIENT"]["start"] : spans["PATIENT"]["end"]] == NAME
    for span in audit.body["spans"]:
        assert released[span["out_start"] : span["out_end"]]
    assert "tagger@1" in spans["PATIENT"]["detectors"]
    assert audit.body["coverage"]["examined"] == len(text)


@pytest.mark.parametrize("words", [0, 1, 30, 55, 63, 64, 65, 120, 255, 256, 511, 512, 5000])
@pytest.mark.parametrize("ending", ["", "\n", " and slept."])
def test_a_name_is_examined_wherever_it_stands(words, ending):
    lead = " ".join((FILLER * (words // 10 + 1)).split()[:words])
    text = f"{lead} {NAME}{ending}"
    clean, audit = run(pipeline(TAGGER), note(text))
    assert NAME not in clean.parts[0].text
    assert any("tagger@1" in s["detectors"] for s in audit.body["spans"])


def test_a_name_found_once_is_replaced_everywhere():
    text = f"{NAME} slept. Later {NAME}'s wife visited. {NAME.upper()} ate well."
    made = pipeline(TAGGER)
    pending = made.begin(note(text))
    (chunk,) = pending.chunks
    windows = made.windows(pending, chunk)
    only_first = scores(pending, windows)
    for array, window in zip(only_first, windows, strict=True):
        array[window.starts > 0, 1] = -9.0
    clean, _ = made.finish(pending, [made.hear(pending, chunk, windows, only_first)])
    assert NAME.lower() not in clean.parts[0].text.lower()


@pytest.mark.parametrize(
    "written",
    ["|".join(NAME), " ".join(NAME), NAME.replace("f", "&#102;"), NAME.replace("f", "=66")],
)
def test_models_read_a_name_that_an_export_cut(written):
    text = f"rows |1|2|3|4| =20 {written}  and more"
    given_note = note(text)
    (chunk,) = pipeline(TAGGER).begin(given_note).chunks
    _, reading = chunk.passages
    assert (reading.part, NAME in reading.text) == (0, True)
    clean, audit = run(pipeline(TAGGER), given_note)
    assert written not in clean.parts[0].text
    assert clean.parts[0].text.startswith("rows |1|2|3|4|")
    assert audit.body["coverage"]["chars"] == len(text)


def test_declared_fields_are_replaced_and_not_examined():
    field = Part("DOE", "PID[1]-5.1", examine=False, declared=(Span(0, 3, PhiType.PATIENT),))
    made = pipeline(TAGGER)
    pending = made.begin(note("x", parts=(field,)))
    assert pending.chunks == ()
    clean, audit = made.finish(pending, [])
    assert clean.parts[0].text != "DOE"
    assert audit.body["spans"][0]["path"] == "PID[1]-5.1"


def test_a_language_without_models_releases_nothing():
    with pytest.raises(NoteRejected) as caught:
        pipeline(TAGGER).begin(note("bonjour", language="fr"))
    assert caught.value.code == "language.unsupported"


def test_an_unexamined_character_stops_everything():
    made = pipeline(TAGGER)
    pending = made.begin(note(FILLER * 40))
    (chunk,) = pending.chunks
    windows = made.windows(pending, chunk)
    holed = windows[:1] + windows[2:]
    with pytest.raises(Halt) as caught:
        made.hear(pending, chunk, holed, scores(pending, holed))
    assert caught.value.code == "coverage.gap"


@pytest.mark.parametrize("missing", [0, 3, -1])
def test_a_chunk_that_no_model_heard_stops_everything(missing, monkeypatch):
    monkeypatch.setattr(passages, "LONGEST", 400)
    made = pipeline(TAGGER)
    pending = made.begin(note(FILLER * 40))
    said = heard(made, pending)
    missing %= len(said)
    assert len(said) > 4
    with pytest.raises(Halt) as caught:
        made.finish(pending, said[:missing] + said[missing + 1 :])
    assert caught.value.code == "coverage.gap"
    with pytest.raises(Halt) as caught:
        made.finish(pending, [*said, said[missing]])
    assert caught.value.code == "coverage.gap"


def test_missing_scores_stop_everything():
    made = pipeline(TAGGER)
    pending = made.begin(note(FILLER * 40))
    (chunk,) = pending.chunks
    windows = made.windows(pending, chunk)
    with pytest.raises(Halt):
        made.hear(pending, chunk, windows, scores(pending, windows)[:-1])


def test_nothing_of_the_note_shows_in_what_may_be_logged():
    made = pipeline(TAGGER)
    pending = made.begin(note(f"{NAME} 617-555-0143"))
    clean, audit = made.finish(pending, heard(made, pending))
    for thing in (pending, clean, pending.note):
        assert NAME not in repr(thing)
        assert "617-555-0143" not in repr(thing)
    assert NAME not in str(audit.body)


@settings(max_examples=60, deadline=None)
@given(st.text(max_size=300))
def test_any_text_is_covered_and_offsets_hold(text):
    clean, audit = run(pipeline(TAGGER), note(text))
    released, at, out = clean.parts[0].text, 0, 0
    for span in audit.body["spans"]:
        assert text[at : span["start"]] == released[out : span["out_start"]]
        at, out = span["end"], span["out_end"]
    assert text[at:] == released[out:]


def test_a_guessed_language_is_the_one_of_the_surrogates_too():
    """A Spanish note that names no language came out with American dates and English words."""
    text = "Ingresa el 03/04/2021 y recibe el alta el 12/05/2021. Lo acompaña su marido."
    setups = {code: Language((Patterns(code),), ()) for code in ("en", "es")}
    made = Pipeline(setups, Surrogates(Policy.named(), KEY), release="test")
    guessed = run(made, note(text, language=""))
    stated = run(made, note(text, language="es"))
    assert guessed == stated
    assert made.begin(note(text, language="")).note.language == "es"


def test_names_of_the_record_tell_no_language():
    """A patient of Spanish name had made an English note Spanish, and "BG 55" a number."""
    setups = {code: Language((Patterns(code),), ()) for code in ("en", "es")}
    made = Pipeline(setups, Surrogates(Policy.named(), KEY), release="test")
    text = "Núria Abelló Echevarría took 3/4 tab. Insulin 6 u, BG 55"
    known = tuple(
        Known(PhiType.PATIENT, name, role=role)
        for name, role in (("Núria", "given"), ("Abelló Echevarría", "family"))
    )
    assert made.begin(note(text, language="")).note.language == "es"
    assert made.begin(note(text, language="", known=known)).note.language == "en"


def test_strangers_without_a_patient_id_share_no_offset():
    """Every message without an id was one patient's: one date offset, one set of surrogates."""
    text = "Admitted 03/04/2021, seen by Dr. Abernathy."
    made = pipeline()
    outs = {
        run(made, note(text, patient_id="", note_id=f"n{i}"))[0].parts[0].text for i in range(6)
    }
    assert len(outs) > 3
    _, record = run(made, note(text, patient_id=""))
    assert record.body["subject"] == "note"
    assert "subject" not in run(made, note(text))[1].body


LISTED = "no acute distress"


def fast_pipeline(context: int = 0) -> Pipeline:
    lists = FastPaths(
        Inclusion(Reviewed.of(INCLUSION, "en", [LISTED])),
        Templates(Reviewed.of(TEMPLATES, "en", ["Signed by {DOCTOR:W W} on {DATE:N/N/N}"])),
        context,
    )
    made = pipeline(TAGGER)
    return replace(made, languages={"en": replace(made.languages["en"], fast=lists)})


def test_settled_sentences_leave_the_windows_and_the_audit_says_which_rule_answers():
    text = f"No acute distress. {NAME} slept. Signed by Ann Dow on 3/4/2021"
    made = fast_pipeline()
    pending = made.begin(note(text))
    (window,) = made.windows(pending, pending.chunks[0])
    shown = [text[a:b] for a, b in zip(window.starts, window.ends, strict=True)]
    assert shown == [NAME, "slept", "."]
    clean, audit = made.finish(pending, heard(made, pending))
    for value in (NAME, "Ann", "Dow", "3/4/2021"):
        assert value not in clean.parts[0].text
    body = audit.body
    settled = body["fast_path"]["settled"]
    assert [(s["start"], s["end"], s["rule"].split("@")[0]) for s in settled] == [
        (0, 18, "inclusion"),
        (text.index("Signed"), len(text), "template"),
    ]
    assert body["coverage"]["examined"] + body["coverage"]["settled"] == len(text)


def test_a_known_value_in_a_listed_sentence_is_still_replaced():
    known = (Known(PhiType.PATIENT, "Acute", role="family"), Known(PhiType.PATIENT, "Ann"))
    clean, audit = run(fast_pipeline(), note("No acute distress. ACUTE, Ann.", known=known))
    assert "acute" not in clean.parts[0].text.lower().split(". ")[-1]
    assert all(s["rule"] for s in audit.body["fast_path"]["settled"])


def test_what_no_rule_settles_and_no_window_shows_is_not_released():
    made = fast_pipeline()
    pending = made.begin(note(f"No acute distress. {NAME} slept."))
    (chunk,) = pending.chunks
    forged = Chunk(tuple(replace(one, settled=()) for one in chunk.passages))
    windows = made.windows(pending, forged)
    with pytest.raises(Halt) as caught:
        made.hear(pending, forged, windows, scores(pending, windows))
    assert caught.value.code == "coverage.gap"


SENTENCES = [
    "No acute distress. ",
    f"{NAME} slept. ",
    "Seen 3/4/2021.\n",
    "Signed by A B on 1/2/20\n",
]


@settings(deadline=None, max_examples=60)
@given(st.lists(st.sampled_from(SENTENCES), max_size=12), st.integers(0, 2))
def test_whatever_is_settled_every_name_is_found_and_twice_is_the_same(parts, context):
    text = "".join(parts)
    made = fast_pipeline(context)
    first, second = (run(made, note(text)) for _ in range(2))
    assert first == second
    clean, audit = first
    assert NAME not in clean.parts[0].text
    assert "3/4/2021" not in clean.parts[0].text
    assert audit.body["coverage"]["chars"] == len(text)
    plain = run(pipeline(TAGGER), note(text))[1].body["spans"]
    mine = {(s["start"], s["end"]) for s in audit.body["spans"]}
    assert {(s["start"], s["end"]) for s in plain} <= mine


@given(parts=st.lists(st.sampled_from([*SENTENCES, "&nbsp;", "\n\n"]), max_size=40))
@settings(max_examples=80, deadline=None)
def test_a_long_note_in_chunks_comes_out_as_in_one(parts):
    text = "".join(parts)
    for made in (pipeline(TAGGER), fast_pipeline()):
        whole = run(made, note(text))
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(passages, "LONGEST", 60)
            assert run(made, note(text)) == whole
