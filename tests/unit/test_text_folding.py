"""One folding: a model, a pattern and the record take a character for the same letter."""

import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.text.canonical import canonical, first_key, last_key, words
from stream_deid.text.edges import INVISIBLE
from stream_deid.text.folding import fold, folded, plain, seen
from stream_deid.text.tokens import tokenize

EVERY = [chr(code) for code in range(sys.maxunicode + 1)]

WRITTEN = (
    ("Anna", "\u0410nn\u0430"),  # Cyrillic A and a
    ("HANNA", "\u041d\u0410NN\u0410"),
    ("Oscar", "\u039fscar"),  # Greek omicron
    ("Pope", "\u0420\u043e\u0440\u0435"),
    ("Muñoz", "Mun\u0303oz"),
    ("Smith", "Ｓｍｉｔｈ"),
    ("Smith", "S\u200bm\u00adi\u2060t\u034fh"),
    ("O'Brien", "O\u2019Brien"),
    ("Bell", "\U0001d401\U0001d41e\U0001d425\U0001d425"),
)


@pytest.mark.parametrize(("name", "disguised"), WRITTEN)
def test_a_disguised_name_is_the_same_name_to_everybody(name: str, disguised: str) -> None:
    shown = "".join(c for c in disguised if c not in INVISIBLE)
    assert canonical(disguised) == canonical(name)
    assert tokenize(disguised).words == tokenize(name).words
    if unicodedata.is_normalized("NFC", shown):
        assert folded(shown) == folded(name)


def test_a_name_in_cyrillic_is_one_in_capitals_too() -> None:
    assert fold("Наталья Марта") == fold("НАТАЛЬЯ МАРТА")
    assert fold("Μαρία") == fold("ΜΑΡΊΑ")


def test_greek_of_medicine_stays_itself() -> None:
    assert [seen(c) for c in "αβγδμλκ"] == list("αβγδμλκ")
    assert seen("Å") == "Å"
    assert plain("µ") == "q"


def test_plain_is_one_ascii_character_for_every_code_point() -> None:
    assert not [c for c in EVERY if len(plain(c)) != 1 or not plain(c).isascii()]


def test_seen_is_at_most_one_code_point_and_settled() -> None:
    wrong = [c for c in EVERY if len(seen(c)) > 1 or (seen(c) and seen(seen(c)) != seen(c))]
    assert not wrong


def test_names_compare_as_they_are_seen() -> None:
    """Whatever a reader takes for a Latin letter is that letter in a name and in a pattern."""
    letters = [c for c in EVERY if len(seen(c)) == 1 and seen(c).isascii() and seen(c).isalpha()]
    assert len(letters) > 500
    assert not [c for c in letters if fold(c) != seen(c).lower()]
    assert [c for c in letters if plain(c) != seen(c)] == ["ª"]  # an ordinal sign to a pattern


@given(st.text())
def test_folding_twice_changes_nothing(text: str) -> None:
    assert folded(folded(text)) == folded(text)
    assert len(folded(text)) == len(text)
    assert fold(fold(text)) == fold(text)


@given(st.text("ab'`’ 7-.\n\u0301é\u00ad\u00a0"))
def test_the_first_and_the_last_word_are_those_of_all_words(text: str) -> None:
    keys = [word.key for word in words(text)] or [""]
    assert (first_key(text), last_key(text)) == (keys[0], keys[-1])


def test_every_character_without_a_width_is_known() -> None:
    tags = {chr(code) for code in range(0xE0020, 0xE007F)}  # letters, to a program
    assert {c for c in EVERY if unicodedata.category(c) == "Cf"} - tags <= INVISIBLE


@given(st.text(st.characters(codec="utf-8"), max_size=20))
def test_case_is_folded_away(text: str) -> None:
    if text.casefold() == text.upper().casefold():
        assert fold(text) == fold(text.upper())
