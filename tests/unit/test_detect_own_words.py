"""What a name takes along from beside it is let go: blood groups, sides, stages, roles."""

from __future__ import annotations

import pytest
from marked_spans import vote_for

from stream_deid.detect.neural.columns import own_words
from stream_deid.detect.neural.floors import unsure
from stream_deid.detect.settle.boundaries.kin import apart_from_kin
from stream_deid.labels import PhiType
from stream_deid.note import Detection


@pytest.mark.parametrize(
    ("text", "value", "own"),
    [
        ("Haile A+ MELD 24", "Haile A", "Haile"),
        ("Big Crow B- MELD", "Big Crow B", "Big Crow"),
        ("Long AB+ ETT", "Long AB", "Long"),
        ("Ruiz O pos", "Ruiz O", "Ruiz"),
        ("kowalczyk, R breast", "kowalczyk, R", "kowalczyk"),
        ("Okoro DOL 12", "Okoro DOL", "Okoro"),
        ("Bright TNBC stage 2", "Bright TNBC", "Bright"),
        ("ARASY GALEANO FEM 41 A", "ARASY GALEANO FEM", "ARASY GALEANO"),
        ("Wren O. waits", "Wren O.", "Wren O."),
        ("Youssef A called", "Youssef A", "Youssef A"),
        ("Anna LEE seen", "Anna LEE", "Anna LEE"),
    ],
)
def test_a_name_ends_before_what_is_said_of_its_bearer(text, value, own):
    assert text[: own_words(text, 0, len(value), "PATIENT")] == own


@pytest.mark.parametrize(
    ("text", "value", "own"),
    [
        ("BB Okoro weighs", "BB Okoro", "Okoro"),
        ("Cadáver de Vasile Popa", "Cadáver de Vasile Popa", "Vasile Popa"),
        ("fyi tala called", "fyi tala", "tala"),
        ("Lic. Tm. Gómez mide", "Tm. Gómez", "Gómez"),
        ("Lic. TM Pérez mide", "TM Pérez", "Pérez"),
        ("BB Okoro weighs", "BB", ""),
        ("signed BB", "BB", "BB"),
    ],
)
def test_a_name_begins_behind_what_its_bearer_is(text, value, own):
    vote = vote_for(text, value, PhiType.PATIENT, 0.9, "bert_en@6")
    assert "".join(text[d.start : d.end] for d in apart_from_kin(text, [vote])) == own


@pytest.mark.parametrize(
    ("value", "own"),
    [("BIBA Medic 41", "Medic 41"), ("BIBA", "BIBA"), ("Biba Clinic", "Biba Clinic")],
)
def test_a_house_begins_behind_how_somebody_came(value, own):
    vote = Detection(4, 4 + len(value), PhiType.ORGANIZATION, "bert_en@6", 0.9)
    found = list(apart_from_kin(f"0h: {value} from home", [vote]))
    assert [f"0h: {value} from home"[one.start : one.end] for one in found] == [own]


@pytest.mark.parametrize(
    ("text", "value", "kind", "score", "let_go"),
    [
        ("1  Alma\n2  Hanh\n3  Doe", "3", PhiType.LOCATION_OTHER, 0.3, True),
        ("7  Alma\n12  Hanh\n3  Doe", "3", PhiType.LOCATION_OTHER, 0.3, False),
        ("Apfel 3, nauseas", "3", PhiType.IDNUM, 0.35, True),
        ("la de la 7 va bien", "7", PhiType.IDNUM, 0.6, False),
        ("epidural at L3-4 now", "L3-4", PhiType.LOCATION_OTHER, 0.4, True),
        ("Next M 2/19", "M", PhiType.DATE, 0.9, True),
        ("FK goal 10", "10", PhiType.DATE, 0.35, True),
    ],
)
def test_small_spans_need_more(text, value, kind, score, let_go):
    at = text.rindex(value)
    assert unsure(text, at, at + len(value), kind, score) == let_go
