"""The papers' systems, each chosen by one setting, over a file as the command takes it."""

import orjson
import pytest
from test_triton_models import REPO

from stream_deid import cli
from stream_deid.detect.neural.feature_crf import shipped
from stream_deid.serving import manifest

pytest.importorskip("pycrfsuite")

NOTES = {
    "es": "Datos del paciente.\nNombre:  Aurelio.\nApellidos: Quintanilla Bermejo.\nNHC: 4471902.\n"
    "Domicilio: Calle del Olmo 14, 3 B.\nLocalidad/ Provincia: Segovia.\nCP: 40002.\n",
    "en": "CC: chest pain\nSeen with Halvorsen in the unit, then moved to bay 11. Brother Tomas "
    "Ibarra at bedside.\nSigned, Priya Raman MD\n",
}
ONLY = {"es": "Segovia", "en": "Halvorsen"}
"""What no pattern finds."""
SYSTEMS = {
    "Dernoncourt's CRF": {"en": ["crf"], "es": ["crf"]},
    "its BiLSTM-CRF": {"en": ["bilstm_crf_en"], "es": ["bilstm_crf_es"]},
    "both": {"en": ["bilstm_crf_en", "crf"], "es": ["bilstm_crf_es", "crf"]},
    "E2EJ": {"es": ["e2ej_es"]},
    "TS-GRU": {"es": ["ts_gru_es"]},
}


def voter(name, language):
    if name == "crf":
        return shipped(language).detector
    model = manifest.load(REPO, name, hashes=False)
    return f"{model.name}@{model.version}"


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_of_a_paper_serves_by_one_setting(system, tmp_path, monkeypatch):
    models = SYSTEMS[system]
    said = ", ".join(f"{code} = {names}" for code, names in models.items())
    monkeypatch.setenv("STREAM_DEID_MODELS", f"{{{said}}}")
    monkeypatch.setenv("STREAM_DEID_TRITON__REPOSITORY", str(REPO))
    notes, out, audit = (tmp_path / name for name in ("notes.jsonl", "out.jsonl", "audit.jsonl"))
    messages = [
        {"note_id": code, "patient_id": "1", "language": code, "text": NOTES[code]}
        for code in models
    ]
    notes.write_bytes(b"\n".join(map(orjson.dumps, messages)))
    assert cli.main(["file", str(notes), "--out", str(out), "--audit", str(audit)]) == 0
    records = [orjson.loads(line) for line in audit.read_bytes().splitlines()]
    clean = [orjson.loads(line)["text"] for line in out.read_bytes().splitlines()]
    for code, record, text in zip(models, records, clean, strict=True):
        voters = [voter(name, code) for name in models[code]]
        assert record["coverage"]["models"] == voters
        start = NOTES[code].index(ONLY[code])
        (found,) = (span for span in record["spans"] if span["start"] == start)
        assert sorted(found["detectors"]) == sorted(voters)
        assert ONLY[code] not in text
