"""Acronyms of organisations that a note writes out."""

import pytest
from marked_spans import finding

from stream_deid.detect.settle.propagation.acronyms import acronyms
from stream_deid.labels import PhiType
from stream_deid.note import Finding


def found(text, name):
    one = finding(text, name, PhiType.HOSPITAL)
    return [text[d.start : d.end] for d in acronyms([text], [[one]])[0]]


@pytest.mark.parametrize(
    ("text", "name", "letters"),
    [
        ("LCS (Laboratorio Clínico Solana)\nValidó para LCS", "Clínico Solana", "LCS"),
        ("QLS = Quinault Laboratory Services, later QLS.", "Quinault Laboratory Services", "QLS"),
        ("Seen at Pine Valley Hospice (PVH). PVH will call", "Pine Valley Hospice", "PVH"),
        ("Hospital de la Santa Cruz (HSC); cama HSC", "Hospital de la Santa Cruz", "HSC"),
    ],
)
def test_letters_of_the_expansion_are_found_wherever_they_stand(text, name, letters):
    assert found(text, name) == [letters, letters]


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("Mercy Hospital (ICU) called; ICU full", "Mercy Hospital"),
        ("Pine Valley Hospice (PHV) and PVH", "Pine Valley Hospice"),
        ("CT at General Imaging; CT (Cedar Tower)", "General Imaging"),
        ("seen at Cedar Tower (CT); CT head neg", "Cedar Tower"),
        ("Pine Valley Hospice, PVH", "Pine Valley Hospice"),
    ],
)
def test_other_letters_stay(text, name):
    assert found(text, name) == []


def test_nothing_follows_from_a_weak_finding():
    text = "Pine Valley Hospice (PVH)"
    weak = Finding(0, 19, PhiType.HOSPITAL, ("m@1",), 0.3)
    assert acronyms([text], [[weak]]) == [[]]
