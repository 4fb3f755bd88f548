"""Dates: the table of formats, intervals for every format, ages, inference, tags."""

from __future__ import annotations

import re
from datetime import date, timedelta

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from surrogate_helpers import KEY, edits_of, examples, replaced, surrogates

from stream_deid.lists.calendar import MONTHS, WEEKDAYS
from stream_deid.surrogate.dates import holidays
from stream_deid.surrogate.dates.calendar import Calendar, offset_days
from stream_deid.surrogate.dates.reading import words as cal
from stream_deid.surrogate.dates.reading.order import day_first
from stream_deid.surrogate.dates.reading.spelled import read_spelled
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.policy import Policy

TABLE = examples("dates")
WRITTEN = date.fromisoformat(TABLE["written_on"])


def calendar(language: str, offset: int, written: date | None = WRITTEN) -> Calendar:
    return Calendar(language, language == "es", written, offset, Policy.named())


@pytest.mark.parametrize(
    ("language", "text", "expected", "strategy"),
    [(lang, *row) for lang in ("en", "es") for row in TABLE[lang]],
)
def test_every_format_is_written_back_in_its_own_format(language, text, expected, strategy):
    assert calendar(language, TABLE["offset_days"]).replace(text) == (expected, strategy)


@pytest.mark.parametrize(
    ("language", "text", "expected"),
    [
        ("es", "2 al 19 de mayo", "24 de abril al 11 de mayo"),
        ("es", "2-19 de mayo", "24 de abril-11 de mayo"),
        ("es", "2 al 19 de enero de 2021", "25 de diciembre al 11 de enero de 2021"),
        ("en", "the 2nd to the 19th of May", "the 24th of April to the 11th of May"),
        ("en", "May 2nd to the 19th", "April 24th to the 11th of May"),
        ("en", "2-19 January 2021", "25 December-11 January 2021"),
        ("en", "May 12-19", "May 4-11"),
    ],
)
def test_a_range_of_days_that_crosses_into_another_month_names_both(language, text, expected):
    assert calendar(language, -8).replace(text)[0] == expected


def _en(d: date) -> dict[str, str]:
    name = MONTHS["en"][d.month - 1].capitalize()
    week = WEEKDAYS["en"][d.weekday()].capitalize()
    return {
        "us": f"{d:%m/%d/%Y}", "us-short-year": f"{d:%m/%d/%y}", "iso": f"{d:%Y-%m-%d}",
        "iso-time": f"{d:%Y-%m-%d}T08:15:00Z", "dashes": f"{d:%m-%d-%Y}", "hl7": f"{d:%Y%m%d}",
        "hl7-time": f"{d:%Y%m%d}081500.000-0300", "long": f"{name} {d.day}, {d.year}",
        "upper": f"{name.upper()} {d.day}, {d.year}", "day first": f"{d.day} {name} {d.year}",
        "short": f"{d.day}-{name[:3]}-{d:%y}", "glued": f"{d:%d}{name[:3].upper()}{d.year}",
        "week": f"{week}, {name} {d.day}, {d.year}", "slashes": f"{d:%Y/%m/%d}",
    }  # fmt: skip


def _es(d: date) -> dict[str, str]:
    name = MONTHS["es"][d.month - 1]
    return {
        "numeric": f"{d:%d/%m/%Y}", "dots": f"{d:%d.%m.%Y}", "iso": f"{d:%Y-%m-%d}",
        "long": f"{d.day} de {name} de {d.year}", "upper": f"{d.day} DE {name.upper()} DE {d.year}",
        "roman": f"{d.day}/{cal.ROMAN[d.month - 1].upper()}/{d.year}",
        "week": f"{WEEKDAYS['es'][d.weekday()]} {d.day} de {name} de {d.year}",
        "short": f"{d.day}-{name[:3]}-{d.year}",
    }  # fmt: skip


@settings(max_examples=40, deadline=None)
@given(
    st.dates(date(1990, 1, 1), date(2019, 12, 31)),
    st.integers(35, 330),
    st.booleans(),
)
def test_intervals_are_kept_in_every_format(day, size, back):
    """The shifted text is what the shifted day looks like in the same format: 100 %."""
    offset = -size if back else size
    written = date(2020, 1, 15)
    moved = day + timedelta(offset)
    for language, render in (("en", _en), ("es", _es)):
        for name, text in render(day).items():
            made, how = calendar(language, offset, written).replace(text)
            assert (made, how) == (render(moved)[name], "shift"), name


@settings(max_examples=40, deadline=None)
@given(st.dates(date(2018, 8, 1), date(2020, 5, 31)), st.integers(35, 330))
def test_month_and_day_without_a_year_move_by_the_same_days(day, size):
    """The year is that of the last such day up to four months after the note."""
    written = date(2019, 12, 15)
    near = max(
        d
        for y in (2018, 2019, 2020, 2021)
        if (d := _safe(y, day)) is not None and (d - written).days <= 120
    )
    moved = near + timedelta(size)
    for language, text in (("en", f"{day.month}/{day.day}"), ("es", f"{day.day}/{day.month}")):
        made, _ = calendar(language, size, written).replace(text)
        numbers = [int(n) for n in re.findall(r"\d+", made)]
        expected = [moved.month, moved.day] if language == "en" else [moved.day, moved.month]
        assert numbers == expected


def _safe(year: int, day: date) -> date | None:
    try:
        return day.replace(year=year)
    except ValueError:
        return None


@settings(max_examples=50, deadline=None)
@given(st.binary(min_size=16, max_size=32), st.integers(1, 400), st.integers(0, 400), st.booleans())
def test_offset_is_never_zero_and_stays_in_its_range(key, low, width, weekday):
    high = low + width + 7
    offset = offset_days(Scope(key), low, high, weekday=weekday)
    assert low <= abs(offset) <= high
    assert not weekday or offset % 7 == 0


def test_one_offset_for_all_notes_and_fields_of_a_patient():
    maker = surrogates()
    first = replaced(
        maker, [("DATE", "2019-03-04"), ("DATE", "20190304"), ("DATE", "March 5, 2019")]
    )
    second = replaced(maker, [("DATE", "04/03/2019")], language="es", note_id="other")
    day = date.fromisoformat(first[0])
    assert first[1] == f"{day:%Y%m%d}"
    assert second == [f"{day:%d/%m/%Y}"]
    name = MONTHS["en"][(day + timedelta(1)).month - 1].capitalize()
    assert first[2].startswith(name)
    other = replaced(maker, [("DATE", "2019-03-04")], patient="patient-2")
    assert other != first[:1]


def test_weekday_is_kept_where_the_policy_says_so():
    maker = surrogates(keep_weekday=True)
    (made,) = replaced(maker, [("DATE", "Monday, March 4, 2019")])
    assert made.startswith("Monday, ")


@pytest.mark.parametrize(
    ("texts", "language", "expected"),
    [
        (["3/4/2019"], "en", False),
        (["3/4/2019"], "es", True),
        (["3/4/2019", "25/12/2018"], "en", True),
        (["3/4/2019", "12/25/2018"], "es", False),
        (["12-16", "11/03/26"], "es", True),  # a range of results is no month of December
        (["11/06/1973", "19730611"], "en", True),  # the record's own birth, stated elsewhere
        (["04/11/2025", "2025-04-11"], "es", False),
        (["11/06/1973", "19731106"], "en", False),
        (["12/21", "02/22", "3/4/2019"], "es", True),  # December of 2021
        (["12/21", "04/28", "16/10/25"], "en", True),
        (["12/21", "3/4/2019"], "en", False),
    ],
)
def test_field_order_goes_by_evidence_then_by_language(texts, language, expected):
    assert day_first(texts, language) is expected


def test_evidence_from_one_date_settles_the_others():
    maker = surrogates()
    made = replaced(maker, [("DATE", "03/04/2019"), ("DATE", "25/12/2018")])
    first = date(int(made[0][6:]), int(made[0][3:5]), int(made[0][:2]))
    second = date(int(made[1][6:]), int(made[1][3:5]), int(made[1][:2]))
    assert first - second == date(2019, 4, 3) - date(2018, 12, 25)


@pytest.mark.parametrize("text", ["01/09/1921", "1921-09-01", "September 1, 1921", "19210901"])
def test_a_birth_date_never_tells_an_age_of_90_or_more(text):
    (edit,) = edits_of(surrogates(), [("DATE", text)])
    assert edit.strategy == "generalise"
    offset = offset_days(
        surrogates()._root.sub("patient", "patient-1").sub("date"), 35, 330, weekday=False
    )
    shown = date(2019, 6, 10) + timedelta(offset)
    assert str(shown.year - 91) in edit.replacement


def test_a_year_alone_stays_unless_it_tells_an_age():
    maker = surrogates()
    edits = edits_of(maker, [("DATE", "2004"), ("DATE", "1921")])
    assert [e.strategy for e in edits] == ["keep", "generalise"]
    assert "1921" not in edits[1].replacement


def test_safe_harbor_leaves_the_year_only():
    maker = surrogates("safe-harbor")
    made = replaced(maker, [("DATE", "03/04/2018"), ("DATE", "March 4"), ("DATE", "1921")])
    assert made == ["2018", "[DATE]", "1929"]


def test_limited_data_set_keeps_dates():
    edits = edits_of(surrogates("limited-data-set"), [("DATE", "03/04/2018")])
    assert (edits[0].replacement, edits[0].strategy) == ("03/04/2018", "keep")


def test_without_a_date_of_its_own_a_note_takes_its_latest_date():
    spans = [("DATE", "03/04/2018"), ("DATE", "03/09")]
    made = replaced(surrogates(), spans, written_on=None)
    first = date(int(made[0][6:]), int(made[0][:2]), int(made[0][3:5]))
    assert made[1] == f"{first + timedelta(5):%m/%d}"


@settings(max_examples=60, deadline=None)
@given(
    st.text(alphabet="0123456789/-. MarchthofEne,:'T", max_size=16), st.sampled_from(["en", "es"])
)
def test_what_is_kept_is_only_a_year(text, language):
    """Whatever stands in a DATE span: shifted, tagged, or nothing but years (and hours: "5h")."""
    made, how = calendar(language, -100).replace(text.strip() or "x")
    if how == "keep":
        without_hours = re.sub(r"(?<![\d/.-])\d{1,2}h", "", made)
        assert all(len(n) in {2, 4} for n in re.findall(r"\d+", without_hours))
        assert not re.search(r"\d{1,2}[/.-]\d{1,2}(?!\d)", made)
    else:
        assert made != text.strip()


def test_key_decides():
    spans = [("DATE", "2019-03-04")]
    assert replaced(surrogates(), spans) != replaced(surrogates(key=KEY[::-1]), spans)


@pytest.mark.parametrize(
    ("name", "day"),
    [
        ("ramadan", "2023-03-23"), ("eid", "2024-04-10"), ("diwali", "2019-10-27"),
        ("lunar new year", "2020-01-25"), ("pesach", "2021-03-28"), ("rosh hashanah", "2022-09-26"),
        ("hanukkah", "2018-12-03"), ("orthodox easter", "2021-05-02"), ("easter", "2024-03-31"),
        ("thanksgiving", "2019-11-28"), ("victoria day", "2021-05-24"),
    ],
)  # fmt: skip
def test_movable_feasts_are_found_within_a_day(name, day):
    true = date.fromisoformat(day)
    assert abs((holidays.holiday(name, true.year) - true).days) <= 1


@pytest.mark.parametrize("text", ["4²", "m²", "½ de mayo", "٣/٤/2014", "3/4/20²"])
def test_signs_that_are_no_decimal_digits_are_not_read(text):
    made, how = calendar("en", -100).replace(text)
    assert how == "tag" or made != text


def test_no_day_is_spelled_behind_month_and_year():
    (read,) = read_spelled("march of twenty twenty two", "en", day_first=False, pivot=30) or ()
    assert [slot.part for slot in read.slots] == ["m", "y"]


def test_what_is_spelled_without_end_is_not_read():
    assert calendar("en", -100).replace("twenty one " * 30 + "x") == ("[DATE]", "tag")
    assert calendar("en", -100).replace("twenty one " * 8)[1] == "tag"


@pytest.mark.parametrize(
    ("row", "sign"),
    [
        ("6/8/19{}6/9/19", " "), ("6/8/2019{}6/9/2019", "  "), ("6/8/2019{}6/9/2019", "; "),
        ("6/8/2019{}6/9/2019", "+"), ("2019-06-08{}2019-06-09", " "), ("6.8.2019{}6.9.2019", " "),
    ],
)  # fmt: skip
def test_days_that_stand_in_a_row_move_each_for_itself(row, sign):
    """The second of `6/8 6/9` had its figures changed as of no day."""
    first, second = row.split("{}")
    made = replaced(surrogates(), [("DATE", row.format(sign)), ("DATE", first), ("DATE", second)])
    assert made[0] == sign.join(made[1:])


@pytest.mark.parametrize("time", ["2104", "0730", "0005", "2019"])
@pytest.mark.parametrize("day", ["6/8", "6/8/19", "2019/06/08", "06-08-2019"])
def test_a_time_in_four_figures_behind_a_day_stays(day, time):
    made = replaced(surrogates(), [("DATE", f"{day} {time}"), ("DATE", day)])
    assert made[0] == f"{made[1]} {time}"
