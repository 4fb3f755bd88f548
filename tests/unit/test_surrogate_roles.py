"""Given names and surnames that no list holds: told apart, and replaced by their like."""

from __future__ import annotations

import pytest
from surrogate_helpers import KEY, replaced, surrogates

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_names
from stream_deid.note import Known
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.affixes import parts_of
from stream_deid.surrogate.names.choosing.parts import surrogate
from stream_deid.surrogate.names.choosing.sound import class_of_given, sounds_given
from stream_deid.surrogate.names.choosing.unlisted_given import unlisted_given
from stream_deid.surrogate.names.roles import votes
from stream_deid.text.canonical import canonical, listed

SCOPE = Scope(KEY)
GIVEN = listed("""
    rosibel jaslene doralee kamrie rishell marlyce tavaris jalynn kenai braelyn quintavius
    maylin yaretzi shantelle deborrah karleigh trenity marquell jaxton brynlee kaidence zariyah
    oluwatobi chiamaka thuytien soojin priyanshi harshith aleksy mateusz yevgeniya svetozar
""")


def told(text: str, language: str = "en", role: str = "") -> dict[str, int]:
    return dict(votes(text, parts_of(text, language), language, role))


@pytest.mark.parametrize(
    ("text", "given", "surnames"),
    [
        ("Rosibel Cruz", "rosibel", "cruz"), ("CRUZ, ROSIBEL", "rosibel", "cruz"),
        ("CRUZ^ROSIBEL^A", "rosibel", "cruz"), ("KHALIL Farida", "farida", "khalil"),
        ("Mr. Ourso", "", "ourso"), ("R. Ourso", "", "ourso"), ("Miss Rosibel", "", ""),
        ("Rosibel", "", ""), ("Ourso-Lanton", "", ""), ("Dr. Rosibel Ourso", "rosibel", "ourso"),
        ("Anne-Marie Ourso-Lanton", "anne marie", "ourso lanton"), ("OURSO B", "", ""),
    ],
)  # fmt: skip
def test_the_place_of_a_word_tells_its_role(text, given, surnames):
    expected = dict.fromkeys(given.split(), 1) | dict.fromkeys(surnames.split(), -1)
    assert told(text) == expected


@pytest.mark.parametrize(
    ("text", "given", "surnames"),
    [
        ("Quirantes Zagar", "", ""), ("Ana Quirantes", "ana", "quirantes"),
        ("QUIRANTES ZAGAR ANA", "ana", "quirantes"), ("don Obdulio", "obdulio", ""),
        ("Sr. Quirantes", "", "quirantes"),
        ("Quirantes Zagar, Obdulio", "obdulio", "quirantes zagar"),
    ],
)  # fmt: skip
def test_spanish_order_needs_a_given_name_or_a_comma(text, given, surnames):
    expected = dict.fromkeys(given.split(), 1) | dict.fromkeys(surnames.split(), -1)
    assert told(text, "es") == expected


def test_fields_tell_more_than_places():
    assert told("Rosibel Ann", role="given") == {"rosibel": 1, "ann": 1}
    assert told("Cruz", role="family") == {"cruz": -1}


def is_given(name: str, origin: str = "") -> bool:
    """Whether a surrogate is a listed given name, or has none of the endings of surnames."""
    label = load_names().label(canonical(name))
    return label.startswith(f"given/{origin}") if label else not name.endswith(("water", "worth"))


@pytest.mark.parametrize("patient", "abcdef")
def test_an_unlisted_given_name_becomes_a_given_name(patient):
    spans = [("PATIENT", "Rosibel Cruz"), ("PATIENT", "Rosibel"), ("PATIENT", "CRUZ, ROSIBEL")]
    full, alone, turned = replaced(surrogates(), spans, patient=patient)
    assert is_given(alone)
    assert full.split()[0] == alone
    assert turned.endswith(f", {alone.upper()}")


def test_a_name_alone_takes_the_role_that_it_has_elsewhere():
    maker = surrogates()
    first, _ = replaced(maker, [("DOCTOR", "Halden"), ("DOCTOR", "Halden Smith")])
    last, _ = replaced(maker, [("DOCTOR", "Halden"), ("DOCTOR", "Smith, Ann Halden")])
    family, _ = replaced(maker, [("DOCTOR", "Halden"), ("DOCTOR", "Ann Halden")])
    assert first == last
    assert first == surrogate(maker_names(maker), "halden", given=True)
    assert family == surrogate(maker_names(maker), "halden", given=False)


def maker_names(maker) -> Scope:
    return maker._root.sub("patient", "patient-1").sub("name")


def test_a_known_role_counts_in_the_text():
    known = [Known(PhiType.PATIENT, "Halden", role="given")]
    maker = surrogates()
    (made,) = replaced(maker, [("PATIENT", "Halden")], known=known)
    assert made == surrogate(maker_names(maker), "halden", given=True)


@pytest.mark.parametrize(
    ("key", "home", "label"),
    [
        ("rosibel", "anglo", "hispanic/F"), ("kamrie", "anglo", "anglo/F"),
        ("oluwatobi", "anglo", "african/M"), ("harshith", "anglo", "southasian/M"),
        ("shaniqwa", "anglo", "black/F"), ("evelio", "spanish", "hispanic/M"),
    ],
)  # fmt: skip
def test_origin_and_sex_are_guessed_from_the_letters(key, home, label):
    assert class_of_given(key, home) == f"given/{label}"


def test_names_alone_are_told_by_their_sound_where_it_is_clear():
    assert all(sounds_given(key, "anglo") for key in ("rosibel", "jaslene", "kamrie"))
    surnames = ("halvorsen", "strobeck", "wunderlich", "delahoyde", "quirantes")
    assert not any(sounds_given(key, home) for key in surnames for home in ("anglo", "spanish"))


def test_unlisted_given_names_stay_apart_and_change_their_initial():
    for patient in range(4):
        made = [unlisted_given(SCOPE.sub(patient), key) for key in GIVEN]
        assert len(set(made)) >= len(GIVEN) - 1
        assert all(canonical(m)[0] != key[0] for m, key in zip(made, GIVEN, strict=True))
        assert all(abs(len(m) - len(key)) <= 4 for m, key in zip(made, GIVEN, strict=True))


def test_in_spanish_notes_given_names_are_spanish():
    for patient in "abcd":
        spans = [("PATIENT", "Obdulio Sosa"), ("PATIENT", "Aracely Sosa")]
        made = [name.split()[0] for name in replaced(surrogates(), spans, language="es",
                                                     patient=patient)]  # fmt: skip
        assert all(is_given(name, "hispanic") for name in made)
