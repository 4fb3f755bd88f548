"""Numbers with check digits stay right, of their kind, and one to one."""

import string

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, replaced, surrogates

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.numbers import checked, codes, licences
from stream_deid.text import check_digits

SCOPE = Scope(KEY)
REAL = [
    ("iban", "ES9121000418450200051332", "en"), ("iban", "GB82WEST12345698765432", "en"),
    ("iban", "DE89370400440532013000", "es"), ("iban", "FR1420041010050500013M02606", "es"),
    ("card", "4111111111111111", "en"), ("npi", "1234567893", "en"), ("dea", "AB1234563", "en"),
    ("vin", "1HGCM82633A004352", "en"), ("nhs", "9434765919", "en"), ("dni", "12345678Z", "es"),
    ("nie", "X1234567L", "es"), ("curp", "HEGG560427MVZRRL04", "es"),
    ("rfc", "GODE561231GR8", "es"),
    ("nss", "281234567840", "es"), ("cuit", "20123456786", "es"), ("rut", "76354771K", "es"),
]  # fmt: skip
"""Published examples, and numbers whose checks were reckoned by hand."""


@pytest.mark.parametrize(("kind", "number", "language"), REAL)
def test_published_examples_are_known_for_what_they_are(kind, number, language):
    assert checked.kind(number, language) == kind


@pytest.mark.parametrize(("kind", "number", "language"), REAL)
def test_surrogates_of_right_numbers_are_right_and_one_to_one(kind, number, language):
    seen = {number}
    made = number
    for _ in range(40):
        made = codes.code(SCOPE, made, language)
        assert checked.kind(made, language) == kind
        assert len(made) == len(number)
        assert made not in seen
        seen.add(made)
    if kind == "iban":
        assert {one[:2] for one in seen} == {number[:2]}


@pytest.mark.parametrize("patient", "abcdef")
def test_an_iban_stays_one_of_its_country_as_it_was_written(patient):
    (made,) = replaced(
        surrogates(), [("ACCOUNT", "ES91 2100 0418 4502 0005 1332")], patient=patient, language="es"
    )
    shown = made.replace(" ", "")
    assert [len(group) for group in made.split()] == [4] * 6
    assert shown[:2] == "ES"
    assert check_digits.mod_97(shown[4:] + shown[:4]) == 1


@settings(max_examples=200, deadline=None)
@given(
    st.text("0123456789", min_size=7, max_size=19)
    | st.from_regex(r"[A-N]{1,4}[0-9]{5,12}[A-N]{0,2}", fullmatch=True)
    | st.text("ABCDEFGHJKLMN" + string.digits, min_size=8, max_size=24),
    st.sampled_from(("en", "es")),
)
def test_a_number_has_a_surrogate_of_its_own_form(number, language):
    made = codes.code(SCOPE, number, language)
    assert made != number
    assert [c.isdecimal() for c in made] == [c.isdecimal() for c in number] or (
        checked.kind(number, language)
    )
    assert checked.kind(made, language) == checked.kind(number, language) or (
        language == "es" and licences.is_licence(number)
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_all_numbers_around_one_have_surrogates_of_their_own(language):
    """Right ones (one in ten by chance) and wrong ones, none of which meet."""
    numbers = [f"{1234567000 + n}" for n in range(2000)]
    assert len({codes.code(SCOPE, number, language) for number in numbers}) == len(numbers)


@given(st.from_regex(r"[0-9]{4}([- ]?)[0-9]{4}([- ]?)[0-9]{8}", fullmatch=True))
@settings(max_examples=60, deadline=None)
def test_separators_do_not_count(number):
    plain = "".join(filter(str.isdecimal, number))
    made = codes.code(SCOPE, number, "en")
    assert "".join(filter(str.isdecimal, made)) == codes.code(SCOPE, plain, "en")


def cuit(opening, dni):
    """A CUIT of a DNI, as AFIP gives them."""
    whole = (check_digits.cuit(f"{one}{dni:08d}0") for one in (opening, "23", "24"))
    number = next(filter(None, whole))
    return f"{number[:2]}-{number[2:10]}-{number[10]}"


@settings(deadline=None)
@given(st.sampled_from(["20", "27"]), st.integers(1_000_000, 59_999_999), st.booleans())
def test_a_cuil_holds_the_surrogate_of_its_dni(opening, dni, right):
    whole = cuit(opening, dni)
    if not right:
        whole = whole[:-1] + str((int(whole[-1]) + 1) % 10)
    made = [
        replaced(surrogates(), [("MEDICALRECORD", one)], language="es")[0]
        for one in (whole, whole.replace("-", ""), f"{dni:,}".replace(",", "."), str(dni))
    ]
    assert made[0][3:-2].lstrip("0") == made[3] == made[2].replace(".", "")
    if right:
        assert made[0].replace("-", "") == made[1]
    plain = made[0].replace("-", "")
    assert (check_digits.cuit(plain) == plain) == right or not check_digits.cuit(plain)
    assert made[0][:2] in {opening, "23", "24"}


@settings(deadline=None)
@given(st.integers(10_000_000, 99_999_999), st.sampled_from(["{:08d}{}", "{:08d}-{}"]))
def test_a_nif_and_a_run_hold_the_surrogate_of_their_number(number, form):
    alone, dotted = (
        replaced(surrogates(), [("MEDICALRECORD", one)], language="es")[0]
        for one in (str(number), f"{number:,}".replace(",", "."))
    )
    assert dotted.replace(".", "") == alone
    assume(alone.isdecimal() and check_digits.rut(f"{alone}0")[-1] != "K")  # no figure of a RUN
    nif = check_digits.nif(f"{number}A")
    run = check_digits.rut(f"{number}0")
    for right, complete in ((nif, check_digits.nif), (run, check_digits.rut)):
        (made,) = replaced(
            surrogates(), [("MEDICALRECORD", form.format(number, right[8]))], language="es"
        )
        plain = made.replace("-", "")
        assert plain[:8] == alone
        assert complete(plain) == plain or right.endswith("K")


@pytest.mark.parametrize("number", ["12345678A", "12345678-A", "12.345.678-9", "20-12345678-0"])
def test_a_wrong_check_stays_wrong_and_the_number_is_still_held(number):
    made, alone = (
        replaced(surrogates(), [("IDNUM", one)], language="es")[0] for one in (number, "12345678")
    )
    assert alone in "".join(filter(str.isalnum, made))
    assert checked.kind(made, "es") == ""
