"""Tokens: boundaries, offsets in any Unicode, and what models read."""

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.text.tokens import MAX_RUN, NEWLINE, is_blank, normalise, tokenize


def pieces(text):
    tokens = tokenize(text)
    return [text[a:b] for a, b in zip(tokens.starts, tokens.ends, strict=True)]


def test_letters_digits_and_symbols_are_apart():
    assert pieces("Rm 412B, x44") == ["Rm", "412", "B", ",", "x", "44"]


def test_words_break_where_lower_meets_upper():
    assert pieces("MartínezNºCol: 28") == ["Martínez", "Nº", "Col", ":", "28"]


def test_line_breaks_are_tokens_and_crlf_is_one():
    text = "a\r\nb\rc\u2028d"
    tokens = tokenize(text)
    assert (tokens.kinds == NEWLINE).sum() == 3
    assert [w for w in tokens.words if w != "\n"] == ["a", "b", "c", "d"]


def test_spaced_tells_what_goes_before():
    assert tokenize("J.R. Smith\nRN").spaced.tolist() == [
        True, False, False, False, True, False, True,
    ]  # fmt: skip


def test_disguised_names_are_read_as_what_they_look_like():
    hidden = {
        "Jo\u200bhn": "John", "Ｓｍｉｔｈ": "Smith", "Sm\u00adith": "Smith", "𝐉𝐨𝐡𝐧": "John",
        "Jоhn": "John", "Jose\u0301": "José", "O\u2019Brien": "O'Brien",
    }  # fmt: skip
    for text, seen in hidden.items():
        tokens = tokenize(f"pt {text} seen")
        assert "".join(tokens.words[1:-1]) == seen
        assert tokens.starts[1] == 3
        assert tokens.ends[-2] == 3 + len(text)


def test_medical_greek_stays():
    assert tokenize("β-blocker, 5 µg").words[0] == "β"


def test_long_runs_are_cut():
    assert [len(p) for p in pieces("a" * 100)] == [MAX_RUN, MAX_RUN, 100 - 2 * MAX_RUN]


@given(st.text())
def test_tokens_are_ordered_disjoint_and_leave_out_only_blanks(text):
    tokens = tokenize(text)
    assert (tokens.starts < tokens.ends).all()
    assert (tokens.ends[:-1] <= tokens.starts[1:]).all()
    covered = np.zeros(len(text), dtype=bool)
    for a, b in zip(tokens.starts, tokens.ends, strict=True):
        covered[a:b] = True
    for i in np.flatnonzero(~covered):
        seen = normalise(text[i]).text
        assert seen in {"", " ", "\n"}


ACCENTS = "\u0301\u0313\u0343\u0355\u0328\u0345\u20dd"


@given(st.text(alphabet="aeZΩω1 -\n" + ACCENTS, max_size=90))
def test_accents_in_any_order_belong_to_a_token(text):
    tokens = tokenize(text)
    covered = np.zeros(len(text) + 1, dtype=int)
    for start, end in zip(tokens.starts, tokens.ends, strict=True):
        assert start < end
        covered[start:end] += 1
    assert covered.max() <= 1
    assert all(covered[i] or is_blank(char) for i, char in enumerate(text))


@given(st.text(alphabet=st.characters(codec=None, exclude_categories=())))
def test_any_code_point_is_taken_and_offsets_hold(text):
    normal = normalise(text)
    assert len(normal.text) == len(normal.source) <= len(text)
    assert list(normal.source) == sorted(set(normal.source.tolist()))
    tokenize(text)
