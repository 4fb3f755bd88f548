"""The places that a message's own fields state, in its values and texts."""

import pytest

from stream_deid.detect.settle.propagation.own_places import as_rooms, own_places
from stream_deid.labels import PhiType as T
from stream_deid.note import Finding, Part, Span

STATED = ["M5", "PISO 3", "4W", "512", "B", "21-C"]


def found(text, asked="UBIC^Ubicación^L", stated=STATED):
    fields = [
        Part(value, "PV1[1]-3.1", examine=False, declared=(Span(0, len(value), T.LOCATION_OTHER),))
        for value in stated
    ]
    votes = own_places([*fields, Part(text, "OBX[1]-5", asked=asked)])
    assert not any(votes[:-1])
    return [text[d.start : d.end] for d in votes[-1]]


@pytest.mark.parametrize(
    ("text", "places"),
    [
        ("M5", ["M5"]), ("piso 3", ["piso 3"]), ("M5\npiso 3", ["M5", "piso 3"]),
        ("Paciente en M5, refiere dolor", ["M5"]), ("Sube a piso 3.", ["piso 3"]),
        ("back to 4W at 1400", ["4W"]), ("4w", ["4w"]),
        ("alta\n21-C Canul, pie", ["21-C"]), ("Se encuentra en la 512 ventana.", ["512"]),
        ("in 512 window, asleep", ["512"]), ("Pieza 512.", ["512"]),
        ("pac de la 512, sat 94", ["512"]),
    ],
)  # fmt: skip
def test_a_place_of_the_message_is_found(text, places):
    assert found(text) == places


@pytest.mark.parametrize(
    "text",
    [
        "E4 V5 M5",
        "M5/5",
        "M50",
        "piso 30",
        "512 mg",
        "plaquetas 512",
        "WBC up to 512",
        "vitamina B",
        "fuerza M5 en MSD",
        "M5 motor",
    ],
)
def test_points_and_numbers_alone_are_none(text):
    assert found(text) == []


def test_what_a_scale_is_asked_for_is_none():
    assert found("M5", asked="9268-4^Glasgow coma score motor^LN") == []


def test_a_message_without_places_has_none():
    assert found("M5", stated=[]) == []


def test_a_number_that_is_the_messages_own_room_is_that_room():
    room = Part("512", "PV1[1]-3.2", examine=False, declared=(Span(0, 3, T.LOCATION_OTHER),))
    found = (Finding(5, 8, T.IDNUM, ("room@1",)), Finding(10, 13, T.IDNUM, ("id@1",)))
    _, (own, other) = as_rooms([room, Part("hab. 512, 513")], [(), found])
    assert (own.type, other.type) == (T.LOCATION_OTHER, T.IDNUM)
