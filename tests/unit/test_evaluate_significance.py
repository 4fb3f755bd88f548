from __future__ import annotations

import itertools

import numpy as np
import pytest

from stream_deid.training.evaluate.significance import significance
from stream_deid.training.scores.counts import Counts, Score


def _scores(rows):
    return [Score({"ner": Counts(*row)}) for row in rows]


def test_equal_systems_differ_by_chance_only():
    same = _scores([(3, 1, 1)] * 20)
    assert significance(same, same, "ner") == (1.0, 1.0, 1.0)


def test_a_clear_difference_is_significant_and_only_where_it_lies():
    good, bad = _scores([(10, 1, 0)] * 30), _scores([(6, 1, 4)] * 30)
    found = significance(good, bad, "ner", shuffles=999)
    assert found.recall == found.f1 == pytest.approx(1 / 1000)


def test_the_estimate_agrees_with_all_swaps():
    rng = np.random.default_rng(7)
    a = rng.integers(0, 6, (8, 3)).astype(float)
    b = rng.integers(0, 6, (8, 3)).astype(float)

    def recall(m):
        tp, _, fn = m.sum(0)
        return tp / (tp + fn)

    observed = abs(recall(a) - recall(b))
    hits = []
    for coins in itertools.product([False, True], repeat=8):
        swap = np.array(coins)[:, None]
        hits.append(
            abs(recall(np.where(swap, b, a)) - recall(np.where(swap, a, b))) >= observed - 1e-12
        )
    exact = sum(hits) / len(hits)
    rows = [[tuple(int(v) for v in row) for row in m] for m in (a, b)]
    found = significance(_scores(rows[0]), _scores(rows[1]), "ner")
    assert found.recall == pytest.approx(exact, abs=0.02)


def test_different_notes_are_refused():
    with pytest.raises(ValueError, match="same notes"):
        significance(_scores([(1, 0, 0)]), [], "ner")
