"""Telephone numbers, addresses of the net, identifiers in words, relatives: plausible and alike."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import phones
from stream_deid.surrogate.numbers.codes import code

SCOPE = Scope(bytes(32))
AREA = r"[2-9](?!11)\d\d"


@settings(max_examples=60, deadline=None)
@given(st.integers(2_000_000_000, 9_999_999_999), st.binary(min_size=16, max_size=16))
def test_american_numbers_are_possible_ones(number, key):
    digits = str(number)
    text = f"({digits[:3]}) {digits[3:6]}-{digits[6:]}"
    made = phones.phone(Scope(key), text, "en")
    assert re.fullmatch(rf"\({AREA}\) {AREA}-\d{{4}}", made)
    assert made != text


@pytest.mark.parametrize("text", ["1-844-302-7718", "+1 800 555 0199", "888.291.0048"])
def test_toll_free_numbers_stay_toll_free(text):
    made = phones.phone(SCOPE, text, "en")
    assert re.search(r"(?:800|833|844|855|866|877|888)", made[:6])
    assert made[0] == text[0] or text[0] == "8"


def test_a_number_without_its_area_code_ends_the_one_with_it():
    made = replaced(surrogates(), [("PHONE", "508-624-0193"), ("PHONE", "624-0193"),
                                   ("PHONE", "0193")])  # fmt: skip
    assert made[0].endswith(made[1])
    assert made[0].endswith(made[2])


@pytest.mark.parametrize(
    ("text", "kept"),
    [
        ("655 11 40 92", "6"), ("952 06 11 40", "9"), ("+34 611 203 044", "+34 6"),
        ("+56 9 6140 2277", "+56 9 "), ("+57 310-8842165", "+57 3"), ("0034 922770315", "0034 9"),
        ("902 337 015", "902 "), ("044 81 1655 0934", "044 8"), ("020 8966 4100", "02"),
    ],
)  # fmt: skip
def test_elsewhere_country_prefix_and_kind_stay(text, kept):
    made = phones.phone(SCOPE, text, "es")
    assert made.startswith(kept)
    assert made != text
    assert re.sub(r"\d", "0", made) == re.sub(r"\d", "0", text)


def test_phones_of_a_patient_never_meet():
    made = {phones.phone(SCOPE, f"508-624-{n:04d}", "en") for n in range(0, 10_000, 37)}
    assert len(made) == len(range(0, 10_000, 37))


def test_numbers_that_are_said_stay_words():
    spoken = phones.phone(SCOPE, "eight two nine four one five six", "en").split()
    digits = phones.phone(SCOPE, "8294156", "en")
    names = ["zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine"]
    assert [names[int(d)] for d in digits] == spoken
    mixed = phones.phone(SCOPE, "eight five oh, 09 31", "en")
    assert re.fullmatch(r"\w+ \w+ \w+, \d\d \d\d", mixed)
    assert not set(mixed.split(",")[0].split()) <= {"eight", "five", "oh"}
    assert code(SCOPE, "cuatro uno siete", "es") != "cuatro uno siete"
    assert re.fullmatch(r"\d\d-\d{4} de \d{4}", code(SCOPE, "25-1190 de 2016", "es"))


@pytest.mark.parametrize(
    ("phi", "text", "form"),
    [
        ("EMAIL", "vsiv74@northmail.example", r"[a-z]+\d\d@[a-z]+\.example"),
        ("EMAIL", "records.neuro@sanrafaelped.pr", r"records\.[a-z]+@[a-z]+\.pr"),
        ("EMAIL", "bri.moree@gmail.com", r"[a-z]+\.[a-z]+@gmail\.com"),
        ("EMAIL", "archivo.sal@salud.gob.mx", r"archivo\.[a-z]+@[a-z]+\.gob\.mx"),
        ("URL", "www.bioquimedyks.com.py/res", r"www\.[a-z]+\.com\.py/[a-z]+"),
        ("URL", "https://portal.lakeshorehd.org/login", r"https://portal\.[a-z]+\.org/login"),
    ],
)
def test_addresses_keep_what_names_nobody(phi, text, form):
    (made,) = replaced(surrogates(), [(phi, text)])
    assert re.fullmatch(form, made), made


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("58 años", r"5[679] años|60 años"), ("nueve años", r"(?:siete|ocho|diez|once) años"),
        ("42 a", r"4[0134] a"), ("19", r"17|18|20|21"), ("95 años", r"90\+ años"),
        ("aita", "familiar"), ("señora", "familiar"), ("compañera de piso", "familiar de familiar"),
    ],
)  # fmt: skip
def test_ages_and_words_of_relatives(text, form):
    maker = surrogates(kinship="generalise", age_under_90="perturb")
    (made,) = replaced(maker, [("RELATIVE", text)], language="es")
    assert re.fullmatch(form, made), made


def test_a_name_that_is_spelt_follows_the_name():
    name, spelt = replaced(surrogates(), [("PATIENT", "Frias"), ("PATIENT", "F-R-I-A-S")])
    assert spelt == "-".join(name.upper())


def test_unlisted_spanish_names_become_spanish_ones():
    given_ = [("PATIENT", "Huenchumil"), ("PATIENT", "Quirantes"), ("DOCTOR", "Zagar")]
    spanish = replaced(surrogates(), given_, language="es")
    assert spanish != replaced(surrogates(), given_, language="en")
    assert not [name for name in spanish if re.search(r"ham$|shaw$|water$|worth$|w|k", name)]


@pytest.mark.parametrize(
    ("kind", "text"),
    [
        ("URL", "harold.whitcombe"), ("EMAIL", "harold@whitcombe"), ("URL", "www.whitcombe.com"),
        ("EMAIL", "office@whitcombe-harold.org"), ("URL", "x.org/whitcombe/harold"),
        ("USERNAME", "whitcombe"), ("EMAIL", "h.whitcombe@harold.whitcombe"),
    ],
)  # fmt: skip
def test_a_name_of_the_note_never_stands_in_an_address(kind, text):
    """Any last label of up to twelve letters passed for a top-level domain and stayed."""
    made = replaced(surrogates(), [("PATIENT", "Harold Whitcombe"), (kind, text)])
    assert "whitcombe" not in made[1].lower()
    assert "harold" not in made[1].lower()


@settings(max_examples=60)
@given(st.sampled_from(["Whitcombe", "Okonkwo", "Benavides", "Lindqvist", "Castellano"]),
       st.sampled_from(["{0}.{0}", "www.a.{0}", "a@b.{0}", "{0}.com", "a@{0}.net", "b.io/{0}"]),
       st.binary(min_size=16, max_size=16))  # fmt: skip
def test_no_form_of_address_keeps_a_surname(name, form, key):
    kind = "EMAIL" if "@" in form else "URL"
    text = form.format(name.lower())
    made = replaced(surrogates(key=key), [("DOCTOR", f"Dr. {name}"), (kind, text)])
    assert name.lower() not in made[1].lower()


@pytest.mark.parametrize("text", ["00:1B:44:11:3A:B7", "00-1b-44-11-3a-b7"])
def test_an_address_of_hardware_stays_one(text: str) -> None:
    made = code(Scope(bytes(32)), text, "en")
    assert re.fullmatch("[0-9A-F]{2}(?:[:-][0-9A-F]{2}){5}", made, re.IGNORECASE)
    assert made != text
    assert made == code(Scope(bytes(32)), text, "en")
    assert made.isupper() == text.isupper()
    assert made[2] == text[2]
