"""Files that people edit read the same with a byte order mark and CRLF, as some editors and
spreadsheets save them.
"""

from __future__ import annotations

import codecs

import pytest

from stream_deid import config
from stream_deid.training import recipe
from stream_deid.training.data import corpora
from stream_deid.training.data.word_vectors import TextVectors
from stream_deid.training.fast import reviews, sources

NOTE = '{"id": "a", "text": "Seen by Low.", "spans": [{"start": 8, "end": 11, "type": "DOCTOR"}]}\n'
MESSAGE = '{"note_id": "a", "patient_id": "b", "text": "Seen by Low."}\n'
SOURCES = {
    "marked:en:n.txt": {"n.txt": "=== a | note\nSeen by [[DOCTOR|Low]].\n=== b | note\nSeen.\n"},
    "jsonl:en:n.jsonl": {"n.jsonl": NOTE},
    "brat:es:notes": {"notes/a.ann": "T1\tFECHAS 0 4\t2019\nT2\tFECHAS 5 9\t2020\n"},
    "physionet:en:.": {
        "id.text": "START_OF_RECORD=1||||3||||\nSeen by Low.\n||||END_OF_RECORD\n",
        "id-phi.phrase": "1 3 8 11 HCPName Low\n",
    },
    "messages:en:m.jsonl": {"m.jsonl": MESSAGE},
    "plain:en:p.csv:text": {"p.csv": "text,other\nSeen by Low.,1\n"},
    "plain:en:p.jsonl:text": {"p.jsonl": MESSAGE},
}


def save(folder, files, *, edited):
    for name, text in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        raw = text.replace("\n", "\r\n").encode() if edited else text.encode()
        path.write_bytes(codecs.BOM_UTF8 + raw if edited else raw)


@pytest.mark.parametrize("source", SOURCES)
def test_sources_of_notes(tmp_path, source):
    read = []
    for edited in (False, True):
        folder = tmp_path / str(edited)
        save(folder, SOURCES[source], edited=edited)
        if source.startswith("brat"):
            (folder / "notes/a.txt").write_text("2019 2020", "utf-8")
        read.append(list(sources.read(source, folder)))
    plain, edited = read
    assert plain
    assert edited == plain


def test_a_review(tmp_path):
    review = reviews.Review(
        "inclusion", "en", (reviews.ReviewEntry("no acute distress", {"notes": "3"}, "accept"),)
    )
    path = tmp_path / "review.tsv"
    reviews.write(path, review)
    save(tmp_path, {"edited.tsv": path.read_text("utf-8")}, edited=True)
    assert reviews.read(tmp_path / "edited.tsv") == review


def test_settings_and_recipes(tmp_path):
    save(tmp_path, {"s.toml": 'voting = "any"\n', "r.toml": 'extends = "ann-es"\n'}, edited=True)
    assert config.load(tmp_path / "s.toml").voting == "any"
    assert recipe.read(tmp_path / "r.toml")["system"] == "bilstm"


def test_vectors(tmp_path):
    save(tmp_path, {"v.vec": "low 1 2\nhigh 3 4\n"}, edited=True)
    assert TextVectors(tmp_path / "v.vec").whole_words() == ["low", "high"]


def test_marks_are_read_by_all_of_them():
    assert {source.partition(":")[0] for source in SOURCES} >= corpora.READERS.keys() - {
        "i2b2", "i2b2-2006",  # XML, whose readers know the mark
    }  # fmt: skip
