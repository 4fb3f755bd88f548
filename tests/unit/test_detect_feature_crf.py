"""The feature CRF as a detector: no server, one vote, the same in every run."""

from __future__ import annotations

import sys

import pytest

from stream_deid import config
from stream_deid.detect.neural import feature_crf
from stream_deid.errors import Halt
from stream_deid.labels import PhiType

pytest.importorskip("pycrfsuite")

NOTE = """Datos del paciente.
Nombre:  Aurelio.
Apellidos: Quintanilla Bermejo.
NHC: 4471902.
Domicilio: Calle del Olmo 14, 3 B.
Localidad/ Provincia: Segovia.
CP: 40002.
"""


def test_it_reads_a_record_as_it_learnt_them():
    found = {NOTE[d.start : d.end]: d.type for d in feature_crf.shipped("es").detect(NOTE)}
    assert found["Aurelio"] is PhiType.PATIENT
    assert found["Quintanilla Bermejo"] is PhiType.PATIENT
    assert found["4471902"] is PhiType.MEDICALRECORD
    assert found["Segovia"] is not None


def test_nothing_is_found_in_nothing():
    assert feature_crf.shipped("es").detect("") == []


def test_a_language_without_one_is_told():
    with pytest.raises(Halt, match=r"crf\.language"):
        feature_crf.shipped("fr")


def test_without_the_package_the_remedy_is_told(monkeypatch):
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(Halt, match=r"stream_deid\[crf\]"):
        feature_crf.shipped("es")


def test_it_is_named_among_the_models_and_no_server_is_asked_for_it():
    settings = config.Settings(models={"es": ("bert_es", "crf"), "en": ("bert_en",)})
    assert settings.model_names == ["bert_es", "bert_en"]
    assert settings.served("es") == ["bert_es"]
