"""Spanish and Latin American towns and postal codes: real towns of like size and length."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, replaced, surrogates

from stream_deid.lists.lexicon import load_places
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.places import postcodes, towns
from stream_deid.text.folding import fold

MAKER = surrogates()
PLACES = load_places()
PATIENTS = "abcdefgh"
SPANISH = [c for (where, _), cs in PLACES.by_state.items() for c in cs if where == "ES"]
NAMES = {c.name for c in SPANISH}


def town(text: str, patient: str = "p", **options: object) -> str:
    (made,) = replaced(MAKER, [("CITY", text)], language="es", patient=patient, **options)
    return made


@pytest.mark.parametrize("name", ["Madrid", "Sevilla", "Bilbao"])
def test_a_big_city_becomes_another_big_city(name):
    big = {c.name for c in SPANISH if c.size == 1} | {"Telde"}
    made = {town(name, patient) for patient in PATIENTS}
    assert made <= big - {name}
    assert len(made) > 2


@settings(max_examples=80, deadline=None)
@given(st.sampled_from([c for c in SPANISH if c.size == 3 and towns.length(c.name) == 1]),
       st.sampled_from(PATIENTS))  # fmt: skip
def test_a_small_town_of_one_word_becomes_another_town_of_one_word(city, patient):
    made = town(city.name, patient)
    assert made in NAMES - {city.name}
    assert towns.length(made) == 1


@pytest.mark.parametrize(
    ("text", "words"),
    [("Villanubla", 1), ("Santa Ponsa", 2), ("Alcalá del Júcar", 3), ("Rivas-Vaciamadrid", 2)],
)
def test_a_town_that_no_list_holds_becomes_a_real_one_of_as_many_words(text, words):
    made = {town(text, patient) for patient in PATIENTS}
    assert made <= NAMES
    assert {towns.length(name) for name in made} == {words}


def test_a_town_that_no_list_holds_lies_in_the_country_of_the_address():
    spans = [("CITY", "Arroyito"), ("CITY", "Rosario"), ("CITY", "Mendoza")]
    home = {c.name for (where, _), cs in PLACES.by_state.items() for c in cs if where == "MX"}
    mexican = [("CITY", "Zumpahuacán"), ("STATE", "Jalisco"), ("CITY", "Monterrey")]
    assert replaced(MAKER, spans, language="es")[0] not in {"Arroyito", "Rosario", "Mendoza"}
    assert replaced(MAKER, mexican, language="es")[0] in home


def test_a_spanish_note_means_the_town_where_spanish_is_spoken():
    assert town("Laredo") in NAMES


@pytest.mark.parametrize("patient", PATIENTS)
def test_no_town_of_the_note_stands_for_another_one(patient):
    real = ["Madrid", "Barcelona", "Valencia", "Sevilla", "Zaragoza", "Málaga", "Getafe", "Parla"]
    spans = [("CITY", name) for name in real]
    made = replaced(MAKER, spans, language="es", patient=patient)
    assert not set(made) & set(real)
    assert len(set(made)) == len(real)
    assert made == replaced(MAKER, spans, language="es", patient=patient)


@pytest.mark.parametrize("text", ["Extremadura", "País Vasco", "CATALUÑA"])
def test_a_region_becomes_another_region(text):
    made = town(text)
    assert fold(made) != fold(text)
    assert towns.region(Scope(KEY), made)
    assert made.isupper() == text.isupper()


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("E-28040", r"E-(?!28040)\d{5}"), ("ES-28040", r"ES-\d{5}"), ("D-10117", r"D-\d{5}"),
        ("F-75013", r"F-\d{5}"), ("MX-06720", r"MX-\d{5}"), ("AR-5000", r"AR-\d{4}"),
        ("C.P. 28040", r"C\.P\. \d{5}"), ("28040 Madrid", r"\d{5} [A-ZÁÉÍÓÚ][^\d]+"),
        ("Madrid 28040", r"[A-ZÁÉÍÓÚ][^\d]+ \d{5}"), ("E-28040 Madrid", r"E-\d{5} [^\d]+"),
        ("X-28040", r"[A-Z]-\d{5}"), ("28040", r"\d{5}"),
    ],
)  # fmt: skip
def test_a_postal_code_keeps_the_letters_of_its_country(text, form):
    for patient in PATIENTS:
        made = town(text, patient)
        assert re.fullmatch(form, made), made
        assert "28040" not in made
        assert "Madrid" not in made


def test_a_code_with_its_country_is_the_code_without():
    codes = replaced(MAKER, [("CITY", "28040"), ("CITY", "E-28040"), ("ZIP", "E-28040")],
                     language="es")  # fmt: skip
    assert codes[1] == codes[2] == f"E-{codes[0]}"


def test_a_spanish_code_lies_where_the_city_lies():
    for patient in PATIENTS:
        city, code = replaced(
            MAKER, [("CITY", "Madrid"), ("CITY", "E-28040")], language="es", patient=patient
        )
        assert code[2:4] in {c.prefix for c in SPANISH if c.name == city}


@given(st.text("ABCDEFMX -.0123456789", max_size=12))
def test_what_is_read_as_a_code_is_all_of_the_text(text):
    code = postcodes.read(text)
    assert code is None or code.before + code.digits + code.after == text


@pytest.mark.parametrize("words", [1, 2, 3])
def test_invented_towns_have_the_wanted_number_of_words(words):
    names = {towns.invented(Scope(KEY).sub(n), "es", words) for n in range(60)}
    assert {towns.length(name) for name in names} == {words}
    assert len(names) > 20


def test_states_of_like_size_are_many():
    for country in PLACES.states:
        sizes = {len(towns.alike(country, state)) for state in PLACES.states[country]}
        assert min(sizes) >= 8
