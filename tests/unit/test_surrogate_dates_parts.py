"""Parts of years and months: read, moved by their middle day, written back in their own words."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.dates.reading.partial import middle, narrows, part_of, read_part
from stream_deid.surrogate.policy import Policy

WRITTEN = date(2020, 6, 10)
ORDINALS = ("first", "second", "third", "fourth")
MASCULINE, FEMININE = ("primer", "segundo", "tercer", "cuarto"), ("primera", "segunda")
MONTHS = ("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto", "septiembre",
          "octubre", "noviembre", "diciembre")  # fmt: skip


def shifted(language: str, text: str, offset: int) -> str:
    made, how = Calendar(language, language == "es", WRITTEN, offset, Policy.named()).replace(text)
    assert how == "shift", (text, how)
    return made


@settings(max_examples=60, deadline=None)
@given(st.integers(2000, 2019), st.integers(1, 4), st.integers(95, 330), st.booleans())
def test_quarters_in_every_form_move_to_the_quarter_of_their_middle_day(year, which, size, back):
    offset = -size if back else size
    moved = date(year, 3 * which - 1, 15) + timedelta(offset)
    now, then = (moved.month - 1) // 3 + 1, moved.year
    forms = {
        ("en", "Q{n} {y}"): "Q{m} {z}", ("en", "{n}Q{s:02d}"): "{m}Q{t:02d}",
        ("en", "FY{s:02d} Q{n}"): "FY{t:02d} Q{m}", ("en", "Q{n} FY{y}"): "Q{m} FY{z}",
        ("en", "{w} quarter of {y}"): "{v} quarter of {z}", ("es", "{n}T {y}"): "{m}T {z}",
        ("es", "{e} trimestre de {y}"): "{f} trimestre de {z}",
        ("es", "{n}º trimestre de {y}"): "{m}º trimestre de {z}",
    }  # fmt: skip
    before = {"n": which, "y": year, "s": year % 100, "w": ORDINALS[which - 1],
              "e": MASCULINE[which - 1]}  # fmt: skip
    after = {"m": now, "z": then, "t": then % 100, "v": ORDINALS[now - 1],
             "f": MASCULINE[now - 1]}  # fmt: skip
    for (language, form), expected in forms.items():
        made = shifted(language, form.format(**before), offset)
        assert made == expected.format(**after)


@settings(max_examples=60, deadline=None)
@given(st.dates(date(2005, 1, 1), date(2019, 12, 31)), st.integers(1, 2), st.integers(35, 330))
def test_halves_of_a_month_move_with_their_month(day, which, size):
    moved = date(day.year, day.month, (8, 23)[which - 1]) + timedelta(size)
    half = FEMININE[moved.day > 15]
    made = shifted("es", f"{FEMININE[which - 1]} quincena de {MONTHS[day.month - 1]} de {day.year}",
                   size)  # fmt: skip
    assert made == f"{half} quincena de {MONTHS[moved.month - 1]} de {moved.year}"


@settings(max_examples=60, deadline=None)
@given(
    st.sampled_from([
        "{} quarter of {y}", "{} half of {y}", "early {y}", "mid-{y}", "late {y}", "end of {y}",
        "{} week of May {y}", "{} half of March {y}",
    ]),
    st.integers(1, 2), st.integers(1990, 2019), st.integers(125, 330),
)  # fmt: skip
def test_what_is_written_is_read_again_as_the_part_that_it_became(form, which, year, size):
    text = form.format(ORDINALS[which - 1], y=year)
    (before,) = read_part(text, "en", 2025)
    (after,) = read_part(shifted("en", text, size), "en", 2025)
    assert before.part[1] == after.part[1]
    moved = middle(before.year, before.month, before.part) + timedelta(size)
    assert (after.year, after.month) == (moved.year, moved.month if before.month else None)
    assert after.part[0] == part_of(moved, after.part[1], month=before.month is not None)


@given(st.integers(1990, 2030), st.sampled_from([None, 1, 2, 12]), st.sampled_from([2, 3, 4, 6]))
def test_the_middle_of_a_part_lies_in_it(year, month, of):
    of = of if month is None else 2
    for which in range(1, of + 1):
        assert part_of(middle(year, month, (which, of)), of, month=month is not None) == which


@pytest.mark.parametrize(
    ("text", "found"),
    [("late 2019", True), ("mid to late '19", True), ("a finales de 2019", True), ("2019", False),
     ("late 1980s", False), ("finales de los años 80", False), ("March 2019", False)],
)  # fmt: skip
def test_a_part_of_a_year_says_more_than_the_year(text, found):
    assert narrows(text) is found


@pytest.mark.parametrize("text", ["first trimester", "2H", "Q3-Q4 2020", "March", "the second"])
def test_what_is_no_single_part_is_left_to_others(text):
    assert read_part(text, "en", 2025) is None


def test_a_month_by_its_number_moves_with_its_day():
    assert shifted("es", "15 del 3 de 2020", 60) == "14 del 5 de 2020"
    assert shifted("es", "15 del 3", 60) == "14 del 5"


def test_the_number_of_a_day_without_its_year_is_no_year():
    calendar = Calendar("en", False, WRITTEN, 60, Policy.named())
    assert calendar.replace("day 74") == ("[DATE]", "tag")


@pytest.mark.parametrize("form", ["{}-{:02d}", "{}/{:02d}"])
def test_a_winter_over_two_years_stays_one(form):
    made = shifted("es", form.format(2019, 20), 400)
    assert made in {form.format(2020, 21), form.format(2021, 22)}
