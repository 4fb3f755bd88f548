"""What is stated or named in full, taken for people, and the same words: each of one type."""

from hypothesis import given
from hypothesis import strategies as st
from marked_spans import finding

from stream_deid.detect.settle.retyping.institutions import as_institutions
from stream_deid.detect.settle.retyping.mistaken_people import as_people
from stream_deid.detect.settle.retyping.one_type import one_type
from stream_deid.labels import PhiType as T
from stream_deid.note import Finding, Known

KINDS = (T.HOSPITAL, T.ORGANIZATION, T.LOCATION_OTHER, T.CITY, T.PATIENT)


def test_the_surest_says_what_a_name_is_in_every_part():
    texts = ["Read on MUSE7 desk. muse7 ECG", "MUSE7 again"]
    found = [
        (
            finding(texts[0], "MUSE7", T.LOCATION_OTHER, 0.5),
            finding(texts[0], "muse7", T.HOSPITAL, 0.8),
        ),
        (finding(texts[1], "MUSE7", T.ORGANIZATION, 0.6),),
    ]
    assert [one.type for part in one_type(texts, found) for one in part] == [T.HOSPITAL] * 3


def test_a_person_may_bear_the_name_of_a_place():
    text = "Mercy came from Mercy"
    hospital = finding(text, "Mercy", T.HOSPITAL, 0.9, after=5)
    found = [(finding(text, "Mercy", T.PATIENT, 0.5), hospital)]
    assert one_type([text], found) == found


def test_a_person_is_taken_for_no_house():
    text = "Note of D. Park. Lives w/ Destiny. Collateral from Destiny, seen at Destiny"
    text += ". Dr. Rivers; Blaine Rivers"
    found = [
        finding(text, "D. Park", T.HOSPITAL, 0.9),
        finding(text, "Destiny", T.PATIENT, 1.0),
        finding(text, "Destiny", T.HOSPITAL, 0.9, after=40),
        finding(text, "Destiny", T.HOSPITAL, 0.9, after=60),
        finding(text, "Rivers", T.DOCTOR, 1.0),
        finding(text, "Blaine Rivers", T.HOSPITAL, 0.9),
    ]
    kinds = [one.type for one in as_people([text], [tuple(found)])[0]]
    assert kinds == [T.DOCTOR, T.PATIENT, T.PATIENT, T.HOSPITAL, T.DOCTOR, T.DOCTOR]


def test_what_is_stated_or_named_in_full_is_that_institution():
    text = "Seen at Ashlar Clinic, then by Ashlar. Mr. Ashlar, Hilo"
    found = (
        finding(text, "Ashlar Clinic", T.HOSPITAL, 0.9),
        finding(text, "Ashlar", T.PATIENT, 0.9, after=20),
        finding(text, "Hilo", T.PATIENT, 0.9),
    )
    for known, kinds in (
        ((), (T.HOSPITAL, T.HOSPITAL, T.PATIENT)),
        ((Known(T.CITY, "Hilo"),), (T.HOSPITAL, T.HOSPITAL, T.CITY)),
    ):
        (after,) = as_institutions([text], [found], known)
        assert tuple(one.type for one in after) == kinds


def test_fields_that_are_not_examined_stay_what_they_are():
    found = [
        (Finding(0, 8, T.ORGANIZATION, ("field@1",), 1.0),),
        (Finding(0, 4, T.LOCATION_OTHER, ("field@1",), 1.0),),
    ]
    assert one_type(["", ""], found) == found


@given(
    st.lists(st.tuples(st.sampled_from(("Ash", "Elm")), st.sampled_from(KINDS), st.floats(0, 1)))
)
def test_nothing_but_types_of_places_changes(spans):
    text = " ".join(value for value, _, _ in spans)
    found, at = [], 0
    for value, kind, score in spans:
        found.append(Finding(at, at + len(value), kind, ("m@1",), score))
        at += len(value) + 1
    (after,) = one_type([text], [tuple(found)])
    places = {T.HOSPITAL, T.ORGANIZATION, T.LOCATION_OTHER}
    assert [(f.start, f.end, f.score) for f in after] == [(f.start, f.end, f.score) for f in found]
    assert all(a.type is b.type for a, b in zip(after, found, strict=True) if b.type not in places)
    for value in ("Ash", "Elm"):
        kinds = {f.type for f in after if text[f.start : f.end] == value}
        assert len(kinds & places) < 2
