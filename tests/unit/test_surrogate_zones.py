"""A zone beside a time fits the day that is shown, so that it tells nothing of the day it was."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Note, Part, Span
from stream_deid.surrogate import rewrite
from stream_deid.surrogate.dates import zones
from tests.unit.surrogate_helpers import surrogates


def released(text, policy="expert-determination", *, declared=0):
    spans = (Span(0, declared, PhiType.DATE),) if declared else ()
    part = Part(text, examine=not declared, declared=spans)
    note = Note("note-1", "patient-1", (part,), "en", written_on=date(2024, 3, 4))
    found = vote(text, Patterns("en").detect(text, note))
    if declared:
        found = (Finding(0, declared, PhiType.DATE, ("field@1",)),)
    (edits,) = surrogates(policy).edits(note, [found])
    return rewrite(text, edits)


@pytest.mark.parametrize(
    "place",
    ["America/New_York", "America/Chicago", "America/Denver", "America/Los_Angeles",
     "America/Anchorage", "Europe/Madrid", "Europe/London", "Europe/Athens"],
)  # fmt: skip
def test_a_numeric_zone_is_that_of_its_place_on_every_day(place):
    def zone(day):
        return f"{datetime(day.year, day.month, day.day, 12, tzinfo=ZoneInfo(place)):%z}"

    days = [date(2005, 1, 1) + timedelta(n) for n in range(0, 1460, 5)]
    for at, day in enumerate(days):
        shown = days[(at * 37 + 11) % len(days)]
        assert zones.on(zone(day), day, shown) == zone(shown)


@pytest.mark.parametrize("zone", ["+05:30", "+0900", "-0300", "-03:30", "+1000", "-1100"])
def test_a_zone_without_summer_time_stays(zone):
    assert zones.on(zone, date(2024, 1, 2), date(2024, 7, 2)) == zone
    assert zones.on(zone, date(2024, 7, 2), date(2024, 1, 2)) == zone


@pytest.mark.parametrize("month", range(1, 13))
@pytest.mark.parametrize(
    "form", ["{:%Y-%m-%d}T10:15:00.0{}", "{:%Y%m%d}101500{}", "{:%Y-%m-%d} at 10:15 {}"]
)
@pytest.mark.parametrize("declared", [False, True])
def test_the_shown_zone_depends_on_the_shown_day_alone(month, form, declared):
    day = date(2024, month, 5)
    summer = date(2024, 3, 10) <= day < date(2024, 11, 3)
    zone = "-0400" if summer else "-0500"
    text = form.format(day, zone)
    made = released(text, declared=(10 if "-" in form else 8) * declared)
    digits = made.replace("-", "")[:8]
    shown = date(int(digits[:4]), int(digits[4:6]), int(digits[6:8]))
    assert made[-5:] == zones.on(zone, day, shown)


@pytest.mark.parametrize(
    ("text", "zone"),
    [
        ("10:15 EDT", "ET"), ("at 1400 EST", "ET"), ("8 am PST", "PT"), ("10:15:30 PM (CDT)", "CT"),
        ("9:30 MST", "MT"), ("10:15 AKDT", "AKT"), ("10:15 CEST", "CET"), ("10:15 CET", "CET"),
        ("10:15 Eastern Daylight Time", "Eastern Time"),
    ],
)  # fmt: skip
def test_names_of_zones_lose_their_season(text, zone):
    for policy in ("expert-determination", "safe-harbor"):
        made = released(f"called {text} today", policy)
        assert zone in made.replace("(", "").replace(")", "").split() or f" {zone} " in made
        assert "DT" not in made
    assert text in released(f"called {text} today", "limited-data-set")


@pytest.mark.parametrize("text", ["EST patient", "10 CST tests", "EDTA tube", "2 MST scores"])
def test_what_is_no_zone_stays(text):
    assert released(text) == text


def test_where_only_the_year_is_shown_no_zone_is():
    assert released("2024-03-04T10:15:00-05:00", "safe-harbor") == "2024"
