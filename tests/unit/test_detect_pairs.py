"""Bare pairs of numbers: where they stand, and which of them the judge calls days."""

import itertools
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from line_counts import grown, lines
from marked_spans import vote_for

import stream_deid.detect.pairs
from stream_deid.detect.pairs import judge
from stream_deid.detect.pairs.judge import Judge
from stream_deid.detect.pairs.written import pairs
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.quantities.clinical import founded
from stream_deid.detect.settle.agreement import agree
from stream_deid.detect.settle.filtering.pair_votes import by_judge
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Detection, Note, Part
from stream_deid.text.folding import folded

PATTERNS = {language: Patterns(language) for language in ("en", "es")}


def dates(*texts, language="en", asked="", said=()):
    """What patterns, the judge and what else is `said` call a date in each text of a message."""
    parts = tuple(Part(text, asked=asked) for text in texts)
    note = Note("n", "p", parts, language)
    votes = [[*PATTERNS[language].detect(text, note), *said] for text in texts]
    return [
        [text[one.start : one.end] for one in found if one.type is PhiType.DATE]
        for text, found in zip(texts, agree(note, votes), strict=True)
    ]


@pytest.mark.parametrize(
    ("text", "written"),
    [
        ("CT 5/7 stable, 4/5 R", ["5/7", "4/5"]),
        ("4/16-4/18 and 4/16-18", ["4/16", "4/18", "4/16"]),
        ("8-10 cm", ["8-10"]),
        ("128/76, 24/30, 0/5", []),
        ("3/4/26, 1:3/4, 12.5/10, C5/6x, $3/4, #3/4, 3/4%", ["3/4"]),
        ("7.30/5/12 and A3/4", []),
    ],
)
def test_where_pairs_stand(text, written):
    assert [text[one.start : one.end] for one in pairs(text)] == written


def test_with_a_full_stop_only_where_the_day_stands_first():
    text = "TAC 06.10, Hb 12.5, 3.12, 31.13, 1.06.10"
    assert not list(pairs(text))
    assert [text[one.start : one.end] for one in pairs(text, day_first=True)] == ["06.10"]


@given(st.text(alphabet="0123456789/-. :()abT\n→é", max_size=60))
def test_pairs_are_two_numbers_in_order(text):
    found = list(pairs(folded(text), day_first=True))
    for one in found:
        assert text[one.start : one.end].split(one.sign) == [
            text[one.start : one.end].partition(one.sign)[0],
            text[one.start : one.end].rpartition(one.sign)[2],
        ]
    assert all(a.end < b.start for a, b in itertools.pairwise(found))


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("en", "Last chemo 4/16, next 5/7. Pain 4/10.", ["4/16", "5/7"]),
        ("en", "CEA 14.2 (2/20), 6.1 (3/19)", ["2/20", "3/19"]),
        ("en", "Suture removal 5/13", ["5/13"]),
        ("en", "GBS 6/25 neg. Apgars 8/9", ["6/25"]),
        ("en", "Strength 4/5 R, 5/5 L; murmur 2/6; flush 10/5", []),
        ("en", "ECOG 1/4. Furc 2/3. Shade 2/3", []),
        ("es", "Última dosis 7/5. EVA 3/10", ["7/5"]),
        ("es", "RM 12/3 sin cambios; fuerza 4/5", ["12/3"]),
        ("es", "al 3/4 de dosis, 1/2 comp", []),
        ("es", "TAC 06.02, RM 10.02", ["06.02", "10.02"]),
    ],
)
def test_days_by_what_stands_around_them(language, text, days):
    assert dates(text, language=language) == [days]


def test_what_a_field_is_asked_for_stands_before_its_value():
    assert dates("4/16", asked="Last chemo") == [["4/16"]]
    assert dates("3/10", asked="EVA", language="es") == [[]]


@pytest.mark.parametrize("value", ["8/9", "2/15", "6/11", "16/18\n31\n6/11"])
def test_in_a_field_for_results_a_pair_is_a_day_only_where_something_says_so(value):
    """`Apgar 8/9` is asked for by a code that the judge has never read."""
    part = Part(value, asked="T Test", coded=True)
    assert by_judge([part], [[]], "en") == [[]]
    part = Part(f"seen {value}", asked="T Test", coded=True)
    assert bool(by_judge([part], [[]], "en")[0]) == (value in ("8/9", "2/15", "6/11"))


def test_a_number_alone_is_nothing_that_nobody_spoke_for():
    assert by_judge([Part("4/7")], [[]], "en") == [[]]


def model_vote(text, value):
    return vote_for(text, value, PhiType.DATE, 0.9, "bert_en@6")


@pytest.mark.parametrize(
    ("text", "value", "stays"),
    [
        ("Furcation grade 2/3 on #14", "2/3", False),
        ("Strength 4/5 in both legs", "4/5", False),
        ("Strength 4/5 in both legs", "4/5 in", True),
        ("exp. 04/05 in the fridge", "04/05", True),
        ("clinic Tue 4/5, strength", "4/5", True),
    ],
)
def test_a_vote_for_a_pair_alone_goes_where_it_is_surely_none(text, value, stays):
    (votes,) = by_judge([Part(text)], [[model_vote(text, value)]], "en")
    assert bool(votes) is stays


def test_what_a_field_declares_stays():
    text = "Strength 4/5 in both legs"
    declared = Detection(9, 12, PhiType.DATE, "field@1")
    assert by_judge([Part(text)], [[declared]], "en") == [[declared]]


def test_dates_of_other_parts_tell():
    """The same pair is likelier a day where the message has a full date near it."""
    judging = judge.load("en")
    alone, beside = (
        judge.judged(judging, judge.read(texts, "en")[0])[0][1]
        for texts in (["Tdap 1/3."], ["Tdap 1/3.", "Adm 1/2/2024"])
    )
    assert beside > alone


def test_a_judge_is_written_and_read():
    made = Judge(4, -0.5, np.arange(16).astype(np.float16))
    again = Judge.from_json(made.to_json())
    assert again.log_odds(["a", "b"]) == made.log_odds(["a", "b"])
    with pytest.raises(Halt, match=r"16 weights for 5 bits"):
        Judge.from_json({**made.to_json(), "bits": 5})


def test_twice_the_pairs_are_twice_the_work():
    below = Path(stream_deid.detect.pairs.__file__).parent

    def run(count):
        text = " ".join(f"CT {1 + n % 12}/{1 + n % 28} ok" for n in range(count))
        return lambda: judge.judged(judge.load("en"), judge.read([text], "en")[0])

    run(2)()  # what is made once in a process
    assert not grown(lines(run(40), below), lines(run(80), below), 2.3, 100)


@given(
    st.integers(1, 12), st.lists(st.integers(13, 28), min_size=2, max_size=5, unique=True),
    st.sampled_from(["es", "en"]), st.sampled_from([PhiType.DATE, PhiType.IDNUM]),
    st.sampled_from(["date-month-day@1", "phone@1", "date-ocr@1"]),
)  # fmt: skip
def test_a_vote_that_does_not_count_takes_no_day_away(month, days, language, kind, detector):
    """Forms that mean something clinical by what stands around them silenced the judge."""
    shown = [f"{d}/{month}" if language == "es" else f"{month}/{d}" for d in sorted(days)]
    text = " ".join(f"Sesión {one}: pre 77,9." for one in shown)
    part, found = Part(text), {}
    for votes in ([], [vote_for(text, one, kind, 0.9, detector) for one in shown]):
        (made,) = by_judge([part], [votes], language)
        counted = [one for one in made if founded(text, one)]
        found[bool(votes)] = {text[one.start : one.end] for one in counted}
    assert found[False] <= found[True]


@pytest.mark.parametrize(
    ("language", "text", "days"),
    [
        ("en", "Called back 10/12 and 10/13 left VM. Reached 10/14 at 4:30.",
         ["10/12", "10/13", "10/14"]),
        ("es", "Sesión 15/9: pre 78,2. 17/9: pre 77,9. 19/9 no acude. Ferritina 420 el 3/9/25.",
         ["15/9", "17/9", "19/9", "3/9/25"]),
    ],
)  # fmt: skip
def test_days_of_one_note_are_found_together(language, text, days):
    assert dates(text, language=language) == [days]


@pytest.mark.parametrize("kind", [PhiType.HOSPITAL, PhiType.LOCATION_OTHER, PhiType.ORGANIZATION])
def test_a_day_that_a_model_takes_for_a_room_less_surely_is_a_day(kind):
    text = "1/2/2025 adm, 1/3 OR, 1/4 ICU, 1/5 floor, 1/12 home. Dose 1/3-1/5, meal eaten 1/6."
    votes = [vote_for(text, pair, kind, 0.3) for pair in ("1/4", "1/5")]
    assert {"1/4", "1/5", "1/12"} <= set(dates(text, said=votes)[0])
    sure = vote_for("Moved to bed 4/2, wound clean", "4/2", kind, 0.9)
    assert dates("Moved to bed 4/2, wound clean", said=[sure]) == [[]]


@pytest.mark.parametrize(
    ("language", "text", "stays"),
    [
        ("es", "Labs 11.06.2025: Hb 11.06, Cr 1.2. Control 18.06.", "Hb 11.06"),
        ("es", "Visto 12.10.2024. Glucosa: 12.10 tras desayuno", "Glucosa: 12.10"),
        ("en", "Dakin's 1/2 strength since 1/2/2025, wounds 1/3", "1/2 strength"),
        ("en", "Nodule 6 mm (4/62), previously 5 mm (3/58) on 3/14/2024", "5 mm (3/58"),
    ],
)
def test_a_value_that_has_the_figures_of_a_day_stays(language, text, stays):
    at = text.index(stays)
    votes = PATTERNS[language].detect(text, Note("n", "p", (Part(text),), language))
    (found,) = agree(Note("n", "p", (Part(text),), language), [list(votes)])
    assert not [one for one in found if one.start < at + len(stays) and at < one.end]
