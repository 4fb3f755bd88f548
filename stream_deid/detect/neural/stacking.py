"""Stacking (Wolpert 1992): a learnt second opinion on what a model or a pool says.

Boosted trees weigh the models' scores against `detect.evidence`, on notes that the models had not
seen. They move the odds between "identifier" and "none"; which identifier it is stays with the
models. Tokens that the models are sure of are left alone.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from numpy.typing import NDArray

from stream_deid.detect.neural.evidence import Judged, WordCounts, evidence
from stream_deid.detect.neural.trees import Trees
from stream_deid.labels import PhiType
from stream_deid.text.viterbi import stretches

Scores = NDArray[np.float32]

DOUBT = 4.0
"""Log-odds up to which the trees are asked: beyond it (p under .018 or above .982) models win."""


@dataclass(frozen=True, slots=True)
class Stacking:
    """The second opinion on one pool: `pool` names its models as `name@version`, in order.

    `o_bias` and `type_bias` take the place of the models' own (`ModelSpec`).
    """

    pool: tuple[str, ...]
    o_bias: float
    counts: WordCounts = field(repr=False)
    trees: Trees = field(repr=False)
    type_bias: Mapping[PhiType, float] = field(default_factory=dict)

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Stacking:
        """From what `training.stacking` writes."""
        tables = {
            name: {word: (int(yes), int(count)) for word, (yes, count) in table.items()}
            for name, table in body["words"].items()
        }
        trees = Trees.from_json(body["trees"])
        bias = {PhiType[name]: float(b) for name, b in body.get("type_bias", {}).items()}
        return cls(tuple(body["pool"]), float(body["o_bias"]), WordCounts(**tables), trees, bias)

    def revise(
        self, text: str, judged: Judged, logs: Scores, types: Sequence[PhiType | None]
    ) -> Scores:
        """Log-probabilities [n, L] with the odds of "identifier" revised.

        `logs` [n, L] of tags of `types` [L] (None: "O" and neutral labels), of which `judged` is
        the digest.
        """
        at, rows = evidence(text, judged, self.counts, DOUBT)
        if len(at) == 0:
            return logs
        hidden = np.array([t is not None for t in types])
        out = logs.copy()
        for a, b in stretches(len(at)):
            mine = at[a:b]
            phi = judged.phi[mine]
            change = self.trees(rows[a:b]) - phi
            yes = 1.0 / (1.0 + np.exp(-phi))
            norm = np.log(yes * np.exp(change) + 1.0 - yes)
            out[mine] += np.where(hidden, change[:, None], 0.0) - norm[:, None]
        return out
