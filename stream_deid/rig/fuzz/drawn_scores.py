"""A model that isn't there: its windows are real, its scores are drawn."""

from __future__ import annotations

import json
import random
import re
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.detect.neural.passages import Scores
from stream_deid.labels import AUTHORED, MEDDOCAN
from stream_deid.note import Window
from stream_deid.text import bio
from stream_deid.text.wordchar import WordCharEncoder

_SURE = 30.0
_LABELS = {"en": tuple(AUTHORED), "es": tuple(MEDDOCAN)}
_NAMES = {"en": "PATIENT", "es": "NOMBRE_SUJETO_ASISTENCIA"}
_SMALL_WINDOW = 24  # words, so that short notes too have seams between windows


def tagger(language: str) -> ModelSpec:
    """A model with every label of a language (`en`, `es`)."""
    return ModelSpec(
        name=f"drawn_{language}",
        version="0",
        kind="wordchar",
        languages=(language,),
        labels=bio.tag_names(_LABELS[language]),
        window=_SMALL_WINDOW,
        overlap=_SMALL_WINDOW // 4,
        wordchar=WordCharEncoder.from_json(json.dumps({"words": [], "alphabet": ""})),
    )


def drawn(
    windows: Sequence[Window],
    texts: Sequence[str],
    language: str,
    rng: random.Random,
    names: re.Pattern[str],
) -> list[Scores]:
    """Scores for windows of a note, `texts` by their `part`: tags at random, but whatever matches
    `names` is a name.

    How much is tagged is drawn for the note: nothing, here and there, nearly everything, or
    everything as one type.
    """
    share = rng.choice((0.0, 0.05, 0.3, 0.9))
    only = rng.randrange(1, 64) if rng.random() < 0.2 else 0
    noise = np.random.default_rng(rng.getrandbits(32))
    tags = bio.tag_names(_LABELS[language])
    name = tags.index(f"B-{_NAMES[language]}")
    places = [[match.span() for match in names.finditer(text)] for text in texts]
    made = []
    for window in windows:
        scores = _noise(window, noise, share, len(tags), only % len(tags))
        for span in places[window.part]:
            rows = _within(window, *span)
            scores[rows, name + 1] += _SURE
            scores[rows[:1], name] += 2 * _SURE
        made.append(scores)
    return made


def _noise(
    window: Window, noise: np.random.Generator, share: float, tags: int, only: int
) -> Scores:
    n = len(window)
    scores = np.zeros((n, tags), dtype=np.float32)
    tagged = np.where(noise.random(n) < share, only or noise.integers(1, tags, n), 0)
    scores[np.arange(n), tagged] = noise.uniform(1, 12, n)
    return scores


def _within(window: Window, start: int, end: int) -> NDArray[np.intp]:
    """The tokens of a window that have characters of `[start, end)`."""
    within = (window.starts < end) & (window.ends > start) & (window.ends > window.starts)
    return np.flatnonzero(within)
