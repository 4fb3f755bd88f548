"""From two pages of each worker, and of Tritons, to what a person wants to know; pure.

Counters are taken as their growth between the pages, and from 0 where a worker was started anew.
Where a partition changes hands two workers may tell its lag for a moment: the larger one counts.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Self

from stream_deid.operations.top.scraping import Series, WorkerPage

PREFIX = "stream_deid_"
TRITON = "nv_inference_"
STAGES = (
    "queue", "parse", "begin", "score", "finish", "render", "process", "commit", "total",
)  # fmt: skip
"""In the order in which a note meets them; `process` is all from parse to render."""


@dataclass(frozen=True, slots=True)
class Latency:
    """Of one stage, in seconds; `count`: notes (commits for the stage `commit`)."""

    count: float
    p50: float
    p99: float
    mean: float


@dataclass(frozen=True, slots=True)
class Worker:
    """One worker: what it commits a second, and how it is."""

    address: str
    rate: float = 0.0
    in_flight: int = 0
    owned: int = 0
    live: bool = False
    release: str = ""
    problem: str = ""


@dataclass(frozen=True, slots=True)
class Model:
    """One model over all Tritons that were asked; requests and failures as they grew.

    `batch`: windows that are computed together; `queue_s`, `compute_s`: of one request.
    """

    requests: float
    failures: float
    batch: float
    queue_s: float
    compute_s: float


@dataclass(slots=True)
class Figures:
    """Everything that is shown. Rates are a second; `since_start`: there is one page only, and
    what grows is told as its sum since the workers' starts.
    """

    seconds: float = 0.0
    since_start: bool = False
    workers: list[Worker] = field(default_factory=list)
    released: float = 0.0
    dead: float = 0.0
    lag: dict[int, int] = field(default_factory=dict)
    stages: dict[str, Latency] = field(default_factory=dict)
    transactions: dict[str, float] = field(default_factory=dict)
    phi: dict[str, float] = field(default_factory=dict)
    codes: dict[str, float] = field(default_factory=dict)
    codes_in_all: dict[str, float] = field(default_factory=dict)
    retries: dict[str, float] = field(default_factory=dict)
    models: dict[str, Model] = field(default_factory=dict)
    expired: float = 0.0

    @property
    def rate(self) -> float:
        """Notes a second; 0 with one page."""
        return (self.released + self.dead) / self.seconds if self.seconds else 0.0

    @property
    def notes_a_transaction(self) -> float:
        """How many notes share a commit."""
        done = self.transactions.get("committed", 0.0)
        return (self.released + self.dead) / done if done else 0.0

    @property
    def seconds_of_lag(self) -> float:
        """How long the notes that wait will take at this rate; infinite where nothing goes out."""
        behind = sum(self.lag.values())
        if not behind:
            return 0.0
        return behind / self.rate if self.rate else math.inf

    @classmethod
    def of(cls, before: Sequence[WorkerPage], now: Sequence[WorkerPage]) -> Self:
        """Figures of the workers in `now`; `before` empty: since their starts."""
        earlier = {page.address: page for page in before if not page.problem}
        found = cls(since_start=not before)
        grown: dict[Series, float] = defaultdict(float)
        in_all: dict[Series, float] = defaultdict(float)
        for page in now:
            past = earlier.get(page.address)
            mine = dict(growth(past.values if past else {}, page.values))
            if past is None and before:
                mine = {}  # it has just come: its past is not ours
            _add(grown, mine)
            _add(in_all, page.values)
            found._see(page, mine, page.time - past.time if past else 0.0)
        found._count(grown, in_all)
        return found

    def _see(self, page: WorkerPage, grown: Mapping[Series, float], seconds: float) -> None:
        """One page by itself: whose it is, and the lag that it tells."""
        self.seconds = max(self.seconds, seconds)
        if not _is_triton(page):
            self.workers.append(_worker(page, grown, seconds))
        for partition, lag in _by(page.values, "lag", "partition").items():
            number = int(partition)
            self.lag[number] = max(self.lag.get(number, 0), int(lag))

    def _count(self, grown: Mapping[Series, float], in_all: Mapping[Series, float]) -> None:
        """What all pages come to together."""
        notes = _by(grown, "notes_total", "outcome")
        self.released, self.dead = notes.get("released", 0.0), notes.get("dead", 0.0)
        self.transactions = _by(grown, "transactions_total", "result")
        self.phi = {kind: n for kind, n in _by(grown, "phi_total", "type").items() if n}
        self.codes = _by(grown, "dead_letters_total", "code")
        self.codes_in_all = _by(in_all, "dead_letters_total", "code")
        self.retries = _by(grown, "retries_total", "code")
        self.models = dict(_models(grown))
        self.expired = sum(_by(in_all, "notes_expired_total", "").values())
        told = ((stage, latency(grown, stage)) for stage in STAGES)
        self.stages = {stage: one for stage, one in told if one is not None}


def _add(total: dict[Series, float], values: Mapping[Series, float]) -> None:
    for series, value in values.items():
        total[series] += value


def growth(
    before: Mapping[Series, float], now: Mapping[Series, float]
) -> Iterator[tuple[Series, float]]:
    """How much each counter grew; one that is smaller than before began anew."""
    for series, value in now.items():
        past = before.get(series, 0.0)
        yield series, value if value < past else value - past


def latency(grown: Mapping[Series, float], stage: str) -> Latency | None:
    """Quantiles of a stage from its histogram; None where nothing went through it."""
    buckets: dict[float, float] = defaultdict(float)
    total = seconds = 0.0
    for (name, labels), value in grown.items():
        told = dict(labels)
        if told.get("stage") != stage:
            continue
        if name == f"{PREFIX}stage_seconds_bucket":
            buckets[float(told["le"])] += value
        elif name == f"{PREFIX}stage_seconds_count":
            total += value
        elif name == f"{PREFIX}stage_seconds_sum":
            seconds += value
    if not total:
        return None
    ordered = sorted(buckets.items())
    return Latency(total, quantile(ordered, 0.5), quantile(ordered, 0.99), seconds / total)


def quantile(buckets: Sequence[tuple[float, float]], share: float) -> float:
    """The value below which a share of a histogram lies, as PromQL's `histogram_quantile`: even
    within a bucket, and the last finite bound for what is beyond it. `buckets`: (upper bound, count
    up to there), ascending.
    """
    wanted = share * buckets[-1][1]
    low, below = 0.0, 0.0
    for bound, count in buckets:
        if count >= wanted:
            if math.isinf(bound):
                return low
            inside = count - below
            return bound if not inside else low + (bound - low) * (wanted - below) / inside
        low, below = bound, count
    return low


def _worker(page: WorkerPage, grown: Mapping[Series, float], seconds: float) -> Worker:
    if page.problem:
        return Worker(page.address, problem=page.problem)
    one = {name: value for (name, labels), value in page.values.items() if not labels}
    notes = sum(_by(grown, "notes_total", "outcome").values())
    return Worker(
        page.address,
        rate=notes / seconds if seconds else 0.0,
        in_flight=int(one.get(f"{PREFIX}notes_in_flight", 0)),
        owned=int(one.get(f"{PREFIX}partitions_owned", 0)),
        live=one.get(f"{PREFIX}live", 1.0) > 0,
        release=next(iter(_by(page.values, "build_info", "release")), ""),
    )


def _is_triton(page: WorkerPage) -> bool:
    return any(name.startswith(TRITON) for name, _ in page.values)


def _models(grown: Mapping[Series, float]) -> Iterator[tuple[str, Model]]:
    """What Triton's own counters say of each model that was asked for something."""
    sums: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for (name, labels), value in grown.items():
        if name.startswith(TRITON) and "model" in (told := dict(labels)):
            counter = name.removeprefix(TRITON).removesuffix("_total")  # the parser's suffix
            sums[told["model"]][counter] += value
    for model, found in sorted(sums.items()):
        done, failed = found["request_success"], found["request_failure"]
        if done or failed:
            yield (
                model,
                Model(
                    requests=done,
                    failures=failed,
                    batch=found["count"] / max(found["exec_count"], 1.0),
                    queue_s=found["queue_duration_us"] / max(done, 1.0) / 1e6,
                    compute_s=found["compute_infer_duration_us"] / max(done, 1.0) / 1e6,
                ),
            )


def _by(values: Mapping[Series, float], name: str, label: str) -> dict[str, float]:
    """The series of a metric by one of their labels, added up; zeros left out but for the lag."""
    found: dict[str, float] = defaultdict(float)
    for (series, labels), value in values.items():
        if series == PREFIX + name:
            found[dict(labels).get(label, "")] += value
    return _sorted((k, v) for k, v in found.items() if v or name == "lag")


def _sorted(items: Iterable[tuple[str, float]]) -> dict[str, float]:
    return dict(sorted(items, key=lambda item: (-item[1], item[0])))
