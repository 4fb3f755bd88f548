"""Which years are meant: the bounds of every place that reads one, and the last that is now.

Nothing here asks a clock: a note that is processed again gives the same bytes. What decides is the
note, else the release: `LATEST` moves with releases, a policy's `latest_year` overrules it.
"""

from __future__ import annotations

from datetime import date

FIRST, LAST = 1850, 2150
"""The years that a record can speak of, where marks or a field say that it is a year or a date."""
IN_FIGURES = range(1900, 2100)
"""Those of a date within a longer number; in expressions `(?:19|20)\\d\\d`."""
STAMPED = range(1880, 2101)
"""Those of a stamp that may stand in any field or code."""
ALONE = range(1900, 2040)
"""Those of a number of four figures that nothing but words around it tells to be a year."""
ALONE_FORM = r"(?:18[5-9]|19\d|20[0-3])\d"
"""The same in an expression, with births of long ago."""
ELECTRONIC = 1990
"""Notes that a computer reads are no older."""
LATEST = 2027
"""The last year in which this release is meant to run. A release after its summer sets the next:
too early, and a newborn is taken for somebody of a hundred; too late, and the reverse.
"""
AHEAD = 3
"""Years in which a release is used longer than it should be, or an appointment lies ahead."""


def is_possible(year: int) -> bool:
    """Whether a record can speak of a year."""
    return FIRST <= year <= LAST


def undated(latest: int = LATEST) -> date:
    """When a note without any date was written, at the latest."""
    return date(latest + AHEAD, 1, 1)
