"""What is decided on the development notes before a run is exported."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, slots=True)
class Choice:
    """What the development notes decided (`choose`).

    `o_bias`: what is taken from the score of "O"; `weight` in a pool. For BERT: `int8`, with which
    NNCF `preset`, and the nodes that stay in floating point; `share` below 1 takes the mean of
    that share of the run's weights and the rest of those that the repository holds (weight-space
    ensembles, Wortsman et al. 2022, section 3). `figures` go into the manifest.
    Of a run of stacking only `o_bias` counts.
    """

    version: str
    o_bias: float
    weight: float = 1.0
    int8: bool = True
    preset: str = "performance"
    share: float = 1.0
    keep_float: tuple[str, ...] = ()
    figures: dict[str, Any] = field(default_factory=dict)
