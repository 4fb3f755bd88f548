"""BIO tags and the two Viterbi searches, against brute force."""

from itertools import pairwise, product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.text import bio, viterbi

TAGS = bio.tag_names(["A", "B"])


def valid(tags):
    return all(
        t % 2 == 1 or t == 0 or (i > 0 and tags[i - 1] in {t, t - 1}) for i, t in enumerate(tags)
    )


def scores_of(seed, n, width=5):
    return np.random.default_rng(seed).normal(size=(n, width)).astype(np.float32)


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_bio_search_finds_the_best_valid_path(seed, n):
    scores = scores_of(seed, n)
    reachable = scores.copy()
    reachable[0, 1::2] = np.maximum(scores[0, 1::2], scores[0, 2::2])
    best = max(
        (p for p in product(range(5), repeat=n) if valid(p)),
        key=lambda p: sum(reachable[i, t] for i, t in enumerate(p)),
    )
    assert tuple(viterbi.bio(scores)) == best


@given(st.integers(0, 10**6), st.integers(1, 40), st.floats(-3, 3))
def test_a_search_in_stretches_finds_what_one_search_finds(seed, n, o_bias):
    scores = scores_of(seed, n) * 3
    scores[:, 0] += o_bias
    whole = scores.copy()
    viterbi._begin(whole, np.array([0]))
    assert viterbi.bio(scores).tolist() == viterbi._bio_path(whole).tolist()


@given(st.integers(0, 10**6), st.integers(2, 6), st.data())
def test_nothing_goes_on_over_a_break(seed, n, data):
    breaks = np.array(data.draw(st.lists(st.booleans(), min_size=n, max_size=n)))
    tags = viterbi.bio(scores_of(seed, n), breaks)
    assert valid(tags.tolist())
    assert (tags[breaks] == 0).all()
    after = np.flatnonzero(breaks[:-1]) + 1
    assert all(t == 0 or t % 2 == 1 for t in tags[after])


@given(st.integers(0, 10**6), st.integers(1, 5))
def test_crf_search_finds_the_best_path(seed, n):
    rng = np.random.default_rng(seed)
    scores, transitions = scores_of(seed, n, 3), rng.normal(size=(3, 3)).astype(np.float32)
    start, end = rng.normal(size=(2, 3)).astype(np.float32)

    def total(path):
        inner = sum(transitions[a, b] for a, b in pairwise(path))
        return (
            start[path[0]] + end[path[-1]] + inner + sum(scores[i, t] for i, t in enumerate(path))
        )

    best = max(product(range(3), repeat=n), key=total)
    found = tuple(viterbi.crf(scores, transitions, start, end).tolist())
    assert total(found) == pytest.approx(total(best), abs=1e-4)  # two paths can be equally good


def test_spans_survive_the_way_there_and_back():
    starts = np.array([0, 5, 8, 12, 20], np.int32)
    ends = np.array([4, 8, 10, 15, 25], np.int32)
    tags = bio.encode(starts, ends, [(0, 8, "A"), (8, 10, "A"), (20, 25, "B")], TAGS)
    assert [TAGS[t] for t in tags] == ["B-A", "I-A", "B-A", "O", "B-B"]
    assert bio.runs(tags) == [(0, 2, 0), (2, 3, 0), (4, 5, 1)]


def test_a_token_that_a_span_touches_belongs_to_it():
    tags = bio.encode(np.array([0], np.int32), np.array([14], np.int32), [(0, 8, "A")], TAGS)
    assert tags.tolist() == [1]


def test_unknown_labels_are_outside():
    tags = bio.encode(np.array([0], np.int32), np.array([3], np.int32), [(0, 3, "C")], TAGS)
    assert tags.tolist() == [0]


def test_empty_sequences():
    none = np.zeros((0, 5), np.float32)
    assert len(viterbi.bio(none)) == 0
    assert len(viterbi.crf(none, np.zeros((5, 5), np.float32), none[0:0], none[0:0])) == 0


def test_marginals_stay_numbers_where_every_path_is_all_but_impossible():
    scores = np.tile(np.array([[0, -90, -90]], np.float32), (40, 1))
    transitions = np.full((3, 3), -100, np.float32)
    logs = viterbi.crf_marginals(scores, transitions, np.zeros(3), np.zeros(3))
    assert np.isfinite(logs).all()
