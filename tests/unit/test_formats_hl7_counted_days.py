"""A value of HL7 v2 whose test asks for a day as machines count it is replaced."""

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

PIPELINE = Pipeline(
    {"en": Language((Patterns("en"),), ())},
    Surrogates(Policy.named(), b"0123456789abcdef"),
    "test",
)
HEAD = (
    "MSH|^~\\&|A|B|C|D|20210315||ORU^R01|X1|P|2.5\rPID|1||123456^^^A^MR||Doe^Jo\r"
    "OBR|1|A1|B2|24357-6^UA^LN|||20210315\r"
)


def value(test: str, written: str) -> str:
    raw = f"{HEAD}OBX|1|NM|{test}||{written}||||||F\r".encode()
    note = hl7v2.parse(raw)
    clean, _ = PIPELINE.finish(PIPELINE.begin(note), ())
    segment = hl7v2.render(note, clean).decode().split("\r")[3]
    return segment.split("|")[5]


@pytest.mark.parametrize(
    ("test", "written"),
    [
        ("D^Date, Excel^L", "44270"),
        ("J^Julian day^L", "2459289"),
        ("Y^Day of year^L", "74"),
        ("S^Serial date^L", "44270.5"),
        ("E^D\u00eda juliano^L", "2459289"),
    ],
)
def test_a_day_that_machines_count_is_replaced(test: str, written: str) -> None:
    assert value(test, written) not in (written, "")


@pytest.mark.parametrize("test", ["G^Glucose^L", "D^Days of fever^L", "P^Platelets^L"])
def test_a_count_stays(test: str) -> None:
    assert value(test, "74") == "74"
