"""Names that many bear become names that many bear, one to one, under any key."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.lists.bearers import power
from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.first_letters import FEW, GROUPS, head
from stream_deid.surrogate.names.choosing.parts import surrogate
from stream_deid.surrogate.names.choosing.stock import classes, listed, rank
from stream_deid.text.canonical import canonical
from stream_deid.text.memo import for_one_note

KEYS = st.binary(min_size=32, max_size=32)
PATIENTS = [Scope(bytes([number]) * 32) for number in range(4)]
MOST, MANY, FEW_BEAR, FEWEST = 17, 15, 10, 9
"""Powers of two of bearers: of the some 330 commonest given names and 220 surnames, of common ones,
of rare names, and of those that hardly anybody bears.
"""


def kind(label: str) -> str:
    return "family" if label.startswith("family") else "given"


def made(scope: Scope, label: str) -> dict[str, str]:
    group = classes()[label]
    with for_one_note():
        return {
            canonical(name): canonical(listed(scope.sub("name", 0), scope, group, at))
            for at, name in enumerate(group.names)
        }


@given(st.integers(1, 400))
def test_ranks_hold_every_place_once(size):
    ranks = {rank(at, size) for at in range(size)}
    assert sorted(at for first, end in ranks for at in range(first, end)) == list(range(size))
    assert all(end - first >= min(size, 4) for first, end in ranks)


@settings(max_examples=10, deadline=None)
@given(KEYS, st.sampled_from(sorted(classes())))
def test_names_of_a_class_are_one_to_one_under_any_key(key, label):
    scope = Scope(key)
    became = made(scope, label)
    assert len(set(became.values())) == len(became)
    assert all(new[0] == head(scope, old[0]) != old[0] for old, new in became.items())


@given(KEYS)
def test_letters_move_one_to_one_in_their_groups(key):
    scope = Scope(key)
    for group in GROUPS:
        assert {head(scope, letter) for letter in group} == set(group)
        assert all(head(scope, letter) != letter for letter in group)
    assert sorted("".join(GROUPS) + FEW) == sorted("abcdefghijklmnopqrstuvwxyz")


@settings(max_examples=8, deadline=None)
@given(st.text("abcdef", min_size=1), st.sampled_from(["John Smith", "María López", "Wei Okafor"]))
def test_initials_agree_with_the_name_in_another_note(patient, name):
    first, last = name.split()
    (full,) = replaced(surrogates(), [("PATIENT", name)], patient=patient)
    short = replaced(
        surrogates(),
        [("PATIENT", f"{first[0]}. {last}"), ("PATIENT", f"{first[0]}{last[0]}")],
        patient=patient,
        note_id="other",
    )
    heads = [word[0] for word in full.split()]
    assert short == [f"{heads[0]}. {full.split()[1]}", "".join(heads)]


def test_no_common_name_becomes_one_that_hardly_anybody_bears():
    common = rare = 0
    for scope in PATIENTS:
        for label in classes():
            for old, new in made(scope, label).items():
                before, after = power(kind(label), old), power(kind(label), new)
                assert before < MOST or after >= FEWEST, (label, old, new)
                common += before >= MANY
                rare += before >= MANY and after < FEW_BEAR
    assert common > 5000
    assert rare / common < 0.015


@pytest.mark.parametrize("key", ["morgan", "kelly", "thomas", "taylor", "lee", "bailey", "harper"])
def test_a_surname_that_is_a_given_name_too_becomes_such_a_one(key):
    names = [canonical(surrogate(scope.sub(n), key)) for scope in PATIENTS for n in range(12)]
    borne = [power("family", name) >= FEW_BEAR for name in names]
    assert sum(borne) / len(borne) > 0.7


@pytest.mark.parametrize("sort", ["given", "family"])
def test_what_no_list_holds_becomes_a_name_that_about_as_many_bear(sort):
    table = load_census().sex if sort == "given" else load_census().family
    keys = sorted(key for key in table if key not in load_names())
    for low, high in ((14, 30), (0, 10)):
        some = [key for key in keys if low <= power(sort, key) < high][:300:3]
        drawn = [canonical(surrogate(PATIENTS[0], key, given=sort == "given")) for key in some]
        fit = sum(power(sort, name) >= 12 if low else power(sort, name) < 14 for name in drawn)
        assert fit / len(some) > 0.8, (low, fit, len(some))
