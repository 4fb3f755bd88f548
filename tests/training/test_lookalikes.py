"""What looks like an identifier changes; what is marked does not."""

import random
from pathlib import Path

import pytest
from marked_spans import marked_values

from stream_deid.errors import Halt
from stream_deid.training.data import corpora
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.data.lookalikes import Lookalikes

ROOT = Path(__file__).parents[2]
WORDS = {"disease": ("Graves disease", "Bell's palsy"), "abbr": ("RB", "FK")}
MADE = Lookalikes(WORDS, ["PMH {disease}, {disease}", "{abbr} y"])
TEXT, SPANS = corpora.unmark(
    "Dr. [[DOCTOR|Graves]] saw [[PATIENT|Bell]]. PMH Bell's palsy, pain 4/10.\n"
    "FK 7 for Graves disease\nsigned [[DOCTOR|Graves]]"
)
NOTE = AnnotatedNote("n", TEXT, tuple(SPANS), "en")


def drawn(seed: int) -> AnnotatedNote:
    return MADE.vary(NOTE, random.Random(seed))


def test_marked_values_and_their_labels_stay() -> None:
    for seed in range(200):
        note = drawn(seed)
        assert marked_values(note) == [
            ("Graves", "DOCTOR"), ("Bell", "PATIENT"), ("Graves", "DOCTOR"),
        ]  # fmt: skip


def test_eponyms_abbreviations_and_figures_become_others_of_their_kind() -> None:
    texts = [drawn(seed).text for seed in range(200)]
    assert any("PMH Graves disease, pain" in t for t in texts)
    assert any("RB 7 for" in t for t in texts)
    assert any("pain 4/10" not in t for t in texts)


def test_phrases_are_set_between_sentences_and_lines() -> None:
    texts = [drawn(seed).text for seed in range(200)]
    assert any("saw Bell. PMH " in t and t.count("PMH") == 2 for t in texts)
    assert any("\nRB y" in t or "\nFK y" in t for t in texts)
    assert all("{" not in t for t in texts)


def test_the_same_seed_draws_the_same() -> None:
    assert drawn(5) == drawn(5)


def test_a_slot_without_words_is_named() -> None:
    with pytest.raises(Halt, match="device"):
        Lookalikes(WORDS, ["{device} placed"])


@pytest.mark.parametrize("language", ["en", "es"])
def test_the_projects_own_lists_fill_every_slot_of_its_phrases(language: str) -> None:
    made = Lookalikes.read(ROOT / "corpora/lookalikes" / language)
    assert "{" not in "".join(made.phrase(random.Random(k)) for k in range(500))


def test_nothing_marked_is_lost_in_the_training_notes() -> None:
    made = Lookalikes.read(ROOT / "corpora/lookalikes/en")
    for note in corpora.load("marked:en:corpora/train/en/third", ROOT)[:60]:
        varied = made.vary(note, random.Random(note.id))
        assert [varied.text[a:b] for a, b, _ in varied.spans] == [
            note.text[a:b] for a, b, _ in note.spans
        ]
