"""Nothing goes out in which a name or number of the message's own record still stands."""

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
from stream_deid.text.folding import fold

KNOWN = (
    Known(PhiType.PATIENT, "Okonjo", role="family"),
    Known(PhiType.PATIENT, "Wilhelmina", role="given"),
    Known(PhiType.PATIENT, "Young", role="family"),
    Known(PhiType.MEDICALRECORD, "4081-7263"),
    Known(PhiType.ROOM, "12") if hasattr(PhiType, "ROOM") else Known(PhiType.IDNUM, "12"),
    Known(PhiType.CITY, "Duluth"),
)


def through(text: str, *detectors: object) -> str:
    made = Pipeline(
        {"en": Language(detectors, ())},
        Surrogates(Policy.named(), b"0123456789abcdef"),
        "test",
    )
    pending = made.begin(Note("n", "p", (Part(text),), "en", known=KNOWN))
    clean, audit = made.finish(pending, ())
    assert audit.body["coverage"]["stated"] == 3
    return clean.parts[0].text


@pytest.mark.parametrize(
    "text",
    [
        "MRN 40817263 on file",
        "MRN 4081/7263.",
        "id:4081-7263",
    ],
)
def test_what_detectors_left_standing_is_not_released(text: str) -> None:
    with pytest.raises(NoteRejected) as raised:
        through(text)  # as if every detector had failed
    assert raised.value.code == "note.residue"
    assert "4081" not in raised.value.detail


@pytest.mark.parametrize(
    "text",
    [
        "Okonjo slept.",
        "saw WILHELMINA's mother",
        "the Okonjos",
        "ok\u043enj\u043e ate",  # a Cyrillic o
    ],
)
def test_names_that_detectors_left_standing_are_found_by_the_last_look(text: str) -> None:
    shown = fold(through(text))
    assert "okonjo" not in shown
    assert "wilhelmina" not in shown


@pytest.mark.parametrize("text", ["Okonjo slept.", "saw WILHELMINA's", "ok\u043enj\u043e ate"])
def test_a_name_that_stands_is_counted(text: str) -> None:
    assert Stated(KNOWN, lambda _: True).standing(text, ()) == 1


@pytest.mark.parametrize(
    "text",
    [
        "a young patient",  # common language: the detectors see what it is here
        "room 12",
        "Duluth",
        "40817263445 counts",  # another number
    ],
)
def test_what_only_looks_alike_goes_out(text: str) -> None:
    assert through(text) == text


def test_what_detectors_find_is_no_residue() -> None:
    text = "Wilhelmina Okonjo, MRN 4081-7263, seen by Dr. Okonjo. OKONJO slept."
    clean = through(text, Patterns("en"), KnownIdentifiers())
    assert "okonjo" not in clean.lower()
    assert "7263" not in clean


def test_a_type_that_the_policy_keeps_may_stand() -> None:
    stated = Stated(KNOWN, lambda phi: phi is not PhiType.PATIENT)
    assert len(stated) == 1
    assert stated.standing("Okonjo", ()) == 0
