"""The feature CRF: no server, one vote, the same in every run, alone or beside others."""

from __future__ import annotations

import asyncio
import sys

import orjson
import pytest

from stream_deid import config, processor
from stream_deid.detect.examination import Language
from stream_deid.detect.neural import feature_crf
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.processor import Processor
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text.tokens import tokenize, without

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


MESSAGE = {"note_id": "1", "patient_id": "2", "language": "es", "text": NOTE}


def test_alone_it_serves_in_the_worker_without_a_server(monkeypatch):
    monkeypatch.setattr(processor, "serving", None)
    monkeypatch.setattr(processor, "carrier", None)
    settings = config.with_a_key(config.Settings(models={"es": ("crf",), "en": ("crf",)}))

    async def handled():
        opened = await Processor.open(settings)
        try:
            assert await opened.answers()
            return await opened.handle(orjson.dumps(MESSAGE), {}, "json")
        finally:
            await opened.close()

    released = asyncio.run(handled())
    audit = orjson.loads(released.audit)
    crf = feature_crf.shipped("es").detector
    assert audit["coverage"]["models"] == [crf]
    assert audit["coverage"]["examined"] == len(NOTE)
    assert [crf] in [span["detectors"] for span in audit["spans"]]
    assert b"Segovia" not in released.note


class Forgetful:
    """A reader that is shown all but the last token."""

    detector = "forgetful@1"

    def read(self, text, unread=()):
        tokens = without(tokenize(text), unread)
        return [], without(tokens, [(int(tokens.starts[-1]), len(text))])


def test_a_reader_that_is_not_shown_all_of_a_note_ends_the_process():
    readers = (feature_crf.shipped("es"), Forgetful())
    made = Pipeline(
        {"es": Language((), (), readers=readers)}, Surrogates(Policy.named(), b"k" * 16), "test"
    )
    pending = made.begin(Note("1", "2", (Part(NOTE.rstrip()),), "es"))
    (chunk,) = pending.chunks
    assert made.windows(pending, chunk) == ()
    with pytest.raises(Halt, match=r"coverage\.gap: forgetful@1 was not shown all"):
        made.hear(pending, chunk, (), ())


def test_what_a_rule_settles_is_not_read():
    start, end = (NOTE.index(word) for word in ("Apellidos", "NHC"))
    found, tokens = feature_crf.shipped("es").read(NOTE, [(start, end)])
    assert "Quintanilla" not in tokens.words
    assert [one for one in found if start <= one.start < end] == []
    assert [one for one in found if NOTE[one.start : one.end] == "Segovia"]
