"""Months of another language that are words in the note's own."""

import pytest
from marked_spans import vote_for

from stream_deid.detect.settle.filtering.foreign_months import without_foreign_months
from stream_deid.labels import PhiType as T

LEFT = [  # language, text, what a vote took for a date, what stays of it
    ("en", "Contacted lab, Mayo 5/4 pending", "Mayo 5/4", ["5/4"]),
    ("en", "enrolled in the mayo trial", "mayo", []),
    ("en", "Mayo 2012 staging system, stage III", "Mayo 2012", []),
    ("en", "on the MAYO stand x2", "MAYO", []), ("en", "tour de force, 2 set of labs", "2 set", []),
    ("en", "onset 5 ago per dtr", "5 ago", []), ("en", "DIC 3 of 5 criteria", "DIC 3", []),
    ("en", "tried 2 mayo trials", "mayo", []),
    ("es", "march 5 mg cada dia", "march 5", []), ("es", "DEC lateral", "DEC", []),
    ("es", "dec 3 puntos", "dec 3", []), ("es", "firma March, en planta", "March", []),
]  # fmt: skip
KEPT = [
    ("en", "came on 5 de mayo for", "5 de mayo"), ("en", "operada en mayo, dice", "mayo"),
    ("en", "3 mayo per the letter", "3 mayo"), ("en", "seen mayo 2024", "mayo 2024"),
    ("en", "cita lunes 5 mayo", "5 mayo"), ("en", "letter dated 5-ago-24", "5-ago-24"),
    ("en", "12 enero", "12 enero"), ("en", "mayo del 23", "mayo"), ("en", "May 4", "May 4"),
    ("en", "10 dic 2023", "10 dic 2023"),
    ("es", "next visit March 5", "March 5"), ("es", "seen in March", "March"),
    ("es", "Dec 3rd", "Dec 3rd"), ("es", "visto Dec 3, 2023", "Dec 3, 2023"),
    ("es", "5 de mayo", "5 de mayo"), ("es", "el mayo pasado", "mayo"),
    ("fr", "mayo trial", "mayo"),
]  # fmt: skip


def left(language, text, marked, detector="bert@1"):
    vote = vote_for(text, marked, T.DATE, 0.8, detector)
    return [text[d.start : d.end] for d in without_foreign_months(text, [vote], language)]


@pytest.mark.parametrize(("language", "text", "marked", "stays"), LEFT)
def test_a_word_of_the_notes_language_is_no_month(language, text, marked, stays):
    assert left(language, text, marked) == stays


@pytest.mark.parametrize(("language", "text", "marked"), KEPT)
def test_a_month_beside_its_own_language_is_one(language, text, marked):
    assert left(language, text, marked) == [marked]


def test_what_the_record_states_is_not_asked():
    assert left("en", "the mayo trial", "mayo", "known@1") == ["mayo"]
