"""What a reader of clean Spanish notes stumbled over: each a class of what read as false."""

from __future__ import annotations

import re

import pytest
from surrogate_helpers import surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.calendar import SHORT_WEEKDAYS
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.numbers import HUNDREDS_ES
from stream_deid.note import Finding, Note, Part
from stream_deid.text.canonical import canonical

WEEKDAYS = SHORT_WEEKDAYS["es"]
_DAY = r"\d{1,2} de [a-z]+"


def shown(text: str, phi: str = "DATE", **overrides: object) -> str:
    """What the words between `{` and `}` become in their sentence."""
    start, end = text.index("{"), text.index("}") - 1
    plain = text.replace("{", "").replace("}", "")
    found = Finding(start, end, PhiType(phi), ("x@1",), 1.0)
    note = Note("n", "p", (Part(plain),), language="es")
    (edits,) = surrogates(**overrides).edits(note, [[found]])
    return edits[0].replacement


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("En {8/Oct 7} am: evoluciona", r"\d{1,2}/[A-Z][a-z]{2} 7"),
        ("IQ {Lun. 17 1}º de la mañana", r"[A-Z]\S{2}\. \d{1,2} 1"),
        ("dosis ({3ª 4-dic})", r"3ª \d{1,2}-[a-z]{3}"),
        ("cita {mi 23} por la tarde", r"[a-z]{2} \d{1,2}"),
        ("cita {vier. 27}", r"[a-zéá]{3}\. \d{1,2}"),
        ("control {8 abri} en planta", r"\d{1,2} [a-z]{3,4}"),
        ("en las {fiestas de Moros} del pueblo", _DAY),
        ("curas {mar 14}, jue 16 y mar 21", r"[a-zéá]{3} \d{1,2}"),
        ("ingresa el {lunes de Aste Nagusia} por", _DAY),
        ("llega al {Borda} con SAMUR", r"[A-ZÁÉÍÓÚÑ]\w+"),
    ],
)
def test_a_date_that_is_not_read_whole_is_no_tag(text, form):
    made = shown(text)
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize("text", ["{dll}", "{9 de m} ayo", "{17:3 x9}"])
def test_what_nothing_tells_stays_a_tag(text):
    assert shown(text) == "[DATE]"


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("vuelve en {Semana Santa} a casa", "[a-z]+"),
        ("desde {Sant Jordi} duerme mal", f"el {_DAY}"),
        ("por {San Lorenzo} tuvo fiebre", f"el {_DAY}"),
        ("la {Semana Santa} pasada", f"semana del {_DAY}"),
        ("las {Navidades} fuera", f"fechas del {_DAY}"),
        ("el {domingo de Carnaval} estuvo bien", _DAY),
        ("el {puente de la Constitución} sale", f"puente del {_DAY}"),
        ("el {sábado de Gloria} cayó", _DAY),
    ],
)
def test_a_feast_becomes_a_day_that_fits_its_sentence(text, form):
    made = shown(text)
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize(
    ("phi", "text", "form"),
    [
        ("OTHER", "el perro, {Trufa}, lo saca", r"[A-ZÁÉÍÓÚÑ]\w+"),
        ("OTHER", "el vecino {Chepe} vio todo", r"[A-ZÁÉÍÓÚÑ]\w+"),
        ("OTHER", "es {quechuahablante} y pastor", r"\w+hablante"),
        ("COUNTRY", "nacional {alemán} residente", r"(?!grecia)[a-zé-ú]+"),
        ("RELATIVE", "su hermana doña {chayo} llama", r"(?!familiar)\w+"),
        ("RELATIVE", "nieta de {diez y siete años}", r".*años"),
        ("RELATIVE", "habla con el {curandero} de la isla. Pide", "familiar"),
        ("AGE", "visita {17 mzo} sin fiebre", r"(?!17 mzo)\d{1,2} [a-z]{3}"),
    ],
)
def test_no_neutral_word_where_there_is_another_of_the_kind(phi, text, form):
    made = shown(text, phi)
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize(
    ("phi", "text", "form"),
    [
        ("PATIENT", "Nombre:{RicardoLuisVázquezOtero};", r"(?:[A-ZÁÉÍÓÚÑ][a-zà-ÿ]+){4}"),
        ("DOCTOR", "Alta:{DraPilarSouto};", r"Dra(?:[A-ZÁÉÍÓÚÑ][a-zà-ÿ]+){2}"),
        ("HOSPITAL", "Centro:{HospitalDoSalnés}|", r"Hospital[A-Z]\w+"),
        ("PATIENT", "Paciente {Gonzá1ez Riva, Emi1io} 66", r"[^\d]+, [^\d]+"),
        ("RELATIVE", "la hija, {Be1én}, dice", r"[A-Z][^\d]+"),
        ("HOSPITAL", "{H0SPITAL MARQUÉS DE VALDECILLA} Neuro", r"HOSPITAL [^\d]+"),
    ],
)
def test_joined_and_misread_names_read_as_names(phi, text, form):
    made = shown(text, phi)
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize(
    ("phi", "text"), [("PATIENT", "Sr. {McDonald} ve"), ("DOCTOR", "{Lucía R2} pasa")]
)
def test_capitals_and_figures_that_belong_there_are_no_joints(phi, text):
    assert len(shown(text, phi).split()) == len(text[text.index("{") : text.index("}")].split())


def test_spoken_hundreds_are_numbers():
    made = shown("cédula {cuarenta y uno millones setecientos diez mil doscientos tres}", "IDNUM")
    hundreds = "|".join(HUNDREDS_ES)
    form = rf"\w+ y \w+ millones (?:{hundreds}) \w+ mil (?:{hundreds}) \w+"
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize("name", ["CAP Ciutat Meridiana", "Hosp. Sant Pau", "USM Nou Barris"])
def test_names_of_regional_spelling_are_no_foreign_firms(name):
    made = shown("visto en {" + name + "} ayer", "HOSPITAL")
    assert not re.search(r"[kw]|sh|th|ck", made.lower()), made


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("Pase: {Lucía R2}", r"\w+ R2"),
        ("Realizó {R5 Zuriel Cabrera}", r"R5 \w+ \w+"),
        ("Residente: {G. Mas, R3}", r"[A-Z]\. \w+, R3"),
    ],
)
def test_the_year_of_a_resident_stays(text, form):
    made = shown(text, "DOCTOR")
    assert re.fullmatch(form, made), made


def test_a_tuesday_in_a_row_of_days_is_no_march():
    rows = [shown("curas {mar 14}, jue 16 y mar 21"), shown("curas mar 14, {jue 16} y mar 21")]
    gap = WEEKDAYS.index(rows[1][:3]) - WEEKDAYS.index(rows[0][:3])
    assert gap % 7 == 2


@pytest.mark.parametrize(
    ("text", "made"),
    [
        ("un lactante {masculino} de 3 meses", "de sexo no indicado"),
        ("recién nacido {varón}, llanto", "de sexo no indicado"),
        ("PACIENTE {FEMENINA} G1P0", "DE SEXO NO INDICADO"),
        ("paciente del sexo {masculino}", "no indicado"),
        ("{Femenina} de 22 años con tos", "Paciente"),
        ("Sexo: {Femenino}", "No consta"),
        ("Se trata de {mujer} de 33 años", "paciente"),
    ],
)
def test_a_sentence_without_its_sex_reads_on(text, made):
    assert shown(text, "SEX", strategies={"SEX": "generalise"}) == made


@pytest.mark.parametrize(
    "text", ["vive con su esposa {Oliva}", "su hermana {Covadonga} la acompaña"]
)
def test_one_word_of_a_relative_is_a_given_name(text):
    made = canonical(shown(text, "RELATIVE"))
    assert made in load_census().sex or load_names().label(made).startswith("given"), made


@pytest.mark.parametrize(
    ("text", "phi", "made"),
    [
        ("baja de la {mutua}", "RELATIVE", "mutua"),
        ("ACOMPANA {ESPOSO}.", "DOCTOR", "FAMILIAR"),
        ("de {etnia} mapuche", "OTHER", "etnia"),
        ("compra en el {supermercado} Alcor", "ORGANIZATION", "supermercado"),
        ("guardia del {Htal}. Alvear", "HOSPITAL", "Htal"),
    ],
)
def test_what_names_nobody_stays_a_word(text, phi, made):
    assert shown(text, phi) == made


@pytest.mark.parametrize(
    ("text", "phi", "form"),
    [
        ("hija de {gallegos}", "OTHER", r"\w+(?:[aeo]|[^aeiouáéíóú]e)s"),
        ("nieto de {italianos}", "RELATIVE", r"\w+(?:[aeo]|[^aeiouáéíóú]e)s"),
        ("familia {canaria}", "OTHER", r"\w+a"),
        ("interno en {C.P. Soto Alto}", "ORGANIZATION", r"C\.P\. .+"),
        ("caída en el {bar Los Arcos}", "STREET", r"bar .+"),
        ("obrero de la {fábrica Montero}", "ORGANIZATION", r"fábrica .+"),
    ],
)
def test_peoples_agree_and_kinds_of_places_stay(text, phi, form):
    made = shown(text, phi)
    assert re.fullmatch(form, made), made
    assert made not in text
