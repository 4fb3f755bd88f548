"""Ages over 89 in every way to say them, under Safe Harbor (45 CFR 164.514(b)(2)(i)(C)), and the
ages under 90 in the same words, which stay.
"""

from datetime import date
from functools import cache

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.lists.numbers import TENS, UNITS
from stream_deid.note import Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.demographics import ages
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.age import ROMAN_AGES
from stream_deid.text.folding import fold


@cache
def pipeline(policy: str) -> Pipeline:
    setups = {code: Language((Patterns(code),), ()) for code in ("en", "es")}
    return Pipeline(setups, Surrogates(Policy.named(policy), b"0123456789abcdef"), "t")


def shown(text: str, language: str, policy: str = "safe-harbor") -> str:
    note = Note("n", "p", (Part(text),), language, written_on=date(2025, 3, 14))
    made = pipeline(policy)
    return made.finish(made.begin(note), ())[0].parts[0].text


def small(n: int, language: str, joint: str = "-") -> str:
    units = UNITS[language]
    if n < len(units):
        return units[n]
    return TENS[language][n // 10 - (2 if language == "en" else 3)] + (
        joint + units[n % 10] if n % 10 else ""
    )


def english(n: int) -> list[str]:
    if n < 100:
        return [small(n, "en", joint) for joint in ("-", " ", "")]
    rest = [""] if n == 100 else [f"{j}{small(n - 100, 'en')}" for j in (" and ", " ", "-and-")]
    return [f"{head} hundred{tail}" for head in ("one", "a") for tail in rest]


def spanish(n: int) -> list[str]:
    if n < 100:
        made = [small(n, "es", " y ")]
        ones = made[0].removesuffix(" un")
        return made if ones == made[0] else [*made, f"{ones} uno", f"{ones} una"]
    rest = small(n - 100, "es")
    return ["cien"] if n == 100 else [f"ciento {rest}", f"ciento {fold(rest)}"]


@pytest.mark.parametrize("n", range(90, 121))
def test_every_age_in_english_words(n: int) -> None:
    for said in english(n):
        for form in (said, said.capitalize(), said.upper()):
            assert shown(f"Aged {form}.", "en") == "Aged 90+."
            assert shown(f"A {form} year old man.", "en") == "A 90+ year old man."
            assert ages.years(form) == n
        if "-" in said or " " not in said:
            assert shown(f"This {said}-year-old.", "en") == "This 90+-year-old."


@pytest.mark.parametrize("n", range(90, 121))
def test_every_age_in_spanish_words(n: int) -> None:
    for said in spanish(n):
        for form in (said, said.capitalize(), said.upper()):
            assert shown(f"Tiene {form} años.", "es") == "Tiene 90+ años."
            assert shown(f"Edad: {form}", "es") == "Edad: 90+"
            assert ages.years(form) == n
        assert shown(f"Mujer de {said} años de edad.", "es") == "Mujer de 90+ años de edad."


@pytest.mark.parametrize(
    ("word", "language"),
    [
        *((w, "en") for w in ("nonagenarian", "centenarian", "supercentenarian")),
        *((w + end, "es") for w in ("nonagenari", "centenari", "supercentenari") for end in "oa"),
        ("noventañera", "es"),
    ],
)
def test_words_for_the_very_old(word: str, language: str) -> None:
    for form in (word, word.capitalize(), word.upper(), f"{word}s"):
        out = shown(f"{form}, {'frail' if language == 'en' else 'frágil'}.", language)
        assert "90+" in out
        assert fold(word)[:6] not in fold(out)


def test_every_age_in_roman_figures() -> None:
    assert len(ROMAN_AGES) == 39
    for letters in ROMAN_AGES.keys() - {"CI", "CV", "CX"}:  # letters that mean other things
        assert shown(f"Aged {letters}.", "en") == "Aged 90+."
        assert shown(f"Edad: {letters}.", "es") == "Edad: 90+."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Age: 9 4", "Age: 90+"),
        ("Age: 1 0 2", "Age: 90+"),
        ("She is 7 years shy of 100.", "She is 90+."),
        ("seven years short of a hundred", "90+"),
        ("two shy of her hundredth birthday", "90+"),
        ("a year away from turning 101", "90+"),
        ("in her tenth decade", "in her 90+"),
        ("in the 11th decade of life", "in the 90+"),
        ("her hundred and second birthday", "her 90+ birthday"),
        ("a woman of one hundred and three", "a woman of 90+"),
        ("He is 20 years shy of 100.", "He is 20 years shy of 100."),
        ("in her ninth decade", "in her ninth decade"),
        ("Age: 9 4 months", "Age: 9 4 months"),
        ("Aged eighty-nine.", "Aged eighty-nine."),
    ],
)
def test_ages_told_otherwise(text: str, left: str) -> None:
    assert shown(text, "en") == left


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("Le faltan 7 años para los 100.", "90+."),
        ("está a dos años de los cien", "está 90+"),
        ("en su décima década", "en su 90+"),
        ("Edad: 9 4", "Edad: 90+"),
        ("Le faltan 7 años para los 90.", "Le faltan 7 años para los 90."),
        ("Tiene ochenta y nueve años.", "Tiene ochenta y nueve años."),
    ],
)
def test_ages_told_otherwise_in_spanish(text: str, left: str) -> None:
    assert shown(text, "es") == left


TWO_YEARS = [  # the year is one in which somebody of 90 in 2025 was so old
    ("en", "He retired in {} at 65.", 1994, 2000),
    ("en", "She was widowed in {} aged 50.", 1980, 1985),
    ("en", "Widowed in {} (aged 50).", 1980, 1985),
    ("en", "Retired in {} at the age of sixty-five.", 1994, 2000),
    ("en", "He was 65 when he retired in {}.", 1994, 2000),
    ("en", "Celebrated her 50th birthday in {}.", 1984, 1985),
    ("en", "First seizure in {} when she was 45.", 1979, 1980),
    ("es", "Se jubiló en {} a los 65 años.", 1994, 2000),
    ("es", "Enviudó en {} con 50 años.", 1980, 1985),
    ("es", "Se jubiló a los 65 años en {}.", 1994, 2000),
    ("es", "en {} a los sesenta y cinco años", 1994, 2000),
    ("en", "In {} at 65 mg daily.", 1994, 1994),
    ("en", "Stent in {} at 65% stenosis.", 1994, 1994),
    ("en", "CABG in {} at 65.", 2019, 2019),
    ("es", "Operada en {} a los 65 años.", 2019, 2019),
]


@pytest.mark.parametrize(("language", "text", "year", "left"), TWO_YEARS)
def test_a_year_and_the_age_in_it_tell_no_age_over_89(
    language: str, text: str, year: int, left: int
) -> None:
    assert shown(text.format(year), language) == text.format(left)


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "Birth year nineteen thirty-one."),
        ("en", "Born in nineteen thirty one in Ohio."),
        ("es", "Nacida en mil novecientos treinta y uno."),
        ("es", "Año de nacimiento: mil novecientos treinta y uno."),
    ],
)
def test_a_birth_year_in_words_is_one(language: str, text: str) -> None:
    assert "thirty" not in shown(text, language)
    assert "treinta" not in shown(text, language)
    assert "1935" in shown(text, language)
    assert shown(text, language, "expert-determination") != text


@pytest.mark.parametrize("signs", [">", "<", ">=", "~", "\u2265", "> "])
@pytest.mark.parametrize(
    "text", ["Patient, {}93 y", "{}93 y.o. man", "Age: {}93", "{}93 years old"]
)
def test_a_sign_that_compares_hides_no_age(signs: str, text: str) -> None:
    assert shown(text.format(signs), "en") == text.format(signs).replace("93", "90+")


@pytest.mark.parametrize("sign", ["-", "\u2013", "_", "*", "|", " - "])
@pytest.mark.parametrize("text", ["{} year old man", "a {}-year-old", "Age: {}.", "{} y/o"])
def test_a_sign_between_its_figures_hides_no_age(sign: str, text: str) -> None:
    assert shown(text.format(f"9{sign}3"), "en") == text.format("90+")


@pytest.mark.parametrize(
    "text",
    [
        "ages 9-12 years old", "9-10 year old", "9.3 year old", "9, 3 year old", "SpO2 >93%",
        "eGFR >90", "Creatinine 1.95 now.", "K 3.98 now", "sizes 9-3 cm",
    ],
)  # fmt: skip
def test_ranges_and_readings_stay(text: str) -> None:
    assert shown(text, "en") == text
