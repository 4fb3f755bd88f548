"""A surrogate twin: other values, exact marks, everything between them untouched."""

from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import marked_values
from surrogate_helpers import surrogates

from stream_deid.attack.twins import ORIGINALS, SURROGATES, twin, versions
from stream_deid.errors import Halt
from stream_deid.training.data.corpora import AnnotatedNote, unmark

MAKER = surrogates()


def note(body: str, language: str = "en") -> AnnotatedNote:
    text, spans = unmark(body)
    return AnnotatedNote("note-1", text, tuple(spans), language, "visit")


def labels(of: AnnotatedNote) -> list[str]:
    return [label for _, label in marked_values(of)]


def between(of: AnnotatedNote) -> list[str]:
    """The text outside the marks."""
    bounds = [0, *(at for start, end, _ in of.spans for at in (start, end)), len(of.text)]
    return [of.text[a:b] for a, b in list(pairwise(bounds))[::2]]


def test_every_identifier_changes_and_is_marked_where_it_stands():
    one = note(
        "[[PATIENT|Ann Smith]], MRN [[MEDICALRECORD|4471902]]. Mrs. [[PATIENT|Smith]] slept."
    )
    other = twin(MAKER, one)
    assert between(other) == ["", ", MRN ", ". Mrs. ", " slept."]
    (name, _), (number, _), (family, _) = marked_values(other)
    assert name.split()[-1] == family != "Smith"
    assert (number.isdigit(), len(number), number != "4471902") == (True, 7, True)
    assert (other.id, other.language, other.note_type) == (one.id, one.language, one.note_type)


def test_spanish_labels_stay_those_of_the_guideline():
    one = note(
        "Nombre: [[NOMBRE_SUJETO_ASISTENCIA|Ana Ruiz]]\nSexo: [[SEXO_SUJETO_ASISTENCIA|M]]\n", "es"
    )
    other = twin(MAKER, one)
    assert [label for _, label in marked_values(other)] == [
        label for _, label in marked_values(one)
    ]
    assert between(other) == between(one)


def test_neutral_marks_keep_their_value_and_move_with_it():
    one = note("[[PATIENT|Bartholomew]] is [[AGE_U90|44]], seen at [[TIME|9:30]].")
    assert marked_values(twin(MAKER, one))[1:] == [("44", "AGE_U90"), ("9:30", "TIME")]


def test_marks_that_overlap_are_refused():
    with pytest.raises(Halt, match=r"edit\.order"):
        twin(MAKER, AnnotatedNote("n", "Ann Smith", ((0, 9, "PATIENT"), (4, 9, "DOCTOR")), "en"))


def test_notes_stand_beside_their_twins():
    notes = [note("[[CITY|Salem]]"), note("No identifier here.")]
    made = versions(MAKER, notes)
    assert made[ORIGINALS] == notes
    assert made[SURROGATES][1] == notes[1]
    assert made == versions(MAKER, notes)


@given(
    st.lists(
        st.tuples(
            st.sampled_from(["PATIENT", "DATE", "PHONE", "HOSPITAL", "CITY", "YEAR"]),
            st.text("Ab 1/é", min_size=1, max_size=8),
            st.text("x .\n", max_size=4),
        ),
        max_size=6,
    )
)
def test_whatever_is_marked_only_the_marked_changes(pieces):
    one = note("".join(f"[[{label}|{value}]]{after}" for label, value, after in pieces))
    other = twin(MAKER, one)
    assert [label for _, label in marked_values(other)] == [
        label for _, label in marked_values(one)
    ]
    assert between(other) == between(one)
