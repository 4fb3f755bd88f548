"""Years: their bounds have one home, no clock decides, and what two digits of a birth mean."""

import ast
from datetime import UTC, date, datetime
from pathlib import Path

import pytest

import stream_deid
from stream_deid.surrogate.dates.calendar import Calendar
from stream_deid.surrogate.policy import Policy
from stream_deid.text import years

PACKAGE = Path(stream_deid.__file__).parent
OTHERS = {
    ("surrogate/dates/zones.py", 2007),  # since when summer time is what it is
    ("detect/patterns/dates/years.py", "2059"),  # times of day that look like years
    ("detect/patterns/dates/years.py", "1900"),
    ("detect/patterns/dates/es.py", 1930),  # "de 1925" is a time of day
}


def calendar(written=None, texts=(), ages=(), offset=35, **overrides):
    policy = Policy.named(overrides=overrides)
    return Calendar("en", False, written, offset, policy).knowing(texts, ages=ages)


def born(text, *given, **named):
    return calendar(*given, **named).born_in(text)[0].year


def is_year(node):
    value = node.value if isinstance(node, ast.Constant) else None
    if isinstance(value, str) and len(value) == 4 and value.isdecimal():
        value = int(value)
    return type(value) is int and 1840 < value < 2200


def bounds(path):
    """The years that a module compares with or makes a range of."""
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        told = []
        if isinstance(node, ast.Compare):
            told = [node.left, *node.comparators]
        elif isinstance(node, ast.Call) and getattr(node.func, "id", "") == "range":
            told = node.args
        yield from (one.value for one in told if is_year(one))


@pytest.mark.parametrize("room", ["detect", "formats", "streaming", "surrogate", "text", "mllp"])
def test_bounds_of_years_have_one_home(room):
    found = {
        (path.relative_to(PACKAGE).as_posix(), year)
        for path in (PACKAGE / room).rglob("*.py")
        if path != Path(years.__file__)
        for year in bounds(path)
    }
    assert found <= OTHERS


def test_the_release_is_not_past_its_years():
    """If this fails, the next release is due: `years.LATEST` is that of its life."""
    assert datetime.now(UTC).year <= years.LATEST


def test_two_digits_of_an_undated_birth_are_of_the_past_of_the_latest_year():
    assert born("3/4/27") == 2027 == years.LATEST
    assert born("3/4/28") == 1928
    assert born("3/4/28", latest_year=2028) == 2028
    assert born("3/4/27", latest_year=2024) == 1927
    assert born("3/4/27", ages=[99]) == 1927


def test_a_newborn_of_the_latest_year_moves_as_any_birth():
    assert calendar().replace("3/4/27", birth=True) == ("4/8/27", "shift")
    assert calendar(latest_year=2030).replace("3/4/29", birth=True) == ("4/8/29", "shift")
    assert calendar().replace("3/4/29", birth=True)[1] == "generalise"


def test_a_birth_lies_before_the_other_dates_of_its_note():
    assert born("3/4/27", None, ["5/6/2026"]) == 1927
    assert born("3/4/27", None, ["5/6/2027"]) == 2027
    assert born("3/4/26", None, ["5/6/2026", "1/2/2025"], latest_year=2020) == 2026


def test_a_birth_lies_before_the_day_that_its_message_bears():
    assert born("3/4/27", date(2027, 3, 3)) == 2027  # at home it was the next day
    assert born("3/4/27", date(2027, 3, 1)) == 1927
    assert born("3/4/2027", date(2027, 3, 1)) == 2027  # an error of theirs stays one
    assert born("3/4/27", date(2026, 12, 31)) == 1927
    assert born("March 27", date(2027, 3, 1)) is None


def test_a_visit_before_a_birth_in_an_unstamped_note_says_nothing():
    """As in: prenatal labs 1/5/27, born 3/4/27."""
    assert born("3/4/27", None, ["1/5/27"]) == 2027


def test_dates_without_a_note_may_lie_ahead_of_the_latest_year():
    assert [calendar().read(f"3/4/{n}")[0].year for n in (27, 30, 31)] == [2027, 2030, 1931]
    assert calendar(latest_year=2028).read("3/4/31")[0].year == 2031


@pytest.mark.parametrize("wrong", [27, "2027", 2027.0, True, 1900, 9999])
def test_the_latest_year_is_a_year(wrong):
    with pytest.raises(Exception, match="latest_year must be a year"):
        Policy.named(overrides={"latest_year": wrong})
