"""The book of a run: what was released of each message, checked against what was sent."""

from __future__ import annotations

import math
import time
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import orjson

from stream_deid.config import Kafka
from stream_deid.rig.chaos.placing import Sent
from stream_deid.rig.chaos.stalls import Wait, waits


@dataclass(slots=True)
class _Seen:
    note: str = ""
    told: tuple[str, str] = ("", "")
    dead: tuple[str, str] = ("", "")


@dataclass
class HashBook:
    """A watcher of a reader's records that keeps hashes only; `mac`: of a released note."""

    kafka: Kafka
    mac: Callable[[bytes], str]
    seen: dict[str, _Seen] = field(default_factory=dict)
    out: dict[tuple[int, int], float] = field(default_factory=dict)
    _last: dict[tuple[str, int, int], int] = field(default_factory=dict)
    _disorder: int = 0

    def saw(self, topic: str, partition: int, source: str, value: bytes) -> None:
        """One committed record."""
        _, origin, offset = source.rsplit("/", 2)
        place, entry = (int(origin), int(offset)), self.seen.setdefault(source, _Seen())
        if topic == self.kafka.topic_out:
            entry.note = self.mac(value)
        else:
            body = orjson.loads(value)
            if topic == self.kafka.topic_audit:
                entry.told = str(body["input_mac"]), str(body.get("output_mac", ""))
            else:
                entry.dead = str(body["input_mac"]), str(body["code"])
        if topic != self.kafka.topic_audit:
            self.out.setdefault(place, time.monotonic())
        lane = topic, partition, place[0]
        if place[1] < self._last.get(lane, -1):
            self._disorder += 1
        self._last[lane] = place[1]

    def forget(self) -> None:
        """Everything comes again."""
        self.seen.clear()
        self.out.clear()
        self._last.clear()
        self._disorder = 0

    def problems(self, sent: Mapping[str, Sent]) -> dict[str, int]:
        """What is wrong by kind: notes paired with others' records, out of order, from nowhere,
        both released and rejected, or rejected for no reason of theirs.
        """
        found: Counter[str] = Counter(wrong_order=self._disorder)
        for source, entry in self.seen.items():
            origin = sent.get(source)
            if origin is None:
                found["of_nothing_sent"] += 1
                continue
            if entry.note and entry.dead[0]:
                found["released_and_rejected"] += 1
            found["wrong_pairs"] += not self._paired(origin, entry)
            found["good_notes_rejected"] += bool(origin.good and entry.dead[0])
        return {name: number for name, number in found.items() if number}

    def _paired(self, origin: Sent, entry: _Seen) -> bool:
        """Whether audit or dead letter speak of this message, and the audit of this very note."""
        if entry.dead[0] and entry.dead[0] != origin.mac:
            return False
        told, released = entry.told
        return not entry.note or (told == origin.mac and released in ("", entry.note))

    def codes(self) -> Counter[str]:
        """Dead letters by code."""
        return Counter(entry.dead[1] for entry in self.seen.values() if entry.dead[1])

    def started(self) -> float:
        """When every partition that releases anything had begun to (monotonic seconds)."""
        first: dict[int, float] = {}
        for (partition, _), at in self.out.items():
            first[partition] = min(at, first.get(partition, at))
        return max(first.values(), default=math.inf)

    def waits(self, sent: Mapping[str, Sent]) -> list[Wait]:
        """How long each message stood at the head of its partition."""
        at: dict[tuple[int, int], tuple[float, int]] = {}
        for source, one in sent.items():
            _, partition, offset = source.rsplit("/", 2)
            at[int(partition), int(offset)] = one.at, one.size
        return list(waits(at, self.out, time.monotonic()))
