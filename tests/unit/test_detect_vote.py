"""Voting: the algebra of it (hypothesis), and the cases that its rules are for."""

from hypothesis import given, settings
from hypothesis import strategies as st

from stream_deid.detect.vote import vote
from stream_deid.labels import PhiType as T
from stream_deid.note import Detection, Finding

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
        name = draw(st.sampled_from(["a@1", "b@1", "c@2"]))
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


def ballot(text, *votes, seams=()):
    detections = []
    for i, (value, kind, *score) in enumerate(votes):
        start = text.index(value)
        detections.append(Detection(start, start + len(value), kind, f"d{i}@1", *(score or [1.0])))
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
