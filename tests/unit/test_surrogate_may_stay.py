"""What stays under a policy that keeps a type is a word of that type, whatever the field says."""

import pytest

from stream_deid.detect.examination import Language
from stream_deid.errors import NoteRejected
from stream_deid.labels import PhiType
from stream_deid.note import Finding, Known, Note, Part, Span
from stream_deid.pipeline import Pipeline
from tests.unit.surrogate_helpers import edits_of, surrogates

STAYS = {
    "STATE": ("MA", "Massachusetts", "Calif.", "PR", "Ontario", "Madrid", "N/A", "Virginia"),
    "COUNTRY": ("USA", "Spain", "España", "DEU", "mx", "Unknown"),
    "SEX": ("M", "female", "Mujer", "unknown", "other", "A"),
}
GOES = {
    "STATE": ("Kettlebury", "Okonjo", "219-09-9999", "Apt 4B", "MA Okonjo", "Springfield"),
    "COUNTRY": ("Kettlebury", "Wilhelmina Okonjo", "219-09-9999", "12 Birch Lane"),
    "SEX": ("Okonjo", "219-09-9999"),
}


@pytest.mark.parametrize(("phi", "text"), [(p, t) for p, all_ in STAYS.items() for t in all_])
def test_words_of_a_kept_type_stay(phi, text):
    (edit,) = edits_of(surrogates("safe-harbor"), [(phi, text)])
    assert (edit.replacement, edit.strategy) == (text, "keep")


@pytest.mark.parametrize(("phi", "text"), [(p, t) for p, all_ in GOES.items() for t in all_])
def test_what_else_stands_in_the_field_of_a_kept_type_goes(phi, text):
    (edit,) = edits_of(surrogates("safe-harbor"), [(phi, text)])
    assert text not in edit.replacement
    assert "Okonjo" not in edit.replacement


def test_the_last_look_sees_structured_fields_too():
    known = (Known(PhiType.PATIENT, "Okonjo", role="family"),)
    part = Part("MA Okonjo", "PID-11.4", examine=False, declared=(Span(0, 2, PhiType.STATE),))
    made = Pipeline({"en": Language((), (), pooled=False)}, surrogates("safe-harbor"), "r")
    pending = made.begin(Note("n", "p", (part,), "en", known=known))
    with pytest.raises(NoteRejected) as raised:
        made.finish(pending, ())
    assert raised.value.code == "note.residue"


@pytest.mark.parametrize("text", ["219-09-9999", "Wilhelmina Okonjo"])
def test_a_limited_data_set_keeps_towns_and_no_more(text):
    (edit,) = edits_of(surrogates("limited-data-set"), [("STATE", text)])
    assert text not in edit.replacement
    (edit,) = edits_of(surrogates("limited-data-set"), [("STATE", "Springfield")])
    assert edit.strategy == "keep"


@pytest.mark.parametrize(
    ("known", "text", "goes"),
    [
        ([("STREET", "Larrañaga 1234")], "Larrañaga", True),
        ([("STREET", "Calle de Larrañaga 12, 3º B")], "larrañaga", True),
        ([("HOSPITAL", "Montevideo")], "Montevideo", True),
        ([("PATIENT", "Lincoln")], "Lincoln", True),
        ([("STREET", "Lincoln Street 12"), ("CITY", "Lincoln")], "Lincoln", False),
        ([("STREET", "Larrañaga 1234")], "Montevideo", False),
    ],
)
def test_what_the_record_states_is_no_town_that_stays(known, text, goes):
    record = tuple(Known(PhiType[kind], value) for kind, value in known)
    note = Note("n", "p", (Part(text, "t"),), "es", known=record)
    found = [[Finding(0, len(text), PhiType.CITY, ("model@1",))]]
    ((edit,),) = surrogates("limited-data-set").edits(note, found)
    assert (edit.strategy != "keep") is goes
    assert (text not in edit.replacement) is goes
