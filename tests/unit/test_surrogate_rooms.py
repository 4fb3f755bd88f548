"""Rooms and wards: their numbers change, words that every hospital has stay, names go."""

import re

import pytest

from stream_deid.labels import PhiType
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.organizations import rooms
from stream_deid.text.edges import whole_tokens

SCOPE = Scope(b"0123456789abcdef")


def replaced(text: str) -> str:
    return rooms.replaced(SCOPE, text, lambda name: f"<{name}>")


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Ward 9, North Shore", "Shore"),
        ("St. Vincent Ward 3", "Vincent"),
        ("Maple Grove 3rd floor", "Maple Grove"),
        ("Room 12, Old Mill Building", "Old Mill"),
        ("O'Brien Ward 4", "O'Brien"),
        ("Hollowbrook4", "Hollowbrook"),
        ("Pabellón Cervantes 4", "Cervantes"),
    ],
)
def test_a_name_beside_a_number_goes(text: str, name: str) -> None:
    out = replaced(text)
    assert f"<{name}>" in out
    assert out.replace(f"<{name}>", "").count("<") == 0


@pytest.mark.parametrize(
    "text",
    ["4 East, room 136, bed B 4E", "ICU 4", "South Tower 3", "Hab. 212", "planta 3", "FLOOR1",
     "Operating Room 2", "Emergency Department bed 4", "cama 12 izquierda"],
)  # fmt: skip
def test_words_of_kind_stay_and_every_number_changes_its_form_not(text: str) -> None:
    out = replaced(text)
    assert "<" not in out
    assert out != text
    assert [c.isalpha() for c in out] == [c.isalpha() for c in text]


@pytest.mark.parametrize(
    "floor", [f"{n}{end}" for n, end in enumerate(("st", "nd", "rd", "th"), 1)]
)
def test_an_ordinal_ends_as_its_number_does(floor: str) -> None:
    made = re.fullmatch(r"(\d)(\w\w) floor", replaced(f"{floor} floor"))
    assert made
    assert made[1] != floor[0]
    assert made[2] == {"1": "st", "2": "nd", "3": "rd"}.get(made[1], "th")


def test_a_spanish_ordinal_ends_as_its_number_does() -> None:
    made = re.fullmatch(r"(\d)(\w\w) piso", replaced("3er piso"))
    assert made
    assert made[2] in {"1": "er", "2": "do", "7": "mo", "8": "vo", "9": "no"}.get(made[1], "to")


def test_a_ward_keeps_its_number_in_all_of_its_beds() -> None:
    wards = {replaced(f"5E-{bed}").partition("-")[0] for bed in (22, 24, 7)}
    assert wards == {replaced("5E")}


def test_all_letters_of_a_ward_change_and_none_of_a_word() -> None:
    assert not {"T", "N"} & set(replaced("4TN"))
    assert replaced("FLOOR1").startswith("FLOOR")


def test_a_floor_is_found_with_the_ending_of_its_ordinal() -> None:
    text = "moved to the 3rd floor"
    span = whole_tokens(text, 13, 14, (0, len(text)), PhiType.LOCATION_OTHER, known={})
    assert text[slice(*span)] == "3rd"
