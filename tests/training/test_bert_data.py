"""What BERT taggers are trained on: readers, values drawn anew, noise, windows."""

import json
import random
import re
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from marked_spans import marked_values

from stream_deid.errors import Halt

sys.path.insert(0, str(Path(__file__).parent))
import bert_parts as parts

from stream_deid.text.subword import SubwordEncoder
from stream_deid.text.tokens import tokenize
from stream_deid.training.data import corpora, noise
from stream_deid.training.data.augment import Augmenter, Augmenting
from stream_deid.training.data.batches import IGNORED, bucketed, examples
from stream_deid.training.data.calendar import redraw
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.data.gazetteers import Gazetteers, in_training

ROOT = Path(__file__).parents[2]
I2B2 = """<?xml version="1.0" encoding="UTF-8" ?>
<deIdi2b2>
<TEXT><![CDATA[Record date: 2069-04-07

Mr. Villegas is seen by Dr. Ames & co.
]]></TEXT>
<TAGS>
<DATE id="P0" start="13" end="23" text="2069-04-07" TYPE="DATE" comment="" />
<NAME id="P1" start="29" end="37" text="Villegas" TYPE="PATIENT" comment="" />
<LOCATION id="P2" start="53" end="57" text="Ames" TYPE="LOCATION-OTHER" comment="" />
</TAGS>
</deIdi2b2>
"""


@pytest.fixture(scope="module")
def notes(tmp_path_factory):
    path = tmp_path_factory.mktemp("notes") / "notes.txt"
    path.write_text(parts.NOTES, "utf-8")
    return corpora.marked(path, "en")


@pytest.fixture(scope="module")
def lists(tmp_path_factory):
    return Gazetteers(parts.gazetteers(tmp_path_factory.mktemp("gazetteers")))


def test_marked_text(notes):
    assert [n.id for n in notes] == ["en1_1", "en1_2", "en1_3"]
    assert marked_values(notes[0])[:2] == [("Rosa Delgado", "PATIENT"), ("54", "AGE_U90")]
    assert notes[2].spans == ()
    assert "[[" not in "".join(n.text for n in notes)


def test_i2b2_xml(tmp_path):
    (tmp_path / "110-01.xml").write_text(I2B2, "utf-8")
    (note,) = corpora.load("i2b2:en:.", tmp_path)
    assert note.id == "110-01"
    assert marked_values(note) == [
        ("2069-04-07", "DATE"), ("Villegas", "PATIENT"), ("Ames", "LOCATION_OTHER"),
    ]  # fmt: skip


def test_brat_counts_a_byte_order_mark_and_every_line_end(tmp_path):
    text = "\ufeffNombre: Ana.\r\nEdad: 70 años"
    (tmp_path / "a.txt").write_bytes(text.encode())
    (tmp_path / "a.ann").write_text(
        "T1\tNOMBRE_SUJETO_ASISTENCIA 9 12\tAna\n#1\tnote\n"
        "T2\tEDAD_SUJETO_ASISTENCIA 21 28\t70 años\n",
        "utf-8",
    )
    (note,) = corpora.load("brat:es:.", tmp_path)
    assert [v for v, _ in marked_values(note)] == ["Ana", "70 años"]


def test_jsonl(tmp_path):
    row = {"id": 7, "text": "Ana", "spans": [{"start": 0, "end": 3, "type": "PATIENT"}]}
    (tmp_path / "a.jsonl").write_text(json.dumps(row) + "\n\n", "utf-8")
    (note,) = corpora.load("jsonl:en:a.jsonl", tmp_path)
    assert (note.id, marked_values(note)) == ("7", [("Ana", "PATIENT")])


def test_spans_outside_the_text_and_unknown_readers_are_errors(tmp_path):
    with pytest.raises(ValueError, match="outside"):
        AnnotatedNote("x", "abc", ((1, 9, "DATE"),), "en")
    with pytest.raises(Halt, match="unknown reader"):
        corpora.load("csv:en:.", tmp_path)
    with pytest.raises(Halt, match="no such corpus"):
        corpora.load("brat:en:nowhere", tmp_path)


def test_the_projects_own_notes_are_read_whole():
    en = corpora.marked(ROOT / "corpora/train/en", "en")
    assert len(en) == 994
    assert len({n.id for n in en}) == 994


def test_variants_are_deterministic_and_differ_between_epochs(notes, lists):
    augmenter = Augmenter(notes, lists, Augmenting(keep=0.0, noisy=False), 1)
    assert augmenter.draw(notes[0], 1) == augmenter.draw(notes[0], 1)
    assert len({augmenter.draw(notes[0], e).text for e in range(5)}) > 3


@settings(max_examples=40, deadline=None)
@given(epoch=st.integers(0, 10**6), which=st.integers(0, 2), noisy=st.booleans())
def test_variants_keep_the_layout_and_exact_spans(notes, lists, epoch, which, noisy):
    note = notes[which]
    drawn = Augmenter(notes, lists, Augmenting(keep=0.0, keep_value=0.0, noisy=noisy), 2).draw(
        note, epoch
    )
    assert [s[2] for s in drawn.spans] == [s[2] for s in note.spans]
    for value, _ in marked_values(drawn):
        assert value == value.strip() != ""
    if not noisy:
        outside = [n.text for n in (_blank(note), _blank(drawn))]
        assert outside[0] == outside[1]


def _blank(note):
    out, at = "", 0
    for start, end, _ in note.spans:
        out += note.text[at:start] + "#"
        at = end
    return AnnotatedNote(note.id, out + note.text[at:], (), "en")


def test_values_stay_consistent_within_a_note(notes, lists):
    drawn = Augmenter(notes, lists, Augmenting(keep=0.0, keep_value=0.0, noisy=False), 4).draw(
        notes[0], 0
    )
    by = [v for v, label in marked_values(drawn) if label == "PATIENT"]
    assert by[1] == by[0].split()[-1]
    phone, extension = [v for v, label in marked_values(drawn) if label == "PHONE"]
    assert re.sub(r"\D", "", phone).endswith(extension)


def test_training_never_draws_a_value_of_the_development_part(lists):
    for weighted in [*lists.surnames.values(), *lists.given.values()]:
        assert all(in_training(v) for v in weighted.values)
    assert 0.7 < sum(in_training(str(i)) for i in range(2000)) / 2000 < 0.9


@pytest.mark.parametrize(
    ("old", "form"),
    [
        ("03/04/2019", r"\d\d/\d\d/\d{4}"),
        ("3-4-19", r"\d{1,2}-\d{1,2}-\d\d"),
        ("20190304", r"\d{8}"),
        ("MAR 4, 2019", r"[A-Z]{3} \d, \d{4}"),
        ("march 14th", r"[a-z]+ \d\dth"),
        ("the 9th", r"the \dth"),
    ],
)
def test_dates_keep_their_form(old, form):
    for seed in range(30):
        assert re.fullmatch(form, redraw(random.Random(seed), old, "DATE", day_first=False))


@settings(max_examples=60, deadline=None)
@given(seed=st.integers(0, 10**6), which=st.integers(0, 2))
def test_noise_keeps_spans_on_their_words(notes, seed, which):
    note = notes[which]
    for _, change in noise.ENGLISH:
        noisy = change(note, random.Random(seed))
        assert [s[2] for s in noisy.spans] == [s[2] for s in note.spans]
        for (a, b, _), (c, d, _) in zip(note.spans, noisy.spans, strict=True):
            assert abs((d - c) - (b - a)) <= max(3, (b - a) // 3)
            assert noisy.text[c:d].strip() == noisy.text[c:d]


def test_noise_is_really_noise(notes):
    changed = {
        change.__name__
        for seed in range(60)
        for _, change in (*noise.ENGLISH, *noise.SPANISH)
        if change(notes[0], random.Random(seed)).text != notes[0].text
    }
    assert changed == {c.__name__ for _, c in (*noise.ENGLISH, *noise.SPANISH)} - {"lost_accents"}


def test_windows_pack_lines_and_carry_every_token_once(notes, tmp_path):
    parts.tokenizer(tmp_path)
    encoder = SubwordEncoder((tmp_path / "tokenizer.json").read_text("utf-8"))
    tags = ("O", "B-PATIENT", "I-PATIENT", "B-DATE", "I-DATE")
    for seed in range(10):
        rng = random.Random(seed)
        found = [list(examples(n, encoder, tags, window=96, rng=rng)) for n in notes]
        for note, windows in zip(notes, found, strict=True):
            assert all(len(w) <= 96 for w in windows)
            labelled = sum(int((w.targets != IGNORED).sum()) for w in windows)
            assert labelled == len(tokenize(note.text))
    batches = list(bucketed([e for f in found for e in f], 2, encoder.pad, random.Random(1)))
    assert sum(len(b.ids) for b in batches) == sum(len(f) for f in found)
    assert all((b.targets[b.mask == 0] == IGNORED).all() for b in batches)


def test_titled_reading_takes_capitals_for_a_capital(tmp_path):
    parts.tokenizer(tmp_path)
    definition = (tmp_path / "tokenizer.json").read_text("utf-8")
    plain, titled = SubwordEncoder(definition), SubwordEncoder(definition, titled=True)
    spaced = [True, True, True, True]
    assert titled.pieces(["SMITH", "Jo", "K", "mg"], spaced) == plain.pieces(
        ["Smith", "Jo", "K", "mg"], spaced
    )
