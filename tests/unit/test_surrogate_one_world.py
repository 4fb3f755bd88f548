"""What a message says of one world it says in its clean form: one thing is one thing everywhere."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, replaced, surrogates
from world_helpers import Mention, in_message, in_text

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import area_codes, load_list, load_places
from stream_deid.lists.vocabulary import rows
from stream_deid.note import Finding, Note, Part, Span
from stream_deid.surrogate.demographics.professions import gender, profession, takes_an
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import misread, phones
from stream_deid.text.folding import fold

PROVINCES = {code: name for name, codes in rows("provinces_es")[1] for code in codes.split("|")}
PATIENTS = [f"patient {n}" for n in range(4)]
HEADER = "MSH|^~\\&|{program}|{house}|RCV|{house}|202603051015||ORU^R01|M1|P|2.4||||||8859/1|{code}"
PLACE = "PV1|1|I|5E^22^2^{house}||||2217^YOUNG^NEIL^A"


def person(number, address, phone, name="HOPE^GRACE^M"):
    city, state, code = address
    home = f"14 LARCH CT^^{city}^{state}^{code}"
    return f"PID|1||{number}^^^X^MR||{name}||19541103|F|||{home}||{phone}"


def towns_of(name, country):
    return {c.state for c in load_places().named.get(fold(name), ()) if c.country == country}


@settings(max_examples=25, deadline=None)
@given(
    st.sampled_from(
        ["ASHLAR CLINIC", "NORTHGATE", "COPPERFIELD UNIV", "QUARRYVIEW", "MAPLE", "WEXCOMBE HOSP"]
    ),
    st.sampled_from(["VOXLINE", "KESTREL", "TOLLGATE", "PELICANHUB", "SLATEBOARD"]),
    st.sampled_from(["en", "es"]),
    st.integers(1000, 9999),
    st.lists(
        st.sampled_from(["CITY", "DOCTOR", "PATIENT", "HOSPITAL", "ORGANIZATION", ""]),
        min_size=1, max_size=4,
    ),
)  # fmt: skip
def test_a_house_and_a_program_have_one_name_in_fields_and_in_text(
    house, program, code, number, kinds
):
    short = house.split()[0].capitalize()
    facts = {"house": house, "program": program, "code": code}
    segments = [
        HEADER.format(**facts), person(number, ("SCITUATE", "MA", "02066"), "7815550163"),
        PLACE.format(**facts),
    ]  # fmt: skip
    mentions = [Mention("house", short, kind, "It was sent by ", " again.") for kind in kinds]
    mentions += [Mention("program", program.capitalize(), "", "Results in ", " today.")]
    (header, _, place), shown = in_message(segments, mentions)
    fields = header.split("|")
    assert fields[2] != program
    assert fields[3] != house
    assert place.split("|")[3].split("^")[3] == fields[3] == fields[5]
    assert {fold(one) for one in shown["house"]} <= {fold(fields[3]).split(" clinic")[0],
        *(fold(fields[3]).removesuffix(end) for end in (" univ", " hosp"))}  # fmt: skip
    assert {fold(one) for one in shown["program"]} == {fold(fields[2])}


@pytest.mark.parametrize("patient", range(3))
@pytest.mark.parametrize(
    ("town", "state", "code", "phone"),
    [("FT YATES", "ND", "58538", "7015550144"), ("PIERRE", "SD", "57501", "6055550134"),
     ("RALEIGH", "NC", "27601", "9195550123"), ("BURLINGTON", "VT", "05401", "8025550123")],
)  # fmt: skip
def test_town_and_code_lie_in_the_state_of_the_field(town, state, code, phone, patient):
    segments = [
        HEADER.format(house="F", program="A", code="en"),
        person(f"77{patient}12", (town, state, code), phone),
    ]
    mentions = [Mention("town", town.title(), "CITY", "Lives in ", " now.")]
    (_, pid), shown = in_message(segments, mentions)
    made = pid.split("|")[11].split("^")
    assert made[3] != state
    assert made[3] in towns_of(made[2], "US")
    prefixes = load_places().prefixes["US", made[3]]
    assert made[4].startswith(tuple(prefixes))
    assert fold(shown["town"][0]) == fold(made[2])


SPANISH = [
    ("Lucena", "CO", "14900", "957550172"), ("Villarino de los Aires", "SA", "37160", "923550172"),
    ("Tarancón", "CU", "16400", "969321000"), ("Moraleja", "CC", "10840", "927515000"),
]  # fmt: skip


@pytest.mark.parametrize("patient", range(3))
@pytest.mark.parametrize(("town", "province", "code", "phone"), SPANISH)
def test_a_spanish_address_lies_in_one_province(town, province, code, phone, patient):
    segments = [
        HEADER.format(house="F", program="A", code="es"),
        person(f"77{patient}12", (town, province, code), phone, "PACHECO^ASUNCION"),
    ]
    (_, pid), shown = in_message(segments, [Mention("town", town, "CITY", "Vive en ", " ya.")])
    fields = pid.split("|")
    made = fields[11].split("^")
    at = PROVINCES[made[3]]
    assert at != PROVINCES[province]
    assert at in towns_of(made[2], "ES")
    assert made[4].startswith(tuple(load_places().prefixes["ES", at]))
    assert fields[13][:3] in area_codes("ES")[at]
    assert fold(shown["town"][0]) == fold(made[2])


def test_co_is_colorado_beside_codes_that_are_none_of_spain():
    spans = [("CITY", "Pueblo"), ("STATE", "CO"), ("ZIP", "81003")]
    for patient in PATIENTS:
        _, state, _ = replaced(surrogates(), spans, language="es", patient=patient)
        assert state in load_places().states["US"]


JOBS = st.sampled_from(
    ["plumber", "electrician", "Accountant", "imam", "hourly worker", "university lecturer",
     "EMT", "RN", "welder", "retired engineer", "waitress", "policeman", "uber driver"]
)  # fmt: skip


@settings(max_examples=60, deadline=None)
@given(JOBS, st.binary(min_size=32, max_size=32))
def test_an_english_occupation_follows_its_article(job, key):
    made = profession(job, Scope(key), "en", str)
    assert takes_an(made) == takes_an(job)
    assert fold(made) != fold(job)
    assert not re.search(r"(?i)(wait|act)ress|seamstress|\w+m[ae]n\b", made)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(
        [("enfermera", "f"), ("enfermero", "m"), ("taxista", "both"), ("juez", "both"),
         ("conductora", "f"), ("conductor", "m"), ("policía", "both"), ("médicos", "m"),
         ("profesoras", "f"), ("comerciantes", "both"), ("ALBAÑIL", "both")]
    ),
    st.binary(min_size=32, max_size=32),
)  # fmt: skip
def test_a_spanish_occupation_keeps_gender_and_number(asked, key):
    job, kind = asked
    made = profession(job, Scope(key), "es", str)
    lists = load_list("words")
    kinds = ("", "health.", "physician.")
    every = [one for which in kinds for one in lists[f"profession.{which}es.{kind}"]]
    listed = fold("|".join(every)).split("|")
    assert gender(fold(job)) == kind
    assert fold(made) in {*listed, *(f"{one}{end}" for one in listed for end in ("s", "es"))}
    assert made.lower().endswith("s") == job.lower().endswith("s")
    assert made.isupper() == job.isupper()


def test_each_listed_occupation_is_of_the_gender_that_it_is_listed_for():
    for kind in ("m", "f", "both"):
        lists = load_list("words")
        kinds = ("", "health.", "physician.")
        for name in (one for which in kinds for one in lists[f"profession.{which}es.{kind}"]):
            assert kind == "both" or gender(fold(name)) == kind, name


@pytest.mark.parametrize(
    ("text", "language", "begins"),
    [("retired electrician", "en", "retired "), ("jubilada de banca", "es", "jubilada de "),
     ("jubilado de Renfe", "es", "jubilado de "), ("nurse at", "en", "")],
)  # fmt: skip
def test_what_says_that_somebody_has_left_a_job_stays(text, language, begins):
    (made,) = replaced(surrogates(), [("PROFESSION", text)], language=language)
    assert made.startswith(begins)
    assert made != text
    assert text.endswith(" at") == made.endswith(" at")


EMPLOYERS = ["Roto-Rooter", "Walmart", "Deere", "Sysco", "Kroger", "Wexcombe"]


@pytest.mark.parametrize("name", EMPLOYERS)
def test_an_employer_becomes_a_firm_and_no_town(name):
    for patient in PATIENTS:
        (made,) = replaced(surrogates(), [("ORGANIZATION", name)], patient=patient)
        assert fold(made) not in load_places().named
        assert made.endswith(load_list("words")["firm.en"])


@pytest.mark.parametrize("letters", [*"ABDI", "AB"])
def test_what_has_no_word_becomes_no_firm(letters):
    for patient in PATIENTS:
        (made,) = replaced(surrogates(), [("ORGANIZATION", letters)], patient=patient)
        assert " " not in made


@pytest.mark.parametrize(
    ("name", "kind", "language"),
    [("Standing Rock Schools", "Schools", "en"), ("Delta Mutual", "Mutual", "en"),
     ("First Baptist Church", "Church", "en"), ("Talleres Pérez", "Talleres", "es"),
     ("Panadería Ruiz", "Panadería", "es"), ("Laboratorio Clínico S.L.", "S.L.", "es")],
)  # fmt: skip
def test_an_organisation_becomes_one_of_its_kind(name, kind, language):
    for patient in PATIENTS:
        (made,) = replaced(
            surrogates(), [("ORGANIZATION", name)], language=language, patient=patient
        )
        assert kind in made
        assert made != name
        assert "[" not in made


MISREAD = {"0": "Oo", "1": "lI", "5": "Ss", "2": "Zz", "8": "B"}


@settings(max_examples=120, deadline=None)
@given(st.from_regex(r"[2-9][0-9]{2}-[2-9][0-9]{2}-[0-9]{4}", fullmatch=True), st.data())
def test_a_number_that_a_scan_misread_becomes_what_the_number_becomes(number, data):
    read = "".join(data.draw(st.sampled_from([c, *MISREAD.get(c, "")])) for c in number)
    if misread.digits(read) != number:
        return  # too few digits are left to tell it
    whole, scanned = (phones.phone(Scope(KEY), text, "en") for text in (number, read))
    assert misread.digits(scanned) in (whole, scanned)
    assert scanned.translate(str.maketrans("OolISsZzB", "001155228")) == whole


def test_no_digit_of_a_misread_number_stays_more_often_than_by_chance():
    kept = count = 0
    for n in range(150):
        number = f"3{n:02d}-S{(n * 37) % 100:02d}-O{(n * 7919) % 1000:03d}"
        made = phones.phone(Scope(KEY).sub(n), number, "en")
        pairs = list(zip(number, made, strict=True))
        kept += sum(a == b or misread.digits(a * 9)[:1] == b for a, b in pairs if a.isalnum())
        count += sum(a.isalnum() for a, _ in pairs)
    assert kept / count < 0.16


def test_the_letters_of_a_telephones_keys_are_its_digits():
    made = phones.phone(Scope(KEY), "1-800-FLOWERS", "en")
    assert made == phones.phone(Scope(KEY), "1-800-3569377", "en")
    assert not any(map(str.isalpha, made))


def test_a_street_whose_kind_somebody_took_for_a_person_is_no_tag():
    text = "2207 Sugar Maple Dr Apt C"
    rival = Span(text.index("Dr"), len(text), PhiType.DOCTOR)
    found = Finding(0, len(text), PhiType.STREET, ("test@1",), rivals=(rival,))
    note = Note("n", "p", (Part(text),), "en")
    ((edit,),) = surrogates().edits(note, [[found]])
    assert edit.strategy == "consistent"
    assert " Dr Apt " in edit.replacement


@pytest.mark.parametrize("patient", range(3))
def test_a_house_that_a_note_names_in_full_is_called_the_same_by_its_word(patient):
    shown = in_text(
        [
            Mention("house", "Ashlar Clinic", "HOSPITAL"),
            Mention("short", "Ashlar", "DOCTOR", "", " called back."),
            Mention("short", "Ashlar", "HOSPITAL", "Faxed to ", " now."),
            Mention("person", "Yelchin", "DOCTOR", "Seen by Dr. ", " now."),
            Mention("other", "Yelchin Pharmacy", "HOSPITAL", "Filled at ", " now."),
        ],
        patient=f"q{patient}",
    )
    assert set(shown["short"]) == {shown["house"][0].removesuffix(" Clinic")}
    assert shown["person"][0] not in shown["other"][0]


def test_a_province_that_a_model_took_for_a_country_is_a_province():
    spans = [("CITY", "Villarino de los Aires"), ("COUNTRY", "Salamanca"), ("COUNTRY", "Francia")]
    for patient in PATIENTS:
        town, at, abroad = replaced(surrogates(), spans, language="es", patient=patient)
        assert at in load_places().states["ES"]
        assert at in towns_of(town, "ES")
        assert abroad not in load_places().states["ES"]
