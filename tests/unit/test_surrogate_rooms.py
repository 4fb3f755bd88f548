"""Rooms and wards: their numbers change, words that every hospital has stay, names go."""

import pytest

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.organizations import rooms

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


def test_an_ordinal_stays_one() -> None:
    assert replaced("3rd floor").endswith("rd floor")
