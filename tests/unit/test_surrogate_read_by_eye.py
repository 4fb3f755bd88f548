"""What a reader of clean notes stumbled over: each a class of surrogate that read as false."""

from __future__ import annotations

import pytest
from marked_spans import in_order
from surrogate_helpers import replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Known, Note, Part
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.stock import classes
from stream_deid.surrogate.names.choosing.unlisted import unlisted
from stream_deid.surrogate.names.choosing.unlisted_given import unlisted_given
from stream_deid.text.canonical import canonical


def one(phi: str, text: str, language: str = "en") -> str:
    return replaced(surrogates(), [(phi, text)], language=language)[0]


def sex_of(name: str) -> str:
    return load_names().label(canonical(name)).rpartition("/")[2]


@pytest.mark.parametrize("name", ["Mari Luz", "Camila", "Segundo Chimbo", "Said"])
def test_a_name_of_no_kind_becomes_a_name(name):
    made = one("OTHER", name, "es")
    assert made != "otro dato"
    assert len(made.split()) == len(name.split())


@pytest.mark.parametrize("text", ["boda", "el perro Tor", "Coro", "Jugador De Pádel"])
def test_what_names_nobody_stays_another_detail(text):
    assert one("OTHER", text, "es").lower() == "otro dato"


def test_whole_dates_inside_of_a_number_stay_dates():
    made = one("MEDICALRECORD", "8/28/25-10/26/25")
    fields = [list(map(int, part.split("/"))) for part in made.split("-")]
    assert made != "8/28/25-10/26/25"
    assert all(m <= 12 and d <= 31 for m, d, _ in fields)


def test_a_number_around_a_date_changes_too():
    made = one("IDNUM", "AB1234 8/28/25")
    assert made.split()[0] != "AB1234"
    assert int(made.split()[1].split("/")[0]) <= 12


@pytest.mark.parametrize(
    ("phi", "text", "language", "stays"),
    [
        ("LOCATION_OTHER", "apt 4C", "en", "apt "), ("STREET", "ap. 302", "es", "ap. "),
        ("LOCATION_OTHER", "Urb. El Paraíso", "es", "Urb. "),
        ("STREET", "Qta. Mi Rosa", "es", "Qta. "),
        ("HOSPITAL", "HGZ No. 8", "es", "HGZ No. "),
    ],
)  # fmt: skip
def test_words_of_an_address_stay(phi, text, language, stays):
    made = one(phi, text, language)
    assert made.startswith(stays)
    assert made != text


@pytest.mark.parametrize(("name", "particle"), [("De Bakker", "De"), ("Van Damme", "Van")])
def test_a_particle_before_a_surname_of_europe_is_no_given_name(name, particle):
    first, surname = one("DOCTOR", name).split()
    assert first == particle
    assert surname != name.split()[1]


@pytest.mark.parametrize("name", ["Van Nguyen", "Van Johnson"])
def test_the_same_word_before_another_surname_is_one(name):
    assert one("DOCTOR", name).split()[0] != "Van"


@pytest.mark.parametrize("name", ["Socorro", "Ángeles", "Jordi", "Petrona"])
def test_given_names_of_spain_stay_given_names(name):
    given, _ = one("PATIENT", f"{name} Magaña", "es").split()
    key = canonical(given)
    assert key in load_census().sex or load_names().label(key).startswith("given")


def test_a_short_form_is_the_same_person():
    whole, short = replaced(
        surrogates(), [("PATIENT", "Begoña Alba"), ("PATIENT", "Bego")], language="es"
    )
    assert short[:3].lower() == whole[:3].lower()


def test_the_record_s_sex_is_that_of_the_full_name():
    known = [Known(PhiType.PATIENT, "Guadalupe Ventura Moreno", role="full", sex="M")]
    spans = [("PATIENT", "Guadalupe Ventura Moreno")]
    made = [
        replaced(surrogates(), spans, language="es", known=known, patient=f"patient-{i}")[0]
        for i in range(12)
    ]
    assert {sex_of(name.split()[0]) for name in made} <= {"M", ""}


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("May bank holiday", "en"), ("Burns Night", "en"), ("día de Difuntos", "es"),
        ("Día de Todos los Santos", "es"), ("Hogmanay", "en"),
    ],
)  # fmt: skip
def test_named_days_move_as_days(text, language):
    made = one("DATE", text, language)
    assert any(map(str.isdecimal, made)) or made not in {text, "[DATE]"}
    assert "[" not in made


def test_words_between_dates_alone_stay_and_numbers_never():
    assert one("DATE", "el", "es") == "el"
    assert one("DATE", "el 16", "es") != "el 16"


def test_a_sister_s_greater_age_does_not_move_the_patient_s_birth():
    text = "97 y/o, born 1928, sister is 101, seen 1/25/2025"
    spans = [("AGE", "97"), ("DATE", "1928"), ("AGE", "101"), ("DATE", "1/25/2025")]
    found = in_order(text, spans)
    note = Note("note-1", "patient-1", (Part(text),), "en")
    (edits,) = surrogates().edits(note, [found])
    born, seen = (edit.replacement for edit in edits if edit.finding.type is PhiType.DATE)
    assert int(seen.split("/")[2]) - int(born) == 91


@pytest.mark.parametrize("text", ["nov/24", "marzo/25", "MAR/19", "nov-22", "dic-22"])
def test_a_spanish_month_and_two_digits_are_month_and_year(text):
    sign = text[-3]
    year = int(one("DATE", text, "es").split(sign)[1])
    assert abs(year - int(text.split(sign)[1])) <= 4
    assert int(one("DATE", f"4{sign}{text}", "es").split(sign)[2]) == year


def _spanish_names():
    listed = [group.names for label, group in classes().items() if "hispanic" in label]
    rows = [names for row, names in load_census().names.items() if "hispanic" in row]
    return {
        name for names in (*listed, *(n for one in rows for n in one.values())) for name in names
    }


@pytest.mark.parametrize("key", ["tenorio", "echegaray", "bulnes", "pichardo", "visi"])
def test_in_a_spanish_note_a_surname_that_no_list_holds_becomes_a_spanish_one(key):
    made = {unlisted(Scope(number.to_bytes(2) * 16), key, "spanish") for number in range(99)}
    assert made <= _spanish_names()


@pytest.mark.parametrize("key", ["visi", "leyre", "oihane", "tamia"])
@pytest.mark.parametrize("sex", ["F", "M"])
def test_in_a_spanish_note_a_given_name_that_no_list_holds_becomes_a_spanish_one(key, sex):
    scopes = (Scope(number.to_bytes(2) * 16) for number in range(99))
    made = {unlisted_given(scope, key, "spanish", sex=sex) for scope in scopes}
    assert made <= _spanish_names()


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("emberá", "peoples"), ("Quechua", "peoples"), ("rumano", "tongues"),
        ("haitiana", "nations_f"), ("marroquí", "nations_both"), ("árabe", "tongues_both"),
    ],
)  # fmt: skip
def test_a_people_or_tongue_becomes_another_of_its_kind(text, kind):
    made = one("OTHER", text, "es")
    assert made.lower() in Vocabulary("demographics_peoples", "surrogates").ordered(kind)
    assert made.lower() != text.lower()
    assert made[0].isupper() == text[0].isupper()


@pytest.mark.parametrize(("text", "ends"), [("saraguros", "s"), ("haitianos", "os")])
def test_several_of_a_people_stay_several(text, ends):
    assert one("OTHER", text, "es").endswith(ends)


@pytest.mark.parametrize("text", ["amatxo", "ñaño", "tita", "viejos", "pololo", "cunyat"])
def test_kin_of_every_part_of_the_spanish_world_stay_kin(text):
    assert one("RELATIVE", text, "es") == text
