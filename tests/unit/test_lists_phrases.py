"""Terms of several words, found by their words."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import split

from stream_deid.lists.people import is_listed_name
from stream_deid.lists.phrases import Phrases
from stream_deid.lists.vocabulary import listed

TERMS = Phrases(["rumack matthew", "cow gate", "buck s traction", "xience sierra", "sierra nevada"])


@pytest.mark.parametrize(
    "text",
    ["by <Rumack-Matthew> at 6 h", "<Cow & Gate>", "<BUCK'S traction>", "<Búck’s  traction>"],
)
def test_terms_are_found_in_any_case_and_with_what_stands_between(text):
    plain, start, end = split(text)
    assert list(TERMS.within(plain)) == [(start, end)]


@pytest.mark.parametrize(
    "text",
    ["Rumack and Matthew", "cow, gate", "Rumack\n\n\n\nMatthew", "Rumack", "axience sierra", ""],
)
def test_words_apart_are_no_term(text):
    assert list(TERMS.within(text)) == []


def test_terms_may_overlap():
    assert [*TERMS.within("Xience Sierra Nevada")] == [(0, 13), (7, 20)]


@given(st.lists(st.sampled_from(["xience", "sierra", "nevada", "x"]), max_size=12))
def test_what_is_found_are_the_words_of_a_term(words):
    text = " ".join(words)
    found = [text[a:b] for a, b in TERMS.within(text)]
    pairs = [f"{a} {b}" for a, b in pairwise(words)]
    assert sorted(found) == sorted(p for p in pairs if p in ("xience sierra", "sierra nevada"))


@pytest.mark.parametrize("file", ["products.txt", "organisms.txt"])
def test_no_product_or_organism_is_a_listed_name(file):
    assert [word for word in listed(file) if is_listed_name(word)] == []
