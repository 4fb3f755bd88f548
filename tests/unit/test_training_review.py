"""Sentences for reviewers: picked by doubt, corrected as text, taken back with what changed."""

from __future__ import annotations

import codecs
from dataclasses import replace

import pytest
from marked_spans import place

from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Finding
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import systems
from stream_deid.training.review.agreement import Agreement, agreement
from stream_deid.training.review.command import run_pick, run_take
from stream_deid.training.review.pick import pick
from stream_deid.training.review.take import DONE, marked_text, take

TEXT = "Seen by Marsh today. No acute distress. Call Ana Ruiz at noon. Hodgkin disease is known."


def finding(words, phi=PhiType.DOCTOR, score=0.99):
    return Finding(*place(TEXT, words), phi, ("m",), score, phi.value)


def note(text, *spans, name="n1", kind=""):
    return AnnotatedNote(name, text, spans, "en", kind)


def picked(first, second, most=9):
    return pick([note(TEXT)], {"a": [first], "b": [second]}, most)


def test_what_systems_disagree_on_comes_first_and_certain_sentences_are_left():
    ana = finding("Ana Ruiz", PhiType.PATIENT)
    unsure = finding("Marsh", score=0.4)
    chosen = picked([ana, unsure, finding("Hodgkin")], [ana, unsure])
    assert [(s.text, s.reason) for s in chosen] == [
        ("Hodgkin disease is known.", "disagree"), ("Seen by Marsh today.", "unsure"),
    ]  # fmt: skip


def test_the_proposal_is_the_first_systems_and_what_others_have_beside_it():
    (one,) = picked([finding("Ana", PhiType.PATIENT)], [finding("Ruiz"), finding("Ana Ruiz")])
    assert [(one.text[a:b], label) for a, b, label in one.spans] == [
        ("Ana", "PATIENT"), ("Ruiz", "DOCTOR"),
    ]  # fmt: skip


def test_a_sentence_is_asked_for_once_and_no_more_than_wanted():
    notes = [note(TEXT, name=name) for name in ("n1", "n2")]
    doubt = [finding("Marsh", score=0.3)], [finding("Marsh", score=0.3)]
    assert len(pick(notes, {"a": doubt}, 9)) == 1
    assert pick(notes, {"a": doubt}, 0) == []


GIVEN = note("Seen by Marsh, Hodgkin disease.", (8, 13, "PATIENT"), (15, 22, "DOCTOR"))


def test_changes_are_counted():
    back = note(GIVEN.text, (0, 4, "DATE"), (8, 13, "DOCTOR"), kind=DONE)
    done, changes = take([GIVEN], [back, note("x", name="left", kind="review")])
    assert done == [back]
    assert (changes.reviewed, changes.left, changes.gone) == (1, 1, 0)
    assert (changes.same, changes.added, changes.removed, changes.retyped) == (0, 1, 1, 1)


@pytest.mark.parametrize(
    ("back", "code"),
    [
        (note("Seen by Marsh.", kind=DONE), r"review\.text"),
        (note(GIVEN.text, name="other", kind=DONE), r"review\.unknown"),
        (note(GIVEN.text, (0, 4, "NAMES"), kind=DONE), r"review\.label"),
    ],
)
def test_what_is_more_than_a_correction_of_marks_is_refused(back, code):
    with pytest.raises(Halt, match=code):
        take([GIVEN], [back])


def test_through_files_as_a_reviewer_does_it(tmp_path, capsys):
    sheet, out = tmp_path / "sheet.txt", tmp_path / "train.txt"
    sheet.with_suffix(".txt.given").write_text(marked_text([GIVEN], ["unsure"]), "utf-8")
    corrected = marked_text([GIVEN], ["unsure"]).replace("[[DOCTOR|Hodgkin]]", "Hodgkin")
    sheet.write_text(corrected.replace("| review |", "| reviewed |"), "utf-8")
    assert run_take(sheet, "en", out) == 0
    assert "1 sentences taken, 0 still to review; spans: 1 as proposed, 0 added, 1 removed" in (
        capsys.readouterr().out
    )
    (taken,) = corpora.marked(out, "en")
    assert taken.text == GIVEN.text
    assert taken.spans == ((8, 13, "PATIENT"),)


def test_a_sheet_that_an_editor_saved_its_own_way_loses_no_sentence(tmp_path, capsys):
    sheet, out = tmp_path / "sheet.txt", tmp_path / "train.txt"
    given = marked_text([replace(GIVEN, id=f"n{n}") for n in range(4)], ["unsure"] * 4)
    sheet.with_suffix(".txt.given").write_text(given, "utf-8")
    done = given.replace("| review |", "| reviewed |").replace("\n", "\r\n")
    sheet.write_bytes(codecs.BOM_UTF8 + done.encode())
    assert run_take(sheet, "en", out) == 0
    assert "4 sentences taken, 0 still to review; spans" in capsys.readouterr().out


def test_a_sentence_whose_head_was_broken_is_told_of(tmp_path, capsys):
    sheet, out = tmp_path / "sheet.txt", tmp_path / "train.txt"
    given = marked_text([GIVEN, replace(GIVEN, id="n2")], ["unsure"] * 2)
    sheet.with_suffix(".txt.given").write_text(given, "utf-8")
    sheet.write_text(given.replace("| review |", "| reviewed |").replace("=== n1", "==n1"), "utf-8")
    run_take(sheet, "en", out)
    assert "1 sentences taken, 0 still to review, 1 no longer in the sheet" in (
        capsys.readouterr().out
    )


def test_kappa_is_that_of_the_papers_table():
    table = Agreement(both=185455, first=4919, second=5411, none=1483221)
    assert table.observed == pytest.approx(0.9938, abs=5e-5)
    assert table.kappa == pytest.approx(0.9694, abs=5e-4)


def test_agreement_counts_words_of_any_type():
    one, other = (
        note("Ana saw Eve", (0, 3, "PATIENT"), *more) for more in ((), ((8, 11, "CITY"),))
    )
    found = agreement([one], [other])
    assert (found.both, found.first, found.second, found.none) == (1, 0, 1, 1)
    with pytest.raises(Halt, match=r"agree\.notes"):
        agreement([one], [note("Ana saw him")])


@pytest.mark.parametrize("wrong", [["patterns"], ["=patterns"], ["a=patterns", "a=crf:"], [""]])
def test_a_system_without_a_name_of_its_own_is_told(wrong, tmp_path):
    for ask in (
        lambda: run_pick("jsonl:en:none", wrong, tmp_path, tmp_path / "sheet.txt", 9),
        lambda: systems.main("jsonl:en:none", wrong, tmp_path),
    ):
        with pytest.raises(Halt, match=r"^system\.name"):
            ask()


def test_significance_is_asked_against_a_system_that_is_there(tmp_path):
    with pytest.raises(Halt, match=r"--against b: systems are a"):
        systems.main("jsonl:en:none", ["a=patterns"], tmp_path, against="b")
