"""Hours of a log, free lines told by letters, catheters, and plans of treatment are nobody's."""

import pytest

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.detect.settle.agreement import agree
from stream_deid.labels import PhiType as T
from stream_deid.note import Note, Part
from stream_deid.surrogate.dates.reading.read import read

PATTERNS = Patterns("en")


@pytest.mark.parametrize(
    ("text", "value", "phi_type", "nobodys"),
    [
        ("OnSc 1411 PtSide 1413 Tx 1429 Hosp 1447", "1429", T.LOCATION_OTHER, True),
        ("room 1411 PtSide 1413 Tx 1429 Hosp 1447", "1411", T.LOCATION_OTHER, False),
        ("Tx 1429 Hosp 1447", "1429", T.LOCATION_OTHER, False),
        ("call 1-800-QUIT-NOW. ok", "NOW", T.DOCTOR, True),
        ("Holt, 91 kg now", "91", T.AGE, True),
        ("Holt, 91 F now", "91", T.AGE, False),
        ("Holt, 91 M 80 kg", "91", T.AGE, False),
        ("call 1-312-QUIT-NOW. ok", "NOW", T.DOCTOR, False),
    ],
)
def test_models_take_them_for_identifiers(text, value, phi_type, nobodys):
    at = text.index(value)
    assert harmless(text, at, at + len(value), phi_type) is nobodys


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("PICC R 42 cm ext 2. Call ext 4471", ["4471"]),
        ("sedation off ext 0915 cxr, ext 9150", ["9150"]),
        ("AIS chest 3 ext 2. FAST", []),
        ("Resist 8/10/12 lb 2x12", []),
        ("Vanc tr 18.2/AUC 520; linezolid", []),
        ("Plan G/P 100/40 3 tabs", []),
        ("Plan:Naproxen500BIDx14d;Plan ID 88213377", ["88213377"]),
        ("Plan: AB12345678", ["AB12345678"]),
        (
            "Electronically signed by Ottoline Grosvenor, M.D. 2/14/2025",
            ["Ottoline Grosvenor", "2/14/2025"],
        ),
        ("Electronically signed by Grosvenor, M. 2/14/2025", ["Grosvenor, M", "2/14/2025"]),
    ],
)
def test_patterns_leave_what_is_treated_and_measured(text, found):
    note = Note("n", "p", (Part(text),), "en")
    spans = agree(note, [list(PATTERNS.detect(text, note))])[0]
    assert [text[one.start : one.end] for one in spans] == found


@pytest.mark.parametrize("text", ["Nov 8 th, 1958", "Mem Day 2025", "2 nd of May", "MLK weekend"])
def test_days_as_they_are_written_in_haste_are_read(text):
    assert read(text, "en", day_first=False, pivot=2030) is not None
