"""The word that goes on behind half a name."""

import pytest
from marked_spans import finding

from stream_deid.detect.settle.propagation.halves import other_halves
from stream_deid.labels import PhiType as T


def whole(text, half):
    found = finding(text, half, T.PATIENT)
    return [text[d.start : d.end] for d in other_halves(text, [found])]


@pytest.mark.parametrize(
    ("text", "half", "name"),
    [
        ("Asst: A. Blood; photos", "A.", "A. Blood"),
        ("scrub: A Blood; photos", "A", "A Blood"),
        ("thats abimbola sunday, 61f dm2", "abimbola", "abimbola sunday"),
        ("Ruth Winter 80 F here", "Ruth", "Ruth Winter"),
        ("signed a.g.m. at 5", "a", "a.g.m"),
        ("Cir: Amo/Garrido", "Amo", "Garrido"),
        ("Verifica: M. Alondra", "Alondra", "M."),
        ("Verified CW/Lark, chair 9", "Lark", "CW"),
        ("3. Abernathy-Cole - thymoma", "Abernathy", "Abernathy-Cole"),
        ("seen by Oduya-Brandvold.", "Oduya", "Oduya-Brandvold"),
    ],
)
def test_the_other_half(text, half, name):
    assert whole(text, half) == [name]


@pytest.mark.parametrize(
    ("text", "half"),
    [
        ("Dr. Lee saw her, 61f", "Lee"),
        ("Lee-Attending, Lark-Cardiology", "Lee"),
        ("Lark-led rounds", "Lark"),
        ("hepatitis A. Blood drawn", "hepatitis"),
        ("call Ruth at 5 pm", "Ruth"),
        ("Babinski/Hoffmann neg", "Babinski"),
        ("call Ruth e.g. at noon", "Ruth"),
        ("T.O. Dr. Early", "T"),
        ("hepatitis C. Alondra called", "Alondra"),
        ("asked PT/Lark, chair 9", "Lark"),
    ],
)
def test_where_the_name_is_whole(text, half):
    assert whole(text, half) == []


@pytest.mark.parametrize("half", ["46.786", "-92.100", "92.100"])
def test_a_pair_of_coordinates_is_one_thing(half):
    text = "It lies at 46.786, -92.100 now."
    found = other_halves(text, [finding(text, half, T.IDNUM)])
    assert [(text[d.start : d.end], d.type) for d in found] == [
        ("46.786, -92.100", T.LOCATION_OTHER)
    ]


@pytest.mark.parametrize("text", ["2.1, 92.100", "46.786 mg, 92.100", "v1.46.786, 92.100.3"])
def test_other_decimals_are_no_pair(text):
    assert not other_halves(text, [finding(text, "92.100", T.IDNUM)])


def test_the_end_of_a_line_before_is_no_initial():
    text = "Se toma foto de FAV.\nEnf. Itzel Campos"
    assert not other_halves(text, [finding(text, "Itzel Campos", T.DOCTOR)])
