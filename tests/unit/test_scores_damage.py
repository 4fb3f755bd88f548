"""What is changed wrongly, by what it hits."""

import pytest

from stream_deid.training.scores.damage import damage, kind
from stream_deid.training.scores.metrics import Mark, score_note

TEXT = "Pain 6/10, Dr. Chen. Graves disease since 2019."


@pytest.mark.parametrize(
    ("shown", "after", "is_a"),
    [
        ("6/10", ", then", "quantity"),
        ("12", " mg", "quantity"),
        ("71046", ".", "code or number"),
        ("Graves", " disease", "eponym"),
        ("NKA", ".", "abbreviation"),
        ("shrimp", ".", "word"),
    ],
)
def test_kinds_of_damage(shown: str, after: str, is_a: str) -> None:
    assert kind(shown, after) == is_a


def test_only_what_touches_nothing_marked_and_would_change_is_damage() -> None:
    said = [Mark(5, 9, "DATE"), Mark(15, 19, "DOCTOR"), Mark(21, 27, "PATIENT")]
    said += [Mark(42, 46, "DATE")]
    assert damage(TEXT, said, [Mark(11, 19, "DOCTOR")]) == {"hit.quantity": 1, "hit.eponym": 1}


def test_a_note_is_sound_without_leak_and_without_damage() -> None:
    gold = [Mark(15, 19, "DOCTOR")]
    assert score_note(TEXT, gold, gold).sums["sound.all"] == 1
    assert score_note(TEXT, gold, []).sums["sound.all"] == 0
    assert score_note(TEXT, gold, [*gold, Mark(5, 9, "DATE")]).sums["sound.all"] == 0
