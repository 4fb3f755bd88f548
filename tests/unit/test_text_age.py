"""Ages of 90 and over, however they are written."""

import pytest

from stream_deid.text.age import ninety_or_over


@pytest.mark.parametrize(
    "written", ["90", "94", "95th", "101", "ninety-two", "Ninety two", "90s", "noventa y un"]
)
def test_old(written):
    assert ninety_or_over(written)


@pytest.mark.parametrize("written", ["89", "4;7", "18 months", "sixty six", "5", "1918", "60s"])
def test_not_old(written):
    assert not ninety_or_over(written)
