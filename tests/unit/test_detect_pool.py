"""Several models, one opinion: what a pool finds, and when it refuses."""

import json
from dataclasses import replace
from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.examination import Language
from stream_deid.detect.neural.decoding import Reading, decode
from stream_deid.detect.neural.model_windows import Crf, ModelSpec, windows
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Hearing, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy
from stream_deid.text import viterbi
from stream_deid.text.bio import tag_names
from stream_deid.text.wordchar import WordCharEncoder

TEXT = "seen by Rosa Vidal Friday"
ROSA, VIDAL = (8, 12), (13, 18)
WORDS = WordCharEncoder.from_json(json.dumps({"words": [], "alphabet": ""}))


def model(name, labels=("PATIENT", "DATE"), **changes):
    tags = tag_names(labels)
    made = ModelSpec(name, "1", "wordchar", ("en",), tags, 64, 16, wordchar=WORDS)
    return replace(made, **changes)


def reading(spec, **said):
    """Log-odds of "begins PATIENT" by word; every other token is surely nothing."""
    (window,) = windows(spec, 0, TEXT)
    scores = np.zeros((len(window), len(spec.labels)), np.float32)
    scores[:, 0] = 8
    for row, (a, b) in enumerate(zip(window.starts, window.ends, strict=True)):
        if TEXT[a:b] in said:
            scores[row] = [0, said[TEXT[a:b]], *[-8] * (len(spec.labels) - 2)]
    return Reading(spec, [window], [scores])


def spans(*readings):
    return [(d.start, d.end) for d in decode(TEXT, readings)]


def test_a_sure_model_outweighs_one_that_leans_the_other_way():
    sure, leaning = reading(model("a"), Rosa=4.0), reading(model("b"), Rosa=-1.0)
    assert spans(leaning) == []
    assert spans(sure, leaning) == spans(leaning, sure) == [ROSA]


def test_weights_say_who_is_believed():
    yes, no = reading(model("a"), Vidal=2.0), reading(model("b"), Vidal=-2.5)
    assert spans(yes, no) == []
    assert spans(replace(yes, model=replace(yes.model, weight=3.0)), no) == [VIDAL]


def test_the_bias_of_a_pool_is_the_mean_of_its_models():
    doubt = [reading(model(n, o_bias=b), Rosa=-1.0) for n, b in (("a", 0.5), ("b", 2.0))]
    assert spans(doubt[0]) == []
    assert spans(*doubt) == [ROSA]


def test_the_detector_names_every_model():
    (found,) = decode(TEXT, [reading(model("a"), Rosa=5.0), reading(model("b"), Rosa=5.0)])
    assert found.detector == "a@1+b@1"
    assert 0.9 < found.score <= 1


def test_a_label_that_only_the_first_knows_can_be_found():
    narrow = model("narrow", labels=("PATIENT",))
    wide = reading(model("wide"), Rosa=3.0)
    assert spans(wide, reading(narrow, Rosa=2.0)) == [ROSA]
    with pytest.raises(Halt, match=r"pool\.labels.*DATE"):
        decode(TEXT, [reading(narrow), wide])


def test_models_that_saw_other_tokens_are_not_pooled():
    one, other = reading(model("a"), Rosa=3.0), reading(model("b"))
    (window,) = other.windows
    moved = replace(window, starts=np.maximum(window.starts - 1, 0))
    with pytest.raises(Halt, match=r"pool\.tokens"):
        decode(TEXT, [one, replace(other, windows=[moved])])


DICTATED = "seen by rosa vidal today for cough"


def heard(spec, written, capitalised):
    """What a model says of `rosa` in the two hearings of a dictated text."""
    cut, scores = windows(spec, 0, DICTATED), []
    for window in cut:
        said = np.zeros((len(window), len(spec.labels)), np.float32)
        said[:, 0] = 8
        odds = capitalised if window.hearing is Hearing.CAPITALISED else written
        said[window.starts == ROSA[0]] = [0, odds, *[-8] * (len(spec.labels) - 2)]
        scores.append(said)
    return [(d.start, d.end, d.detector) for d in decode(DICTATED, [Reading(spec, cut, scores)])]


def test_a_text_without_case_is_heard_twice_and_the_hearings_are_pooled():
    assert heard(model("a"), written=-1.0, capitalised=4.0) == [(*ROSA, "a@1")]
    assert heard(model("a"), written=-4.0, capitalised=1.0) == []


def test_a_crf_that_hears_twice_is_pooled_by_its_marginals():
    crf = Crf(np.zeros((5, 5), np.float32), np.zeros(5, np.float32), np.zeros(5, np.float32))
    assert heard(model("a", crf=crf), written=-1.0, capitalised=4.0) == [(*ROSA, "a@1")]


def test_half_of_a_second_hearing_is_none():
    spec = model("a", window=8, overlap=2)
    cut = windows(spec, 0, DICTATED * 3)
    scores = [np.zeros((len(w), len(spec.labels)), np.float32) for w in cut[:-1]]
    with pytest.raises(Halt, match=r"pool\.tokens"):
        decode(DICTATED * 3, [Reading(spec, cut[:-1], scores)])


def pipeline(*, pooled):
    models = (model("a"), model("b"))
    language = Language((), models, pooled=pooled)
    return Pipeline({"en": language}, Surrogates(Policy.named(), b"k" * 16), release="test")


@pytest.mark.parametrize(("pooled", "hidden"), [(True, False), (False, True)])
def test_without_pooling_one_vote_is_enough(pooled, hidden):
    made = pipeline(pooled=pooled)
    pending = made.begin(Note("n", "p", (Part(TEXT, "text"),), "en"))
    said = {"a": reading(model("a"), Vidal=1.0), "b": reading(model("b"), Vidal=-6.0)}
    (chunk,) = pending.chunks
    windows = made.windows(pending, chunk)
    heard = made.hear(pending, chunk, windows, [said[w.model].scores[0] for w in windows])
    clean, audit = made.finish(pending, [heard])
    assert ("Vidal" not in clean.parts[0].text) is hidden
    assert audit.body["coverage"]["models"] == ["a@1", "b@1"]


numbers = st.floats(-3, 3, width=32)


@given(st.data())
def test_marginals_are_those_of_all_paths(data):
    n, k = data.draw(st.integers(1, 4)), data.draw(st.sampled_from([2, 3]))

    def array(*shape):
        flat = data.draw(st.lists(numbers, min_size=1, max_size=int(np.prod(shape))))
        return np.resize(np.array(flat, np.float32), shape)

    scores, crf = array(n, k), Crf(array(k, k), array(k), array(k))
    total = np.zeros((n, k))
    for path in product(range(k), repeat=n):
        score = (
            crf.start[path[0]] + crf.end[path[-1]] + sum(scores[i, t] for i, t in enumerate(path))
        )
        score += sum(crf.transitions[a, b] for a, b in pairwise(path))
        total[range(n), path] += np.exp(score)
    expected = total / total.sum(axis=1, keepdims=True)
    found = viterbi.crf_marginals(scores, crf.transitions, crf.start, crf.end)
    np.testing.assert_allclose(np.exp(found), expected, rtol=1e-3, atol=1e-6)


def test_each_head_of_a_model_votes_for_itself():
    """Scores of two heads side by side: one knows people, the other dates, both of "Friday"."""
    heads = {"names-a": tag_names(["PATIENT"]), "dates-a": tag_names(["DATE"])}
    spec = model("heads", heads=heads)
    (window,) = windows(spec, 0, TEXT)
    scores = np.zeros((len(window), spec.width), np.float32)
    scores[:, [0, 3]] = 8
    for row, (a, b) in enumerate(zip(window.starts, window.ends, strict=True)):
        if TEXT[a:b] == "Rosa":
            scores[row] = [0, 5, -8, 8, -8, -8]
        if TEXT[a:b] == "Friday":
            scores[row] = [0, 5, -8, 0, 5, -8]
    found = decode(TEXT, [Reading(spec, [window], [scores])])
    assert [(d.detector, TEXT[d.start : d.end], d.type) for d in found] == [
        ("heads.names-a@1", "Rosa", PhiType.PATIENT),
        ("heads.names-a@1", "Friday", PhiType.PATIENT),
        ("heads.dates-a@1", "Friday", PhiType.DATE),
    ]


def test_heads_are_not_pooled_and_have_tags_of_their_model():
    heads = {"names-a": tag_names(["PATIENT"])}
    with pytest.raises(Halt, match=r"pool\.heads"):
        Language((), (model("heads", heads=heads), model("b")))
    with pytest.raises(Halt, match=r"model\.heads"):
        model("heads", heads={"places-a": tag_names(["CITY"])})
