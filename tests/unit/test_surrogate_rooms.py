"""Rooms and wards: their numbers change, words that every hospital has stay, names go."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st

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


def test_a_bed_that_a_field_calls_an_institution_is_the_bed_of_the_text() -> None:
    assert rooms.are("A")
    assert replaced("A") == rooms.short(SCOPE, "A") != "A"


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


KEYS = st.binary(min_size=16, max_size=16)
FLOORS, BEDS = st.integers(1, 99), st.sampled_from("ABCD")
ROOMS = st.integers(1, 99)


def at(key: bytes, text: str) -> str:
    return rooms.replaced(Scope(key), text, str)


@given(KEYS, FLOORS, st.lists(st.tuples(ROOMS, BEDS), min_size=2, max_size=6, unique=True))
def test_the_beds_of_one_ward_stay_on_one_floor_side_by_side(key, floor, beds):
    made = [at(key, f"{floor}{room:02d}{bed}") for room, bed in beds]
    assert len({one[:-3] for one in made}) == 1
    assert made[0][:-3] != str(floor)
    assert {one[-1] for one in made} <= set("ABCD")
    assert len(set(made)) == len(made)
    steps = {(int(one[-3:-1]) - room) % 99 for one, (room, _) in zip(made, beds, strict=True)}
    letters = {(ord(one[-1]) - ord(bed)) % 4 for one, (_, bed) in zip(made, beds, strict=True)}
    assert len(steps) == len(letters) == 1


@given(KEYS, st.integers(1, 9), ROOMS, BEDS)
def test_a_floor_and_a_bed_are_the_same_alone_and_in_a_rooms_number(key, floor, room, bed):
    whole = at(key, f"{floor}{room:02d}{bed}")
    assert at(key, f"{floor} North") == f"{whole[0]} North"
    assert at(key, f"{floor}E-22")[0] == at(key, f"{floor}E")[0] == whole[0]
    assert rooms.short(Scope(key), bed) == whole[-1]
    assert rooms.short(Scope(key), str(floor)) == whole[0]
    assert at(key, f"{floor}E22")[:2] == rooms.short(Scope(key), f"{floor}E")


@given(KEYS, st.from_regex(r"\A[A-Z]{0,2}[0-9]{1,6}[A-Z]{0,2}\Z"))
def test_another_number_of_the_same_form(key, written):
    made = at(key, f"Room {written}")[5:]
    assert [(c.isdecimal(), c.isupper()) for c in made] == [
        (c.isdecimal(), c.isupper()) for c in written
    ]
    assert made != written


def test_a_room_in_words_has_other_numbers_and_keeps_its_labels():
    made = rooms.said(SCOPE, "five twelve bed two", "en")
    assert re.fullmatch(r"[a-z]+ [a-z]+ bed [a-z]+", made)
    assert made != "five twelve bed two"
    assert rooms.said(SCOPE, "four winds", "en") == rooms.said(SCOPE, "west", "en") == ""
