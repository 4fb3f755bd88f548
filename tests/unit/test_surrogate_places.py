"""Places: the country of an address, streets with floors and doors, names of organisations."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surrogate_helpers import edits_of, note_of, replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.kinds_of_organizations import KIND_WORDS
from stream_deid.lists.lexicon import load_places
from stream_deid.lists.vocabulary import rows
from stream_deid.note import Finding, Note, Part, Span
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.places import countries

AFRICA = frozenset(n for g, en, es in rows("countries")[1] if g == "africa" for n in (en, es))


@pytest.mark.parametrize("country", ["USA", "United States", "U.S.A."])
def test_the_country_of_an_address_stays(country):
    spans = [("CITY", "Boston"), ("STATE", "MA"), ("ZIP", "02139"), ("COUNTRY", country)]
    edit = edits_of(surrogates(), spans)[-1]
    assert (edit.replacement, edit.strategy) == (country, "keep")


def test_the_country_of_a_spanish_address_stays_wherever_it_stands():
    spans = [("CITY", "Sevilla"), ("CITY", "41013"), ("PATIENT", "Ana"), ("COUNTRY", "España")]
    assert replaced(surrogates(), spans, language="es")[-1] == "España"


def test_a_country_beside_a_town_that_no_list_holds_stays_in_spanish():
    text = "Nontuelá, Chile"
    found = [
        Finding(0, 8, PhiType.CITY, ("test@1",)), Finding(10, 15, PhiType.COUNTRY, ("test@1",))
    ]  # fmt: skip
    (edits,) = surrogates().edits(Note("n", "p", (Part(text),), "es"), [found])
    assert edits[0].replacement != "Nontuelá"
    assert edits[1].replacement == "Chile"


def test_a_country_elsewhere_becomes_another_of_its_part_of_the_world():
    spans = [("CITY", "Boston"), ("STATE", "MA"), ("COUNTRY", "Somalia"), ("COUNTRY", "Canada")]
    for patient in "abcdef":
        *_, somalia, canada = replaced(surrogates(), spans, patient=patient)
        assert somalia in AFRICA - {"Somalia"}
        assert canada not in {"Canada", "United States"}


def test_countries_of_a_note_never_meet():
    names = [en for g, en, _ in rows("countries")[1] if g == "europe"]
    made = [countries.other(Scope(bytes(32)), name, "en", frozenset()) for name in names]
    assert len(set(made)) == len(names)
    assert all(a != b for a, b in zip(names, made, strict=True))


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("C/ Quintana 45, 1ºA", r"C/ [^\d]+ [1-9]\d, [1-9]º[A-H]"),
        ("Avda. del Romeral 7, 3º dcha", r"Avda\. [^\d]+ \d, [1-9]º dcha"),
        ("Bv. Lehmann 1840 2º B", r"Bv\. [^\d]+ \d{4} [1-9]º [A-H]"),
        ("2ºC", r"[1-9]º[A-H]"),
        ("Av. Arenas 1120, 2.º piso", r"Av\. [^\d]+ \d{4}, [1-9]\.º piso"),
        ("Calle Galeana 27 depto 4", r"Calle [^\d]+ \d\d depto \d"),
        ("N-536 km 12", r"N-\d{3} km \d\d"),
        ("Bulevar España 2611 apto 802", r"Bulevar [^\d]+ \d{4} apto \d{3}"),
        ("Cl 22 # 4-31 of. 302", r"Cl \d\d # \d-\d\d of\. \d{3}"),
        ("Juárez 318 Ote.", r"[^\d]+ \d{3} Ote\."),
    ],
)
def test_floors_doors_and_furniture_of_a_street_stay(text, form):
    (made,) = replaced(surrogates(), [("STREET", text)], language="es")
    assert re.fullmatch(form, made), made
    assert made != text


@pytest.mark.parametrize("text", ["Avda. del Romeral, 2", "Pza. de los Hermanos Falcó 4"])
def test_a_spanish_street_takes_the_particle_of_its_new_name(text):
    for patient in "abcdefgh":
        (made,) = replaced(surrogates(), [("STREET", text)], language="es", patient=patient)
        assert not re.search(r"\b(?:del|de los) (?:[A-ZÁ]\w+ de|Lope|Pérez|de)\b", made)


@pytest.mark.parametrize("text", ["811 N 58th Ave Apt C", "115 NW 22nd St", "88 1st Ave, 2nd Fl"])
def test_numbered_streets_keep_an_ending_that_fits(text):
    (made,) = replaced(surrogates(), [("STREET", text)])
    assert len(made) == len(text)
    for digits, ending in re.findall(r"(\d+)(st|nd|rd|th)\b", made):
        last = int(digits) % 10 if not 10 <= int(digits) % 100 <= 20 else 0
        assert ending == {1: "st", 2: "nd", 3: "rd"}.get(last, "th")


@pytest.mark.parametrize(
    ("phi", "text", "form", "language"),
    [
        ("ORGANIZATION", "3-509th PIR", r"\d-\d{3}(st|nd|rd|th) \w{3}", "en"),
        ("ORGANIZATION", "Ouachita Health Plan", r"[^\d]+ Health Plan", "en"),
        ("HOSPITAL", "CESFAM Trañi-Lafken", r"CESFAM .+", "es"),
        ("ORGANIZATION", "U.A.N.L.", r"[A-Z]\.[A-Z]\.[A-Z]\.[A-Z]\.", "es"),
    ],
)
def test_the_kind_of_an_organisation_stays(phi, text, form, language):
    (made,) = replaced(surrogates(), [(phi, text)], language=language)
    assert re.fullmatch(form, made), made


def test_a_name_over_particles_is_one_name():
    (made,) = replaced(
        surrogates(), [("HOSPITAL", "Hospital Comarcal Sierra de Camarolos")], language="es"
    )
    assert made.startswith("Hospital Comarcal ")
    assert "Camarolos" not in made
    assert made.count(" de ") <= 1


def test_home_needs_no_order():
    note, found = note_of([("COUNTRY", "USA"), ("PATIENT", "Ann"), ("ZIP", "02139")])
    (edits,) = surrogates().edits(note, [found])
    assert edits[0].replacement == "USA"


TOWNS = sorted(
    town.name
    for (country, _), found in load_places().by_state.items()
    for town in found
    if country == "US"
    and not town.name.startswith(("St", "The", "Saint", "De "))
    and town.name.lower() not in KIND_WORDS
)


@given(
    st.sampled_from(TOWNS),
    st.sampled_from(["{} General", "{} Medical Center", "St. Mary's of {}", "{}"]),
)
def test_a_town_is_one_town_in_a_facilitys_name_too(town, form):
    name = form.format(town)
    for spans in ([("CITY", town), ("HOSPITAL", name)], [("HOSPITAL", name), ("CITY", town)]):
        made = dict(zip((s[0] for s in spans), replaced(surrogates(), spans), strict=True))
        assert made["CITY"] in made["HOSPITAL"]


def test_a_facility_that_somebody_took_for_a_town_keeps_its_kind_and_has_no_tag():
    note, found = note_of([("CITY", "Salem"), ("HOSPITAL", "Salem General")])
    rival = Span(found[1].start, found[1].end, PhiType.CITY)
    (edits,) = surrogates().edits(note, [[found[0], replace(found[1], rivals=(rival,))]])
    assert edits[1].replacement == f"{edits[0].replacement} General"
