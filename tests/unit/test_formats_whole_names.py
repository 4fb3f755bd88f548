"""A field that holds a whole name: posts, kin and credentials in it are nobody's names."""

from pathlib import Path

import pytest
from fhir_helpers import released

from stream_deid.formats.json.patient import known_identifiers
from stream_deid.formats.whole_names import name_of

_FILE = Path(__file__).parents[1] / "data" / "whole_names.tsv"
CASES = [line.split("\t") for line in _FILE.read_text("utf-8").splitlines()[1:]]
THINGS = [
    ("Device/3", "Alaris pump"), ("Device/3", "Oxygen concentrator"), ("Device/9", "Glucometer"),
    ("Specimen/1", "Venous blood"), ("Medication/1", "Warfarin 5 mg"), ("Condition/1", "Gout"),
    ("Procedure/1", "Whipple"), ("Observation/7", "Serum potassium"), ("Task/2", "Foot check"),
    ("Device/1?x=1", "Infusion pump"),
]  # fmt: skip
POSTS = [
    ("RN Sunniva Haugland", "RN called the ward"), ("clerk Ermintrude Pugh", "clerk informed"),
    ("Dr. med. Gotthilf Sommer", "med list reviewed"), ("tech Bronwen Ivory", "tech repeated it"),
    ("phleb. Yolanda Ives", "phleb. notified"), ("Ward sister Nuala Ryan", "sister on ward agrees"),
    ("Consultant Psychiatrist Maeve Tuohy", "consultant psychiatrist asked for lithium"),
    ("Medical student Iolo Pryce", "medical student present"),
    ("Marjorie Blunt (interpreter)", "interpreter used"), ("Resident on call", "resident agreed"),
    ("Night nurse", "night nurse called"), ("Lab Technician", "lab technician repeated it"),
    ("Wen-Ling Tsai, PhD, FACMG", "FACMG guideline"),
]  # fmt: skip


@pytest.mark.parametrize(("value", "name"), CASES)
def test_the_name_in_a_whole_value(value, name):
    assert name_of(value) == name


def test_every_name_that_is_none_beside_words_stays_whole():
    assert sum(value == name for value, name in CASES) >= 20


@pytest.mark.parametrize(("display", "text"), POSTS)
def test_a_post_in_a_display_is_not_looked_for_in_the_text(display, text):
    clean = released({
        "resourceType": "Observation", "status": "final", "code": {"text": "x"},
        "performer": [{"reference": "Practitioner/1", "display": display}],
        "note": [{"text": text}],
    })  # fmt: skip
    assert clean["note"][0]["text"] == text
    name = name_of(display)
    shown = clean["performer"][0]["display"]
    assert (name not in shown) if name else shown == display
    if name:
        before, _, after = display.partition(name)
        assert shown.startswith(before)
        assert shown.endswith(after)


@pytest.mark.parametrize(("target", "display"), THINGS)
@pytest.mark.parametrize("element", ["sender", "subject"])
def test_a_thing_that_sends_or_is_spoken_of_is_nobody(target, display, element):
    clean = released({
        "resourceType": "Communication", "status": "completed",
        element: {"reference": target, "display": display},
        "note": [{"text": f"{display} noted"}],
    })  # fmt: skip
    assert clean[element]["display"] == display
    assert clean["note"][0]["text"] == f"{display} noted"


@pytest.mark.parametrize("value", ["RN Sunniva Haugland", "Sunniva Haugland, RN"])
def test_a_doctor_of_a_json_record_is_looked_for_by_name(value):
    (one,) = known_identifiers({"doctors": [value]})
    assert one.value == "Sunniva Haugland"


def test_a_record_of_nobody_but_a_post_is_none():
    assert known_identifiers({"doctors": ["Resident on call"]}) == ()
