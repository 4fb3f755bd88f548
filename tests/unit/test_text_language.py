"""One note, one language: guessed where the message names none, and kept for all that follows."""

from pathlib import Path

import pytest

from stream_deid.text.language import foreign, guess
from stream_deid.training import recipe

PROJECT = Path(__file__).parents[2]
FRENCH = "Dyspnée depuis trois jours, sans fièvre. Retour demain avec son épouse."
BOTH = ("en", "es")


@pytest.mark.parametrize(
    ("text", "language"),
    [
        ("Pt seen in clinic today, no acute distress, continue metformin.", "en"),
        ("No SOB. No CP. A&O x3. D/c home w/ PO abx.", "en"),
        ("Paciente que acude por dolor torácico de dos horas de evolución.", "es"),
        ("TAC craneal sin hallazgos. Alta a domicilio.", "es"),
        ("VARON 63A, HTA, DM2, NO ALERGIAS, INGRESA POR ACV", "es"),
        ("Seen w/ daughter Maria de la Cruz, who lives on Calle Ocho.", "en"),
        ("Ingresa en el Boston Medical Center desde urgencias.", "es"),
        ("Spanish only: refiere dolor abdominal desde ayer, niega fiebre y no ha comido.", "es"),
    ],
)
def test_short_and_mixed_notes(text, language):
    assert guess(text, BOTH) == language


@pytest.mark.parametrize("text", ["", "12.4  138/72  97%", "03/04/2021", "\n\t", "—"])
def test_a_note_that_says_nothing_gets_the_first_language(text):
    assert guess(text, BOTH) == "en"
    assert guess(text, BOTH[::-1]) == "es"


def test_one_configured_language_needs_no_guess():
    assert guess("Paciente con dolor", ("en",)) == "en"


@pytest.mark.parametrize(
    ("text", "language"),
    [
        (f"Patient de 64 ans admis pour douleur thoracique. {FRENCH}", "fr"),
        ("Der Patient wurde am 3. März aufgenommen. Die Tochter ist auf dem Weg.", "de"),
        ("Internado por dor torácica. Refere dispneia há três dias, não fuma, com tosse.", "pt"),
        ("Dolor toràcic. Alta prevista demà amb la seva dona, però sense febre.", "ca"),
        ("患者は六十四歳の男性で、三日前から胸痛がある。", "und"),
        ("Пациент поступил с болью в груди, температура нормальная.", "und"),
    ],
)  # fmt: skip
def test_a_note_in_neither_language_is_known(text, language):
    assert foreign(text, BOTH) == language
    assert foreign(text, (*BOTH, language)) in {"", "und"}


def test_no_hand_written_note_is_foreign():
    notes = [
        *recipe.load("jsonl:en:corpora/dev/en_dev.jsonl", PROJECT),
        *recipe.load("jsonl:es:corpora/dev/es_dev.jsonl", PROJECT),
        *recipe.load("marked:en:corpora/dev/noisy/en", PROJECT),
        *recipe.load("marked:es:corpora/dev/noisy/es", PROJECT),
        *recipe.load("marked:es:corpora/train/es", PROJECT),
    ]
    assert [note.id for note in notes if foreign(note.text, BOTH)] == []


@pytest.mark.parametrize(
    "text", ["Ｎａｄｉａ　Ｆｒｏｓｔ　ｓｅｅｎ", "Dr. Müller und Frau die die der", "ok"]
)
def test_odd_letters_and_a_few_words_are_not_foreign(text):
    assert foreign(text, BOTH) == ""
