"""Features stand where they should, and a small CRF learns names it never saw from layout."""

from __future__ import annotations

import pytest

pytest.importorskip("pycrfsuite")

from stream_deid.detect.neural.crf_features import features, shape
from stream_deid.detect.neural.crf_knowledge import Families
from stream_deid.detect.neural.feature_crf import FeatureCrf
from stream_deid.labels import PhiType
from stream_deid.text.tokens import tokenize
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.models.crf import Penalties, fit_crf

TEXT = "Nombre: Ana Ruiz\nNHC: 12345\n\nAcude por dolor: 3 dias.\n"


def _at(word: str) -> list[str]:
    tokens = tokenize(TEXT)
    return features(tokens)[tokens.words.index(word)]


def test_layout_features():
    assert {"key=nombre", "L1=nhc", "Lfirst=nombre", "Lfrom=0", "at=2"} <= set(_at("Ana"))
    assert {"key=nhc", "L-1=nombre", "dn=5", "d1=12"} <= set(_at("12345"))
    assert "key=" in _at("Nombre")  # the key of a line begins after its colon
    assert "key=acude por dolor" in _at("3")


def test_token_features():
    ana = set(_at("Ana"))
    assert {"w=ana", "f=Xxx", "p2=an", "s1=a", "w1=ruiz", "w-1=:", "w-1|w=:|ana"} <= ana
    assert {"d=3", "f=0"} <= set(_at("3"))
    assert len(features(tokenize(TEXT))) == len(tokenize(TEXT))


@pytest.mark.parametrize(("word", "expected"), [("McDonald", "XxXxx"), ("2019", "00"), ("-", "-")])
def test_shapes(word, expected):
    assert shape(word) == expected


def test_it_learns_from_the_layout(tmp_path):
    notes = []
    for i in range(30):
        name = f"{chr(65 + i % 26)}{'aeiou'[i % 5]}nx"
        text = f"Nombre: {name}\nMotivo: dolor {name[-2:]}\nPedro no es un paciente: alta.\n"
        spans = ((8, 8 + len(name), "NOMBRE_SUJETO_ASISTENCIA"),)
        notes.append(AnnotatedNote(str(i), text, spans, "es"))
    fit_crf(notes, tmp_path / "m.crfsuite", Penalties(iterations=30))
    crf = FeatureCrf((tmp_path / "m.crfsuite").read_bytes())
    text = "Nombre: Zulema\nMotivo: tos\nPedro no es un paciente: alta.\n"
    (found,) = crf.detect(text)
    assert (text[found.start : found.end], found.type) == ("Zulema", PhiType.PATIENT)
    assert found.label == "NOMBRE_SUJETO_ASISTENCIA"
    assert 0.5 < found.score <= 1.0
    assert crf.detect("") == crf.detect("  ") == []


@pytest.mark.parametrize(
    "families", [Families(), Families(lists=True), Families(True, "en"), Families(False, "es")]
)
def test_weights_tell_which_families_they_know(tmp_path, families):
    notes = []
    for i, name in enumerate(("Ana", "Luis", "Carmen", "Pedro", "Marta", "Diego") * 4):
        text = f"Vista {name} el 03/04/20{i + 10}. Refiere dolor.\n"
        end = 6 + len(name)
        spans = ((6, end, "NOMBRE_SUJETO_ASISTENCIA"), (end + 4, end + 14, "FECHAS"))
        notes.append(AnnotatedNote(str(i), text, spans, "es"))
    fit_crf(notes, tmp_path / "m.crfsuite", Penalties(iterations=20), families)
    model = (tmp_path / "m.crfsuite").read_bytes()
    assert Families.of_weights(model) == families
    text = "Vista Rosa el 21/09/2004. Refiere tos.\n"
    assert "21/09/2004" in {text[d.start : d.end] for d in FeatureCrf(model).detect(text)}
