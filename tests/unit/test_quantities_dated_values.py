"""Numbers beside a day that are what was found on it, and the end of a time of day."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.quantities.clinical import harmless
from stream_deid.labels import PhiType

DAYS = ["2/4", "12/4/25", "2 de abril", "April 2", "02-04"]


@given(
    st.integers(1, 199), st.sampled_from([" el ", " on ", " (", " @ ", " (el "]),
    st.sampled_from(DAYS), st.sampled_from(["CIWA 18 on 4/1, ", "PHQ ", "then ", "GCS 8 -> "]),
)  # fmt: skip
def test_what_was_found_on_a_day_is_no_day(value, link, day, before):
    text = f"{before}{value}{link}{day} 18:00"
    start = len(before)
    assert harmless(text, start, start + len(str(value)), PhiType.DATE)


@pytest.mark.parametrize(
    "text", ["visto el [12] (el 2/4 alta)", "días 10, [12] y 14 de abril",
             "on the [12] (on 4/2 home)", "el [12] de abril",
             "del 3 al [12] (2/4)", "between the 10th and [12] on 4/2"]
)  # fmt: skip
def test_a_day_beside_another_stays_one(text):
    start, end = text.index("["), text.index("]") - 1
    assert not harmless(text.replace("[", "").replace("]", ""), start, end, PhiType.DATE)


@given(
    st.integers(0, 23), st.integers(0, 59), st.integers(0, 59), st.integers(0, 999),
    st.sampled_from([PhiType.IPADDR, PhiType.IDNUM, PhiType.DATE, PhiType.PHONE]),
    st.sampled_from(["+02:00", "Z", "", " -0500"]),
)  # fmt: skip
def test_the_end_of_a_time_is_no_number_of_anybody(  # noqa: PLR0917
    hour, minute, second, fraction, kind, zone
):
    text = f"cosigned 2025-06-11T{hour:02d}:{minute:02d}:{second:02d}.{fraction:03d}{zone}; next"
    for piece in (f"{second:02d}.{fraction:03d}", f"{minute:02d}:{second:02d}.{fraction:03d}"):
        start = text.rindex(piece)
        assert harmless(text, start, start + len(piece), kind)
