"""Marked lines set into clinical text: what is left out, what is marked, exact spans."""

import json
import sys
from pathlib import Path

import pytest

sys.path.insert(0, str(Path(__file__).parent))
import bert_parts as parts

from stream_deid.training.data import corpora
from stream_deid.training.data.gazetteers import Gazetteers
from stream_deid.training.data.insertion import Insertion, carriers, donors, marked_carriers

REPORT = (
    "PROCEDURE: , The patient was prepped with Betadine.  A Foley catheter was placed.,"
    "FINDINGS: , Gram stain was negative.  Dr. X was present.  The Bovie was set to 40.  "
    "She was seen at Lakeside Hospital.  Mr. ABC tolerated it well.  His wife is here.  "
    "He went home on March 3.  The wound was closed with Vicryl."
)


def never(_word: str, _rare: bool) -> bool:
    return False


def texts(found):
    return [text for one in found for text, _ in one.pieces]


def test_sentences_that_may_hold_an_identifier_are_left_out():
    kept = texts(carriers([("a", REPORT)], never))
    assert "A Foley catheter was placed." in kept
    assert "The wound was closed with Vicryl." in kept
    assert not any("Lakeside" in t or "March" in t for t in kept)


def test_placeholders_of_people_become_marked_values():
    pieces = carriers([("a", REPORT)], never)[0].pieces
    marked = [(text, [(text[a:b], label) for a, b, label in spans]) for text, spans in pieces]
    assert ("Dr. Hale was present.", [("Hale", "DOCTOR")]) in marked
    assert ("Mr. Moreno tolerated it well.", [("Moreno", "PATIENT")]) in marked


def test_rare_names_are_left_out_and_terms_of_many_texts_are_kept(tmp_path):
    lists = Gazetteers(parts.gazetteers(tmp_path))
    many = [(str(i), "Good traction with a Kelly clamp.  Now stable.") for i in range(3)]
    found = carriers(
        [*many, ("b", "Care was resumed by Coleman again.  No fever.")], lists.maybe_name
    )
    assert "Good traction with a Kelly clamp." in texts(found)
    assert "No fever." in texts(found)
    assert not any("Coleman" in t for t in texts(found))


def test_composed_notes_are_exact_and_the_same_for_the_same_seed(tmp_path):
    path = tmp_path / "notes.txt"
    path.write_text(parts.NOTES, "utf-8")
    given = donors(corpora.marked(path, "en"))
    assert ("Rosa Delgado", "PATIENT") in {(t[a:b], k) for t, spans in given for a, b, k in spans}
    base = carriers([("a", REPORT * 4)], never)
    notes = Insertion(base, given, seed=3).notes(0, 40)
    assert notes == Insertion(base, given, seed=3).notes(0, 40)
    assert notes != Insertion(base, given, seed=4).notes(0, 40)
    values = {(n.text[a:b], label) for n in notes for a, b, label in n.spans}
    known = {(t[a:b], k) for t, spans in given for a, b, k in spans}
    people = {("Hale", "DOCTOR"), *((v, "PATIENT") for v in ("Moreno", "Dana", "Dana Moreno"))}
    assert values <= known | people
    assert values & known
    assert values & people


@pytest.mark.parametrize("suffix", ["csv", "jsonl"])
def test_unlabelled_texts_are_read_by_column(tmp_path, suffix):
    row = {"id": "1", "note": "No fever,\nno pain."}
    as_csv = 'id,note\n1,"No fever,\nno pain."\n'
    (tmp_path / f"t.{suffix}").write_text(as_csv if suffix == "csv" else json.dumps(row), "utf-8")
    found = list(corpora.plain(f"t.{suffix}:note", tmp_path))
    assert found == [(f"t.{suffix}-0", "No fever,\nno pain.")]


def test_running_text_of_marked_notes_keeps_its_spans():
    text = "Nombre: Ana Gil\nAcude a consulta por dolor lumbar que irradia. La paciente Ana mejora."
    note = corpora.AnnotatedNote("n", text, ((8, 15, "PATIENT"), (75, 78, "PATIENT")), "es")
    (carrier,) = marked_carriers([note], shortest=20)
    assert [t for t, _ in carrier.pieces] == [
        "Acude a consulta por dolor lumbar que irradia.",
        "La paciente Ana mejora.",
    ]
    ((_, none), (sentence, ((a, b, label),))) = carrier.pieces
    assert none == ()
    assert (sentence[a:b], label) == ("Ana", "PATIENT")


def test_plain_texts_come_from_columns_and_from_folders_of_json(tmp_path):
    (tmp_path / "a.csv").write_text("ID,note\n1,No fever.\n", "utf-8")
    (tmp_path / "consultations").mkdir()
    (tmp_path / "consultations" / "one.json").write_text('{"note": "Sore throat."}', "utf-8")
    assert list(corpora.plain("a.csv:note", tmp_path)) == [("a.csv-0", "No fever.")]
    assert list(corpora.plain("consultations:note", tmp_path)) == [
        ("consultations/one", "Sore throat.")
    ]
