"""One thing has one name, whatever its wording, its type and what stands beside it."""

from __future__ import annotations

import json
import re

import pytest
from surrogate_helpers import replaced, surrogates
from world_helpers import Mention, clean, in_message

from stream_deid.formats.fhir import message as fhir
from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import area_codes, load_census, load_names, load_places
from stream_deid.note import Known
from stream_deid.surrogate.demographics import neutral
from stream_deid.text.folding import fold

PATIENTS = [f"patient {n}" for n in range(6)]
STATE_OF = {code: state for state, codes in area_codes().items() for code in codes}


def one(phi, value, language, patient, **more):
    return replaced(surrogates(), [(phi, value)], language=language, patient=patient, **more)[0]


def saint(made):
    return re.sub(r"[.'’]", "", fold(made)).removesuffix(" hospital").split()[-1].rstrip("s")


@pytest.mark.parametrize("patient", PATIENTS)
@pytest.mark.parametrize("name", ["Mary", "Luke", "Joseph", "Vincent", "Mark", "Anne"])
def test_a_saint_with_and_without_an_apostrophe_is_one(name, patient):
    forms = (f"St. {name}'s", f"St {name}s Hospital", f"ST. {name.upper()}S", f"Saint {name}’s")
    assert len({saint(one("HOSPITAL", form, "en", patient)) for form in forms}) == 1


@pytest.mark.parametrize("name", ["St. Thomas", "St. James", "St Agnes", "St. Francis"])
def test_a_saint_whose_name_ends_so_is_nobody_elses(name):
    made = {saint(one("HOSPITAL", name, "en", patient)) for patient in PATIENTS}
    assert len(made) > 1
    assert saint(name) not in made


@pytest.mark.parametrize("patient", PATIENTS)
@pytest.mark.parametrize("name", ["Juan", "José", "Pedro", "Roque"])
def test_a_spanish_saint_by_a_letter_is_the_saint(name, patient):
    whole, short = (
        one("HOSPITAL", f"{head} {name}", "es", patient) for head in ("Hospital San", "Hosp. S.")
    )
    assert whole.split()[-1] == short.split()[-1]
    assert short.startswith("Hosp. S. ")


@pytest.mark.parametrize("patient", PATIENTS)
@pytest.mark.parametrize("name", ["Cemex", "Asisa", "Sergas", "Adeslas"])
def test_a_name_in_capitals_is_the_name(name, patient):
    made = [one("ORGANIZATION", f"{n} Norte", "es", patient) for n in (name, name.upper())]
    assert fold(made[0]) == fold(made[1])


@pytest.mark.parametrize("patient", PATIENTS)
@pytest.mark.parametrize(
    "spans",
    [[("CITY", "Laredo"), ("STATE", "TX"), ("ZIP", "78040"), ("PHONE", "(956) 555-0133")],
     [("CITY", "Laredo"), ("CITY", "TX"), ("ZIP", "78040"), ("PHONE", "956-555-0133")],
     [("CITY", "Nogales"), ("STATE", "Arizona"), ("ZIP", "85621"), ("PHONE", "520-555-0133")]],
)  # fmt: skip
def test_an_american_address_in_a_spanish_note_lies_in_one_state(spans, patient):
    town, state, code, phone = replaced(surrogates(), spans, language="es", patient=patient)
    at = load_places().state_keys[fold(state)]
    assert at[0] == "US"
    assert at[1] in {c.state for c in load_places().named[fold(town)] if c.country == "US"}
    assert code.startswith(tuple(load_places().prefixes[at]))
    assert STATE_OF[re.sub(r"\D", "", phone)[:3]] == at[1]


def test_a_town_and_its_state_in_one_value_lie_together():
    for patient in PATIENTS:
        made = one("CITY", "Pharr, TX 78577", "es", patient)
        town, state, code = re.fullmatch(r"(.+), ([A-Z]{2}) (\d{5})", made).groups()
        assert state in {c.state for c in load_places().named[fold(town)] if c.country == "US"}
        assert code.startswith(tuple(load_places().prefixes["US", state]))


@pytest.mark.parametrize("patient", PATIENTS)
@pytest.mark.parametrize("name", ["Harrison", "Ford", "Lincoln"])
def test_a_given_name_of_the_record_becomes_a_given_name(name, patient):
    known = (
        Known(PhiType.PATIENT, name, role="given", sex="M", person="a"),
        Known(PhiType.PATIENT, "Tennant", role="family", person="a"),
    )
    made = fold(one("PATIENT", f"{name} Tennant", "en", patient, known=known).split()[0])
    assert load_names().label(made).startswith(("given", "both")) or made in load_census().sex


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_nickname_has_the_sex_of_the_record(patient):
    known = (Known(PhiType.PATIENT, "Guadalupe", role="given", sex="M", person="a"),)
    made = one("PATIENT", "Lupe", "es", patient, known=known)
    assert load_names().sex.get(fold(made), load_census().sex.get(fold(made), "M")) in {"M", "U"}


@pytest.mark.parametrize(
    ("text", "made"), [("Paciente mujer", "de sexo no indicado"), ("Mujer", "Paciente")]
)
def test_no_patient_is_a_patient_twice(text, made):
    spans = [("OTHER", "Dato"), ("SEX", text.split()[-1])]
    hidden = surrogates(strategies={"SEX": "generalise"})
    shown = replaced(hidden, spans, language="es")[1]
    assert fold(shown) in {"paciente", "persona"}
    at = len(text) - len(text.split()[-1])
    assert neutral.sex(text[at:], "es", text[:at]) == made


TOWN = "PID|1||4471^^^X^MR||HOPE^GRACE^M||19541103|F|||14 LARCH CT^^HILO^HI^96720||8085550163"
HEAD = "MSH|^~\\&|LAB|ASHLAR CLINIC|RCV|X|202603051015||ORU^R01|M1|P|2.4||||||8859/1|en"


def test_the_town_of_the_record_is_no_person_in_text():
    mentions = [
        Mention("town", "Hilo", "PATIENT", "", " resident."),
        Mention("person", "Hilo", "DOCTOR", "Seen by Dr. ", " now."),
    ]
    (_, pid), shown = in_message([HEAD, TOWN], mentions)
    assert fold(shown["town"][0]) == fold(pid.split("|")[11].split("^")[2])
    assert fold(shown["person"][0]) != fold(shown["town"][0])


def report(display, name="Brackett Imaging Associates", **more):
    about = {"reference": "Patient/p"}
    return {"resourceType": "Bundle", "type": "collection", "language": "en", "entry": [
        {"resource": {"resourceType": "Patient", "id": "p", "name": [{"family": "Tennant"}]}},
        {"resource": {"resourceType": "Organization", "id": "o", "name": name}},
        {"resource": {"resourceType": "DiagnosticReport", "id": "d", "status": "final",
                      "subject": about, "code": {"text": "CT"}, "effectiveDateTime": "2024-05-05",
                      "performer": [{"display": display, **more}],
                      "conclusion": f"Read at {name} today."}},
    ]}  # fmt: skip


@pytest.mark.parametrize(
    ("display", "name"),
    [("Brackett Imaging Associates", "Brackett Imaging Associates"),
     ("BRACKETT IMAGING ASSOCIATES", "Brackett Imaging Associates"),
     ("Kestrel", "Kestrel Hospital"), ("Kestrel Hospital", "Kestrel Hospital")],
)  # fmt: skip
def test_a_house_that_fhir_displays_as_a_performer_is_the_house(display, name):
    note = fhir.parse(json.dumps(report(display, name)).encode())
    out = fhir.render(note, clean(note, [Mention("house", name, "HOSPITAL", "Read at ")]))
    _, house, found = (entry["resource"] for entry in json.loads(out)["entry"])
    shown = found["performer"][0]["display"]
    assert fold(shown) in (fold(house["name"]), fold(house["name"].split()[0]))
    assert found["conclusion"] == f"Read at {house['name']} today."
    assert fold(name.split()[0]) not in fold(out.decode())


def test_a_performer_whose_name_says_nothing_of_a_house_is_a_person():
    note = fhir.parse(json.dumps(report("Tobias Wetherby")).encode())
    (part,) = [part for part in note.parts if part.text == "Tobias Wetherby"]
    assert part.declared[0].type is PhiType.DOCTOR
