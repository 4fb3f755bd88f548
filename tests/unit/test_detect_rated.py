"""Rows of scores with their days: the days move, the scores stay, and other rows are left."""

import pytest

from stream_deid.detect.patterns.dates.rated import is_day, is_score
from stream_deid.detect.patterns.dates.told import is_told
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.labels import PhiType


def told(text, which):
    found = []
    for word in text.replace("(", " ").replace(")", " ").split():
        pair = word.strip(".,;")
        start = text.index(pair)
        if "/" in pair and which(text, start, start + len(pair)):
            found.append(pair)
    return found


@pytest.mark.parametrize(
    ("text", "days", "scores"),
    [
        ("Pain 6/10 3/2, 4/10 3/5, 2/10 3/9.", ["3/2", "3/5", "3/9"], ["6/10", "4/10", "2/10"]),
        ("quad 3/5 on 3/2, 4/5 on 3/9", ["3/2", "3/9"], ["3/5", "4/5"]),
        ("Dolor 7/10 (13/1); 4/10 (16/1)", ["13/1", "16/1"], ["7/10", "4/10"]),
        ("Pain 6/10 3/2", [], []),
        ("hip 4/5 4/5, knee 3/5 4/5", [], []),
        ("pain 6/10 3/9, 4/10 3/2", [], []),
        ("12/10 3/2, 4/10 3/5", [], []),
        ("flex 4/5 5/5, ext 3/5 4/5", [], []),
    ],
)
def test_a_row_of_scores_tells_its_days(text, days, scores):
    assert told(text, is_day) == days == told(text, is_told)
    assert told(text, is_score) == scores
    for score in scores:
        start = text.index(score)
        assert harmless(text, start, start + len(score), PhiType.DATE)
