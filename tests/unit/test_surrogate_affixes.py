"""Titles, credentials, particles and initials: what stays in a name, and what is a name itself."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.lists.titles import PARTICLES
from stream_deid.note import Known
from stream_deid.surrogate.names.affixes import CREDENTIALS, SUFFIXES, TITLES, parts_of
from stream_deid.text.canonical import listed, words

AFFIXES = sorted(TITLES | CREDENTIALS | SUFFIXES | PARTICLES)
PARTS = sorted(load_names().place)


def identifying(text: str, language: str = "en") -> str:
    return " ".join(word.text for word in parts_of(text, language))


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Dr. Karen Huang, MD", "Karen Huang"), ("Miss Kelly", "Kelly"), ("Lt Col Smith", "Smith"),
        ("Sister Mary", "Mary"), ("Smith, Mr", "Smith"), ("Hon. Smith", "Smith"),
        ("Major John Smith", "John Smith"), ("major Smith", "Smith"), ("Don José", "José"),
        ("Don Jose Garcia", "Jose Garcia"),
        ("Jane Doe PA-C", "Jane Doe"), ("Karen Huang DO", "Karen Huang"),
        ("KAREN HUANG, DO", "KAREN HUANG"), ("John Smith Jr.", "John Smith"),
        ("JOHN SMITH III", "JOHN SMITH"), ("Maria de la Cruz", "Maria Cruz"),
        ("Van der Berg", "Berg"), ("van Buren", "Buren"), ("De Leon, Maria", "Leon Maria"),
        ("Al-Amin", "Amin"), ("BERG, ANNA VAN DER", "BERG ANNA"),
    ],
)  # fmt: skip
def test_titles_credentials_and_particles_identify_nobody(name, parts):
    assert identifying(name) == parts


@pytest.mark.parametrize(
    "name",
    [
        "Don", "Don Smith", "Don Angel Smith Jr.", "Major Smith", "MAJOR, KIM", "SMITH, DON R",
        "Lady Smith", "Santa Smith", "Al Smith", "ben carter", "Van Nguyen", "Thi Van Nguyen",
        "Do Thi Hanh", "Minh Le", "HANH DO", "HUANG, DO", "JACK MA", "D. Smith", "John E Smith",
        "II, MARITZA", "Maritza Ii",
    ],
)  # fmt: skip
def test_a_name_that_is_also_a_title_or_particle_is_replaced(name):
    (made,) = replaced(surrogates(), [("PATIENT", name)])
    kept = {w.key for w in words(name)} & {w.key for w in words(made)}
    assert kept <= {"jr"}


def test_a_title_before_a_name_that_is_a_title_stays_alone():
    (made,) = replaced(surrogates(), [("PATIENT", "Mr. Don Smith")])
    assert made.startswith("Mr. ")
    assert "Don" not in made


@pytest.mark.parametrize(
    ("name", "parts"),
    [
        ("Don Ramón", "Ramón"), ("don Ramón García", "Ramón García"),
        ("D. José Núñez", "José Núñez"), ("Dña. Ana Ruiz", "Ana Ruiz"),
        ("Sra. Dª Ana Ruiz", "Ana Ruiz"), ("Sr. D. Juan", "Juan"),
        ("Hermana Teresa", "Teresa"), ("San Martín", "Martín"), ("Del Río", "Río"),
        ("Don Smith", "Don Smith"), ("Pastor García", "Pastor García"),
        ("Lady García", "Lady García"), ("Santa Rodríguez", "Santa Rodríguez"),
        ("ORTEGA Y GASSET", "ORTEGA GASSET"), ("María E. López", "María E López"),
        ("MARIA E LOPEZ", "MARIA E LOPEZ"),
    ],
)  # fmt: skip
def test_spanish_has_its_own_titles(name, parts):
    assert identifying(name, "es") == parts


def test_an_abbreviated_maria_follows_maria():
    made = replaced(
        surrogates(), [("PATIENT", "María Ruiz"), ("PATIENT", "Mª Ruiz")], language="es"
    )
    assert made[0] == made[1]


@pytest.mark.parametrize("other", ["SMITH, MAJOR", "Major", "MAJOR, KIM"])
def test_another_name_of_the_note_tells_a_name_from_a_title(other):
    alone = replaced(surrogates(), [("PATIENT", "Major John Smith")])
    beside = replaced(surrogates(), [("PATIENT", "Major John Smith"), ("PATIENT", other)])
    assert alone[0].startswith("Major ")
    assert "Major" not in beside[0]


def test_a_structured_field_tells_a_name_from_a_particle():
    known = [Known(PhiType.PATIENT, "Del", role="given")]
    (made,) = replaced(surrogates(), [("PATIENT", "Maria Del Smith")], known=known)
    assert "Del" not in made


def test_a_full_name_tells_that_its_particle_belongs_to_the_surname():
    full, short = replaced(surrogates(), [("DOCTOR", "Maria De Leon"), ("DOCTOR", "De Leon")])
    assert full.endswith(short)
    assert short.startswith("De ")


@given(st.sampled_from(AFFIXES), st.sampled_from(PARTS), st.sampled_from(["en", "es"]))
def test_what_stands_alone_last_or_before_a_comma_is_a_name(affix, part, language):
    word, other = affix.capitalize(), part.capitalize()
    behind = f"{other} {word}"
    before = f"{word}, {other}"
    for name in (word, before, *((behind,) if affix not in SUFFIXES else ())):
        assert word in identifying(name, language).split(), name


@given(st.lists(st.sampled_from([*AFFIXES, *PARTS[::40]]), min_size=1, max_size=5), st.booleans())
def test_some_word_always_identifies(keys, upper):
    name = " ".join(key.upper() if upper else key.capitalize() for key in keys)
    assert parts_of(name)


STAFF = listed("ak jo bo al ed cjo ems tjw")


@pytest.mark.parametrize("word", STAFF)
def test_small_letters_of_staff_are_initials(word):
    (made,) = replaced(surrogates(), [("DOCTOR", word)])
    assert len(made) == len(word)
    assert made.islower()
    assert not set(zip(made, word, strict=True)) & {(c, c) for c in word}


@pytest.mark.parametrize(
    ("phi", "word"),
    [("DOCTOR", "wu"), ("DOCTOR", "ng"), ("DOCTOR", "dev"), ("DOCTOR", "amy"), ("DOCTOR", "beth"),
     ("PATIENT", "jo"), ("PATIENT", "al"), ("PATIENT", "bo"), ("PATIENT", "amy"),
     ("PATIENT", "cjo")],
)  # fmt: skip
def test_short_names_in_small_letters_stay_names(phi, word):
    for patient in "abc":
        (small,) = replaced(surrogates(), [(phi, word)], patient=patient)
        (name,) = replaced(surrogates(), [("PATIENT", word.capitalize())], patient=patient)
        assert small == name.lower()


@given(
    st.sampled_from(sorted(k for k in load_census().family if len(k) in {3, 4})),
    st.sampled_from(["PATIENT", "DOCTOR"]),
)
def test_a_surname_in_capitals_is_the_surname(key, phi):
    if phi == "DOCTOR" and len(key) < 4:
        return
    capitals, name = (
        replaced(surrogates(), [(phi, form)])[0] for form in (key.upper(), key.capitalize())
    )
    assert capitals == name.upper()


@pytest.mark.parametrize("word", listed("JMA AK JRSM TJAS UCSF SCHO"))
def test_capitals_that_nobody_says_stay_initials(word):
    assert len(replaced(surrogates(), [("DOCTOR", word)])[0]) == len(word)


def test_small_letters_that_are_a_name_elsewhere_in_the_note_are_that_name():
    full, small = replaced(surrogates(), [("DOCTOR", "Jo Hansen"), ("DOCTOR", "jo")])
    assert small == full.split()[0].lower()


def test_small_initials_follow_the_person_whose_they_are():
    full, small = replaced(surrogates(), [("DOCTOR", "Anna Kim"), ("DOCTOR", "ak")])
    assert small == "".join(word[0] for word in full.lower().split())
