"""How good surrogate text is to learn from, or to measure on, in place of the original.

Surrogates that differ from what they replace teach a tagger something else. Two taggers of one
make, one trained on notes and one on their surrogate twins, are both scored on other notes and on
their twins. The tagger is the feature CRF of `training.crf`; it needs the training packages.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from tempfile import TemporaryDirectory

from stream_deid.attack.outcome import Advance
from stream_deid.attack.twins import versions
from stream_deid.detect.neural.feature_crf import FeatureCrf
from stream_deid.surrogate import Surrogates
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.run.crf import Penalties, fit_crf
from stream_deid.training.run.tagger import unify
from stream_deid.training.scores.counts import Score, total
from stream_deid.training.scores.offline import score_notes

PENALTIES = Penalties()


def measure(
    train: Sequence[AnnotatedNote],
    dev: Sequence[AnnotatedNote],
    maker: Surrogates,
    advance: Advance,
    penalties: Penalties = PENALTIES,
) -> dict[tuple[str, str], Score]:
    """The score of each pair (trained on, scored on) of `twins.VERSIONS`.

    `advance` is called after each training and each score. Raises `Halt("edit.order")` where
    marked identifiers of a note overlap.
    """
    judged = versions(maker, dev)
    scores: dict[tuple[str, str], Score] = {}
    with TemporaryDirectory() as folder:
        for learnt, notes in versions(maker, train).items():
            model = Path(folder) / f"{learnt}.crfsuite"
            fit_crf([unify(note) for note in notes], model, penalties)
            advance()
            crf = FeatureCrf(model.read_bytes())
            for version, gold in judged.items():
                found = [crf.detect(note.text) for note in gold]
                scores[learnt, version] = total(score_notes(gold, found))
                advance()
    return scores
