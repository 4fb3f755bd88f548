"""Voting: the algebra of it (hypothesis), and the cases that its rules are for."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from line_counts import grown, lines
from marked_spans import place

import stream_deid.detect.settle
from stream_deid.detect.patterns import is_pattern
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.labels import PhiType as T
from stream_deid.note import Detection, Finding, Span

HERE = Path(stream_deid.detect.settle.__file__).parent
ALPHABET = "aB7 .,-/@(\n:;\u200bñÉ"


@st.composite
def ballots(draw):
    text = draw(st.text(ALPHABET, min_size=1, max_size=40))
    votes = []
    for _ in range(draw(st.integers(0, 7))):
        start = draw(st.integers(0, len(text) - 1))
        end = draw(st.integers(start + 1, len(text)))
        kind = draw(st.sampled_from(list(T)))
        score = draw(st.sampled_from([0.2, 0.6, 1.0]))
        name = draw(st.sampled_from(["a@1", "c@2", "date@1", "telefono@1"]))
        label = draw(st.sampled_from(["", "X", "Y"]))
        votes.append(Detection(start, end, kind, name, score, label))
    seams = draw(st.lists(st.integers(0, len(text) - 1), max_size=3, unique=True))
    return text, votes, seams


def spans(findings):
    return [(f.start, f.end, f.type) for f in findings]


@settings(max_examples=400, deadline=None)
@given(ballots(), st.randoms(use_true_random=False))
def test_algebra(ballot, rng):
    text, votes, seams = ballot
    findings = vote(text, votes, seams)
    at = 0
    for f in findings:
        assert at <= f.start < f.end <= len(text)
        at = f.end
        assert not text[f.start].isspace()
        assert not text[f.end - 1].isspace()
        assert not any(f.start <= s < f.end for s in seams)
    covered = {i for f in findings for i in range(f.start, f.end)}
    for v in votes:
        for i in range(v.start, v.end):
            assert i in covered or not text[i].isalnum() or i in seams
    shuffled = list(votes)
    rng.shuffle(shuffled)
    assert vote(text, shuffled, seams) == findings
    again = [
        Detection(f.start, f.end, f.type, d, f.score, f.label)
        for f in findings
        for d in f.detectors
    ]
    assert spans(vote(text, again, seams)) == spans(findings)


@settings(max_examples=200, deadline=None)
@given(ballots())
def test_patterns_and_models_hide_together_what_each_hides_alone(ballot):
    """Whoever wins an overlap, no letter or digit that anyone named is let go."""
    text, votes, seams = ballot
    read = [v for v in votes if not is_pattern(v.detector)]
    matched = [v for v in votes if is_pattern(v.detector)]

    def hidden(some):
        return {i for f in vote(text, some, seams) for i in range(f.start, f.end)}

    alone = hidden(read) | hidden(matched)
    assert {i for i in hidden(votes) ^ alone if text[i].isalnum()} == set()


def ballot(text, *votes, seams=(), detector="d{}@1"):
    detections = []
    for i, (value, kind, *score) in enumerate(votes):
        name = detector.format(i)
        detections.append(Detection(*place(text, value), kind, name, *(score or [1.0])))
    return [(text[f.start : f.end], f.type) for f in vote(text, detections, seams)]


def test_mail_in_url_stays_one():
    text = "see https://x.org/?q=jo@x.org now"
    got = ballot(text, ("https://x.org/?q=jo@x.org", T.URL), ("jo@x.org", T.EMAIL))
    assert got == [("https://x.org/?q=jo@x.org", T.URL)]


def test_date_in_id_stays_one():
    got = ballot("acc S-2019-03-04-7 ok", ("S-2019-03-04-7", T.IDNUM), ("2019-03-04", T.DATE))
    assert got == [("S-2019-03-04-7", T.IDNUM)]


def test_zip_is_cut_off_a_street():
    got = ballot("12 Elm St 01234.", ("12 Elm St 01234", T.STREET), ("01234", T.ZIP))
    assert got == [("12 Elm St", T.STREET), ("01234", T.ZIP)]


def test_name_in_hospital_stays_one():
    got = ballot("at John Dow Hospital", ("John Dow Hospital", T.HOSPITAL), ("John Dow", T.DOCTOR))
    assert got == [("John Dow Hospital", T.HOSPITAL)]


def test_range_of_dates_stays_two():
    got = ballot("from 3/4-3/9 in", ("3/4-3/9", T.DATE), ("3/4", T.DATE), ("3/9", T.DATE))
    assert got == [("3/4", T.DATE), ("3/9", T.DATE)]


def test_same_stretch_takes_the_better_type_unless_weak():
    assert ballot("call Rose", ("Rose", T.CITY), ("Rose", T.PATIENT)) == [("Rose", T.PATIENT)]
    weak = ballot("call Rose", ("Rose", T.CITY), ("Rose", T.PATIENT, 0.2))
    assert weak == [("Rose", T.CITY)]


def test_names_join():
    assert ballot("SMITH, JOHN", ("SMITH", T.PATIENT), ("JOHN", T.PATIENT)) == [
        ("SMITH, JOHN", T.PATIENT)
    ]
    assert ballot("J. Dow", ("J", T.DOCTOR), ("Dow", T.DOCTOR)) == [("J. Dow", T.DOCTOR)]
    assert ballot("Ann\nDow", ("Ann", T.DOCTOR), ("Dow", T.DOCTOR)) == [
        ("Ann", T.DOCTOR),
        ("Dow", T.DOCTOR),
    ]


def test_edges_are_repaired():
    assert ballot("Mr. McDonald's", ("Donald", T.PATIENT)) == [("McDonald", T.PATIENT)]
    assert ballot("MartínezNºCol", ("Martínez", T.DOCTOR)) == [("Martínez", T.DOCTOR)]
    assert ballot("x 4471 y", ("71 ", T.IDNUM)) == [("4471", T.IDNUM)]
    assert ballot("201903061412", ("20190306", T.DATE)) == [("20190306", T.DATE)]


def test_seams_are_never_swallowed():
    text = "12 Elm\nStreet"
    assert ballot(text, ("12 Elm\nStreet", T.STREET), seams=[6]) == [
        ("12 Elm", T.STREET),
        ("Street", T.STREET),
    ]


def test_a_finding_names_everyone_who_voted():
    got = vote("Ann Dow", [Detection(0, 3, T.PATIENT, "b@1"), Detection(0, 7, T.PATIENT, "a@1")])
    assert got == (Finding(0, 7, T.PATIENT, ("a@1", "b@1")),)


def test_neighbours_are_not_joined_across_a_seam():
    votes = [Detection(0, 3, T.PATIENT, "a@1"), Detection(4, 7, T.PATIENT, "a@1")]
    assert spans(vote("Ana Ruz", votes)) == [(0, 7, T.PATIENT)]
    assert spans(vote("Ana Ruz", votes, [3])) == [(0, 3, T.PATIENT), (4, 7, T.PATIENT)]


def overlap(text, read, matched):
    """What a model read of `text` and a pattern matched in it, voted on."""
    votes = []
    for detector, claims in (("bert@3", read), ("date@1", matched)):
        for value, kind, *label in claims:
            votes.append(Detection(*place(text, value), kind, detector, 0.9, *label))
    return [(text[f.start : f.end], f.type, f.label) for f in vote(text, votes)]


def test_what_a_model_read_keeps_its_edges_and_its_label():
    got = overlap(
        "ID: 4471209",
        [("4471209", T.ACCOUNT, "ID_CONTACTO_ASISTENCIAL")],
        [("4471209", T.PHONE, "NUMERO_TELEFONO")],
    )
    assert got == [("4471209", T.ACCOUNT, "ID_CONTACTO_ASISTENCIAL")]
    got = overlap("en enero 2001.", [("enero 2001", T.DATE)], [("enero", T.DATE), ("2001", T.DATE)])
    assert got == [("enero 2001", T.DATE, "")]
    got = overlap(
        "C/ Vega 3, der. 41500", [("C/ Vega 3, der", T.STREET)], [("C/ Vega 3, der.", T.STREET)]
    )
    assert got == [("C/ Vega 3, der", T.STREET, "")]


def test_what_only_a_pattern_saw_stands_beside_the_model():
    got = overlap("en C/ Vega 3 der de", [("C/ Vega 3", T.STREET)], [("C/ Vega 3 der", T.STREET)])
    assert got == [("C/ Vega 3", T.STREET, ""), ("der", T.STREET, "")]


def test_a_name_that_a_pattern_saw_whole_is_one_of_the_model_s_type():
    got = overlap(
        "Dra. Ana Ruz Collar de", [("Ana Ruz", T.PATIENT)], [("Ana Ruz Collar", T.DOCTOR)]
    )
    assert got == [("Ana Ruz Collar", T.PATIENT, "")]


def test_fixed_forms_make_whole_what_a_model_saw_in_part():
    got = overlap(
        "acc 8841 0037 2216", [("8841 0037", T.MEDICALRECORD, "X")], [("8841 0037 2216", T.IDNUM)]
    )
    assert got == [("8841 0037 2216", T.MEDICALRECORD, "X")]
    got = overlap("mail ana.ruz@x.org", [("ana", T.DOCTOR)], [("ana.ruz@x.org", T.EMAIL)])
    assert got == [("ana.ruz@x.org", T.EMAIL, "")]
    got = overlap("since 2017-09.", [("2017", T.DATE)], [("2017-09", T.DATE)])
    assert got == [("2017-09", T.DATE, "")]


def test_a_pattern_makes_whole_what_it_knows_whatever_another_pattern_overlaps_it():
    got = overlap(
        "walter early june third nineteen forty one",
        [("walter early", T.PATIENT), ("june third nineteen forty", T.DATE)],
        [("early june", T.DATE), ("june third nineteen forty one", T.DATE)],
    )
    assert got == [("walter early", T.PATIENT, ""), ("june third nineteen forty one", T.DATE, "")]


def test_a_pattern_bridges_the_pieces_that_a_model_broke():
    read = [("Ctra. N-332", T.STREET, "CALLE"), ("Valencia-Alicante, s/n", T.STREET, "CALLE")]
    got = overlap(
        "Ctra. N-332 Valencia-Alicante, s/n",
        read,
        [("Ctra. N-332 Valencia-Alicante, s/n", T.STREET, "CALLE")],
    )
    assert got == [("Ctra. N-332 Valencia-Alicante, s/n", T.STREET, "CALLE")]


def test_streets_and_hospitals_named_after_days_stay_whole():
    got = overlap(
        "Hospital 12 de Octubre",
        [("Hospital 12 de Octubre", T.HOSPITAL)],
        [("12 de Octubre", T.DATE)],
    )
    assert got == [("Hospital 12 de Octubre", T.HOSPITAL, "")]
    got = overlap("Elm Clinic 3/4/21", [("Elm Clinic 3/4/21", T.HOSPITAL)], [("3/4/21", T.DATE)])
    assert got == [("Elm Clinic", T.HOSPITAL, ""), ("3/4/21", T.DATE, "")]


def test_towns_that_a_model_tells_apart_stay_apart():
    towns = [("Ponferrada", T.CITY, "TERRITORIO"), ("León", T.CITY, "TERRITORIO")]
    assert overlap("24411 Ponferrada León", towns, []) == towns


def test_spans_in_one_endless_number_cost_no_more_each_where_there_are_more():
    """Found by `fuzz`: 80 s for a note of 21 kB; four passes were quadratic or worse."""

    def counted(size):
        text = "1957" * (size // 4)
        votes = [
            Detection(at, at + 3, (T.DATE, T.IDNUM)[at % 2], "m@1") for at in range(0, size - 3, 5)
        ]
        return lines(lambda: vote(text, [Detection(0, size, T.PHONE, "phone@1"), *votes]), HERE)

    assert not grown(counted(500), counted(1_000), at_most=2.6, often=500)


def test_what_else_somebody_took_it_for_is_told():
    text = "Dr. Virginia Moss"
    votes = [
        Detection(4, 17, T.DOCTOR, "name-title@1"),
        Detection(4, 12, T.STATE, "m@1"),
        Detection(13, 17, T.CITY, "m@1", 0.2),
    ]
    state, *_ = vote(text, votes)
    assert (state.type, state.rivals) == (T.STATE, (Span(4, 17, T.DOCTOR),))


@pytest.mark.parametrize(
    ("text", "value", "pattern", "kind"),
    [
        ("Zip code 03602 on file", "03602", "zip-label@1", T.ZIP),
        ("C.P. 31008 en el volante", "31008", "codigo-postal@1", T.ZIP),
        ("Class of 1947 at Duluth Central", "1947", "date-birth-year@1", T.DATE),
    ],
)
@pytest.mark.parametrize("model", [T.IDNUM, T.LOCATION_OTHER, T.MEDICALRECORD])
def test_what_the_law_has_a_rule_for_is_what_its_label_says(text, value, pattern, kind, model):
    at = text.index(value)
    votes = [
        Detection(at, at + len(value), model, "bert_en@9+bilstm_crf_en@3", 0.9),
        Detection(at, at + len(value), kind, pattern, 1.0),
    ]
    assert spans(vote(text, votes)) == [(at, at + len(value), kind)]
