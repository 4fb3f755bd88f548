"""From text to windows to detections, with scores that say what they should."""

import json
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from stream_deid.detect.neural.decoding import Reading, decode, stitch
from stream_deid.detect.neural.model_windows import ModelSpec, windows
from stream_deid.detect.neural.repair import repair
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Hearing
from stream_deid.text import viterbi
from stream_deid.text.bio import encode, tag_names
from stream_deid.text.case import caseless
from stream_deid.text.wordchar import WordCharEncoder

PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", *"abcdefghijklmnopqrstuvwxyz", *"0123456789", "▁dr"]
TOKENIZER = {
    "version": "1.0",
    "added_tokens": [
        {"id": i, "content": c, "single_word": False, "lstrip": False, "rstrip": False,
         "normalized": False, "special": True}
        for i, c in enumerate(PIECES[:4])
    ],
    "normalizer": None, "pre_tokenizer": None, "post_processor": None, "decoder": None,
    "model": {"type": "Unigram", "unk_id": 3, "byte_fallback": False,
              "vocab": [[p, -float(min(i, 5))] for i, p in enumerate(PIECES)]},
}  # fmt: skip
LABELS = ["PATIENT", "DATE", "YEAR"]


def manifest(kind, **changes):
    return {
        "name": "tiny", "version": "3", "kind": kind, "languages": ["en"],
        "labels": tag_names(LABELS), "window": 64, "overlap": 16, "tokenizer": "tokenizer.json",
        "vocabulary": "vocabulary.json", **changes,
    }  # fmt: skip


FILES = {
    "tokenizer.json": json.dumps(TOKENIZER),
    "vocabulary.json": json.dumps({"words": ["the", "patient"], "alphabet": "abcdefgh"}),
}


def spec_of(kind, **changes):
    return ModelSpec.from_manifest(manifest(kind, **changes), FILES)


def gold_scores(spec, found, spans):
    """Logits that are sure of `spans` and of nothing else."""
    out = []
    for window in found:
        scores = np.zeros((len(window), len(spec.labels)), np.float32)
        real = np.flatnonzero(window.ends > window.starts)
        tags = encode(window.starts[real], window.ends[real], spans, spec.labels)
        scores[:, 0] = 6
        scores[real, tags] = 12
        out.append(scores)
    return out


def found_in(text, spans, kind="subword", **changes):
    spec = spec_of(kind, **changes)
    ws = windows(spec, 0, text)
    return [
        (d.start, d.end, d.label)
        for d in decode(text, [Reading(spec, ws, gold_scores(spec, ws, spans))])
    ]


@pytest.mark.parametrize("kind", ["subword", "wordchar"])
def test_a_name_at_every_position_of_a_long_note_is_examined(kind):
    words = ["word"] * 700
    for at in range(0, 700, 7):
        text = " ".join([*words[:at], "Mary Okafor", *words[at:]])
        start = text.index("Mary")
        assert found_in(text, [(start, start + 11, "PATIENT")], kind) == [
            (start, start + 11, "PATIENT")
        ]


@pytest.mark.parametrize("kind", ["subword", "wordchar"])
@settings(max_examples=60, deadline=None)
@given(text=st.text(max_size=400))
@example(text="AA0AA0AA0AA0AA")  # of one case: heard twice
def test_windows_own_every_character_once(kind, text):
    spec = spec_of(kind, window=24, overlap=6) if kind == "wordchar" else spec_of(kind)
    found = windows(spec, 4, text)
    hearings = {window.hearing for window in found}
    said = {Hearing.WRITTEN, Hearing.CAPITALISED} if caseless(text) else {Hearing.WRITTEN}
    assert hearings == (said if found else set())
    owners = {hearing: np.zeros(len(text), int) for hearing in hearings}
    for window in found:
        assert window.part == 4
        assert len(window) <= spec.window
        assert {len(a) for a in window.inputs.values()} == {len(window)}
        owners[window.hearing][window.own_start : window.own_end] += 1
    assert all((own == 1).all() for own in owners.values())
    if not found:
        assert not any(c.isalnum() for c in text)


def test_neutral_labels_are_no_detections():
    text = "in 2004 Rosa came"
    assert found_in(text, [(3, 7, "YEAR"), (8, 12, "PATIENT")]) == [(8, 12, "PATIENT")]


def test_detection_carries_type_detector_and_score():
    spec = spec_of("subword")
    ws = windows(spec, 0, "seen by Rosa")
    (found,) = decode(
        "seen by Rosa", [Reading(spec, ws, gold_scores(spec, ws, [(8, 12, "PATIENT")]))]
    )
    assert (found.type, found.detector) == (PhiType.PATIENT, "tiny@3")
    assert 0.99 < found.score <= 1


def test_a_postcode_is_no_town():
    text = "28014 Madrid"
    spec = spec_of("subword", languages=["es"], labels=tag_names(["TERRITORIO"]))
    ws = windows(spec, 0, text)
    gold = [(0, 5, "TERRITORIO"), (6, 12, "TERRITORIO")]
    found = decode(text, [Reading(spec, ws, gold_scores(spec, ws, gold))])
    assert [d.type for d in found] == [PhiType.ZIP, PhiType.CITY]
    assert [d.label for d in found] == ["TERRITORIO", "TERRITORIO"]


def test_o_bias_raises_recall():
    text = "seen by Rosa"
    spec, eager = spec_of("subword"), spec_of("subword", o_bias=2.0)
    ws = windows(spec, 0, text)
    scores = [s * 0 for s in gold_scores(spec, ws, [])]
    for s in scores:
        s[:, 0] = 1.0
    assert decode(text, [Reading(spec, ws, scores)]) == []
    assert decode(text, [Reading(eager, ws, scores)]) != []


def test_spans_stop_at_line_ends_where_the_guideline_says_so():
    text = "Rosa\nMaria"
    whole = [(0, 10, "PATIENT")]
    assert found_in(text, whole) == whole
    assert found_in(text, whole, line_spans=False) == [(0, 4, "PATIENT"), (5, 10, "PATIENT")]


@pytest.mark.parametrize(
    ("fault", "code"),
    [
        (lambda s: s[:-1], r"scores\.count"),
        (lambda s: [a[:-1] for a in s], r"scores\.shape"),
        (lambda s: [a * np.nan for a in s], r"scores\.finite"),
    ],
)
def test_scores_that_do_not_fit_halt(fault, code):
    spec = spec_of("subword")
    ws = windows(spec, 0, "Rosa " * 80)
    with pytest.raises(Halt, match=code):
        decode("Rosa " * 80, [Reading(spec, ws, fault(gold_scores(spec, ws, [])))])


def test_stitching_takes_each_token_from_its_owner():
    spec = spec_of("wordchar", window=20, overlap=8)
    text = "Word " * 50
    ws = windows(spec, 0, text)
    scores = [np.full((len(w), 7), i, np.float32) for i, w in enumerate(ws)]
    starts, _, joined = stitch(ws, scores, 7)
    assert starts.tolist() == list(range(0, 250, 5))
    owner = [next(i for i, w in enumerate(ws) if w.own_start <= s < w.own_end) for s in starts]
    assert joined[:, 0].tolist() == owner


def test_manifests_that_do_not_fit_halt():
    for bad in (
        manifest("other"),
        manifest("subword", labels=["O", "B-PATIENT"]),
        manifest("subword", overlap=40),
        {k: v for k, v in manifest("subword").items() if k != "window"},
        manifest("subword", tokenizer="missing.json"),
    ):
        with pytest.raises(Halt):
            ModelSpec.from_manifest(bad, FILES)


def test_a_megabyte_is_cut_in_time():
    spec = spec_of("wordchar")
    text = ("x9" * 50 + " ") * 9000
    assert sum(w.own_end - w.own_start for w in windows(spec, 0, text)) == len(text)


REPAIRS = [
    ("seen by Dr. Anna Wu, MD", (8, 20), "DOCTOR", ["Anna Wu"]),
    ("Mrs. O'Brien's son", (0, 14), "PATIENT", ["O'Brien"]),
    ("McDonald called", (2, 8), "PATIENT", ["McDonald"]),
    ("(Rosa)", (0, 6), "PATIENT", ["Rosa"]),
    ("call (212) 555-0199.", (5, 20), "PHONE", ["(212) 555-0199"]),
    ("J. R. (Bob) Ames", (0, 16), "PATIENT", ["J. R. (Bob) Ames"]),
    ("Smith\n\nJones", (0, 12), "PATIENT", ["Smith", "Jones"]),
    ("Smith\nJones", (0, 11), "PATIENT", ["Smith\nJones"]),
    ("---", (0, 3), "IDNUM", []),
]


@pytest.mark.parametrize(("text", "span", "label", "expected"), REPAIRS)
def test_repair(text, span, label, expected):
    assert [text[a:b] for a, b, _, _ in repair(text, [(*span, label, 0.9)])] == expected


def test_halves_of_a_hyphenated_name_become_one():
    text = "Ana Smith-Jones"
    spans = [(0, 9, "PATIENT", 0.8), (10, 15, "PATIENT", 0.9)]
    assert repair(text, spans) == [(0, 15, "PATIENT", 0.9)]


@given(st.text(max_size=60), st.lists(st.integers(0, 60), max_size=8, unique=True))
def test_repaired_spans_are_ordered_and_disjoint(text, cuts):
    cuts = sorted(c for c in cuts if c <= len(text))
    spans = [
        (a, b, label, 0.5)
        for a, b, label in zip(cuts[::2], cuts[1::2], ["PATIENT", "DATE"] * 9, strict=False)
    ]
    out = repair(text, spans)
    assert all(0 <= a < b <= len(text) for a, b, _, _ in out)
    assert all(x[1] <= y[0] for x, y in pairwise(out))


def test_word_and_character_ids():
    encoder = WordCharEncoder(["the", "00", "Rosa"], "abc")
    words, chars = encoder.encode(
        ["The", "27", "Rosa", "ROSA", "\n"], [True, True, True, False, True]
    )
    assert words.tolist() == [3, 4, 5, 1, 2]
    assert chars.shape == (5, 24)
    assert chars[3, :5].tolist() == [3, 1, 1, 1, 1]


def test_a_text_of_any_length_has_the_marginals_of_the_whole(monkeypatch):
    """Stretches with a halo give what one pass over everything gives."""
    rng = np.random.default_rng(3)
    scores = rng.normal(0, 2, (700, 5)).astype(np.float32)
    edges = [rng.normal(0, 1, 5).astype(np.float32) for _ in range(2)]
    transitions = rng.normal(0, 1, (5, 5)).astype(np.float32)
    whole = viterbi.crf_marginals(scores, transitions, *edges)
    chosen = np.array([True, False, True, False, False])
    logs, share = viterbi.log_probabilities(scores), viterbi.share(scores, chosen)
    monkeypatch.setattr(viterbi, "STRETCH", 100)
    assert viterbi.crf_marginals(scores, transitions, *edges) == pytest.approx(whole, abs=1e-5)
    assert np.array_equal(viterbi.log_probabilities(scores), logs)
    assert np.array_equal(viterbi.share(scores, chosen), share)
