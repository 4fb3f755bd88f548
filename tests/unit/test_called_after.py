"""What a thing is called after stays, whoever bears the name; whoever bears it goes."""

import json

import pytest
from test_formats_hl7_kept import clean

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.residue import Stated
from stream_deid.detect.words.terms import surely_a_term
from stream_deid.formats.fhir import message
from stream_deid.labels import PhiType
from stream_deid.note import Known, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

PIPELINE = Pipeline(
    {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
    Surrogates(Policy.named(), b"0123456789abcdef"),
    "test",
)


def record(family: str, given: str = "Imogen") -> tuple[Known, ...]:
    return (
        Known(PhiType.PATIENT, family, role="family"),
        Known(PhiType.PATIENT, given, role="given"),
    )


def through(text: str, family: str, given: str = "Imogen") -> str:
    note = Note("n", "p", (Part(text),), "en", known=record(family, given))
    done, _ = PIPELINE.finish(PIPELINE.begin(note), ())
    return done.parts[0].text


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("Parkinson", "Take 1 tab 2 times per day for Parkinson disease."),
        ("Gleason", "Adenocarcinoma, Gleason score 3+4=7, 4/12 cores."),
        ("Gleason", "A. Prostate: adenocarcinoma, Gleason 3+4=7 (Grade Group 2)"),
        ("Barrett", "B. Barrett's mucosa, negative for dysplasia, C2M4"),
        ("Simpson", "LVEF 48 % (biplane Simpson)"),
        ("Martin", "LDL 96 by Martin-Hopkins equation."),
        ("Martin", "LDL calc: 96 (Martin-Hopkins)"),
        ("Hill", "no Hill-Sachs lesion"),
        ("Whipple", "s/p Whipple procedure"),
        ("Addis", "Addis count: RBC 480,000 per 12 h"),
        ("Crohn", "known Crohn's disease"),
        ("Blanca", "Sustancia blanca conservada."),
    ],
)
def test_a_thing_keeps_the_name_of_whoever_bears_it_too(family: str, text: str) -> None:
    assert through(text, family) == text
    assert Stated(record(family), lambda _: True).standing(text, ()) == 0


@pytest.mark.parametrize(
    ("family", "given", "text"),
    [
        ("Parkinson", "Imogen", "Mr. Parkinson has Parkinson disease."),
        ("Martin", "Imogen", "Martin called; Martin-Hopkins equation used."),
        ("Martin", "Imogen", "seen with Mrs. Martin-Hopkins"),
        ("Martin", "Hopkins", "Martin Hopkins slept; Martin-Hopkins used."),
        ("Hill", "Imogen", "seen Hill, bed 4"),
        ("Gleason", "Imogen", "Gleason, Imogen: score 7"),
        ("Addis", "Imogen", "told Addis, count repeated"),
    ],
)
def test_the_one_who_bears_it_goes(family: str, given: str, text: str) -> None:
    shown = through(text, family, given)
    first = text.index(family)
    assert not shown[first:].startswith(family)
    assert family not in shown.replace("Parkinson disease", "").replace("Martin-Hopkins eq", "")


def test_a_model_that_takes_two_names_of_a_method_for_one_is_mistaken() -> None:
    text = "by Martin-Hopkins"
    assert surely_a_term(text, 3, len(text), PhiType.DOCTOR)
    text = "Mrs. Martin-Hopkins"
    assert not surely_a_term(text, 5, len(text), PhiType.PATIENT)


def test_a_test_and_its_words_keep_it_in_hl7() -> None:
    pid = "PID|1||40817263^^^NG^MR||Gleason^Burt||19500401|M"
    shown = clean("OBX|1|ST|GS^Gleason score^L||3+4||||||F", pid=pid)
    assert shown["OBX"] == "OBX|1|ST|GS^Gleason score^L||3+4||||||F"
    shown = clean("OBX|1|ST|GS^Gleason echo^L||3+4||||||F", pid=pid)
    assert "Gleason" not in shown["OBX"]


def test_the_code_of_a_test_that_is_a_listed_name_kills_no_message() -> None:
    """`MARTIN` may be somebody, so it goes; `Martin-Hopkins` in the result is no sign of a leak."""
    patient = {"resourceType": "Patient", "id": "p1", "name": [{"family": "Quackenbush"}]}
    coding = {"system": "urn:local:lab", "code": "MARTIN", "display": "LDL calc"}
    seen = {
        "resourceType": "Observation",
        "status": "final",
        "code": {"coding": [coding]},
        "subject": {"reference": "Patient/p1"},
        "valueString": "Calculated by Martin-Hopkins equation, Martin method",
    }
    bundle = {"resourceType": "Bundle", "type": "collection"}
    entries = [{"resource": patient}, {"resource": seen}]
    raw = json.dumps({**bundle, "entry": entries}).encode()
    pending = PIPELINE.begin(message.parse(raw, language_default="en"))
    done, _ = PIPELINE.finish(pending, ())
    held = json.loads(message.render(pending.note, done))["entry"][1]["resource"]
    assert held["valueString"] == seen["valueString"]
    assert held["code"]["coding"][0]["code"] != "MARTIN"


@pytest.mark.parametrize(
    ("family", "text", "stays"),
    [
        ("Duffy", "Duffy a neg; Kell pos", True),
        ("Kell", "Anti-Kell, titer 1:16", True),
        ("Lewis", "Lewis (b) + in the screen", True),
        ("Duffy", "Mrs. Duffy a neighbour", False),
        ("Duffy", "called Duffy, neg", False),
        ("Brannigan", "anti-Brannigan", False),
    ],
)
def test_a_group_of_blood_is_nobody(family: str, text: str, *, stays: bool) -> None:
    assert (through(text, family) == text) == stays


@pytest.mark.parametrize("given", ["Hazel", "Coral"])
def test_an_allergen_is_nobody_whoever_is_called_so(given: str) -> None:
    allergy = {
        "resourceType": "AllergyIntolerance",
        "patient": {"reference": "Patient/1", "display": f"{given} Quackenbush"},
        "code": {"text": given},
        "note": [{"text": f"told by Ms {given} Quackenbush"}],
    }
    note = message.parse(json.dumps(allergy).encode(), language_default="en")
    done, _ = PIPELINE.finish(PIPELINE.begin(note), ())
    made = json.loads(message.render(note, done))
    assert made["code"]["text"] == given
    assert given not in made["patient"]["display"] + made["note"][0]["text"]
    pid = f"PID|1||88123471^^^HOSP^MR||Quackenbush^{given}||19430612|F"
    made = clean(f"AL1|1|FA|^{given}|MO", f"NTE|1||{given} Quackenbush rang", pid=pid)
    assert made["AL1"].endswith(f"^{given}|MO")
    assert given not in made["NTE"]


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("Norton", "Norton 14/20, Braden 17/23"),
        ("Norton", "Norton score: 4/20"),
        ("Berg", "Berg balance 41/56"),
        ("Ashworth", "Modified Ashworth scale 2/4 R elbow"),
        ("Tinetti", "Tinetti 19/28"),
        ("Kelly", "Kelly clamp at bedside"),
        ("Foley", "Foley catheter 16 Fr"),
        ("Abbott", "ran on the Abbott Architect"),
        ("Hamilton", "vent: Hamilton G5, FiO2 0.4"),
    ],
)
def test_a_scale_with_its_points_and_a_makers_thing_stay(family: str, text: str) -> None:
    assert through(text, family) == text


@pytest.mark.parametrize(
    ("family", "text"),
    [
        ("Ashworth", "seen with Ashworth 2/4 in clinic"),
        ("Norton", "Norton 3/20 came late"),
        ("Norton", "Mr. Norton 14/20"),
        ("Norton", "Norton 14/23"),
        ("Kelly", "Kelly clamped the tube"),
        ("Abbott", "Abbott says"),
    ],
)
def test_whoever_is_called_like_a_scale_goes(family: str, text: str) -> None:
    assert family not in through(text, family)


@pytest.mark.parametrize("text", ["Ashworth 2/4", "Shea 4/5", "Tone: Ashworth 1+/4.", "Apfel 3/4"])
def test_a_model_that_takes_a_scale_for_somebody_is_not_heard(text: str) -> None:
    word = next(one for one in ("Ashworth", "Shea", "Apfel") if one in text)
    start = text.index(word)
    assert surely_a_term(text, start, start + len(word), PhiType.DOCTOR)
    other = f"seen by Dr. {word} today"
    start = other.index(word)
    assert not surely_a_term(other, start, start + len(word), PhiType.DOCTOR)


def test_initials_end_with_the_words_of_their_cue() -> None:
    for text in ("0.75 V @ 0.4 ms; MRI conditional", "PR 184 ms MRI later"):
        note = Note("n", "p", (Part(text),), "en", known=record("Rowe", "Imogen Marchetti"))
        done, _ = PIPELINE.finish(PIPELINE.begin(note), ())
        assert done.parts[0].text == text


@pytest.mark.parametrize(
    "text",
    [
        "Barthel score: 4/20",
        "Waterlow score: 4/20 (low)",
        "RZV dose 2/2, 2-6 mo after 1st",
        "HepB dose 2/3 today",
        "Family hx 2/3 1st-degree relatives",
    ],
)
def test_a_score_a_dose_of_a_series_and_relatives_counted_are_no_days(text: str) -> None:
    assert through(text, "Quillfeather") == text


@pytest.mark.parametrize("text", ["last dose 2/3", "missed dose 2/4 and 2/5", "next vaccine 3/4"])
def test_a_day_on_which_a_dose_is_due_or_was_missed_moves(text: str) -> None:
    assert through(text, "Quillfeather") != text
