"""Spanish street names: as many words as before, with a particle where there was one."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, replaced, surrogates

from stream_deid.lists.lexicon import load_list
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.distinctive import distinctive_words
from stream_deid.surrogate.places.street_names import PARTICLES, spanish
from stream_deid.surrogate.places.streets import STREET_WORDS
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

MAKER = surrogates()
KINDS = ["Calle", "C/", "Avda.", "Paseo", "Plaza", "Rúa"]
NAMES = ["Goya", "Losada Martí", "Santa Ana", "de Toledo", "del Pez", "de la Bola", "Correo",
         "Lope de Vega", "Ramón y Cajal", "de los Olivos", "de la Virgen Blanca", "5 de Mayo",
         "Doctor Esquerdo", "Pintor Salvador Abril", "Marqués de Zafra"]  # fmt: skip


def length(name: str) -> int:
    return min(len(name.replace("-", " ").split()), 4)


def street(text: str, patient: str = "p") -> str:
    (made,) = replaced(MAKER, [("STREET", text)], language="es", patient=patient)
    return made


@settings(max_examples=150, deadline=None)
@given(st.sampled_from(KINDS), st.sampled_from(NAMES), st.sampled_from("abcdefgh"))
def test_a_street_keeps_its_kind_and_about_its_length(kind, name, patient):
    made = street(f"{kind} {name}, 12", patient)
    shown = re.fullmatch(rf"{re.escape(kind)} (.+), \d\d", made)
    assert shown is not None, made
    assert abs(len(shown[1].split()) - len(name.split())) <= 1
    led = [fold(n).split()[0] in PARTICLES for n in (name, shown[1])]
    assert led[0] == led[1]
    assert not distinctive_words(shown[1]) & distinctive_words(name)


def test_streets_of_a_town_have_many_names():
    made = {street("Calle Goya, 1", str(n)) for n in range(300)}
    assert len(made) > 100


def test_one_street_is_one_street_and_two_are_two():
    spans = [("STREET", "Calle Mayor 3"), ("STREET", "Calle Mayor 3"), ("STREET", "Calle Ancha 3")]
    made = replaced(MAKER, spans, language="es")
    assert made[0] == made[1] != made[2]


@pytest.mark.parametrize("patient", "abcdefgh")
def test_no_street_is_named_after_somebody_of_the_note(patient):
    people = ["Juan Ruiz Vega", "Ana Soto", "Rosario Molina Prado", "Pedro Campos", "Carmen Rey"]
    spans = [("PATIENT", name) for name in people]
    spans += [("STREET", f"Calle {name}, 2") for name in ("Goya", "Luis Rojo", "de la Luz")]
    made = replaced(MAKER, spans, language="es", patient=patient)
    real = frozenset().union(*map(distinctive_words, people))
    assert not any(distinctive_words(text) & real for text in made[len(people) :])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Apartado de Correos 993", r"Apartado de Correos \d{3}"),
        ("Carretera de Toledo km 12", r"Carretera de [^\d ]+ km \d\d"),
        ("Carretera Nacional 330", r"Carretera Nacional \d{3}"),
        ("Rúa do Pintor Colmeiro, 7", r"Rúa de[^\d]+, \d"),
        ("calle del pez, 28", r"calle de[^\dA-Z]+, \d\d"),
        ("Calle Oria 9, 3D", r"Calle [^\d]+ \d, \d[A-D]"),
        ("Av. Sto Toribio de Mogrovejo, 70 5º Iz", r"Av\. [^\d]+, \d\d \dº Iz"),
        ("Calle La Concha, 27", r"Calle (?:La|El|Los|Las) \w+, \d\d"),
        ("camino a las Torres s/n", r"camino a (?:la|el|los|las) \w+ s/n"),
        ("PASEO DE LA CASTELLANA 261", r"PASEO DE [^\da-zá]+ \d{3}"),
    ],
)
def test_what_is_no_name_stays(text, form):
    for patient in "abcdef":
        made = street(text, patient)
        assert re.fullmatch(form, made), made


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(NAMES), st.integers(0, 50))
def test_a_name_read_again_is_a_name_of_the_same_form(name, patient):
    scope = Scope(KEY).sub(patient)
    made = spanish(scope, name, "calle", frozenset())
    again = spanish(scope, made, "calle", frozenset())
    assert length(again) == length(made)
    assert fold(again) != fold(made)


def test_no_listed_name_is_only_words_that_streets_keep():
    names = [n for kind, ns in load_list("streets_es").items() if kind != "titles" for n in ns]
    assert len(set(names)) > 600
    kept = [n for n in names if all(w.key in STREET_WORDS for w in words(n)) and n[0].islower()]
    assert len(kept) < 40
