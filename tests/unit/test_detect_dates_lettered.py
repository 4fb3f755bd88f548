"""A pair of numbers beside its day of the week in letters, and letters that are sides and signs."""

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.patterns import Patterns
from stream_deid.labels import PhiType

LANGUAGES = {code: Patterns(code) for code in ("en", "es")}
LETTERS = {"en": "MTWRFSU", "es": "LMXJVSD"}
PAIRS = {
    "en": ("Mo", "Tu", "We", "Th", "Fr", "Sa", "Su"),
    "es": ("Lu", "Ma", "Mi", "Ju", "Vi", "Sa", "Do"),
}
DATES = [
    ("en", "seen M 3/5 by", ["3/5"]), ("en", "wound check T 3/6. clean", ["3/6"]),
    ("en", "call back W 4/10 and F 4/12", ["4/10", "4/12"]), ("en", "M 3/5, W 3/7", ["3/5", "3/7"]),
    ("en", "next visit R 3/7 at noon", ["3/7"]), ("en", "off at 3/13 (W) again", ["3/13"]),
    ("en", "out 3/14 (Fri)", ["3/14"]), ("en", "3/14, Friday", ["3/14"]),
    ("en", "seen T 2/3 by RN", ["2/3"]), ("en", "home S 4/5 with son", ["4/5"]),
    ("es", "curas X 6/3 y V 8/3", ["6/3", "8/3"]), ("es", "cita J 14/3 en consulta", ["14/3"]),
    ("es", "vuelve 14/3 (jue)", ["14/3"]), ("es", "el 14/3, jueves", ["14/3"]),
]  # fmt: skip
READINGS = [
    ("en", "T 3/5 strength triceps"), ("en", "M 112/145, T 98/130"), ("en", "Motor: M 4/5"),
    ("en", "E 3/4 V 4/5 M 5/6"), ("en", "T 11/12 compression fx"), ("en", "T 11/12 noted"),
    ("en", "R 4/5 L 4/5"), ("en", "67 F 4/12 here"), ("en", "F 5/5, E 4/5"), ("en", "S 1/2 heard"),
    ("en", "T 2/3"), ("en", "M 1/2 tab"), ("en", "GCS 9 (M 4/6)"), ("en", "grip 4/5 (M)"),
    ("es", "fuerza D 4/5 I 3/5"), ("es", "balance V 4/5"), ("es", "reflejos D 2/4"),
    ("es", "Doble J 6/26, SNG 16"),
]  # fmt: skip


def dates(language, text):
    found = LANGUAGES[language].detect(text)
    return sorted({text[d.start : d.end] for d in found if d.detector == "date-lettered@1"})


@pytest.mark.parametrize(("language", "text", "expected"), DATES)
def test_a_day_of_the_week_is_a_reason_for_a_date(language, text, expected):
    assert dates(language, text) == expected


@pytest.mark.parametrize(("language", "text"), READINGS)
def test_a_side_a_sign_and_a_sex_are_none(language, text):
    assert dates(language, text) == []


DAYS = st.dates(date(2023, 1, 1), date(2023, 11, 30))


@given(st.sampled_from(["en", "es"]), st.booleans(), DAYS, st.integers(1, 13))
def test_letters_as_far_from_each_other_as_their_dates(language, pairs, first, apart):
    names = (PAIRS if pairs else LETTERS)[language]
    days = [first, first + timedelta(apart)]
    shown = [f"{d.day}/{d.month}" if language == "es" else f"{d.month}/{d.day}" for d in days]
    text = f"ooo {names[days[0].weekday()]} {shown[0]}, {names[days[1].weekday()]} {shown[1]} ooo"
    types = LANGUAGES[language].detect(text)
    found = {i for d in types if d.type is PhiType.DATE for i in range(d.start, d.end)}
    for value in shown:
        assert set(range(text.index(value), text.index(value) + len(value))) <= found


@given(
    st.sampled_from(["strength", "motor", "reflexes", "tone", "power"]),
    st.sampled_from("MTWF"),
    st.integers(0, 5),
)
def test_no_grade_of_a_muscle_is_a_date(what, letter, grade):
    assert dates("en", f"{what} {letter} {grade}/5 today") == []
