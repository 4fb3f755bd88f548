"""Hostile messages, each made from its seed and number alone."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace

from stream_deid.rig.fuzz import fhir_inputs as fhir
from stream_deid.rig.fuzz import hl7_inputs as hl7
from stream_deid.rig.fuzz import json_inputs as json
from stream_deid.rig.fuzz import map_inputs as maps
from stream_deid.rig.fuzz.draft import Draft
from stream_deid.rig.fuzz.mutations import wounded
from stream_deid.rig.fuzz.samples import Samples
from stream_deid.surrogate.policy import POLICIES

_KEEPING = "limited-data-set"  # what a drawn vote calls a city stays there, canary or not

_MAKERS: tuple[tuple[str, int, Callable[[Draft], bytes]], ...] = (
    ("json", 30, json.plain),
    ("json types", 7, json.wrong_types),
    ("json keys", 6, json.doubled_keys),
    ("json nested", 5, json.nested),
    ("json escapes", 5, json.escapes),
    ("json sample", 15, json.sample),
    ("hl7", 15, hl7.built),
    ("hl7 sample", 15, hl7.sample),
    ("fhir", 10, fhir.built),
    ("fhir sample", 10, fhir.sample),
    ("map", 10, maps.mapped),
    ("map wrong", 5, maps.wrong),
    ("bytes", 2, lambda draft: draft.rng.randbytes(draft.rng.randint(0, 200))),
)
KINDS = tuple(dict.fromkeys(kind.split()[0] for kind, *_ in _MAKERS))
"""What `make` can be held to."""
_WOUNDED = 0.2


@dataclass(frozen=True, slots=True)
class FuzzInput:
    """One message and what must hold of it.

    `hidden`: canaries that may not be in the output; `canaries`: all of them, none of which may
    be in a dead letter, audit record or log line. `named`: those that the drawn model tags.
    `votes`: the seed of its other tags.
    """

    seed: int
    number: int
    kind: str
    policy: str
    votes: int
    raw: bytes = field(repr=False)
    hidden: tuple[str, ...] = field(repr=False)
    canaries: tuple[str, ...] = field(repr=False)
    named: re.Pattern[str] = field(repr=False)


def make(seed: int, number: int, samples: Samples, kinds: Sequence[str] = ()) -> FuzzInput:
    """Input `number` of a seed: the same for the same samples and `kinds` (all where none)."""
    rng = random.Random(f"{seed}/{number}")
    draft = Draft(rng, samples)
    makers = [one for one in _MAKERS if not kinds or one[0].split()[0] in kinds]
    kind, _, maker = rng.choices(makers, [weight for _, weight, _ in makers])[0]
    raw, policy = maker(draft), rng.choice(sorted(POLICIES))
    made = FuzzInput(
        seed=seed,
        number=number,
        kind=kind,
        policy=policy,
        votes=rng.getrandbits(32),
        raw=raw,
        hidden=() if policy == _KEEPING else tuple(draft.hidden),
        canaries=tuple(draft.canaries),
        named=re.compile("|".join(draft.named) or r"(?!)", re.IGNORECASE),
    )
    if rng.random() < _WOUNDED:  # what is told by the structure may not be told any more
        raw = wounded(rng, made.raw, samples)
        return replace(made, kind=f"{kind}, wounded", raw=raw, hidden=())
    return made
