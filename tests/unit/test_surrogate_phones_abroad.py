"""Telephone numbers of other countries keep their country code, and their openings exist."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import in_order
from surrogate_helpers import KEY

from stream_deid.lists.lexicon import area_codes, dialling
from stream_deid.note import Note, Part
from stream_deid.surrogate import Policy, Surrogates, rewrite

MAKER = Surrogates(Policy.named("expert-determination", {}), KEY)
PLANS = sorted(dialling().items())
WRITTEN = ["+56 9 8123 4567", "+56 2 2345 6789", "+57 300 123 4567", "+54 11 4567-8901",
           "+54 9 351 456-7890", "+51 987 654 321", "+34 612 345 678", "+44 7911 123456",
           "+44 (0)20 7946 0958", "+353 87 123 4567", "+61 412 345 678", "+91 98765 43210",
           "+52 55 1234 5678", "+1-809-555-1234"]  # fmt: skip


def made(text: str, *values: str, phi: str = "PHONE", language: str = "en") -> str:
    found = in_order(text, [(phi, value) for value in values])
    (edits,) = MAKER.edits(Note("n", "p", (Part(text),), language), [found])
    return rewrite(text, edits)


def digits(text: str) -> str:
    return re.sub(r"\D", "", text)


@pytest.mark.parametrize("number", WRITTEN)
@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize("phi", ["PHONE", "FAX"])
def test_the_country_code_stays_wherever_the_span_begins(number: str, language: str, phi: str):
    whole = made(f"Tel. {number}.", number, phi=phi, language=language)
    code = re.match(r"\+\d+[ -]", number)[0]
    assert whole.startswith(f"Tel. {code}")
    assert digits(whole) != digits(number)
    for cut in (1, len(code)):
        assert made(f"Tel. {number}.", number[cut:], phi=phi, language=language) == whole


@pytest.mark.parametrize("number", WRITTEN)
def test_a_number_behind_a_plus_is_a_telephone_number_whatever_it_was_taken_for(number: str):
    assert made(number, number, phi="IDNUM") == made(number, number)


@given(st.sampled_from(PLANS), st.data())
def test_openings_exist_and_numbers_keep_their_kind(plan, data):
    (code, length), kinds = plan
    kind = data.draw(st.sampled_from(sorted(kinds)))
    opening = data.draw(st.sampled_from(kinds[kind]))
    rest = data.draw(st.text("0123456789", min_size=length - len(opening),
                             max_size=length - len(opening)))  # fmt: skip
    number = f"+{code} {opening} {rest}"
    out = made(number, number)
    assert out.startswith(f"+{code} ")
    assert out.split()[1] in kinds[kind]
    assert out != number


@given(st.sampled_from(PLANS), st.data())
def test_two_numbers_never_become_one(plan, data):
    (code, length), _ = plan
    own = st.text("0123456789", min_size=length, max_size=length).filter(lambda n: n[0] != "0")
    one, two = data.draw(own), data.draw(own)
    if one != two:
        numbers = f"+{code} {one}", f"+{code} {two}"
        out = made(" ; ".join(numbers), *numbers).split(" ; ")
        assert out[0] != out[1]


@pytest.mark.parametrize("number", [n for n in WRITTEN if "(0)" not in n])
def test_the_number_without_its_country_code_ends_the_one_with_it(number: str):
    short = number.partition(" ")[2] or number.partition("-")[2]
    one, two = made(f"{number} ; {short}", number, short).split(" ; ")
    assert digits(one).endswith(digits(two))


@pytest.mark.parametrize("number", ["5491145678901", "56981234567", "51987654321", "447801123456"])
def test_a_country_code_without_a_plus_stays_too(number: str):
    code = next(c for (c, _), _ in PLANS if number.startswith(c))
    assert made(number, number, language="es").startswith(code)


@pytest.mark.parametrize("area", ["809", "829", "787", "876"])
def test_caribbean_numbers_stay_in_their_country(area: str):
    out = made(f"+1 {area}-555-1234", f"+1 {area}-555-1234")
    where = next(state for state, codes in area_codes().items() if area in codes)
    assert out[3:6] in area_codes()[where]
