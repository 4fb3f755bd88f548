"""Notations of dates without a year beside clinical look-alikes, in notes with other dates or none.

`tests/data/dates/matrix.tsv`: a row for each notation ({d}, {e}: days a few days apart; {p}, {q}: a
pain of ten). The real patterns and the real settling, without models. Each kind of note has a least
share of dates that are found and a largest share of quantities that are taken, which stand a little
apart from what was measured; a row that was won must not be lost.
"""

import random
from collections import Counter
from datetime import date, timedelta
from pathlib import Path

import pytest

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.agreement import agree
from stream_deid.labels import PhiType
from stream_deid.note import Note, Part

ROWS = [
    line.split("\t")
    for line in (Path(__file__).parent.parent / "data/dates/matrix.tsv")
    .read_text(encoding="utf-8")
    .splitlines()[1:]
]
NOTES = {
    "en": {
        "alone": "{text}",
        "beside": "Adm {A} with sepsis. Extubated on {a}.\n{text}\nF/u appt {b} at 10:30.",
    },
    "es": {
        "alone": "{text}",
        "beside": "Ingreso: {A} por sepsis. Extubado el {a}.\n{text}\nRevisión el {b} a las 10:30.",
    },
}
LEAST = {
    ("en", "alone"): 0.96,
    ("en", "beside"): 0.98,
    ("es", "alone"): 0.95,
    ("es", "beside"): 0.97,
}
MOST = {
    ("en", "alone"): 0.18,
    ("en", "beside"): 0.15,
    ("es", "alone"): 0.04,
    ("es", "beside"): 0.09,
}
DRAWS = 4
MARK = "\0"
RUN = {language: Patterns(language) for language in NOTES}


def written(day, language):
    pair = (day.month, day.day) if language == "en" else (day.day, day.month)
    return f"{pair[0]}/{pair[1]}"


def cases(language, context, kind):
    draw = random.Random(7)
    for one, of, _, frame in ROWS:
        if (one, of) != (language, kind):
            continue
        for _ in range(DRAWS):
            first = date(2026, 1, 1) + timedelta(draw.randrange(365))
            day = first + timedelta(draw.randrange(-8, 16))
            other = day + timedelta(draw.randrange(1, 5))
            values = {
                "d": MARK + written(day, language) + MARK,
                "e": MARK + written(other, language) + MARK,
                "p": f"{draw.randrange(1, 10)}/10",
                "q": f"{draw.randrange(1, 10)}/10",
            }
            text = frame.replace("\\n", "\n").format(**values)
            near = first + timedelta(3), first + timedelta(20)
            note = NOTES[language][context].format(
                text=text if kind == "date" else MARK + text + MARK,
                A=f"{written(first, language)}/26",
                a=written(near[0], language),
                b=written(near[1], language),
            )
            pieces = note.split(MARK)
            ends = [sum(map(len, pieces[:i])) for i in range(len(pieces) + 1)]
            yield frame, "".join(pieces), [ends[i : i + 2] for i in range(1, len(pieces), 2)]


def taken(language, context, kind):
    """How many of the marked spans of each row are taken as dates, and of how many."""
    hits, count = Counter(), Counter()
    for frame, text, spans in cases(language, context, kind):
        note = Note("n", "p", (Part(text),), language)
        found = agree(note, [list(RUN[language].detect(text, note))])[0]
        dates = [one for one in found if one.type is PhiType.DATE]
        for start, end in spans:
            count[frame] += 1
            hits[frame] += any(one.start < end and start < one.end for one in dates)
    return hits, count


@pytest.mark.parametrize(("language", "context"), LEAST)
def test_dates_are_found(language, context):
    hits, count = taken(language, context, "date")
    assert sum(hits.values()) >= LEAST[language, context] * sum(count.values())


@pytest.mark.parametrize(("language", "context"), MOST)
def test_quantities_stay(language, context):
    hits, count = taken(language, context, "qty")
    assert sum(hits.values()) <= MOST[language, context] * sum(count.values())
