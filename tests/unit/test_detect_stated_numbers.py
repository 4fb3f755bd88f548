"""A number of the record is found however it is grouped, signed, lettered or misread."""

import re

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.residue import Stated
from stream_deid.errors import NoteRejected
from stream_deid.labels import PhiType
from stream_deid.note import Known, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.look_alikes import DRAWN_LIKE, may_be

STATED = ["84736251", "MRN 84736251", "MRN84736251", "A84736251", "A-8473-6251", "84736251-K"]
WRITTEN = [
    "84736251", "84-73-62-51", "8473 6251", "84.736.251", "84,736,251", "84/73/62/51",
    "84 736 251", "84:73:62:51", "84736+251", "8473_6251", "84736\n251", "84 · 736 · 251",
    "847 - 362 - 51", "x84736251", "84736251x", "B-8473-6251", "0084736251",
    "8473 62S1", "84736Z51", "B47362S1", "8473 625l", "8A736251",
]  # fmt: skip
MAKER = Surrogates(Policy.named(), b"0123456789abcdef")


def through(text: str, stated: str, *detectors: object) -> str:
    made = Pipeline({"en": Language(detectors, ())}, MAKER, "test")  # type: ignore[arg-type]
    known = (Known(PhiType.MEDICALRECORD, stated),)
    note = Note("n", "p", (Part(text),), "en", known=known)
    return made.finish(made.begin(note), ())[0].parts[0].text


@pytest.mark.parametrize("stated", STATED)
@pytest.mark.parametrize("written", WRITTEN)
def test_a_stated_number_is_replaced_in_any_grouping(stated: str, written: str) -> None:
    shown = through(f"We looked at {written} with her.", stated, KnownIdentifiers())
    figures = [c for c in written if c.isdecimal()]
    left = [c for c in shown if c.isdecimal()]
    assert sum(a == b for a, b in zip(figures, left, strict=True)) < len(figures) - 3


@pytest.mark.parametrize("stated", STATED)
@pytest.mark.parametrize("written", WRITTEN)
def test_a_stated_number_that_detectors_left_is_not_released(stated: str, written: str) -> None:
    known = (Known(PhiType.MEDICALRECORD, stated),)
    assert Stated(known, lambda _: True).standing(f"We looked at {written} with her.", ()) >= 1
    with pytest.raises(NoteRejected):
        through(f"We looked at {written} with her.", stated)


@pytest.mark.parametrize(
    ("stated", "text"),
    [
        ("MRN 84736251", "counts 847362510 and 184736251"),  # other numbers
        ("84736251", "8473 6x 51, 62 s/p 5 l"),
        ("8473625", "84 - 73 - 62 S waves"),  # a letter that stands alone
        ("8473625", "84736 2 s/p"),
        ("CT20250314", "seen on 2025-03-14"),  # a day of the calendar, and written as one
        ("A1234", "in 1234 cells"),
        ("G2026Z", "year 2026"),
    ],
)
def test_what_is_no_stated_number_stays(stated: str, text: str) -> None:
    assert through(text, stated, KnownIdentifiers()) == text


def test_what_is_written_as_a_date_is_one() -> None:
    shown = through("Seen on 01/02/03 again.", "010203", KnownIdentifiers(), Patterns("en"))
    assert re.fullmatch(r"Seen on \d\d/\d\d/\d\d again\.", shown)
    assert "01/02/03" not in shown


def test_the_digits_behind_a_label_are_the_number() -> None:
    assert "48213" not in through("She is 48213 here.", "MRN 48213", KnownIdentifiers())


def test_a_letter_stands_for_what_it_is_drawn_like() -> None:
    for figure, letters in DRAWN_LIKE.items():
        for letter in letters.upper():
            assert may_be(f"12345{figure}", f"12345{letter}")
            assert not may_be(f"12345{(figure + 5) % 10}", f"12345{letter}")
    assert not may_be("123456", "123456")  # nothing stands for another
    assert not may_be("111111", "1IIII1")  # a word as well as a number
