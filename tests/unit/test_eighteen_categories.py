"""The 18 categories of 45 CFR 164.514(b)(2)(i), (A) to (R), under each policy; without models."""

import re
from pathlib import Path

import orjson
import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats.json import note as json_note
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import POLICIES, Policy

DOCUMENT = Path(__file__).parents[2] / "docs" / "policies.md"
RECORD = {
    "names": ["Harold Whitcombe"],
    "address": {"street": "482 Kettering Lane", "city": "Duluth"},
}
SAMPLES = (
    ("A", "Patient: Harold Whitcombe", "Whitcombe"),
    ("A", "Mr. Whitcombe was seen by Dr. Ana Petrova.", "Petrova"),
    ("B", "lives at 482 Kettering Lane", "Kettering"),
    ("B", "moved from Duluth last year", "Duluth"),
    ("B", "Duluth, MN 55804", "55804"),
    ("B", "ZIP 55804-1234", "55804"),
    ("B", "Home at 46.78672, -92.10048.", "46.78672"),
    ("B", "Pin at 15T WM 6789 8234", "6789 8234"),
    ("B", "plus code 86R8QXGV+X6", "QXGV"),
    ("B", "lives in 55804 with her son", "55804"),
    ("C", "Seen 03/14/2025", "03/14"),
    ("C", "a 94 year old", "94"),
    ("C", "born in 1928", "1928"),
    ("D", "Phone: (612) 555-0148", "555-0148"),
    ("E", "Fax: (612) 555-0149", "555-0149"),
    ("F", "harold.w@lakesuperior.org", "harold"),
    ("G", "SSN 219-09-9123", "9123"),
    ("H", "MRN: 00448291", "00448291"),
    ("I", "Medicare ID 1EG4-TE5-MK73", "1EG4"),
    ("I", "Member ID: W4471882301", "W4471882301"),
    ("J", "Account # 77120934", "77120934"),
    ("K", "DEA BW1234563", "BW1234563"),
    ("K", "Driver's license: S530-4471-2209", "S530"),
    ("L", "VIN 1HGCM82633A004352", "1HGCM82633A004352"),
    ("L", "license plate 7KLM482", "7KLM482"),
    ("M", "Serial number SN-88213-A pacemaker", "88213"),
    ("N", "http://www.whitcombefamily.org/harold", "whitcombefamily"),
    ("O", "IP 192.168.44.17", "192.168.44.17"),
    ("P", "voiceprint VP-220-118", "220-118"),
    ("P", "Retina scan no. 4471-B", "4471-B"),
    ("Q", "photo: IMG_20250314_whitcombe.jpg", "whitcombe"),
    ("R", "Study subject 0417-223", "0417-223"),
    ("R", "Accession S25-10422", "10422"),
)
KEPT_IN_A_LIMITED_DATA_SET = {"Duluth", "55804", "03/14", "94", "1928"}


def released(policy: str, text: str) -> str:
    pipeline = Pipeline(
        {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
        Surrogates(Policy.named(policy), b"0123456789abcdef"),
        "test",
    )
    body = {"note_id": "n", "patient_id": "p", "language": "en", "patient": RECORD, "text": text,
            "timestamp": "2025-03-14T09:30:00Z"}  # fmt: skip
    pending = pipeline.begin(json_note.parse(orjson.dumps(body)))
    done, _ = pipeline.finish(pending, ())
    return str(orjson.loads(json_note.render(pending.note, done))["text"])


@pytest.mark.parametrize("policy", POLICIES)
@pytest.mark.parametrize(("category", "text", "value"), SAMPLES)
def test_no_identifier_of_a_category_stays(
    policy: str, category: str, text: str, value: str
) -> None:
    stays = policy == "limited-data-set" and value in KEPT_IN_A_LIMITED_DATA_SET
    assert (value in released(policy, text)) == stays, category


def test_each_category_has_a_sample_and_a_row_in_the_document() -> None:
    rows = re.findall(r"^\| \(([A-R])\) ", DOCUMENT.read_text("utf-8"), re.MULTILINE)
    assert rows == [chr(c) for c in range(ord("A"), ord("R") + 1)]
    assert {category for category, _, _ in SAMPLES} == set(rows)
