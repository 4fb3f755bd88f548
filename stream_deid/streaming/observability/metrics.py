"""Prometheus metrics of one worker, in a registry of its own.

Labels hold partitions, PHI types, stages and codes: never anything of a note. With exemplars, which
are off unless asked for, the slowest stages name pseudonyms of notes.
"""

from __future__ import annotations

from collections import Counter as Spans
from collections.abc import Mapping

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, generate_latest
from prometheus_client.exposition import choose_encoder

from stream_deid import __version__
from stream_deid.labels import PhiType
from stream_deid.outcome import Contact, Outcome, Released, Stats

_SECONDS = (
    *(0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5),
    *(1.0, 2.5, 5.0, 10.0, 30.0, 60.0, 120.0),
)


TOGETHER = 50
"""Counts of words and by type are shown once so many notes have come: those of one note tell when
it came to whoever holds the released notes (docs/attacks.md, Counters).
"""


class Metrics:
    """Everything that a worker counts; `exemplars`: times name the pseudonym of a note; words and
    spans are counted so many notes `together`.
    """

    def __init__(self, *, exemplars: bool = False, together: int = TOGETHER) -> None:
        self._exemplars = exemplars
        self.registry = CollectorRegistry()
        self._together = together
        self._add_notes("stream_deid")
        self._add_models("stream_deid")
        self._add_worker("stream_deid")

    def _add_notes(self, name: str) -> None:
        self._notes = Counter(
            f"{name}_notes", "Notes committed, by outcome and partition", ["outcome", "partition"],
            registry=self.registry,
        )  # fmt: skip
        self._dead = Counter(
            f"{name}_dead_letters", "Dead letters by code", ["code"], registry=self.registry
        )
        self._phi = Counter(
            f"{name}_phi",
            f"Replaced spans by PHI type, {TOGETHER} notes at a time",
            ["type"],
            registry=self.registry,
        )
        for kind in PhiType:  # a type that is never found again must be seen to stand at 0
            self._phi.labels(str(kind))
        self._words = Counter(
            f"{name}_words",
            f"Words of released notes, {TOGETHER} notes at a time",
            registry=self.registry,
        )
        self._held: Spans[str] = Spans()
        self._held_notes = self._held_words = 0
        self._stage = Histogram(
            f"{name}_stage_seconds",
            "Time of a note by stage",
            ["stage"],
            buckets=_SECONDS,
            registry=self.registry,
        )
        self.transactions = Counter(
            f"{name}_transactions", "Kafka transactions by result", ["result"],
            registry=self.registry,
        )  # fmt: skip
        self.expired = Counter(
            f"{name}_notes_expired",
            "Notes that the broker deleted before they were read",
            registry=self.registry,
        )

    def _add_models(self, name: str) -> None:
        self.in_flight = Gauge(
            f"{name}_notes_in_flight", "Notes being processed", registry=self.registry
        )
        self.retries = Counter(
            f"{name}_retries", "Tries again of a note, by code", ["code"], registry=self.registry
        )
        self._requests = Counter(
            f"{name}_requests_retried", "Requests to the models tried again, by code", ["code"],
            registry=self.registry,
        )  # fmt: skip
        self._asked: Mapping[str, int] = {}
        self.silent = Gauge(
            f"{name}_models_silent_seconds", "Since when a model has not answered",
            registry=self.registry,
        )  # fmt: skip

    def _add_worker(self, name: str) -> None:
        self._lag = Gauge(
            f"{name}_lag", "Offsets behind the end of the input, of this worker's partitions",
            ["partition"], registry=self.registry,
        )  # fmt: skip
        self.records = Counter(
            f"{name}_records", "Records of patients that notes asked for, by result", ["result"],
            registry=self.registry,
        )  # fmt: skip
        self.records_held = Gauge(
            f"{name}_records_held", "Patients whose record's place is known", registry=self.registry
        )
        self.records_lag = Gauge(
            f"{name}_records_lag", "Records of patients that are still unread",
            registry=self.registry,
        )  # fmt: skip
        self._told: set[int] = set()
        self.partitions = Gauge(
            f"{name}_partitions", "Partitions of the input", registry=self.registry
        )
        self.owned = Gauge(
            f"{name}_partitions_owned", "Partitions claimed by this worker", registry=self.registry
        )
        self.live = Gauge(f"{name}_live", "1 if the worker is live", registry=self.registry)
        self.live.set(1)  # until the watch says that it isn't
        self._build = Gauge(
            f"{name}_build_info", "1, with what the worker runs", ["version", "release", "policy"],
            registry=self.registry,
        )  # fmt: skip

    def built(self, release: str, policy: str) -> None:
        """Say what runs here, so that two releases at work can be told apart."""
        self._build.labels(__version__, release, policy).set(1)

    def contact(self, contact: Contact) -> None:
        """How it stands with the models."""
        self.silent.set(contact.silent_s)
        for code, count in contact.retries.items():
            self._requests.labels(code).inc(count - self._asked.get(code, 0))
        self._asked = contact.retries

    def lagging(self, behind: Mapping[int, int]) -> None:
        """The lag of the partitions that are this worker's now, and of no others."""
        for gone in self._told - behind.keys():
            self._lag.remove(str(gone))
        for partition, lag in behind.items():
            self._lag.labels(str(partition)).set(lag)
        self._told = set(behind)

    def observe(self, stage: str, seconds: float, note: str = "") -> None:
        """A time; `note`: the pseudonym of the note whose it was."""
        exemplar = {"note": note} if note and self._exemplars else None
        self._stage.labels(stage).observe(seconds, exemplar)

    def count(self, outcome: Outcome, partition: int) -> None:
        """Account for one committed outcome."""
        if isinstance(outcome, Released):
            self._notes.labels("released", str(partition)).inc()
            self._count_text(outcome.stats)
        else:
            self._notes.labels("dead", str(partition)).inc()
            self._dead.labels(outcome.code).inc()
        for stage, seconds in outcome.stats.seconds.items():
            self.observe(stage, seconds, outcome.stats.note)

    def _count_text(self, stats: Stats) -> None:
        self._held.update({str(name): amount for name, amount in stats.phi.items()})
        self._held_words += stats.words
        self._held_notes += 1
        if self._held_notes == self._together:
            self._words.inc(self._held_words)
            for name, amount in self._held.items():
                self._phi.labels(name).inc(amount)
            self._held, self._held_notes, self._held_words = Spans(), 0, 0

    def text(self) -> bytes:
        """The metrics in Prometheus' text format."""
        return generate_latest(self.registry)

    def page(self, accept: str) -> tuple[str, bytes]:
        """Kind and text of the page; with exemplars it is OpenMetrics where `accept` asks for it,
        the only format that has them.
        """
        encode, kind = choose_encoder(accept if self._exemplars else "")
        return kind, encode(self.registry)
