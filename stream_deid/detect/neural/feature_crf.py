"""The feature CRF of Dernoncourt et al. 2017, section 2.1, as a detector of its own.

It runs in this process (CRFsuite, Okazaki 2007) and needs no model server. The name `crf` among
the models of a language adds its vote to theirs, the paper's CRF + ANN; alone it is its CRF.
"""

from __future__ import annotations

from collections.abc import Sequence
from hashlib import sha256
from importlib import resources
from importlib.resources.abc import Traversable

import numpy as np

from stream_deid.detect.neural.crf_features import features
from stream_deid.detect.neural.crf_knowledge import Families
from stream_deid.detect.neural.repair import repair
from stream_deid.detect.quantities.clinical import harmless
from stream_deid.detect.words.terms import surely_a_term
from stream_deid.errors import Halt
from stream_deid.labels import label_type
from stream_deid.note import Detection, Note
from stream_deid.text import bio
from stream_deid.text.tokens import Tokens, tokenize, without

_DIGITS = 8


class FeatureCrf:
    """A trained CRF: text in, detections out. Its weights tell which families it knows."""

    def __init__(self, model: bytes, name: str = "crf", version: str = "1") -> None:
        try:
            import pycrfsuite  # noqa: PLC0415 - only who names it needs the package
        except ImportError:
            raise Halt(
                "crf.package", "pip install 'stream_deid[crf]' for the feature CRF"
            ) from None
        self._tagger = pycrfsuite.Tagger()
        self._model = model  # CRFsuite reads it where it lies
        self._tagger.open_inmemory(model)
        self._families = Families.of_weights(model)
        self.detector = f"{name}@{version}"

    def detect(self, text: str, note: Note | None = None) -> list[Detection]:  # noqa: ARG002 - a Detector's
        """What `read` finds in the whole text."""
        return self.read(text)[0]

    def read(
        self, text: str, unread: Sequence[tuple[int, int]] = ()
    ) -> tuple[list[Detection], Tokens]:
        """Disjoint detections in order, and the tokens that were read: all but those of `unread`
        stretches. The score is the mean marginal of the span's tags.
        """
        tokens = without(tokenize(text), unread)
        return (self._found(text, tokens) if len(tokens) else []), tokens

    def _found(self, text: str, tokens: Tokens) -> list[Detection]:
        tags = self._tagger.tag(observed(text, tokens, self._families))
        found = []
        names = bio.tag_names(dict.fromkeys(t[2:] for t in tags if t != "O"))
        numbers = [names.index(t) for t in tags]
        for first, last, k in bio.runs(np.array(numbers, dtype=np.int64)):
            marginals = [self._tagger.marginal(tags[i], i) for i in range(first, last)]
            label = names[2 * k + 1][2:]
            score = min(sum(marginals) / len(marginals), 1.0)
            found.append((int(tokens.starts[first]), int(tokens.ends[last - 1]), label, score))
        return self._detections(text, found)

    def _detections(self, text: str, found: list[tuple[int, int, str, float]]) -> list[Detection]:
        out = []
        for start, end, label, score in repair(text, found):
            phi = label_type(label)
            if (
                phi is None
                or surely_a_term(text, start, end, phi)
                or harmless(text, start, end, phi)
            ):
                continue
            out.append(Detection(start, end, phi, self.detector, score, label))
        return out


def observed(text: str, tokens: Tokens, families: Families) -> list[list[str]]:
    """The features of each token of `text`, as CRFsuite reads them."""
    found = features(tokens)
    families.add(text, tokens, found)
    return found


def shipped(language: str) -> FeatureCrf:
    """The trained CRF of a language; its version is the beginning of its weights' SHA-256.

    Raises `Halt`: `crf.language` where none is shipped, `crf.package` without python-crfsuite.
    """
    file = weights(language)
    if not file.is_file():
        raise Halt("crf.language", f"no feature CRF is shipped for {language}")
    model = file.read_bytes()
    return FeatureCrf(model, file.name.partition(".")[0], sha256(model).hexdigest()[:_DIGITS])


def weights(language: str) -> Traversable:
    """Where the CRF of a language lies, which is part of the program."""
    return resources.files(__package__) / "data" / f"crf_{language[:2].lower()}.crfsuite"
