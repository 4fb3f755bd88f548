"""The judge of pairs: how probable it is that one is a day, by a linear model over hashed features.

Logistic regression (Cox 1958) on features hashed into a fixed number of places (Weinberger et al.
2009), trained by `training/run/pairs.py`; a file a language in `data`.
"""

from __future__ import annotations

import base64
import math
import zlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from stream_deid.budget import check
from stream_deid.detect.pairs.evidence import Days, Text, full_dates
from stream_deid.detect.pairs.written import Pair, pairs
from stream_deid.errors import Halt

DAY_FIRST = frozenset({"es"})
"""Languages that write the day before the month."""


@dataclass(frozen=True, slots=True)
class Judge:
    """`weights` [2**bits]: what a feature at each place adds to the log-odds; `bias`: the rest."""

    bits: int
    bias: float
    weights: NDArray[np.float16] = field(repr=False)

    def log_odds(self, features: Iterable[str]) -> float:
        """That a pair with these features is a day."""
        places = hashed(features, self.bits)
        return self.bias + float(self.weights[places].astype(np.float64).sum())

    def probability(self, features: Iterable[str]) -> float:
        """The same as a probability."""
        return 1.0 / (1.0 + math.exp(-self.log_odds(features)))

    def to_json(self) -> dict[str, object]:
        """What `from_json` reads."""
        raw = zlib.compress(self.weights.astype("<f2").tobytes(), 9)
        weights = base64.b85encode(raw).decode("ascii")
        return {"bits": self.bits, "bias": self.bias, "weights": weights}

    @classmethod
    def from_json(cls, body: Mapping[str, Any]) -> Judge:
        """Raises `Halt("pairs.invalid")` where there is not a weight for each place."""
        raw = zlib.decompress(base64.b85decode(body["weights"]))
        weights = np.frombuffer(raw, dtype="<f2")
        if len(weights) != 1 << int(body["bits"]):
            raise Halt("pairs.invalid", f"{len(weights)} weights for {body['bits']} bits")
        return cls(int(body["bits"]), float(body["bias"]), weights)


def hashed(features: Iterable[str], bits: int) -> list[int]:
    """The places of features, each once, in order."""
    mask = (1 << bits) - 1
    return sorted({zlib.crc32(one.encode("ascii", "replace")) & mask for one in features})


@cache
def load(language: str) -> Judge | None:
    """The judge of a language; None where none was trained."""
    file = files("stream_deid.detect.pairs").joinpath("data", f"{language}.json")
    return Judge.from_json(orjson.loads(file.read_bytes())) if file.is_file() else None


def read(texts: Sequence[str], language: str) -> list[Text]:
    """The folded texts of one message with their pairs, as the judge looks at them."""
    day_first = language[:2] in DAY_FIRST
    found = [list(pairs(text, day_first=day_first)) for text in texts]
    dated = texts if any(found) else ()
    told = Days.of(day for text in dated for day in full_dates(text, day_first=day_first))
    return [
        Text(text, of, told, day_first=day_first) for text, of in zip(texts, found, strict=True)
    ]


def judged(judge: Judge, text: Text) -> list[tuple[Pair, float]]:
    """Each pair of a text with the probability that it is a day."""
    found = []
    for at, one in enumerate(text.pairs):
        check()
        found.append((one, judge.probability(text.features(at))))
    return found
