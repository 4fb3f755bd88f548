"""Whether a note writes the day or the month first, by what its dates tell together."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st
from surrogate_helpers import replaced, surrogates

from stream_deid.surrogate.dates.reading.order import day_first

MAKER = surrogates()


@pytest.mark.parametrize(
    ("texts", "language", "first"),
    [
        (["5 Feb 2025", "10/02/25", "03/02/25"], "en", False),
        (["5 Feb 2025", "2/5"], "en", False),
        (["5 Feb 2025", "10/02/25", "5/2", "11/23"], "en", True),
        (["5 Feb 2025", "10/16/25"], "en", False),
        (["Feb 5, 2025", "5 Feb", "10/02/25"], "en", False),
        (["12-Jun-25", "03/04/25"], "en", False),
        (["10/02/25"], "en", False),
        (["2/5", "5 de febrero"], "es", True),
        (["Feb 5, 2025", "5/2/2025"], "en", True),
    ],
)
def test_a_day_named_by_its_month_tells_the_order(texts, language, first):
    assert day_first(texts, language) is first


@settings(max_examples=50, deadline=None)
@given(st.dates(date(2010, 1, 1), date(2025, 12, 1)), st.integers(1, 300), st.booleans())
def test_what_lies_between_two_dates_of_one_style_stays(start, apart, british):
    assume(start.day != start.month)  # else nothing tells
    end = start + timedelta(apart)
    form = "%d/%m/%Y" if british else "%m/%d/%Y"
    named = f"{start.day} {start:%b %Y}" if british else f"{start:%b} {start.day}, {start.year}"
    spans = [("DATE", named), ("DATE", f"{start:{form}}"), ("DATE", f"{end:{form}}")]
    _, first, last = replaced(MAKER, spans, written_on=None)
    one, other = (tuple(map(int, shown.split("/"))) for shown in (first, last))
    day, month = (0, 1) if british else (1, 0)
    moved = [date(shown[2], shown[month], shown[day]) for shown in (one, other)]
    assert moved[1] - moved[0] == timedelta(apart)
