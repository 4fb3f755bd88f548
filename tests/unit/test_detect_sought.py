"""All sequences at once are found where each by itself is; thousands cost no more than a text."""

from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.detect.record.sought import Sought
from stream_deid.detect.record.written_forms import SoughtNumbers
from stream_deid.labels import PhiType as T
from stream_deid.note import Known, Note, Part

WORDS = st.text(alphabet="ab", min_size=1, max_size=4)


def by_itself(text, one, fits):
    for start in range(len(text)):
        if text.startswith(one, start) and fits(start, start + len(one)):
            yield from range(start, start + len(one))


@given(st.lists(WORDS, max_size=6), st.text(alphabet="abc", max_size=20), st.integers(1, 3))
def test_they_cover_what_each_by_itself_covers(sought, text, every):
    def fits(start, end):
        return start % every == 0 or end % every == 0

    places = list(Sought(sought).places(text, fits))
    covered = [at for start, end in places for at in range(start, end)]
    assert sorted(covered) == sorted({at for one in sought for at in by_itself(text, one, fits)})
    assert places == sorted(places)


@given(st.lists(WORDS, max_size=6), st.text(alphabet="abc", max_size=20), st.integers(1, 3))
def test_a_few_are_found_as_many_are(sought, text, every):
    def fits(start, end):
        return start % every == 0 or end % every == 0

    many = [*sought, *(f"z{i}" for i in range(20))]
    assert list(Sought(sought).ends(text, fits)) == list(Sought(many).ends(text, fits))


def test_nothing_sought_is_found_nowhere():
    assert not Sought(())
    assert not Sought([""])
    assert list(Sought([""]).places("ab", lambda *_: True)) == []


def test_numbers_that_overlap_are_hidden_whole():
    text = "ring 1-218-555-0148 0099 today"
    assert [text[a:b] for a, b in SoughtNumbers(["2185550148", "555-0148 0099"]).spans(text)] == [
        "218-555-0148 0099"
    ]


def test_many_people_of_one_word_are_told_apart_by_what_stands_beside_it():
    known = (
        *(Known(T.PATIENT, f"May Vell{chr(97 + i)}", f"kin:{i}", "full") for i in range(20)),
        Known(T.DOCTOR, "May Ostrander", "doctor:1", "full"),
    )

    def found(text):
        note = Note("n", "p", (Part(text),), "en", known)
        return {(text[d.start : d.end], d.type) for d in KnownIdentifiers().detect(text, note)}

    assert found("may be seen in may") == set()
    assert found("in may ostrander called") == {("may", T.DOCTOR), ("ostrander", T.DOCTOR)}
    assert found("O. may wrote") == {("may", T.DOCTOR), ("O", T.DOCTOR)}


def test_a_street_that_another_value_would_lengthen_over_an_end_is_found():
    known = (Known(T.STREET, "12 Old Mill"), Known(T.STREET, "12 Old Mill Lane"))
    text = "at 12 Old Mill\n\nLane of ash"
    note = Note("n", "p", (Part(text),), "en", known)
    assert "12 Old Mill" in {text[d.start : d.end] for d in KnownIdentifiers().detect(text, note)}
