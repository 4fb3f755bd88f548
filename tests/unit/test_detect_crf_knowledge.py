"""Lists and expressions as features of the feature CRF: they stand on their tokens and around."""

from __future__ import annotations

from importlib import resources

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_deid.detect.neural.crf_features import features
from stream_deid.detect.neural.crf_knowledge import REACH, Families
from stream_deid.text.tokens import tokenize

BOTH = Families(lists=True, expressions="es")
WEIGHTS = resources.files("stream_deid.detect.neural") / "data"


def said(text: str, families: Families = BOTH) -> dict[str, set[str]]:
    """What is added to each word."""
    tokens = tokenize(text)
    out: list[list[str]] = [[] for _ in tokens.words]
    families.add(text, tokens, out)
    return {word: set(own) for word, own in zip(tokens.words, out, strict=True)}


def test_a_name_of_a_list_is_told_on_its_word_and_around_it():
    found = said("Acude Ana con su madre")
    assert {"lists=given"} <= found["Ana"]
    assert "lists+1=given" in found["Acude"]
    assert "lists-1=given" in found["con"]
    assert "lists-3=given" in found["madre"]


def test_a_listed_word_in_small_letters_is_told_apart():
    assert "lists=~given" in said("una rosa")["rosa"]
    assert "lists=given" in said("una Rosa")["Rosa"]


def test_a_phrase_is_one_entry_from_its_first_word_to_its_last():
    found = said("vive en Las Palmas desde niño")
    assert "lists=Bcity" in found["Las"]
    assert "lists=Icity" in found["Palmas"]
    assert not any(one.startswith("lists=") for one in found["vive"])


def test_what_a_pattern_finds_is_told_by_type_and_by_pattern():
    found = said("Ingresa el 03/04/2019 por tos", Families(expressions="es"))
    assert {"re.es=BDATE", "re.es=Bdate"} <= found["03"]
    assert {"re.es=IDATE", "re.es=Idate"} <= found["2019"]
    assert "re.es+1=BDATE" in found["el"]
    assert not any(one.startswith("lists") for own in found.values() for one in own)


def test_without_families_nothing_is_added():
    assert not any(said("Ana, 03/04/2019, Las Palmas", Families()).values())


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("aA1 ./\n:Ñé\u200bｄ") | st.characters(), max_size=120))
def test_any_text_keeps_its_features_and_gains_a_bounded_number(text):
    tokens = tokenize(text)
    plain, known = features(tokens), features(tokens)
    BOTH.add(text, tokens, known)
    assert [own[: len(base)] for base, own in zip(plain, known, strict=True)] == plain
    own = max((len(base) for base in plain), default=0)
    assert all(len(one) < own + 60 * (2 * REACH + 1) for one in known)


@pytest.mark.parametrize(("language", "families"), [("es", BOTH), ("en", Families())])
def test_shipped_weights_are_asked_with_the_families_that_they_learnt(language, families):
    model = (WEIGHTS / f"crf_{language}.crfsuite").read_bytes()
    assert Families.of_weights(model) == families
