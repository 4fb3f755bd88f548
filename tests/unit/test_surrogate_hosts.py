"""Hosts of mail and web addresses agree with the houses and persons that the note names."""

from __future__ import annotations

import re

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.lists.lexicon import load_list
from stream_deid.text.folding import fold

MAKER = surrogates()
NAMES = sorted({name for name in load_list("organizations_en")["single"] if name.isalpha()})
KINDS = ["Eye Clinic", "Regional Hospital", "Mutual", "Medical Center", "Health"]
ENDINGS = ["org", "com", "co.uk", "nhs.uk", "ac.uk", "com.au"]


def plain(name: str) -> str:
    return re.sub(r"[^a-z]", "", fold(name).lower())


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from(NAMES), st.sampled_from(KINDS), st.sampled_from(ENDINGS),
    st.sampled_from(["", "-"]), st.booleans(),
)  # fmt: skip
def test_a_host_is_called_as_its_house_in_the_text(name, kind, ending, tie, mail):
    house = f"{name} {kind}"
    label = fold(house).lower().replace(" ", tie)
    text = f"info@{label}.{ending}" if mail else f"https://www.{label}.{ending}"
    for kind_of_address in ("EMAIL", "URL"):
        made, host = replaced(MAKER, [("HOSPITAL", house), (kind_of_address, text)])
        assert host.endswith(f".{ending}")
        assert plain(re.split(r"@|www\.", host)[1].removesuffix(f".{ending}")) == plain(made)


@pytest.mark.parametrize(
    ("house", "host", "language"),
    [
        ("St Mary's Hospital", "stmarys-hospital.co.uk", "en"),
        ("Mercy West", "mercy-west.org", "en"),
        ("Hospital San Roque", "hospitalsanroque.es", "es"),
        ("Clínica del Valle", "clinicadelvalle.com.mx", "es"),
        ("Ibáñez Abogados", "ibañezabogados.es", "es"),
        ("Ibáñez Abogados", "xn--ibaezabogados-kkb.es", "es"),
    ],
)
def test_saints_articles_and_accents_agree_too(house, host, language):
    made, shown = replaced(MAKER, [("HOSPITAL", house), ("URL", host)], language=language)
    assert plain(shown.split(".")[0]) == plain(made)


def test_a_host_of_a_person_follows_the_person():
    spans = [("PATIENT", "Margaret Ellison"), ("URL", "margaretellison.com"),
             ("EMAIL", "mail@ellisonfamily.net"), ("EMAIL", "margaretellison.com")]  # fmt: skip
    name, web, mail, mistaken = replaced(MAKER, spans)
    first, last = fold(name).lower().split()
    assert web == mistaken == f"{first}{last}.com"
    assert mail == f"mail@{last}family.net"


@pytest.mark.parametrize(
    "text",
    ["www.lakewood.org", "claims.lakewood.com", "lakewood.com.mx/citas", "lakewood.org:8443"],
)
def test_an_address_is_one_whatever_a_model_takes_it_for(text):
    assert replaced(MAKER, [("EMAIL", text)]) == replaced(MAKER, [("URL", text)])
    mail = "records@lakewood.org"
    assert replaced(MAKER, [("EMAIL", mail)]) == replaced(MAKER, [("URL", mail)])


@pytest.mark.parametrize(
    ("text", "form"),
    [
        ("a.baird@med.lakewood.ac.uk", r".*@med\.[a-z]+\.ac\.uk"),
        ("info@lakewood.nhs.uk", r"info@[a-z]+\.nhs\.uk"),
        ("info@lakewood.k12.ky.us", r"info@(?!lakewood)[a-z]+\.k12\.ky\.us"),
        ("info@lakewood.ky.us", r"info@(?!lakewood)[a-z]+\.ky\.us"),
        ("citas@lakewood.gub.uy", r"citas@[a-z]+\.gub\.uy"),
        ("fax@lakewood-hospital.org", r"fax@[a-z]+-hospital\.org"),
        ("jw82@btinternet.com", r"[a-z]+\d\d@btinternet\.com"),
    ],
)
def test_what_names_nobody_stays(text, form):
    (made,) = replaced(MAKER, [("EMAIL", text)])
    assert re.fullmatch(form, made), made
    assert "lakewood" not in made


def test_a_name_with_an_apostrophe_is_one_name_in_an_address():
    spans = [("DOCTOR", "Deirdre O'Connor"), ("EMAIL", "d.o'connor@outlook.com"),
             ("EMAIL", "d.oconnor@outlook.com")]  # fmt: skip
    _, tied, plain_one = replaced(MAKER, spans)
    assert tied == plain_one
