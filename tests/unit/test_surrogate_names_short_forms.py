"""Spanish names that are written short, and what only looks like one."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.detect.settle.agreement import agree
from stream_deid.labels import PhiType
from stream_deid.lists.short_names import FULL
from stream_deid.note import Detection, Note, Part


@pytest.mark.parametrize(
    ("short", "whole"),
    [("Mª Luz", "María Luz"), ("Ma. Luz", "María Luz"), ("Fco. Soto", "Francisco Soto"),
     ("Luz Hdez.", "Luz Hernández"), ("SOTO, Mª LUZ", "SOTO, MARÍA LUZ"),
     ("M.ª Luz", "María Luz"), ("Luis Ant.º Soto", "Luis Antonio Soto"),
     ("Fco. Javier Mtz. Soto", "Francisco Javier Martínez Soto"),
     ("Ma. de los Ángeles", "María de los Ángeles"), ("Gmo. Ftes. Soto", "Guillermo Fuentes Soto")],
)  # fmt: skip
def test_a_short_form_becomes_what_the_whole_name_becomes(short, whole):
    first, second = replaced(surrogates(), [("PATIENT", short), ("PATIENT", whole)], language="es")
    assert first == second


@pytest.mark.parametrize("kind", ["DOCTOR", "RELATIVE"])
def test_a_relatives_short_form_is_one_too(kind):
    made = replaced(surrogates(), [(kind, "Ma. de los Ángeles"), (kind, "María de los Ángeles")],
                    language="es")  # fmt: skip
    assert made[0] == made[1]


@given(
    st.lists(st.sampled_from(sorted(FULL)), min_size=1, max_size=3),
    st.sampled_from(["Lozano", "Peña", "Rdz. Salinas"]),
    st.permutations([PhiType.PATIENT, PhiType.DOCTOR, PhiType.RELATIVE]),
)
def test_a_name_that_is_cut_at_dots_is_found_whole(shorts, rest, kinds):
    name = ". ".join([*(short.capitalize() for short in shorts), rest])
    text = f"Pcte {name}, estable"
    votes, at = [], len("Pcte ")
    for piece, kind in zip([*shorts, rest], [*kinds, kinds[0]], strict=False):
        votes.append(Detection(at, at + len(piece), kind, "model@1", 0.5))
        at += len(piece) + len(". ")
    last = Detection(text.index(rest), text.index(","), kinds[0], "model@1", 0.9)
    votes = [*votes[: len(shorts)], last]
    (found,) = agree(Note("n", "p", (Part(text),), "es"), [votes])
    assert [text[one.start : one.end] for one in found] == [name]


def test_a_short_form_that_a_model_takes_for_a_house_is_of_the_name_behind_it():
    text = "Fco. Javier Mtz. Lozano niega alergias"
    votes = [
        Detection(0, 3, PhiType.HOSPITAL, "model@1", 0.7),
        Detection(5, 15, PhiType.DOCTOR, "model@1", 0.8),
        Detection(17, 23, PhiType.DOCTOR, "model@1", 0.9),
    ]
    (found,) = agree(Note("n", "p", (Part(text),), "es"), [votes])
    assert [(text[f.start : f.end], f.type) for f in found] == [
        ("Fco. Javier Mtz. Lozano", PhiType.DOCTOR)
    ]


@pytest.mark.parametrize(
    ("text", "name"),
    [("vive con Mª Dolores Rguez (esposa)", "Mª Dolores Rguez"),
     ("Hdez. Mtz acude", "Hdez. Mtz"), ("Centro de Salud Hdez", "")],
)  # fmt: skip
def test_a_house_or_town_with_a_surname_in_short_is_a_person(text, name):
    value = name or "Centro de Salud Hdez"
    start = text.index(value)
    vote = Detection(
        start, start + len(value), PhiType.CITY if name else PhiType.HOSPITAL, "m@1", 0.9
    )
    (found,) = agree(Note("n", "p", (Part(text),), "es"), [[vote]])
    assert [one.type is PhiType.PATIENT for one in found] == [bool(name)]


def test_a_name_that_is_cut_at_its_article_is_found_whole():
    text = "su hija Ma. del Carmen refiere"
    votes = [
        Detection(8, 15, PhiType.RELATIVE, "m@1", 0.7),
        Detection(16, 22, PhiType.RELATIVE, "m@1", 0.9),
    ]
    (found,) = agree(Note("n", "p", (Part(text),), "es"), [votes])
    assert [text[f.start : f.end] for f in found] == ["Ma. del Carmen"]


def test_a_dot_behind_a_name_of_another_language_stays():
    (made,) = replaced(surrogates(), [("DOCTOR", "Ma. Chen")], language="en")
    assert made.partition(" ")[0].endswith(".")
