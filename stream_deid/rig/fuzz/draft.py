"""One input in the making: its dice, its samples, and the canaries put into it so far."""

from __future__ import annotations

import random
from dataclasses import dataclass, field

from stream_deid.rig.fuzz import texts
from stream_deid.rig.fuzz.samples import Samples


@dataclass(slots=True)
class Draft:
    """See `messages.FuzzInput` for `hidden`, `canaries` and `named`."""

    rng: random.Random
    samples: Samples
    hidden: list[str] = field(default_factory=list)
    canaries: list[str] = field(default_factory=list)
    named: list[str] = field(default_factory=list)

    def canary(self, *, hide: bool = True) -> str:
        """A fresh name of nobody: ten letters that no list, code or sample has."""
        rng = self.rng
        name = "".join(rng.choice("bdfgklmnprtvz") + rng.choice("aeiou") for _ in range(5)).title()
        self.canaries.append(name)
        if hide:
            self.hidden.append(name)
        return name

    def spotted(self) -> str:
        """A canary that the drawn model tags as a name wherever it stands."""
        name = self.canary()
        self.named.append(name)
        return name

    def text(self, *known: str) -> str:
        """Free text with canaries that pattern or model tell, and with those `known` by record."""
        rng, planted = self.rng, []
        if rng.random() < 0.5:
            planted.append(texts.titled(rng, self.canary()))
        if rng.random() < 0.4:
            planted.append(self.spotted())
        planted += [rng.choice((name, name.upper())) for name in known if rng.random() < 0.7]
        return texts.mixed(rng, self.samples.lines, planted)

    def odd(self) -> str:
        """A short hostile value."""
        rng = self.rng
        makers = (texts.anything, texts.digits, texts.day, texts.sentinel, texts.words)
        return rng.choice(makers)(rng)
