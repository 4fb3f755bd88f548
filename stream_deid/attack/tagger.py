"""A tagger of everything that looks like an identifier: the project's CRF features, one label.

CRFsuite (Okazaki 2007) by L-BFGS; few iterations, because an attacker needs no finesse.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

from stream_deid.atomic import beside
from stream_deid.detect.neural.crf_features import features
from stream_deid.errors import Halt
from stream_deid.text import bio
from stream_deid.text.tokens import Tokens, tokenize

Spans = Sequence[tuple[int, int]]
_TAGS = bio.tag_names(["PHI"])
_SETTINGS = {
    "c1": 0.1, "c2": 0.01, "max_iterations": 60,
    "feature.minfreq": 2, "feature.possible_transitions": True,
}  # fmt: skip


def _crfsuite() -> Any:
    try:
        import pycrfsuite  # noqa: PLC0415 - only this attack needs the training packages
    except ModuleNotFoundError:
        raise Halt(
            "attack.crfsuite", "install the training packages: stream-deid[training]"
        ) from None
    return pycrfsuite


def fit(notes: Iterable[tuple[str, Spans]], model: Path) -> None:
    """Train on texts with their disjoint spans and write `model`.

    Raises `Halt("attack.crfsuite")` where CRFsuite is not installed.
    """
    trainer = _crfsuite().Trainer(algorithm="lbfgs", verbose=False)
    trainer.set_params(_SETTINGS)
    for text, spans in notes:
        tokens = tokenize(text)
        if len(tokens):
            marked = [(start, end, "PHI") for start, end in spans]
            tags = bio.encode(tokens.starts, tokens.ends, marked, _TAGS)
            trainer.append(features(tokens), [_TAGS[t] for t in tags.tolist()])
    with beside(model) as part:
        trainer.train(str(part))


class PhiTagger:
    """A trained tagger. Raises `Halt("attack.crfsuite")` where CRFsuite is not installed."""

    def __init__(self, model: Path) -> None:
        self._tagger = _crfsuite().Tagger()
        self._tagger.open(str(model))

    def probabilities(self, text: str, spans: Spans) -> list[float]:
        """For each span the mean probability of its tokens to be in an identifier, in [0, 1]."""
        tokens = tokenize(text)
        if not len(tokens):
            return [0.0] * len(spans)
        self._tagger.set(features(tokens))
        out = []
        for span in spans:
            outside = [self._tagger.marginal("O", i) for i in _touched(tokens, span)]
            out.append(1.0 - sum(outside) / len(outside) if outside else 0.0)
        return out

    def tagged(self, text: str, spans: Spans) -> list[bool]:
        """For each span whether the tagger marks any of its tokens."""
        tokens = tokenize(text)
        if not len(tokens):
            return [False] * len(spans)
        tags = self._tagger.tag(features(tokens))
        return [any(tags[i] != "O" for i in _touched(tokens, span)) for span in spans]


def _touched(tokens: Tokens, span: tuple[int, int]) -> range:
    """The tokens that a span touches, as `bio.encode` counts them."""
    start, end = span
    return range(
        int(tokens.ends.searchsorted(start, side="right")),
        int(tokens.starts.searchsorted(end, side="left")),
    )
