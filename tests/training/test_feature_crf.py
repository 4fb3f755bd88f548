"""Features stand where they should, and a small CRF learns names it never saw from layout."""

from __future__ import annotations

import pytest

pytest.importorskip("pycrfsuite")

from stream_deid import cli
from stream_deid.detect.neural import feature_crf
from stream_deid.detect.neural.crf_features import features, shape
from stream_deid.detect.neural.crf_knowledge import Families
from stream_deid.detect.neural.feature_crf import FeatureCrf
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.text.tokens import tokenize
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.run import crf as trained
from stream_deid.training.run.crf import Penalties, fit_crf

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


RECIPE = 'system = "crf"\n[data]\ntrain = ["marked:en:notes.txt"]\n'
NOTES = "".join(
    f"=== {n} | note | x\nSeen by [[DOCTOR|{name}]] for cough.\n\n"
    for n, name in enumerate(("Ashgrove", "Bellows", "Corwin", "Dunmore", "Ellery") * 6)
)


@pytest.fixture
def program(tmp_path, monkeypatch):
    """Where the CRF of a language would lie, in a folder of the test's own."""
    monkeypatch.setattr(trained, "weights", lambda language: tmp_path / f"crf_{language}.crfsuite")
    monkeypatch.setattr(feature_crf, "weights", trained.weights)
    (tmp_path / "notes.txt").write_text(NOTES)
    (tmp_path / "own.toml").write_text(RECIPE)
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("STREAM_DEID_DATA", str(tmp_path))
    return tmp_path


def test_a_run_of_ones_own_is_what_serves_after_export(program, capsys):
    assert cli.main(["train", "own.toml", "--out", "run"]) == 0
    assert cli.main(["models", "export", "own.toml", "run"]) == 0
    assert "crf_en.crfsuite" in capsys.readouterr().out
    crf = feature_crf.shipped("en")
    text = "Seen by Falmouth for cough.\n"
    (found,) = crf.detect(text)
    assert text[found.start : found.end] == "Falmouth"
    name, _, version = crf.detector.partition("@")
    assert (name, len(version)) == ("crf_en", 8)
    first = (program / "run/model.crfsuite").read_bytes()
    (program / "crf_en.crfsuite").write_bytes(first + b"\0")
    assert feature_crf.shipped("en").detector != crf.detector  # other weights, another version


@pytest.mark.parametrize("held", [None, b"no weights"])
def test_a_run_without_weights_is_no_crf_to_serve(program, held):
    (program / "run").mkdir()
    if held is not None:
        (program / "run/model.crfsuite").write_bytes(held)
    with pytest.raises(Halt, match=r"export\.run"):
        trained.export(program / "own.toml", program / "run")


def test_a_crf_of_two_languages_is_of_none(program):
    (program / "own.toml").write_text(RECIPE.replace('"]', '", "marked:es:more.txt"]'))
    with pytest.raises(Halt, match=r"export\.language"):
        trained.export(program / "own.toml", program)
