"""Chaos: feed without end, strike at random, then account for every note and for every pause.

The same seed gives the same events in the same order. `run` carries a `ChaosPlan` out on a broker;
`main` is the command.
"""

from stream_deid.rig.chaos.command import main
from stream_deid.rig.chaos.plan import HASHING_WORKER, Bounds, ChaosPlan
from stream_deid.rig.chaos.run import run

__all__ = ["HASHING_WORKER", "Bounds", "ChaosPlan", "main", "run"]
