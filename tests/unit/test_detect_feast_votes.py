"""A feast is a day, whatever kind of name a model takes it for."""

import pytest
from marked_spans import vote_for

from stream_deid.detect.settle.agreement import agree
from stream_deid.labels import PhiType
from stream_deid.note import Note, Part


@pytest.mark.parametrize(
    ("language", "text", "feast", "word", "kind"),
    [
        ("en", "Fall 10/31/24 (Halloween)", "Halloween", "Halloween", PhiType.HOSPITAL),
        ("es", "Nochebuena en casa", "Nochebuena", "Nochebuena", PhiType.RELATIVE),
        ("es", "cayó el Día de la Madre", "Día de la Madre", "Madre", PhiType.RELATIVE),
    ],
)
def test_a_feast_is_a_day(language, text, feast, word, kind):
    pattern = "fecha-fiesta@1" if language == "es" else "date-holiday@1"
    votes = [vote_for(text, feast, PhiType.DATE, 0.8, pattern), vote_for(text, word, kind, 0.95)]
    (found,) = agree(Note("n", "p", (Part(text),), language), [votes])
    assert [(text[f.start : f.end], f.type) for f in found] == [(feast, PhiType.DATE)]


def test_a_house_that_is_called_by_a_feast_stays_one():
    text = "trasladado al Hospital de Navidad"
    votes = [
        vote_for(text, "Navidad", PhiType.DATE, 0.8, "fecha-fiesta@1"),
        vote_for(text, "Hospital de Navidad", PhiType.HOSPITAL, 0.95),
    ]
    (found,) = agree(Note("n", "p", (Part(text),), "es"), [votes])
    assert [f.type for f in found] == [PhiType.HOSPITAL]
