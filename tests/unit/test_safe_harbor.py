"""Safe Harbor by its letter (45 CFR 164.514(b)(2)), through the whole pure path, without models."""

import orjson
import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.json import note as json_note
from stream_deid.note import Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

HARBOR = Pipeline(
    {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
    Surrogates(Policy.named("safe-harbor"), b"0123456789abcdef"),
    "test",
)


def text(written: str, **fields: object) -> str:
    body = {"note_id": "n", "patient_id": "p", "text": written, "language": "en"}
    pending = HARBOR.begin(json_note.parse(orjson.dumps({**body, **fields})))
    done, _ = HARBOR.finish(pending, ())
    return str(orjson.loads(json_note.render(pending.note, done))["text"])


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("Seen 3/14/25.", "Seen 2025."),
        ("On 03/14/2025 at 09:30.", "On 2025 at 09:30."),
        ("DOB 7/21/72.", "DOB 1972."),
        ("ZIP 02139-4307", "ZIP 021"),
        ("zip code 03601", "zip code 000"),
        ("Age: 93", "Age: 90+"),
        ("before her 95th birthday", "before her 90+ birthday"),
        ("a 101 year old", "a 90+ year old"),
        ("She was born in 1928.", "She was born in 1935."),
        ("Class of 1947, still dances.", "Class of 1952, still dances."),
        ("Class of 1975.", "Class of 1975."),
    ],
)
def test_what_the_rule_leaves(written: str, shown: str) -> None:
    assert text(written, timestamp="2025-03-14T09:30:00Z") == shown


def test_a_year_of_birth_that_tells_an_age_over_89_is_made_younger() -> None:
    shown = text("DOB 7/21/32, seen 3/14/25", timestamp="2025-03-14T09:30:00Z")
    assert int(shown[4:8]) >= 1935


def test_a_note_without_any_date_hides_the_age_that_a_year_of_birth_tells_today() -> None:
    assert text("Born in 1928.") == "Born in 1940."
    assert text("DOB 7/21/1932.") == "DOB 1940."


@pytest.mark.parametrize(
    "stamp",
    ["20250314093000", "202503140930-0400", "20250314T0930", "2025-03-14T09:30:00.123Z",
     "20250314093000.5+0100"],
)  # fmt: skip
def test_the_time_of_a_stamp_in_text_goes_with_its_day(stamp: str) -> None:
    """Behind a year it would read as another date: `2025093000` as a September."""
    assert text(f"Drawn {stamp}, read later.") == "Drawn 2025, read later."


@pytest.mark.parametrize(
    "place", ["42.3601, -71.0589", "42.3601 N, 71.0589 W", "-33.86880,151.20930"]
)
@pytest.mark.parametrize("before", ["Home at ", ""])
def test_coordinates_are_replaced(place: str, before: str) -> None:
    shown = text(f"{before}{place}.")
    assert not any(part.strip("- NW") in shown for part in place.split(","))


@pytest.mark.parametrize(
    "place",
    [
        "46°47'12\"N 92°06'02\"W", "46° 47.2' N, 92° 6.03' W", "N46.7867 W092.1005",
        "lat 46.78672 lon -92.10048", "lat. 40,41678 long. -3,70379",
    ],
)  # fmt: skip
def test_coordinates_in_other_notations_are_replaced(place: str) -> None:
    shown = text(f"Home at {place}.")
    assert not any(part in shown for part in ("47", "78", "41678", "6.03", "06'02"))


@pytest.mark.parametrize("value", ["ratio 1.234, 2.123", "pH 7.41, 7.38", "v 10.2, 3.4"])
def test_two_decimals_are_no_coordinates(value: str) -> None:
    assert text(value) == value


def test_time_stamps_stay_well_formed() -> None:
    raw = (
        b"MSH|^~\\&|A|B|C|D|20250314093000-0500||ORU^R01|X1|P|2.5\r"
        b"PID|1||123456^^^A^MR||Doe^Jo||19620721|M\rOBX|1|TS|X^X^L||202503140930\r"
    )
    pending = HARBOR.begin(hl7v2.parse(raw))
    done, _ = HARBOR.finish(pending, ())
    lines = hl7v2.render(pending.note, done).decode().split("\r")
    assert lines[0].split("|")[6] == "2025"
    assert lines[1].split("|")[7] == "1962"
    assert lines[2].split("|")[5] == "2025"
    body = {
        "note_id": "n",
        "patient_id": "p",
        "text": "a",
        "timestamp": "2025-03-14T09:30:00-05:00",
    }
    pending = HARBOR.begin(json_note.parse(orjson.dumps({**body, "language": "en"})))
    done, _ = HARBOR.finish(pending, ())
    assert orjson.loads(json_note.render(pending.note, done))["timestamp"] == "2025"


@pytest.mark.parametrize(("policy", "linked"), [("safe-harbor", False), ("limited-data-set", True)])
def test_only_other_policies_tell_whose_notes_belong_together(policy: str, linked: bool) -> None:
    maker = Surrogates(Policy.named(policy), b"0123456789abcdef")
    notes = [Note(name, "p", (Part("a"),), "en") for name in ("n1", "n2")]
    assert (maker.patient(notes[0]) == maker.patient(notes[1])) == linked
