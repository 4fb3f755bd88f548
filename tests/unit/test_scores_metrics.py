from __future__ import annotations

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st
from marked_spans import place

from stream_deid.labels import PhiType
from stream_deid.note import Detection
from stream_deid.training.scores.counts import Counts, Score, total
from stream_deid.training.scores.metrics import Mark, marks, score_note
from stream_deid.training.scores.tables import note_types_table, systems_table, types_table

TEXT = "Dr. Ana Ruiz saw John Smith, 67, on 3/4/2019 at Mercy Clinic in 2018."


def _mark(value: str, label: str) -> Mark:
    return Mark(*place(TEXT, value), label)


GOLD = [
    _mark("Ana Ruiz", "DOCTOR"),
    _mark("John Smith", "PATIENT"),
    _mark("67", "AGE_U90"),
    _mark("3/4/2019", "DATE"),
    _mark("Mercy Clinic", "HOSPITAL"),
    _mark("2018", "YEAR"),
]


def test_counts_of_a_worked_example():
    said = [
        _mark("Ana Ruiz", "PATIENT"),  # wrong type: NER misses, binary tokens find
        _mark("Smith", "PATIENT"),  # half a name
        _mark("67", "AGE"),  # inside neutral gold: no false positive
        _mark("3/4/2019", "DATE"),
        _mark("saw", "PATIENT"),  # the false alarm
    ]
    score = score_note(TEXT, GOLD, said)
    assert score["ner"] == Counts(1, 3, 3)
    assert score["span"] == Counts(2, 2, 2)
    assert score["type.PATIENT"] == Counts(0, 3, 1)
    assert score["token.B"] == Counts(6, 1, 1)  # Ana Ruiz Smith 3 4 2019; saw; John
    assert score["token.A"] == Counts(4, 1, 1)  # without the doctor
    assert score["token.C"] == Counts(6, 1, 3)  # and Mercy, Clinic
    assert score["token.typed"] == Counts(4, 3, 5)
    assert score["tokens.DOCTOR"] == Counts(2, 0, 0)
    assert (score.sums["leaks.A"], score.sums["leaks.B"], score.sums["leaks.C"]) == (1, 1, 2)
    assert score.sums["whole.B"] == 0


def test_a_prediction_outside_the_group_is_no_false_alarm_of_it():
    score = score_note(TEXT, GOLD, [_mark("saw", "PROFESSION"), _mark("Mercy", "PATIENT")])
    assert score["token.B"].fp == 0  # PROFESSION isn't in B; Mercy is PHI of another group
    assert score["token.all"].fp == 1


def test_a_partly_covered_token_is_missed():
    start = TEXT.index("2019")
    said = [Mark(TEXT.index("3/4"), start + 2, "DATE")]
    assert score_note(TEXT, GOLD, said)["tokens.DATE"] == Counts(2, 0, 1)


def test_relaxed_lets_the_end_differ_by_two():
    near = Mark(*_mark("John Smith", "PATIENT")[:2], "PATIENT")
    for off, tp in ((2, 1), (3, 0)):
        said = [Mark(near.start, near.end - off, "PATIENT")]
        assert score_note(TEXT, GOLD, said)["ner.relaxed"].tp == tp
    shifted = [Mark(near.start + 1, near.end, "PATIENT")]
    assert score_note(TEXT, GOLD, shifted)["ner.relaxed"].tp == 0


def test_merged_spans_follow_the_published_script():
    text = "Nombre: Ana María - Gil; calle Sol 3"
    gold = [Mark(8, 17, "NOMBRE_SUJETO_ASISTENCIA"), Mark(20, 23, "NOMBRE_SUJETO_ASISTENCIA")]
    said = [Mark(8, 23, "NOMBRE_SUJETO_ASISTENCIA"), Mark(31, 36, "CALLE")]
    score = score_note(text, gold, said)
    assert score["span"] == Counts(0, 2, 2)
    assert score["span.merged"] == Counts(1, 1, 0)


def test_unseen_values_only():
    score = score_note(TEXT, GOLD, [_mark("John Smith", "PATIENT")], seen={"ana ruiz", "3/4/2019"})
    assert score["unseen"] == Counts(1, 0, 1)


def test_pager_counts_as_phone_and_unknown_labels_raise():
    assert score_note("p 4471", [Mark(2, 6, "PAGER")], [Mark(2, 6, "PHONE")])["ner"].tp == 1
    with pytest.raises(KeyError):
        score_note("p 4471", [Mark(2, 6, "NONSENSE")], [])


def test_marks_speak_the_guideline():
    found = [Detection(0, 3, PhiType.HOSPITAL, "m@1", label="CENTRO_SALUD")]
    found += [Detection(4, 6, PhiType.HOSPITAL, "p@1")]
    assert [m.label for m in marks(found, meddocan=True)] == ["CENTRO_SALUD", "HOSPITAL"]
    assert [m.label for m in marks(found)] == ["HOSPITAL", "HOSPITAL"]


spans = st.lists(st.integers(0, len(TEXT)), max_size=12, unique=True).map(
    lambda cuts: [
        Mark(a, b, ("PATIENT", "DATE", "HOSPITAL")[a % 3])
        for a, b in zip(sorted(cuts)[::2], sorted(cuts)[1::2], strict=False)
    ]
)


def overlapping(found: list[Mark]) -> bool:
    return any(a.end > b.start for a, b in pairwise(sorted(found)))


@given(spans, spans)
def test_laws(gold: list[Mark], said: list[Mark]):
    assert not overlapping(gold)
    score = score_note(TEXT, gold, said)
    for question in ("ner", "ner.relaxed", "span"):
        assert score[question].tp + score[question].fn == len(gold)
        assert score[question].tp + score[question].fp == len(said)
    assert score["span"].tp >= score["ner"].tp <= score["ner.relaxed"].tp
    assert score["span.merged"].fp <= score["span"].fp
    mirrored = score_note(TEXT, said, gold)
    assert (mirrored["ner"].fp, mirrored["ner"].fn) == (score["ner"].fn, score["ner"].fp)
    perfect = score_note(TEXT, gold, gold)
    assert all(c.fp == c.fn == 0 for c in perfect.counts.values())
    assert perfect.sums["leaks.all"] == 0
    both = score + perfect
    assert both["ner"] == score["ner"] + perfect["ner"]
    assert both.sums["notes"] == 2


def test_tables_print_what_was_counted():
    score = total([score_note(TEXT, GOLD, GOLD[:2]), score_note(TEXT, GOLD, [])])
    table = systems_table({"half": score}, ("ner", "token.B"), group="B")
    assert table.count("\n") == 3
    assert "| half | 1.000 / .250 / .400 | 1.000 / .286 / .444 |" in table
    assert "| DOCTOR | 2 | 1.000 | 0.500 | 0.667 | 0.500 |" in types_table(score)
    assert total([]) == Score()


def test_types_of_notes_with_few_notes_share_a_row():
    found, missed = score_note(TEXT, GOLD, GOLD), score_note(TEXT, GOLD, [])
    types = ["letter", "letter", "letter", "rare", "rarer"]
    table = note_types_table(types, [found, found, missed, missed, found], group="B")
    rows = [row.split(" | ") for row in table.splitlines()[2:]]
    assert [(kind.removeprefix("| "), count) for kind, count, *_ in rows] == [
        ("(others)", "2"), ("letter", "3"),
    ]  # fmt: skip
    assert rows[1][-1] == "67 % |"
    assert note_types_table(["rare", "rarer"], [found, missed], group="B") == ""
