"""Whoever found one date of a row has found all of them."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import finding

from stream_deid.detect.settle.layout.rows import in_rows
from stream_deid.labels import PhiType as T
from stream_deid.note import Finding


def row(text, *values):
    """What is found beside `values`, which are found already."""
    found = [finding(text, value, T.DATE) for value in values]
    return [text[d.start : d.end] for d in in_rows(text, found)]


@pytest.mark.parametrize(
    ("text", "found", "also"),
    [
        ("Abx 8/1 → 10/24.", "8/1", ["10/24"]),
        ("Hgb 9.1 (1/8), 8.4 (1/11)", "1/11", ["1/8"]),
        ("Cr 2,4 (11/1), 2,1 (13/1), 1,9 hoy", "11/1", ["13/1"]),
        ("K 5/2 5.2, 5/4 4.7, 5/6 4.4; Cr 1.8", "5/4", ["5/2", "5/6"]),
        ("K 5/2 5.2\nK 5/6 4.4", "5/2", []),
        ("seen 3/5 2 pm, pain 4/10 5 min", "3/5", []),
        ("wt 71.4 (3/5), pain 4/10", "3/5", []),
        ("Abx 8/1 → 10/24.", "10/24", ["8/1"]),
        ("QT (2/24 a 7/24)", "7/24", ["2/24"]),
        ("(12/1 -> 1/5), fistulagram", "12/1", ["1/5"]),
        ("off work 3/4~3/6", "3/4", ["3/6"]),
        ("seen 3/4, 3/6 & 3/9 by RN", "3/6", ["3/4", "3/9"]),
        ("out 03/04/2025 through 03/09/2025", "03/04/2025", ["03/09/2025"]),
        ("cambia del jue 6 al vie 7 8:15", "jue 6", ["vie 7"]),
        ("Mon 3/4 - Fri 3/8", "Fri 3/8", ["Mon 3/4"]),
        ("seen 3/4, 5, and 6.", "3/4", ["3/4, 5, and 6"]),
        ("held March 3 through 5.", "March 3", ["March 3 through 5"]),
        ("admitted 6/17-19 for CHF", "6/17", ["6/17-19"]),
        ("stay from 2 May to the 19th.", "2 May", ["2 May to the 19th"]),
        ("ingreso del 2 de mayo al 19.", "2 de mayo", ["2 de mayo al 19"]),
        ("in house 2 to 19 May 2021", "19 May 2021", ["2 to 19 May 2021"]),
        ("baja del 2 al 19 de enero", "19 de enero", ["2 al 19 de enero"]),
        (
            "the second to the nineteenth of May",
            "nineteenth of May",
            ["second to the nineteenth of May"],
        ),
    ],
)
def test_the_rest_of_a_row_is_found(text, found, also):
    assert sorted(row(text, found)) == sorted(also)


@pytest.mark.parametrize(
    ("text", "first", "last", "whole"),
    [
        ("del 2 al 19 de mayo", "2", "19 de mayo", ["2 al 19 de mayo"]),
        ("entre el 2 y el 19 de mayo", "el 2", "19 de mayo", ["el 2 y el 19 de mayo"]),
        ("the 2nd and 19th of May", "the 2nd", "19th of May", ["the 2nd and 19th of May"]),
        ("away 2-19 January 2021", "2-19", "January 2021", ["2-19 January 2021"]),
        ("del 28 al 3 de mayo", "28", "3 de mayo", []),
        ("on the 2nd she fell, 19 May", "the 2nd", "19 May", []),
    ],
)
def test_a_day_before_a_later_one_of_its_month_is_one_span_with_it(text, first, last, whole):
    assert row(text, first, last) == whole


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("pain 7 to 5 May", "5 May"),
        ("Hb 9, 19 May", "19 May"),
        ("2 May and 5 falls", "2 May"),
        ("2 May to 19 June", "2 May"),
        ("seen 3/4, 5 mg started", "3/4"),
        ("seen 3/4, pain 5/10", "3/4"),
        ("seen 3/4-6 weeks ago", "3/4"),
        ("March 3, 5 and 6 tabs", "March 3"),
        ("on 3/4, MMSE 24/30", "3/4"),
        ("on 3/9 and 5", "3/9"),
        ("3/4 and April 6", "3/4"),
        ("3/4/25 - 3.5", "3/4/25"),
        ("on 3/4, strength 4/5", "3/4"),
    ],
)
def test_what_is_counted_or_earlier_is_no_day_of_the_row(text, found):
    assert row(text, found) == []


@given(
    st.lists(st.integers(1, 31), min_size=2, max_size=6, unique=True),
    st.sampled_from([(" y ", " de agosto"), (" and ", " August"), (", & ", " May")]),
    st.booleans(),
)  # fmt: skip
def test_all_days_of_a_list_are_one_span_with_their_month(days, words, padded):
    joint, month = words
    shown = [f"{day:02d}" if padded else str(day) for day in sorted(days)]
    listed = f"{', '.join(shown[:-1])}{joint}{shown[-1]}{month}"
    text = f"Cultures {listed} negative."
    begins = text.rindex(f"{shown[-1]}{month}")
    last = Finding(begins, text.index(" neg"), T.DATE, ("test@1",))
    assert listed in [text[one.start : one.end] for one in in_rows(text, [last])]


@pytest.mark.parametrize("found", ["29", "30", "31"])
def test_all_days_of_a_list_behind_their_word_are_days(found):
    assert set(row("Los días 29, 30 y 31 con fiebre", found)) >= {"29", "30", "31"} - {found}
    assert row("días 29, 30 y 31% con fiebre", "29") == []


def test_a_long_row_is_walked_once():
    days = [f"{1 + i % 12}/{1 + i % 28}" for i in range(3000)]
    text = ", ".join(days)
    found, at = [], 0
    for day in days:
        found.append(Finding(at, at + len(day), T.DATE, ("m@1",)))
        at += len(day) + 2
    assert in_rows(text, found) == []
    assert len(in_rows(text, found[:1])) == len(days) - 1
