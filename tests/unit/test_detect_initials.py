"""Initials of people whom the note names."""

import pytest
from marked_spans import finding

from stream_deid.detect.settle.propagation.initials import initialled
from stream_deid.labels import PhiType as T


def found(text, name):
    named = finding(text, name, T.DOCTOR)
    return [text[d.start : d.end] for d in initialled([text], [[named]])[0]]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("M. Gonzalez; Dr. Gonzalez; MG; seen Mar 13", "M. Gonzalez"),
        ("Maria Gonzalez, MD\nPlan as above\nMG", "Maria Gonzalez"),
        ("GONZALEZ, MARIA\ncall back per MG - done", "GONZALEZ, MARIA"),
        ("Dra. Marta de la Gala (MG) avisada", "Marta de la Gala"),
        ("Dra. Mireia Illa (MI) avisada", "Mireia Illa"),
        ("Seen by Mary Gray.\nMG/lt", "Mary Gray"),
        ("MARTA GIL, MD\n\nMG/NTS-KP\nDD: 1", "MARTA GIL"),
    ],
)
def test_where_people_sign(text, name):
    assert found(text, name) in (["MG"], ["MI"])


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Dr. Maria Gonzalez: MG crisis, 5 MG given", "Maria Gonzalez"),
        ("Dr. Pat Thomas: PT; OT; SLP", "Pat Thomas"),
        ("Dr. Lee; LE; edema", "Lee"),
    ],
)
def test_where_letters_mean_something_else(text, name):
    assert found(text, name) == []


def test_a_middle_name_that_is_not_told():
    assert found("14:02 (SMR): on review with Dr. Samir Rafi", "Samir Rafi") == ["SMR"]
    assert found("cefazolin 2 g (TIG) for Tia Gale", "Tia Gale") == []


def test_initials_that_are_a_credential_begin_a_chain_of_initials():
    text = "MARGUERITE DIALLO, MD\n\nMD/NTS-KP\n"
    assert found(text, "MARGUERITE DIALLO") == ["MD"]
    assert found("MARGUERITE DIALLO, MD\n\nMD/NTS notes\n", "MARGUERITE DIALLO") == []


def test_letters_that_sign_a_column_are_told_elsewhere():
    text = "Init\nTM\nTM\nMD notified TM 09:20. NT x TM 9 mm. seen by AB 09:20"
    signing = [finding(text, "TM", T.DOCTOR), finding(text, "TM", T.DOCTOR, after=7)]
    starts = {d.start for d in initialled([text], [signing])[0]}
    assert starts == {5, 8, text.index("TM 09:20")}
