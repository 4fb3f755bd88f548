"""Spanish and Latin American organisations: of the same kind, named as hospitals there are."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.lists.kinds_of_organizations import KIND_WORDS, SPANISH_KIND_WORDS
from stream_deid.lists.lexicon import load_list, load_names, load_places
from stream_deid.surrogate.names.distinctive import distinctive_words
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

MAKER = surrogates()
PATIENTS = "abcdefgh"
NAMES = load_names()
TOWNS = {c.name for (where, _), cs in load_places().by_state.items() for c in cs if where == "ES"}


def hospital(text: str, patient: str = "p") -> str:
    (made,) = replaced(MAKER, [("HOSPITAL", text)], language="es", patient=patient)
    return made


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Hospital Gregorio Marañón", r"Hospital \w+ \w+"),
        ("Hospital Universitario Juan Ramón Jiménez", r"Hospital Universitario \w+ \w+ \w+"),
        ("Hospital Ramón y Cajal", r"Hospital \w+ [ye] \w+"),
        ("Hospital García Orcoyen", r"Hospital \w+ \w+"),
    ],
)
def test_a_hospital_named_after_a_person_is_named_after_another_in_full(text, form):
    for patient in PATIENTS:
        made = hospital(text, patient)
        assert re.fullmatch(form, made), made
        name = [w.key for w in words(made) if w.key not in SPANISH_KIND_WORDS]
        assert all("hispanic" in NAMES.label(key) for key in name)
        assert not distinctive_words(made) & distinctive_words(text) - SPANISH_KIND_WORDS


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Hospital Virgen del Rocío", r"Hospital Virgen de[^\d]+"),
        ("Hospital Virgen de la Salud", r"Hospital Virgen de[^\d]+"),
        ("Hospital Nuestra Señora del Rosario", r"Hospital Nuestra Señora de[^\d]+"),
        ("Hospital Infanta Sofía", r"Hospital Infanta \w+"),
        ("Hospital Marqués de Valdecilla", r"Hospital Marqués de \w+"),
        ("Hospital 12 de Octubre", r"Hospital \d{1,2} de \w+"),
        ("Hospital La Paz", r"Hospital (?:La|El|Los|Las) \w+"),
        ("Hospital de La Princesa", r"Hospital de (?:La|El|Los|Las) \w+"),
        ("Hospital de la Princesa", r"Hospital (?:del|de la|de los|de las) \w+(?: \w+)*"),
        ("Hospital del Tajo", r"Hospital (?:del|de la|de los|de las) \w+(?: \w+)*"),
        ("Hospital San Juan de Dios", r"Hospital San \w+"),
        ("Hospital Doctor Peset", r"Hospital Doctor \w+"),
        ("Hospital POVISA", r"Hospital [A-Z]+"),
        ("HU12O", r"[A-Z]{2}\d\d[A-Z]"),
        ("Hospital Clínic i Provincial de Barcelona", r"Hospital Clínic i Provincial de [^\d]+"),
        ("Consejería de Sanidad de Murcia", r"Consejería de Sanidad de .+"),
        ("Instituto de Medicina Legal de Cádiz", r"Instituto de Medicina Legal de .+"),
    ],
)  # fmt: skip
def test_a_name_keeps_what_it_is_named_after(text, form):
    for patient in PATIENTS:
        made = hospital(text, patient)
        assert re.fullmatch(form, made), made
        assert fold(made) != fold(text)


@pytest.mark.parametrize(
    "text", ["Hospital de Móstoles", "Hospital Clínico de Barcelona", "Universidad de Granada"]
)
def test_a_name_after_a_town_follows_the_towns_surrogate(text):
    town = text.rsplit(" ", 1)[1]
    made = replaced(MAKER, [("CITY", town), ("HOSPITAL", text)], language="es")
    assert made[1] == text.replace(town, made[0])


@pytest.mark.parametrize(
    "text", ["Hospital de Txagorritxu", "Hospital Universitario de Santiago de Compostela"]
)
def test_what_stands_after_de_becomes_a_town(text):
    for patient in PATIENTS:
        made = hospital(text, patient)
        assert any(made.endswith(f" de {town}") for town in TOWNS), made


@settings(max_examples=150, deadline=None)
@given(
    st.sampled_from(["Hospital", "Clínica", "Centro de Salud", "Hospital General Universitario"]),
    st.sampled_from(["del Tajo", "de la Luz", "La Fe", "Los Álamos", "El Bierzo", "de los Reyes",
                     "Juan Canalejo", "Virgen del Mar", "de León", "del Valle"]),
    st.sampled_from(PATIENTS),
    st.sampled_from([str, str.upper]),
)  # fmt: skip
def test_particles_and_articles_never_meet(kind, name, patient, case):
    text = case(f"{kind} {name}")
    made = hospital(text, patient)
    assert made.startswith(case(kind))
    assert not re.search(r"(?i)\bdel (?:del|la|el|los|las)\b|\bde (?:de|del)\b", made)
    assert not re.search(r"(?i)\b(?:la|los|las) (?:el|la|los|las|del?)\b", made)
    again = hospital(made, patient)
    assert again.startswith(case(kind))
    assert again != made


@pytest.mark.parametrize(
    ("text", "noun"),
    [
        ("Hospital General", "Hospital"), ("Hospital Clínico Universitario", "Hospital"),
        ("Facultad de Medicina", "Facultad de"), ("Instituto de Medicina Legal", "Instituto"),
        ("Ministerio de Sanidad", "Ministerio de"), ("Consejería de Salud", "Consejería de"),
        ("Universidad Autónoma", "Universidad"), ("Palacio de Justicia", "Palacio de"),
        ("Servicio de Urgencias", "Urgencias"), ("Centro de Salud", "Consultorio"),
        ("HOSPITAL GENERAL", "HOSPITAL"), ("hospital provincial", "hospital"),
    ],
)  # fmt: skip
def test_a_name_without_a_proper_part_gets_none(text, noun):
    for patient in PATIENTS:
        made = hospital(text, patient)
        assert made.startswith(noun), made
        assert fold(text) not in fold(made)
        assert {w.key for w in words(made)} <= SPANISH_KIND_WORDS | {"congresos", "exposiciones",
            "comunicaciones", "penal", "bienestar"}  # fmt: skip


@pytest.mark.parametrize("text", ["Centro de Salud Norte", "Centro de Salud del Parque"])
def test_a_health_centre_stays_one_where_words_of_kind_tell_it_apart(text):
    for patient in PATIENTS:
        made = hospital(text, patient)
        assert re.fullmatch(r"Centro de Salud (?:La|El|Los|Las) \w+", made), made


@pytest.mark.parametrize(
    "text", ["Allergan", "Baush and Lomb", "Hewlett Packard", "Boston Scientific"]
)
def test_a_firm_has_a_name_of_as_many_words(text):
    for patient in PATIENTS:
        made = hospital(text, patient)
        assert len(words(made)) == len(words(text))
        assert not distinctive_words(made) & distinctive_words(text) - {"and"}


@pytest.mark.parametrize("patient", PATIENTS)
def test_no_organisation_is_named_after_somebody_of_the_note(patient):
    people = ["Isabel Ruiz Vega", "Elena Soto", "Rosario Molina Prado", "José Campos", "Ana Rey"]
    spans = [("PATIENT", name) for name in people]
    spans += [("HOSPITAL", f"Hospital {name}") for name in ("Luis Rojo", "San Juan", "Infanta Ana")]
    made = replaced(MAKER, spans, language="es", patient=patient)
    real = frozenset().union(*map(distinctive_words, people))
    assert not any(distinctive_words(text) & real for text in made[len(people) :])


@pytest.mark.parametrize("patient", PATIENTS)
def test_organisations_of_a_note_never_meet(patient):
    names = ["La Paz", "La Fe", "San Juan", "San Pedro", "Virgen del Mar", "Virgen del Rocío",
             "del Tajo", "Son Dureta", "Luis Vives", "Infanta Sofía", "Montecelo"]  # fmt: skip
    spans = [("HOSPITAL", f"Hospital {name}") for name in names]
    made = replaced(MAKER, spans + spans, language="es", patient=patient)
    assert len(set(made)) == len(names)
    assert made[: len(names)] == made[len(names) :]


def test_listed_names_hold_no_word_that_says_a_kind():
    lists = load_list("organizations_es")
    for kind, names in lists.items():
        if kind.startswith("generic.") or kind == "feast":
            continue
        assert len(names) >= 40
        small = {"de", "del", "la", "las", "los", "el", "mar"}
        held = [n for n in names if {w.key for w in words(n)} & SPANISH_KIND_WORDS - small]
        assert not held, held


def test_spanish_kind_words_hold_the_common_ones():
    assert KIND_WORDS < SPANISH_KIND_WORDS
