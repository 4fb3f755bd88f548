"""A person of the note is that person where somebody took the name for an institution's."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import in_order
from surrogate_helpers import KEY

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_census
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.note import Finding, Known, Note, Part
from stream_deid.surrogate import Policy, Surrogates, rewrite

MAKER = Surrogates(Policy.named("expert-determination", {}), KEY)
SAY_WHAT_IT_IS = Vocabulary("names_practices", "surrogates").words("of_persons")
"""Of a Dr. House "House's office" tells nothing: the word says what a place is."""
SURNAMES = sorted(n.capitalize() for n in load_census().family - SAY_WHAT_IT_IS if len(n) > 4)[::40]


def made(text: str, *spans: tuple[str, str], language: str = "en", score: float = 1.0, known=()):
    """The clean text; `spans`: (type, value), each found at its first place behind the last."""
    found = in_order(text, spans, score)
    note = Note("n", "p", (Part(text),), language, tuple(known))
    (edits,) = MAKER.edits(note, [found])
    return rewrite(text, edits)


@given(st.sampled_from(SURNAMES), st.sampled_from(["HOSPITAL", "ORGANIZATION", "LOCATION_OTHER"]),
       st.sampled_from(["{0}'s office", "{0}'s nurse", "the {0} group", "{0}", "{0}'s",
                        "Dr. {0}'s practice", "{0}’s team"]))  # fmt: skip
def test_a_persons_office_is_called_by_the_persons_surrogate(name: str, phi: str, form: str):
    span = form.format(name)
    out = made(f"Dr. Chidi {name} saw her; called {span} again", ("DOCTOR", f"Chidi {name}"),
               (phi, span))  # fmt: skip
    who, _, rest = out.partition(" saw her; called ")
    assert rest == form.format(who.split()[-1]) + " again"


@pytest.mark.parametrize(
    ("span", "kept"),
    [("la consulta de Olabarri", "la consulta de "), ("equipo Olabarri", "equipo "),
     ("consultorio del Dr. Olabarri", "consultorio del Dr. ")],
)  # fmt: skip
def test_a_spanish_office_is_too(span: str, kept: str):
    text = f"Dr. Olabarri presente; llama a {span}."
    out = made(text, ("DOCTOR", "Olabarri"), ("HOSPITAL", span), language="es")
    who = out.split()[1]
    assert out.endswith(f"llama a {kept}{who}.")


def test_the_records_surname_is_told_by_the_record():
    known = [Known(PhiType.PATIENT, "Early", "patient", "family")]
    out = made("Early's nurse and Mr. Early", ("HOSPITAL", "Early's nurse"), ("PATIENT", "Early"),
               known=known)  # fmt: skip
    name = out.split()[-1]
    assert out == f"{name}'s nurse and Mr. {name}"


@pytest.mark.parametrize(
    ("text", "spans"),
    [
        ("Dr. Ashlar of Ashlar Clinic, back at Ashlar",
         [("DOCTOR", "Ashlar"), ("HOSPITAL", "Ashlar Clinic"), ("HOSPITAL", "Ashlar")]),
        ("Mercy Jones, seen at Mercy today", [("PATIENT", "Mercy Jones"), ("HOSPITAL", "Mercy")]),
        ("Ann Johnson, of Johnson Memorial Hospital",
         [("PATIENT", "Ann Johnson"), ("HOSPITAL", "Johnson Memorial Hospital")]),
    ],
)  # fmt: skip
def test_an_institution_of_that_name_stays_one(text: str, spans: list[tuple[str, str]]):
    note = Note("n", "p", (Part(text),), "en")
    found = in_order(text, spans)
    (edits,) = MAKER.edits(note, [found])
    assert edits[-1].finding == found[-1]


def test_one_word_taken_for_a_person_is_one_where_that_is_surer():
    text = "Early came. Early's nurse called."
    place = Finding(12, 17, PhiType.HOSPITAL, ("test@1",), 0.55)
    for score, phi in ((0.6, PhiType.PATIENT), (0.3, PhiType.HOSPITAL)):
        person = Finding(0, 5, PhiType.PATIENT, ("test@1",), score)
        (edits,) = MAKER.edits(Note("n", "p", (Part(text),), "en"), [[person, place]])
        assert edits[-1].finding.type is phi
