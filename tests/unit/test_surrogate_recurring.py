"""What recurs in the notes of a patient in other forms stays one thing, and goes on fitting."""

from __future__ import annotations

import re
from datetime import date

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import edits_of, replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.calendar import WEEKDAYS
from stream_deid.lists.lexicon import area_codes, load_list, load_places
from stream_deid.lists.newborns import NEWBORNS
from stream_deid.note import Finding, Known, Note, Part
from stream_deid.surrogate import rewrite
from stream_deid.surrogate.demographics.professions import profession
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.affixes import parts_of
from stream_deid.surrogate.names.choosing.short_names import sex_of
from stream_deid.text.folding import fold

PLACES = load_places()
PATIENTS = [f"patient {n}" for n in range(6)]
VERMONT = [c.name for c in PLACES.by_state["US", "VT"]]


def clean(text, spans, language="en", **options):
    found, at = [], 0
    for kind, value in spans:
        start = text.index(value, at)
        at = start + len(value)
        found.append(Finding(start, at, PhiType[kind], ("test@1",)))
    patient, maker = options.pop("patient", "p"), options.pop("maker", None) or surrogates()
    note = Note("n", patient, (Part(text),), language, **options)
    (edits,) = maker.edits(note, [found])
    return rewrite(text, edits)


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(VERMONT), st.lists(st.sampled_from(VERMONT), max_size=3),
    st.sampled_from(PATIENTS),
)  # fmt: skip
def test_a_town_of_the_record_is_one_town_whatever_else_the_notes_name(town, others, patient):
    known = (Known(PhiType.CITY, town),)
    spans = [("CITY", town), ("STATE", "VT")]
    alone = replaced(surrogates(), spans, patient=patient, known=known)
    among = [*spans, *(("CITY", other) for other in others)]
    made = replaced(surrogates(), among, patient=patient, known=known)
    if fold(alone[0]) not in map(fold, others):  # which stands in the note itself
        assert made[0] == alone[0]


@pytest.mark.parametrize("patient", PATIENTS)
def test_towns_of_one_state_that_are_alike_become_different_ones_in_notes_of_their_own(patient):
    cities = [c.name for c in PLACES.by_state["US", "CA"] if c.size == 1 and " " not in c.name]
    made = [
        replaced(surrogates(), [("CITY", name), ("STATE", "CA")], patient=patient)[0]
        for name in cities
    ]
    assert len({*made}) >= len(made) - 1


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_code_beside_a_town_of_the_us_lies_there_though_a_state_of_mexico_is_named(patient):
    spans = [("CITY", "Fresno"), ("ZIP", "93728"), ("STATE", "Michoacan")]
    both = [("CITY", "Fresno"), ("STATE", "CA"), ("ZIP", "93728")]
    town, code, _ = replaced(surrogates(), spans, patient=patient)
    told_town, _, told = replaced(surrogates(), both, patient=patient)
    assert (town, code[:3]) == (told_town, told[:3])


NAMED = ["St. Brendan Regional Medical Center", "Lakeview Medical Center", "Cedar Family Health"]


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(NAMED), st.sampled_from(PATIENTS), st.booleans())
def test_an_acronym_is_that_of_what_the_name_becomes(name, patient, dotted):
    letters = [word[0] for word in name.replace(".", "").split()]
    short = "".join(f"{one}." for one in letters) if dotted else "".join(letters)
    spans = [("HOSPITAL", name), ("HOSPITAL", short)]
    full, made = replaced(surrogates(), spans, patient=patient)
    wanted = "".join(word[0] for word in full.replace(".", "").split())
    assert made != short
    assert made.replace(".", "") == wanted or wanted == "".join(letters)
    assert ("." in made) == dotted


@settings(max_examples=40, deadline=None)
@given(st.text("BCDMRHFP", min_size=2, max_size=6), st.sampled_from(["en", "es"]))
def test_an_acronym_alone_changes_and_keeps_its_length(short, language):
    (made,) = replaced(surrogates(), [("HOSPITAL", f"{short}")], language=language)
    assert short not in made
    assert len(made) == len(short)


def test_acronyms_that_spell_each_other_end():
    spans = [("HOSPITAL", "ABC Dor Ell"), ("HOSPITAL", "ADE Bor Cel"), ("HOSPITAL", "ABC"),
             ("HOSPITAL", "ADE"), ("HOSPITAL", "U.A.N.L.")]  # fmt: skip
    assert len(replaced(surrogates(), spans)) == len(spans)


def test_letters_of_companies_and_public_bodies_stay_what_they_are():
    text = "Cooperativa Pescadores, S.C.L., del IMSS"
    spans = [("ORGANIZATION", "Cooperativa Pescadores"), ("CITY", "S.C.L."), ("HOSPITAL", "IMSS")]
    assert clean(text, spans, "es").endswith((", S.C.L., del ISSSTE", ", S.C.L., del INSABI"))


@pytest.mark.parametrize("phrase", ["BABY GIRL A", "Baby Boy", "infant girl", "Twin B"])
def test_who_has_no_name_yet_gets_none(phrase):
    first, last = f"{phrase} OKONKWO", f"OKONKWO, {phrase}"
    for text in (first, last):
        made = clean(text, [("PATIENT", text)])
        assert phrase in made
        assert "OKONKWO" not in made
    assert clean(phrase, [("PATIENT", phrase)]) == phrase


def test_words_for_newborns_alone_are_names():
    assert [w.key for w in parts_of("Baby Okonkwo")] == ["baby", "okonkwo"]
    assert [w.key for w in parts_of("Boy George")] == ["boy", "george"]
    assert all(name == name.lower() for name in NEWBORNS)


@pytest.mark.parametrize(
    ("text", "spans", "kept"),
    [
        ("su marido, D. Ginés, y", [("RELATIVE", "D. Ginés")], "su marido, D. "),
        ("que el C. José Soto Ruiz", [("PATIENT", "C. José Soto Ruiz")], "que el C. "),
        ("que el C. José Soto", [("HOSPITAL", "C."), ("PATIENT", "José Soto")], "que el C. "),
    ],
)
def test_titles_of_spanish_letters_are_no_initials(text, spans, kept):
    assert clean(text, spans, "es").startswith(kept)


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_second_name_of_either_sex_is_a_mans_behind_a_mans(patient):
    spans = [("PATIENT", "José Guadalupe Soto"), ("PATIENT", "Lupe"), ("PATIENT", "Guadalupe")]
    made = replaced(surrogates(), spans, language="es", patient=patient)
    assert {sex_of(fold(name)) for name in (made[0].split()[1], *made[2:])} <= {"M", "U"}


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_birthday_without_its_year_is_that_of_the_birth_date(patient):
    text = "DOB 07/04/1988. Seen 09/19/2023. He was born on the Fourth of July, turns 36 on 7/4."
    spans = [("DATE", "07/04/1988"), ("DATE", "09/19/2023"), ("DATE", "Fourth of July"),
             ("DATE", "7/4")]  # fmt: skip
    made = clean(text, spans, patient=patient)
    month, day = made[4:9].split("/")
    spoken = f"{date(2000, int(month), 1):%B}"
    assert f" of {spoken}, turns 36 on " in made
    assert made.endswith(f" {int(month)}/{int(day)}.")
    assert f"the {int(day)}" in made


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_feast_of_many_countries_is_the_date_beside_it(patient):
    text = "el 16 de septiembre de 2022 (viernes, Día de la Independencia)"
    spans = [("DATE", "16 de septiembre de 2022"), ("DATE", "Día de la Independencia")]
    made = clean(text, spans, "es", patient=patient)
    day = made.removeprefix("el ").partition(" de 20")[0]
    assert made.endswith(f", {day})")


@pytest.mark.parametrize(
    ("text", "feast", "language", "form"),
    [
        ("stroke last Easter", "Easter", "en", r"stroke last [A-Z][a-z]+"),
        ("cita después de Semana Santa", "Semana Santa", "es",
         r"cita después de (principios|mediados|finales) de [a-z]+"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("patient", PATIENTS)
def test_what_stands_for_a_feast_reads_on(text, feast, language, form, patient):
    made = clean(text, [("DATE", feast)], language, patient=patient, written_on=date(2023, 9, 1))
    assert re.fullmatch(form, made), made


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(["nurse", "an anesthetist", "pharmacist", "enfermera", "médico", "dentista"]),
    st.binary(min_size=32, max_size=32),
)
def test_who_treats_patients_becomes_another_who_does(job, key):
    language = "es" if job in {"enfermera", "médico", "dentista"} else "en"
    core = job.removeprefix("an ")
    made = profession(core, Scope(key), language, str)
    lists = load_list("words")
    group = "physician" if job == "médico" else "health"
    every = [n for kind, names in lists.items() if f"profession.{group}" in kind for n in names]
    assert made in every
    assert made != core


@settings(max_examples=40, deadline=None)
@given(st.sampled_from(sorted(area_codes("MX"))), st.data())
def test_mexican_numbers_in_spanish_stay_in_mexico(state, data):
    code = data.draw(st.sampled_from(area_codes("MX")[state]))
    patient = data.draw(st.sampled_from(PATIENTS))
    number = f"{code} 555 0182"
    made, short = replaced(
        surrogates(), [("PHONE", number), ("PHONE", "555 0182")], language="es", patient=patient
    )
    assert made[:3] in {one for codes in area_codes("MX").values() for one in codes}
    assert made.endswith(short)
    assert made != number


def test_edits_hold_no_word_of_their_spans():
    spans = [("HOSPITAL", "Mercy Whitfield Hospital"), ("HOSPITAL", "MWH"), ("CITY", "Duluth")]
    for edit, (_, value) in zip(edits_of(surrogates(), spans), spans, strict=True):
        assert value not in edit.replacement


@pytest.mark.parametrize("patient", PATIENTS)
def test_a_surname_behind_a_title_that_nobody_took_with_it_is_a_surname_everywhere(patient):
    one = clean("Dear Dr. Raghunathan:", [("DOCTOR", "Raghunathan")], patient=patient)
    other = clean("Seen by Priya Raghunathan", [("DOCTOR", "Priya Raghunathan")], patient=patient)
    assert one.removeprefix("Dear Dr. ").rstrip(":") == other.split()[-1]


@pytest.mark.parametrize("sex", ["F", "M"])
@pytest.mark.parametrize("name", ["Jordan", "Stanley", "Margaret"])
@pytest.mark.parametrize("patient", PATIENTS)
def test_a_given_name_is_of_the_sex_of_the_record_though_surnames_sound_so(name, sex, patient):
    known = (Known(PhiType.PATIENT, name, role="given", sex=sex),)
    (made,) = replaced(surrogates(), [("PATIENT", name)], patient=patient, known=known)
    assert sex_of(fold(made)) in {sex, "U", ""}


@pytest.mark.parametrize("patient", PATIENTS)
def test_numbers_of_measures_and_decimals_that_a_model_took_for_something_else_stay(patient):
    assert "3210 g" in clean("RN 3210 g", [("AGE", "3210")], "es", patient=patient)
    text = "hb 11.9. dc"
    note = Note("n", patient, (Part(text),), "en", written_on=date(2023, 9, 1))
    unsure = [Finding(3, 5, PhiType.DATE, ("model@1",), score=0.4)]
    (edits,) = surrogates().edits(note, [unsure])
    assert rewrite(text, edits) == text


@pytest.mark.parametrize(
    ("text", "kind", "day", "language"),
    [("14/7/24 domingo, pop 2", "PATIENT", "domingo", "es"),
     ("1/8/24 Mon 0640: up", "", "Mon", "en"), ("1/8/24 Mon RN visit", "PATIENT", "Mon", "en")],
)  # fmt: skip
@pytest.mark.parametrize("patient", PATIENTS)
def test_a_day_behind_its_date_moves_with_it(text, kind, day, language, patient):
    when = text.split()[0]
    spans = [("DATE", when), *([(kind, day)] if kind else [])]
    written_on = date(2024, 7, 14) if language == "es" else date(2024, 1, 8)
    made = clean(text, spans, language, patient=patient, written_on=written_on)
    first, second, year = (int(piece) for piece in made.split()[0].split("/"))
    month, number = (second, first) if language == "es" else (first, second)
    days = WEEKDAYS[language]
    shown = days[date(2000 + year, month, number).weekday()]
    assert fold(made.split()[1].rstrip(","))[:3] == fold(shown)[:3]


def test_a_town_with_its_country_lies_there():
    spans = [("CITY", "Córdoba"), ("COUNTRY", "Argentina")]
    text = "Córdoba (Argentina)"
    argentine = {c.name for at, cs in PLACES.by_state.items() if at[0] == "AR" for c in cs}
    for patient in PATIENTS:
        town, country = clean(text, spans, "es", patient=patient).rstrip(")").split(" (")
        assert country == "Argentina"
        assert town in argentine - {"Córdoba"}


def test_the_field_of_a_sex_says_that_there_is_none():
    hidden = surrogates(strategies={"SEX": "generalise"})
    assert clean("Sexo: Mujer", [("SEX", "Mujer")], "es", maker=hidden) == "Sexo: No consta"


@pytest.mark.parametrize(
    ("text", "spans", "language", "form"),
    [
        ("the Delacroixs, Sandra Delacroix",
         [("PATIENT", "Delacroixs"), ("PATIENT", "Sandra Delacroix")], "en",
         r"the (\w+?)(?:e?s), \w+ \1"),
        ("Girlfriend Keisha Brown", [("PATIENT", "Girlfriend Keisha Brown")], "en",
         r"Girlfriend \w+ \w+"),
        ("RUIZ, ANA. F. Nac. 1", [("PATIENT", "RUIZ, ANA. F")], "es", r"\w+, \w+\. F\. Nac\. 1"),
        ("St. Rita's Trauma Center", [("HOSPITAL", "St. Rita's Trauma Center")], "en",
         r"St\. \w+'?s?'? Trauma Center"),
        ("es payés", [("PROFESSION", "payés")], "es", r"es \w+[^s]"),
    ],
)  # fmt: skip
@pytest.mark.parametrize("patient", PATIENTS)
def test_nothing_is_left_out_or_twice_in_what_is_written(text, spans, language, form, patient):
    made = clean(text, spans, language, patient=patient)
    assert re.fullmatch(form, made), made
    assert made != text
