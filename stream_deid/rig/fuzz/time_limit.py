"""How long an input may take: in multiples of an ordinary note of the same size."""

from __future__ import annotations

import re
from bisect import bisect_left
from itertools import islice

import orjson

from stream_deid.rig.fuzz.messages import FuzzInput
from stream_deid.rig.fuzz.samples import Samples
from stream_deid.rig.fuzz.subject import Subject

SIZES = (250, 1_000, 4_000, 16_000, 64_000)
_NOTHING = re.compile(r"(?!)")


class Pace:
    """CPU seconds of ordinary notes by size in bytes, each measured once on this machine, when an
    input of about its size comes: the largest take longest, and few inputs are so large.
    """

    def __init__(self, subject: Subject, samples: Samples) -> None:
        self._subject = subject
        self._words = "\n".join(islice(samples.lines, 5_000)).replace("[", "").replace("]", "")
        self._measured: dict[int, float] = {}

    def of(self, size: int) -> float:
        """The time of an ordinary note of `size` bytes; linear between what was measured."""
        if size <= SIZES[0]:
            return self._seconds(SIZES[0])
        at = min(bisect_left(SIZES, size), len(SIZES) - 1)
        low, high = SIZES[at - 1], SIZES[at]
        slope = (self._seconds(high) - self._seconds(low)) / (high - low)
        return self._seconds(low) + max(slope, 0.0) * (size - low)

    def _seconds(self, size: int) -> float:
        if size not in self._measured:
            self._measured[size] = _ordinary(self._subject, self._words, size)
        return self._measured[size]


def _ordinary(subject: Subject, words: str, size: int) -> float:
    text = (words * (1 + size // len(words)))[:size]
    note = {"note_id": "1", "patient_id": "2", "language": "en", "text": text}
    raw = orjson.dumps(note)
    one = FuzzInput(0, 0, "ordinary", "expert-determination", 7, raw, (), (), _NOTHING)
    tries = 5 if size < 5_000 else 2
    return min(subject.take(one).seconds for _ in range(tries))
