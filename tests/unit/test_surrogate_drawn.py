"""What is drawn afresh tells nothing of its original, not by what it never is either."""

from collections import Counter

import pytest

from stream_deid.lists.lexicon import load_names
from tests.unit.surrogate_helpers import replaced, surrogates

MENTIONS = 600


def drawn(name, phi="PATIENT", language="en", note_id="note-1"):
    maker = surrogates("safe-harbor")
    return replaced(maker, [(phi, name)] * MENTIONS, language=language, note_id=note_id)


def shares(values, what):
    counts = Counter(map(what, values))
    return {key: n / len(values) for key, n in counts.items()}


def letter(name):
    return name[0].lower()


def origin(name):
    label = load_names().label(name.lower())
    return label.split("/")[1] if label else "none"


@pytest.mark.parametrize("what", [letter, origin, len])
@pytest.mark.parametrize(
    "names", [("Smith", "Nguyen", "Okonkwo", "Garcia", "Quispe"), ("Mary", "Nkechi", "Guadalupe")]
)
def test_no_share_of_letters_origins_or_lengths_tells_the_original(names, what):
    told = [shares(drawn(name, note_id=name), what) for name in names]
    for key in {key for one in told for key in one}:
        seen = [one.get(key, 0.0) for one in told]
        assert max(seen) - min(seen) < 0.12, (key, seen)


@pytest.mark.parametrize("name", ["Smith", "Martinez", "Brown", "Maria"])
def test_a_drawn_name_may_begin_with_the_letter_of_its_original(name):
    made = drawn(name)
    assert any(letter(one) == letter(name) for one in made)
    assert name not in made


@pytest.mark.parametrize(("name", "sex"), [("Mary", "F"), ("James", "M"), ("Kenji", "M")])
def test_the_sex_of_a_drawn_given_name_is_kept(name, sex):
    labels = [load_names().label(one.lower()) for one in drawn(name)]
    told = [label.rpartition("/")[2] for label in labels if label.startswith("given")]
    assert told
    assert told.count(sex) > 0.9 * len(told)


def test_initials_are_drawn_from_all_letters():
    made = drawn("J. Smith")
    assert len({one[0] for one in made}) >= 25


def test_keyed_policies_stay_as_they_were():
    maker = surrogates()
    (first, second) = replaced(maker, [("PATIENT", "John Smith"), ("PATIENT", "Smith")])
    assert first.endswith(second)
    assert first[0] != "J"


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("name", ["Ami", "Taylor", "Kim", "Xq", "Ωmega", "李", "Pepe", "Bob"])
def test_every_name_has_one_to_draw(name, language):
    assert all(replaced(surrogates("safe-harbor"), [("PATIENT", name)] * 3, language=language))
