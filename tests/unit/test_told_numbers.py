"""Numbers that a message states are found as one expression would find them."""

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from stream_deid.detect.record.sought import Sought
from stream_deid.formats.hl7.kept import told_numbers


@pytest.mark.parametrize(
    ("text", "value", "found"),
    [
        ("MRN 555-12-3456", "555123456", ["555-12-3456"]),
        ("000555123456A", "555123456a", ["000555123456A"]),
        ("1555123456", "555123456", []),  # cut out of a longer number
        ("5551234567", "555123456", []),
        ("55 5.1/2-3 456", "555123456", ["55 5.1/2-3 456"]),
        ("555--123456", "555123456", []),
        ("12345", "12345", ["12345"]),
        ("12345mg", "12345", []),  # short ones stand alone
        ("12345-A", "12345", []),
        ("1234567mg", "1234567", ["1234567"]),
        ("ab12345 AB12345", "ab12345", ["ab12345", "AB12345"]),
    ],
)
def test_a_number_is_found_however_it_is_spelled(text, value, found):
    assert [text[start:end] for start, end in told_numbers.places(text, Sought([value]))] == found


def as_an_expression(value: str) -> re.Pattern[str]:
    end = "" if len(value) >= told_numbers.LONG else r"(?!-?\w)"
    spelled = r"[-. /]?".join(map(re.escape, value))
    return re.compile(rf"(?<!\d)0*{spelled}{end}(?!\d)", re.IGNORECASE)


@given(
    st.text("012ab-. /_é", max_size=40),
    st.text("012ab", min_size=3, max_size=9),
)
@example("00-012012", "012012")
@example("0-0012012", "0012012")
def test_as_one_expression_finds_them(text, value):
    found = list(told_numbers.places(text, Sought([value])))
    for match in as_an_expression(value).finditer(text):
        assert any(start <= match.start() and match.end() <= end for start, end in found)
    for start, end in found:
        assert as_an_expression(value).fullmatch(text, start, end)
