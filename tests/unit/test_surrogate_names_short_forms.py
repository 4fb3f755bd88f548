"""Spanish names that are written short, and what only looks like one."""

import pytest
from surrogate_helpers import replaced, surrogates


@pytest.mark.parametrize(
    ("short", "whole"),
    [("Mª Luz", "María Luz"), ("Ma. Luz", "María Luz"), ("Fco. Soto", "Francisco Soto"),
     ("Luz Hdez.", "Luz Hernández"), ("SOTO, Mª LUZ", "SOTO, MARÍA LUZ")],
)  # fmt: skip
def test_a_short_form_becomes_what_the_whole_name_becomes(short, whole):
    first, second = replaced(surrogates(), [("PATIENT", short), ("PATIENT", whole)], language="es")
    assert first == second


def test_a_dot_behind_a_name_of_another_language_stays():
    (made,) = replaced(surrogates(), [("DOCTOR", "Ma. Chen")], language="en")
    assert made.partition(" ")[0].endswith(".")
