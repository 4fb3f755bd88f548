"""The last figures of a number are found, agree with the surrogate of what they end, and are no
age and no year whatever a model takes them for.
"""

import pytest
from marked_spans import place
from test_surrogate_weekdays import released

from stream_deid.detect.patterns import Patterns
from stream_deid.detect.settle.fusion.voting import vote
from stream_deid.labels import PhiType
from stream_deid.note import Detection


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "MRN 8834198; the card ends in {198}, the account ends in {98}."),
        ("en", "MRN 8834198: last 3 digits {198}, last two of MRN: {98}, cell ends in {4198}."),
        ("en", "MRN 8834198 (ends in {4198})."),
        ("es", "NHC 8834198, termina en {198}; la tarjeta que termina en {98}."),
        ("es", "NHC 8834198: últimos 3 dígitos {198}, DNI acabado en {98}, acaba en {4198}."),
    ],
)
def test_they_agree_with_what_they_end(language, text):
    made = released(text.replace("{", "").replace("}", ""), language)
    number = "".join(c for c in made[4:13] if c.isdecimal())
    assert number != "8834198"
    for piece in text.split("{")[1:]:
        figures = piece.partition("}")[0]
        assert number[-len(figures) :] in made[13:]
        assert figures not in made


@pytest.mark.parametrize(
    ("language", "text"),
    [
        ("en", "The course ends in 98 days, the trial ends in 95, the lease ends in 2023."),
        ("es", "El ciclo termina en 98 días, la quimio acaba en 95."),
    ],
)
def test_what_ends_in_time_stays(language, text):
    assert released(text, language) == text


@pytest.mark.parametrize(
    ("language", "text", "figures"),
    [
        ("es", "NHC que termina en 198.", "198"),
        ("en", "SSN ends in 95.", "95"),
        ("en", "cell ending in 1982.", "1982"),
    ],
)
@pytest.mark.parametrize("phi", [PhiType.AGE, PhiType.DATE])
def test_no_model_makes_an_age_of_them(language, text, figures, phi):
    model = Detection(*place(text, figures), phi, "bert@1", 0.99)
    found = vote(text, [*Patterns(language).detect(text), model])
    (one,) = (f for f in found if text[f.start : f.end] == figures)
    assert one.type in (PhiType.IDNUM, PhiType.PHONE)
