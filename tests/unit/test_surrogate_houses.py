"""English houses and acronyms: named as real ones are, of their kind, one name for one house."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.lists.lexicon import load_places
from stream_deid.text.folding import fold

MAKER = surrogates()
PATIENTS = "abcdefgh"


def house(text: str, patient: str = "p", kind: str = "HOSPITAL", language: str = "en") -> str:
    (made,) = replaced(MAKER, [(kind, text)], patient=patient, language=language)
    return made


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Willow Fertility", r"[\w ]+ Fertility"),
        ("Mandell Apothecary", r"[\w ]+ Apothecary"),
        ("Augusta Med ED", r"[\w ]+ Med ED"),
        ("Mt Nebo AME", r"Mt \w+ AME"),
        ("Our Lady of Guadalupe", r"Our Lady of [\w ]+"),
        ("River City Digestive Assoc PSC", r"(?!River)\w+(?: \w+)? City Digestive Assoc PSC"),
        ("PSJA ISD", r"[A-Z]{4} ISD"),
        ("Norton Audubon", r"\w+ \w+"),
    ],
)
def test_a_house_stays_of_its_kind(text, form):
    for patient in PATIENTS:
        made = house(text, patient)
        assert re.fullmatch(form, made), made
        assert fold(made) != fold(text)


@pytest.mark.parametrize("name", ["Nemours", "Vexley", "Norton Audubon"])
def test_a_name_without_its_kind_is_no_town_of_two_words(name):
    for patient in PATIENTS:
        assert house(name, patient).count(" ") == name.count(" ")


def test_a_house_that_is_called_by_its_first_word_is_one():
    for patient in PATIENTS:
        spans = [("HOSPITAL", "Vexley Tide Dermatology Lab"), ("HOSPITAL", "Vexley Tide")]
        whole, short = replaced(MAKER, spans, patient=patient)
        assert whole.split()[0] == short.split()[0]


def test_a_short_name_is_no_word_of_kind():
    for patient in PATIENTS:
        assert "Ed" not in house("Ed's Pharmacy", patient).split("'")[0].split()


@pytest.mark.parametrize("language", ["en", "es"])
@settings(max_examples=60, deadline=None)
@given(text=st.text("ABCDEFGHJKLMNPRSTUVW", min_size=2, max_size=5))
def test_an_acronym_becomes_another_of_as_many_letters(language, text):
    if fold(text) in load_places().named:
        return
    made = house(text, language=language)
    assert made == house(text, language=language)
    assert fold(made) != fold(text)


@pytest.mark.parametrize(
    ("text", "public"), [("SESCAM", True), ("FONASA", True), ("HUNOSA", False)]
)
def test_letters_that_are_said_stay_said(text, public):
    for patient in PATIENTS:
        made = house(text, patient, "ORGANIZATION", "es")
        assert made.isupper()
        assert made.isalpha()
        assert made != text
        assert public or made.endswith("SA")


@pytest.mark.parametrize(
    ("text", "kind", "others"),
    [("EPS Sura", "ORGANIZATION", {"EPS Compensar", "EPS Famisanar", "EPS Coosalud",
                                   "EPS Mutualser", "EPS Emssanar"}),
     ("CatSalut", "HOSPITAL", {"Osakidetza", "Osasunbidea"}),
     ("ESSALUD", "ORGANIZATION", {"SIS", "SALUDPOL"}),
     ("Muface", "ORGANIZATION", {"Isfas", "Mugeju"})],
)  # fmt: skip
def test_an_insurer_that_all_know_becomes_another_of_its_country(text, kind, others):
    assert house(text, kind=kind, language="es") in others
