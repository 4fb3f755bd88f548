"""Nothing goes out in which a name or number of the message's own record still stands."""

import pytest

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.residue import Stated
from stream_deid.errors import NoteRejected
from stream_deid.labels import PhiType
from stream_deid.note import Edit, Finding, Known, Note, Part
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
    assert audit.body["coverage"]["stated"] == 4
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
    assert len(stated) == 2
    assert stated.standing("Okonjo", ()) == 0


PLACED = (
    Known(PhiType.STREET, "482 Kettering Lane"),
    Known(PhiType.CITY, "Duluth"),
    Known(PhiType.EMAIL, "w.okonjo@maple.org"),
    Known(PhiType.DATE, "1961-03-14", role="birth_date"),
    Known(PhiType.MEDICALRECORD, "40817263"),
)


@pytest.mark.parametrize(
    "text",
    [
        "Neighbours on KETTERING called the ambulance.",
        "walks his dog on kettering lane daily.",
        "back in duluth since May",
        "wrote from W.Okonjo@maple.org.",
        "born 03/14/1961",
        "b. 14-mar-1961",
        "4 0 8 1 7 2 6 3 on the band",
        "4081 7263",
        "x40817263",
    ],
)
def test_streets_towns_addresses_births_and_numbers_of_the_record_are_counted(text: str) -> None:
    assert Stated(PLACED, lambda _: True).standing(text, ()) >= 1


@pytest.mark.parametrize(
    "text",
    [
        "in the left lane",
        "a kettering cough",  # in small letters and by itself: the detectors see what it is
        "seen 03/14/1962",
        "BP 140/81, HR 72, 63 kg",
        "140817263 counts",
    ],
)
def test_what_is_not_of_the_record_is_not_counted(text: str) -> None:
    assert Stated(PLACED, lambda _: True).standing(text, ()) == 0


@pytest.mark.parametrize("word", ["Maple", "Garden", "Parkinson", "Salud", "Washington"])
def test_streets_that_are_common_language_count_with_their_kind_only(word: str) -> None:
    stated = Stated((Known(PhiType.STREET, f"12 {word} Street"),), lambda _: True)
    assert stated.standing(f"{word} syrup, {word.upper()}.", ()) == 0
    assert stated.standing(f"on {word.lower()} street", ()) == 1


NAMED = (Known(PhiType.STREET, "Calle Larrañaga 14"),)


@pytest.mark.parametrize(
    ("text", "called"),
    [
        ("Vive en Larrañaga con su madre.", "STREET"),
        ("Caída en la esquina de LARRANAGA.", "STREET"),
        ("Controlado por la Dra. Larrañaga.", "DOCTOR"),
    ],
)
def test_a_street_by_its_name_alone_is_found_though_people_are_called_so(
    text: str, called: str
) -> None:
    assert Stated(NAMED, lambda _: True).standing(text, ()) == 1
    made = Pipeline(
        {"es": Language((Patterns("es"), KnownIdentifiers()), ())},
        Surrogates(Policy.named(), b"0123456789abcdef"),
        "test",
    )
    clean, _ = made.finish(made.begin(Note("n", "p", (Part(text),), "es", known=NAMED)), ())
    assert [edit.finding.type for edit in clean.parts[0].edits] == [called]


def test_what_a_thing_is_called_after_is_no_street() -> None:
    known = (Known(PhiType.STREET, "12 Gault Lane"),)
    assert Stated(known, lambda _: True).standing("Cockcroft-Gault 45", ()) == 0
    assert Stated(known, lambda _: True).standing("back on Gault now", ()) == 1


def test_the_detector_finds_what_the_last_look_looks_for() -> None:
    made = Pipeline(
        {"en": Language((Patterns("en"), KnownIdentifiers()), ())},
        Surrogates(Policy.named(), b"0123456789abcdef"),
        "test",
    )
    text = (
        "Neighbours on KETTERING called. Walks his dog on kettering lane daily, back in duluth, "
        "w.okonjo@maple.org, born 03/14/1961, x40817263, 4 0 8 1 7 2 6 3."
    )
    clean, _ = made.finish(made.begin(Note("n", "p", (Part(text),), "en", known=PLACED)), ())
    shown = clean.parts[0].text.lower()
    left = ("kettering", "duluth", "okonjo", "03/14", "x4081", "4 0 8 1")
    assert not [one for one in left if one in shown]


def test_whether_a_name_is_a_word_the_whole_text_says() -> None:
    """`blanca` stands in a stretch without a capital, between two replaced words."""
    text = "Luz con sustancia blanca alterada; mar adentro."
    known = (Known(PhiType.PATIENT, "Blanca", role="given"),)
    edits = [
        Edit(Finding(start, end, PhiType.OTHER, ("test",)), "Xxx", "consistent", start, end)
        for start, end in ((0, 3), (35, 38))
    ]
    assert Stated(known, lambda _: True).standing(text, edits) == 0
    assert Stated(known, lambda _: True).standing(text.lower(), edits) == 1
