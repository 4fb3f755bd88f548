"""Days whose figures a scan misread, in any letters and cases: no pattern fails on them."""

from __future__ import annotations

import itertools

import pytest

from stream_deid.detect.patterns import PATTERNS
from stream_deid.detect.patterns.base import Compiled
from stream_deid.labels import PhiType
from stream_deid.text.view import View

FIGURES = "13oOlLiI"
SHAPES = {
    "en": ("May {}", "{} May", "May {}, 2021", "{}/l2/2021", "{}/1O", "3/{}/21"),
    "es": ("mayo {}", "{} de mayo", "{} de mayo de 2021", "{}/l2/2021", "{}/1O", "3/{}/21"),
}


@pytest.mark.parametrize("language", sorted(SHAPES))
def test_no_pattern_fails_on_a_misread_day(language):
    dates = [Compiled(one) for one in PATTERNS[language] if one.type is PhiType.DATE]
    for shape, size in itertools.product(SHAPES[language], (1, 2)):
        for figures in itertools.product(FIGURES, repeat=size):
            view = View(f"{shape.format(''.join(figures))} ")
            for one in dates:
                assert all(hit.end > hit.start for hit in one.run(view))
