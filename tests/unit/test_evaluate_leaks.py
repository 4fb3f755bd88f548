"""The papers' tables of what leaks."""

from __future__ import annotations

import pytest

from stream_deid.labels import PhiType
from stream_deid.note import Finding
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import leaks
from stream_deid.training.evaluate.systems import compare
from stream_deid.training.scores.metrics import Mark, score_note

TEXT = "Seen by Ana Low on 4/7/2019. Rx to CVS. Seen by Ana Low on 4/7/2019. Call 555-0147."
GOLD = [
    Mark(8, 15, "DOCTOR"), Mark(19, 27, "DATE"), Mark(35, 38, "HOSPITAL"),
    Mark(48, 55, "DOCTOR"), Mark(59, 67, "DATE"), Mark(74, 82, "PHONE"),
]  # fmt: skip
NOTES = [
    AnnotatedNote("a", TEXT, tuple(GOLD), "en"),
    AnnotatedNote("b", TEXT, tuple(GOLD), "en"),
    AnnotatedNote("c", "No identifier.", (), "en"),
]
HALF = [Mark(8, 11, "DOCTOR"), Mark(19, 27, "DATE"), Mark(48, 51, "DOCTOR"), *GOLD[4:]]
SAID = [HALF, GOLD[:5], [Mark(0, 2, "CITY")]]


def cells(table):
    return [[c.strip() for c in row.strip("|").split(" | ")] for row in table.splitlines()[2:]]


def test_errors_by_category_with_their_part_of_recall():
    left = leaks.leaks_of(NOTES, SAID, "B")
    assert [[m.label for m in of] for of in left] == [["DOCTOR", "DOCTOR"], ["PHONE"], []]
    rows = cells(leaks.errors_table(NOTES, left, "B", examples=2))
    assert [row[:4] for row in rows] == [
        ["DOCTOR", "2", "1", "20.0000 %"], ["PHONE", "1", "1", "10.0000 %"],
        ["all", "3", "2", "30.0000 %"],
    ]  # fmt: skip
    assert ">>>Ana Low<<<" in rows[0][4]
    assert ">>>555-0147<<<" in rows[1][4]


def test_texts_of_notes_are_shown_to_nobody_who_did_not_ask():
    left = leaks.leaks_of(NOTES, SAID, "B")
    whole = leaks.report(NOTES, left, score_note(TEXT, GOLD, HALF), "B")
    assert "Ana" not in whole
    assert "0147" not in whole


def test_errors_a_note_with_coverage():
    left = leaks.leaks_of(NOTES, SAID, "B")
    assert cells(leaks.notes_table(left, 10)) == [
        ["0", "1", "33.3 %", "0", "0", "0.7000", "0.00"],
        ["1", "1", "66.7 %", "1", "1", "0.8000", "1.00"],
        ["2", "1", "100.0 %", "2", "3", "1.0000", "1.00"],
    ]


def test_coverage_is_that_of_the_papers_table_5():
    notes = (9363, 525, 80, 10, 6, 6, 2, 2, 2, 3, 1)
    found = leaks.coverage(dict(enumerate(notes)), round(208 / 0.001461))
    assert [errors for _, errors, _ in found] == [
        0, 525, 685, 715, 739, 769, 781, 795, 811, 838, 848,
    ]  # fmt: skip
    printed = (0.9940, 0.9978, 0.9989, 0.9991, 0.9992, 0.9994, 0.9995, 0.9996, 0.9997, 0.9999, 1)
    assert [covered for *_, covered in found] == pytest.approx(printed, abs=1.1e-4)
    assert found[-1][0] == 10000


def test_words_by_class_and_type():
    said = [*HALF, Mark(0, 4, "CITY")]
    assert cells(leaks.classes_table(score_note(TEXT, GOLD, said))) == [
        ["dates", "", "6", "1.000 (0)", "1.000 (0)"],
        ["", "DATE", "6", "", "1.000 (0)"],
        ["names", "", "4", "1.000 (0)", "0.500 (2)"],
        ["", "DOCTOR", "4", "", "0.500 (2)"],
        ["locations", "", "0", "0.000 (1)", "1.000 (0)"],
        ["organizations", "", "1", "1.000 (0)", "0.000 (1)"],
        ["", "HOSPITAL", "1", "", "0.000 (1)"],
        ["contacts", "", "2", "1.000 (0)", "1.000 (0)"],
        ["", "PHONE", "2", "", "1.000 (0)"],
    ]


def test_every_type_has_a_class():
    assert sorted(phi for types in leaks.CLASSES.values() for phi in types) == sorted(PhiType)


def test_f1_of_words_side_by_side():
    systems = {"one": score_note(TEXT, GOLD, HALF), "two": score_note(TEXT, GOLD, GOLD)}
    rows = cells(leaks.categories_table(systems))
    assert ["names", "4", "0.667", "1.000"] in rows
    assert ["organizations", "1", "0.000", "1.000"] in rows


def test_what_one_finds_and_the_other_misses():
    left = {
        "one": leaks.leaks_of(NOTES, SAID, "B"),
        "two": leaks.leaks_of(NOTES, [GOLD, GOLD[:2], []], "B"),
    }
    assert cells(leaks.differences_table(NOTES, left, "one", "two")) == [
        ["dates", "1", "0"],
        ["names", "1", "2"],
    ]
    (dates, names) = cells(leaks.differences_table(NOTES, left, "one", "two", examples=1))
    assert ">>>4/7/2019<<<" in dates[3]
    assert ">>>Ana Low<<<" in names[4]


def found(said):
    return [
        [Finding(m.start, m.end, PhiType(m.label), ("x",), 1.0, m.label) for m in marks]
        for marks in said
    ]


def test_compare_has_them():
    systems = {"one": found(SAID), "two": found([GOLD, GOLD, []])}
    text = compare(NOTES, systems, examples=1)
    for head in ("what leaks", "errors in a note", "class", "F1 of words", "found by one alone"):
        assert f"| {head} |" in text
    assert ">>>Ana Low<<<" in text
    assert "found by one alone" not in compare(NOTES, {"one": systems["one"]})


@pytest.mark.parametrize(("language", "tokens"), [("en", "group B"), ("es", "binary")])
def test_significance_is_told_by_entity_and_by_binary_token(language, tokens):
    notes = [AnnotatedNote(note.id, note.text, note.spans, language) for note in NOTES]
    systems = {"one": found(SAID), "two": found([GOLD, GOLD, []])}
    text = compare(notes, systems, "one")
    for question in ("NER", f"tokens, {tokens}"):
        head = f"| p against one ({question}) | precision | recall | F1 |"
        assert cells(text[text.index(head) :])[0][0] == "two"
    assert "p against" not in compare(notes, systems)


@pytest.mark.parametrize("language", ["en", "es"])
def test_compare_asks_by_entity_and_by_token_with_type_in_either_language(language):
    notes = [AnnotatedNote(note.id, note.text, note.spans, language) for note in NOTES]
    text = compare(notes, {"one": found(SAID)})
    assert "| NER P / R / F1 |" in text
    assert "| tokens, typed P / R / F1 |" in text
