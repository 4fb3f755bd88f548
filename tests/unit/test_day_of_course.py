"""A figure behind "día" counts the days of a treatment, but before a month however written."""

import pytest

from stream_deid.lists.calendar import MONTHS, OTHER_MONTHS, SHORT_MONTHS, is_day_of_course
from stream_deid.text.folding import fold

WRITTEN = sorted(
    {fold(word).lower() for table in (MONTHS, SHORT_MONTHS, OTHER_MONTHS)
     for code in ("en", "es") for word in table[code]}
)  # fmt: skip


@pytest.mark.parametrize("month", WRITTEN)
def test_a_day_of_a_month_is_none_of_a_course(month):
    assert not is_day_of_course("visto el dia ", f" de {month}")


@pytest.mark.parametrize("which", ["los corrientes", "este mes", "aquel mes", "igual mes"])
def test_nor_is_one_of_a_month_at_hand(which):
    assert not is_day_of_course("visto el dia ", f" de {which}")


@pytest.mark.parametrize("course", ["fluoxetina", "ingreso", "tratamiento"])
def test_a_day_of_a_treatment_is(course):
    assert is_day_of_course("en el dia ", f" de {course}")
