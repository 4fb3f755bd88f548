"""One note, one language: guessed where the message names none, and kept for all that follows."""

import pytest

from stream_deid.text.language import guess

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
