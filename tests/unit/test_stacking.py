"""The second opinion: what it looks at, how it moves odds, and what it leaves alone."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from stream_deid.detect.neural.evidence import Judged, WordCounts, evidence
from stream_deid.detect.neural.stacking import DOUBT, Stacking
from stream_deid.detect.neural.trees import Trees
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.text.tokens import tokenize
from stream_deid.text.viterbi import log_probabilities

TYPES = [None, PhiType.PATIENT, PhiType.DATE, None]
NO_COUNTS = WordCounts({}, {}, {})


def judged(text, phi):
    """Tokens of a text as models judge them; all of the mass of identifiers is PATIENT's."""
    tokens = tokenize(text)
    yes = 1 / (1 + np.exp(-np.array(phi, float)))
    p = np.stack([1 - yes, yes, np.zeros_like(yes), np.zeros_like(yes)], axis=1)
    logs = np.log(np.maximum(p, 1e-12)).astype(np.float32)
    return Judged.of(tokens.starts, tokens.ends, logs, TYPES), logs


def column(text, phi, name, counts=NO_COUNTS):
    at, rows = evidence(text, judged(text, phi)[0], counts)
    names = [
        "phi", "phi+1", "phi-1", "phi+2", "phi-2",
        *(f"group {k}" for k in range(10)),
        "share", "times", "share before", "share after", "opens", "closes",
        "eponym", "eponym's noun",
        "length", "case", "char-2", "char-1", "char+1", "char+2",
        "elsewhere", "elsewhere times", "elsewhere share",
        "column", "line length", "capitals", "place", "words", "around", "all",
    ]  # fmt: skip
    assert rows.shape == (len(at), len(names))
    return rows[:, names.index(name)].tolist()


def stump(feature, threshold, low, high):
    """One tree: `low` where the feature is at most the threshold, else `high`."""
    nodes = [[[feature, threshold, 1, 2], [low], [high]]]
    return Trees.from_json({"baseline": 0.0, "depth": 1, "nodes": nodes})


def test_symbols_get_no_evidence_but_count_as_neighbours():
    assert column("Ann, MD", [1, 2, 3], "phi") == pytest.approx([1, 3], abs=1e-4)
    assert column("Ann, MD", [1, 2, 3], "phi+1") == pytest.approx([2, -12], abs=1e-4)
    assert column("Ann, MD", [1, 2, 3], "phi-1") == pytest.approx([-12, 2], abs=1e-4)


def test_a_text_without_words_has_rows_of_the_same_width():
    assert column("--- !", [0, 0, 0, 0], "phi") == []


def test_words_are_known_from_the_notes_that_were_counted():
    counts = WordCounts({"ann": (9, 10)}, {"dr": (8, 8)}, {"md": (6, 6)})
    assert column("Dr Ann MD", [0, 0, 0], "share", counts)[1] == pytest.approx(9.1 / 11)
    assert column("Dr Ann MD", [0, 0, 0], "opens", counts)[1] == pytest.approx(8.2 / 10)
    assert column("Dr Ann MD", [0, 0, 0], "closes", counts)[1] == pytest.approx(6.2 / 8)


def test_eponyms_and_the_nouns_behind_them():
    text = "Bell's palsy, Ménière disease, Dr Bell"
    phi = [0] * 11
    assert column(text, phi, "eponym") == [1, 0, 0, 1, 0, 0, 1]
    assert column(text, phi, "eponym's noun") == [1, 1, 0, 1, 0, 0, 0]


def test_the_same_word_elsewhere_in_the_note_speaks_for_it():
    text = "Rose smelt a rose; she felt well"
    phi = [5, -3, -3, -4, -4, -3, -3, -3]
    assert column(text, phi, "elsewhere")[:4] == pytest.approx([-4, -12, -12, 5], abs=1e-3)
    assert column(text, phi, "elsewhere times")[:4] == [1, 0, 0, 1]
    assert column(text, phi, "elsewhere share")[:4] == [0, 0, 0, 1]


def test_place_in_the_line_and_characters_around():
    text = "SIGNED BY\njh/mk"
    assert column(text, [0] * 6, "capitals") == [1, 1, 0, 0]
    assert column(text, [0] * 6, "column") == [0, 7, 0, 3]
    slash = column("a/b", [0] * 3, "char+1")[0]
    assert column(text, [0] * 6, "char+1")[2] == slash


def test_a_tree_sends_rows_left_up_to_the_threshold():
    trees = stump(feature=1, threshold=0.5, low=-1.0, high=2.0)
    rows = np.array([[9.0, 0.5], [9.0, 0.6]])
    assert trees(rows).tolist() == [-1.0, 2.0]


def test_many_rows_and_uneven_trees_add_up():
    nodes = [
        [[0, 0.0, 1, 2], [1.0], [2.0]],
        [[0, 1.0, 1, 2], [[0, -1.0, 3, 4]][0], [10.0], [20.0], [30.0]],
        [[5.0]],
    ]
    trees = Trees.from_json({"baseline": 0.5, "depth": 2, "nodes": nodes})
    rows = np.linspace(-2, 2, 1001)[:, None]
    x = rows[:, 0]
    second = np.where(x > 1, 10, np.where(x <= -1, 20, 30))
    assert trees(rows).tolist() == (0.5 + np.where(x <= 0, 1, 2) + second + 5).tolist()


@pytest.mark.parametrize("node", [[0, 0.0, 1, 9], [0, 0.0, 0, 1]])
def test_a_tree_that_leads_nowhere_is_refused(node):
    with pytest.raises(Halt, match="leads nowhere"):
        Trees.from_json({"baseline": 0, "depth": 1, "nodes": [[node, [1.0], [1.0]]]})


def test_doubt_is_settled_and_certainty_left_alone():
    said, logs = judged("Sputum sent Chen", [1.0, -9.5, 9.5])
    says_no = Stacking(("m@1",), 0.0, NO_COUNTS, stump(0, 100.0, -4.0, -4.0))
    revised = np.exp(says_no.revise("Sputum sent Chen", said, logs, TYPES))
    assert revised[0, 1] == pytest.approx(1 / (1 + np.exp(4)), rel=1e-3)
    assert revised[1:] == pytest.approx(np.exp(logs[1:]), rel=1e-6)


@given(
    st.lists(st.floats(-12, 12), min_size=3, max_size=3),
    st.floats(-6, 6),
    st.lists(st.floats(-5, 5), min_size=12, max_size=12),
)
def test_probabilities_stay_whole_and_types_keep_their_proportions(phi, answer, raw):
    scores = np.array(raw, np.float32).reshape(3, 4)
    scores[:, 1:3] += np.array(phi, np.float32)[:, None]
    logs = log_probabilities(scores)
    tokens = tokenize("Ann saw Bo")
    said = Judged.of(tokens.starts, tokens.ends, logs, TYPES)
    one = Stacking(("m@1",), 0.0, NO_COUNTS, stump(0, 100.0, answer, answer))
    p = np.exp(one.revise("Ann saw Bo", said, logs, TYPES).astype(float))
    assert p.sum(axis=1) == pytest.approx([1, 1, 1], abs=1e-4)
    asked = np.abs(said.phi) < DOUBT
    hidden = p[:, 1] + p[:, 2]
    assert hidden[asked] == pytest.approx(1 / (1 + np.exp(-answer)), abs=1e-4)
    was = logs[:, 1] - logs[:, 2]
    assert np.log(p[:, 1]) - np.log(p[:, 2]) == pytest.approx(was, abs=1e-3)
