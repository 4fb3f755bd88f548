"""Curves stand where their values are, from the bottom of the panel to its top."""

import re

import pytest

from stream_deid.attack.plot import Panel, Series, svg


@pytest.mark.parametrize("low", [0.0, 0.5, 0.9])
def test_a_panel_reaches_from_its_lowest_share_to_all(low):
    picture = svg(
        [Panel("p", (Series("s", (low, 1.0, (low + 1) / 2)),), low)], ["a", "b", "c"], "x"
    )
    bottom, top, middle = (float(y) for y in re.findall(r'<circle cx="\S+" cy="(\S+)"', picture))
    lines = [float(y) for y in re.findall(r'<line x1="\S+" y1="(\S+)"', picture)]
    assert (max(lines), min(lines)) == (bottom, top)
    assert middle == pytest.approx((bottom + top) / 2, abs=0.1)
    assert f">{100 * low:g} %<" in picture
    assert ">100 %<" in picture


def test_panels_begin_at_nothing_unless_told():
    whole = Panel("p", (Series("s", (0.25,)),))
    assert svg([whole], ["a"], "x") == svg([Panel("p", whole.series, 0.0)], ["a"], "x")
    assert all(f">{percent} %<" in svg([whole], ["a"], "x") for percent in range(0, 101, 20))
