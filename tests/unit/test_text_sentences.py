"""Where clinical sentences end."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.text.sentences import sentences

CASES = [
    ("Seen by Dr. Ames today. Stable.", ["Seen by Dr. Ames today.", "Stable."]),
    ("Seen by J. R. Ames. Stable.", ["Seen by J. R. Ames.", "Stable."]),
    ("K 3.4, Na 140. Plan: d/c.", ["K 3.4, Na 140.", "Plan: d/c."]),
    ("1. Aspirin 81 mg.\n2. Stop.", ["1. Aspirin 81 mg.", "2. Stop."]),
    ("HPI:\nmale with pain", ["HPI:", "male with pain"]),
    (
        "The patient was seen in the clinic and he was doing quite well on\nthe new dose. Done.",
        [
            "The patient was seen in the clinic and he was doing quite well on\nthe new dose.",
            "Done.",
        ],
    ),
    ('He said "no." Then left.', ['He said "no."', "Then left."]),
    ("Acude a la Dra. Ruiz. Estable.", ["Acude a la Dra. Ruiz.", "Estable."]),
    ("one\n\ntwo", ["one", "two"]),
    ("", []),
    (" \n ", []),
]


@pytest.mark.parametrize(("text", "expected"), CASES)
def test_sentences(text, expected):
    assert [text[a:b] for a, b in sentences(text)] == expected


@given(st.text(alphabet='aB. \n!?1")', max_size=80))
def test_nothing_but_blanks_lies_outside(text):
    at = 0
    for start, end in sentences(text):
        assert text[at:start].strip() == ""
        assert text[start:end] == text[start:end].strip() != ""
        at = end
    assert text[at:].strip() == ""
