"""Which texts have no case, and how they are heard a second time."""

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.coverage import prove
from stream_deid.detect.neural.model_windows import ModelSpec, windows
from stream_deid.note import Hearing
from stream_deid.text.bio import tag_names
from stream_deid.text.case import capitalised, caseless
from stream_deid.text.tokens import tokenize
from stream_deid.text.wordchar import WordCharEncoder

WORDS = WordCharEncoder.from_json(json.dumps({"words": [], "alphabet": ""}))
MODEL = ModelSpec("m", "1", "wordchar", ("en",), tag_names(("A",)), 16, 4, wordchar=WORDS)


@pytest.mark.parametrize(
    "text",
    [
        "okay nadia so the potassium is four point one call doctor frost back",
        "PT SMITH, JOHN 4/12 SEEN BY DR WELLS FOR CP",
        "paciente remitida por la doctora pe\u00f1a desde \u00e9cija",
    ],
)
def test_without_case(text):
    assert caseless(text)


@pytest.mark.parametrize(
    "text",
    [
        "Seen by Dr. Wells for chest pain.",
        "DIAGNOSIS: pneumonia, treated by Anna Wu",
        "rosa vidal",  # too short to tell
        "4/12 138 4.1",
        "",
    ],
)
def test_with_case_or_nothing_to_tell_it_by(text):
    assert not caseless(text)


def test_every_word_gets_a_capital_and_stays_in_its_place():
    tokens = tokenize("o'conner, JEAN-luc 12th")
    again = capitalised(tokens)
    assert "".join(again.words) == "O'Conner,Jean-Luc12Th"
    assert again.starts is tokens.starts
    assert again.ends is tokens.ends


@given(st.text("abc \u00df\u0130\u01c6\u0149\ufb01.1\n", max_size=120))
def test_both_hearings_own_the_whole_text(text):
    cut = windows(MODEL, 0, text)
    for hearing in Hearing:
        mine = [w for w in cut if w.hearing is hearing]
        if mine:
            assert prove(text, "text", {"m": mine}, ()).examined == len(text)
    assert any(w.hearing is Hearing.CAPITALISED for w in cut) == caseless(text)
