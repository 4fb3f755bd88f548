"""The parts of `bench/day.py`: pods, who sends notes, and the book of what came out."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
import time
import urllib.request
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
from confluent_kafka import OFFSET_END, Consumer, KafkaError, Message, Producer, TopicPartition
from day_cluster import K8S, Cluster

from stream_deid.config import Kafka
from stream_deid.rig.broker import free_port
from stream_deid.rig.reconciliation import environment
from stream_deid.rig.supervised import Supervised
from stream_deid.streaming.kafka.clients import base_options

SETTINGS = K8S / "base" / "stream-deid.toml"
PATIENCE_S = 300.0
QUICK = {"reconnect.backoff.max.ms": 500}


def wait(condition: Callable[[], bool], what: str, seconds: float = PATIENCE_S) -> float:
    """Wait until a condition holds; the seconds that it took."""
    began = time.monotonic()
    while not condition():
        if time.monotonic() - began > seconds:
            raise SystemExit(f"in vain for {seconds:.0f} s: {what}")
        time.sleep(0.1)
    return time.monotonic() - began


@dataclass
class Pods:
    """The StatefulSet: workers by ordinal, replaced one by one.

    `models`: by language, in place of those of the manifests' settings file; `settings`: variables.
    """

    cluster: Cluster
    folder: Path
    models: dict[str, str]
    settings: dict[str, str]
    ports: dict[int, int] = field(default_factory=dict)
    running: dict[int, Supervised] = field(default_factory=dict)
    statuses: Counter[int] = field(default_factory=Counter)

    def start(self, ordinal: int) -> None:
        name, port = f"stream-deid-worker-{ordinal}", self.ports.setdefault(ordinal, free_port())
        env = self._env("stream-deid-worker") | {
            "HOSTNAME": name,
            "KUBERNETES_SERVICE_HOST": "10.0.0.1",
            "STREAM_DEID_HTTP__PORT": str(port),
        }
        command, log = [*self._program(), "worker"], self.folder / f"{name}.log"
        self.running[ordinal] = Supervised(command, env=env, log=log).start()

    def end(self, ordinal: int) -> None:
        """SIGTERM, as for a pod that goes."""
        worker = self.running.pop(ordinal)
        worker.stop(wait_s=60)
        self.statuses.update(worker.statuses)

    def scale(self, replicas: int) -> None:
        for ordinal in range(replicas):
            if ordinal not in self.running:
                self.start(ordinal)
        for ordinal in sorted(self.running, reverse=True):
            if ordinal >= replicas:
                self.end(ordinal)

    def roll(self) -> float:
        """Replace one after the other, the last first; the seconds in all."""
        began = time.monotonic()
        for ordinal in sorted(self.running, reverse=True):
            self.replace(ordinal)
        return time.monotonic() - began

    def replace(self, ordinal: int, wait_s: float = PATIENCE_S) -> None:
        """One pod by the present settings; `wait_s`: for it to be ready, not at all with 0."""
        self.end(ordinal)
        self.start(ordinal)
        if wait_s:
            wait(lambda: self._ready(ordinal), f"worker {ordinal} ready", wait_s)

    def all_ready(self) -> float:
        return wait(lambda: all(self._ready(n) for n in self.running), "every worker ready")

    def command(self, user: str, *arguments: str) -> subprocess.Popen[str]:
        """A command of the program in a pod of this user: a Job, say."""
        with (self.folder / f"{arguments[0]}.log").open("a") as log:
            return subprocess.Popen(  # noqa: S603 - ours
                [*self._program(), *arguments],
                env=os.environ | self._env(user),
                text=True,
                stdout=subprocess.PIPE,
                stderr=log,
            )

    def _ready(self, ordinal: int) -> bool:
        page = f"http://127.0.0.1:{self.ports[ordinal]}/readyz"
        try:
            with urllib.request.urlopen(page, timeout=3):
                return True
        except OSError:
            return False

    def _env(self, user: str) -> dict[str, str]:
        """What Kubernetes puts into a pod of this user."""
        said = environment(self.cluster.client(user))
        kept = ("STREAM_DEID_KAFKA__BOOTSTRAP", "STREAM_DEID_KAFKA__SECURITY")
        return {name: said[name] for name in kept} | self.settings

    def _program(self) -> list[str]:
        """The program with the manifests' settings file, but for the models."""
        rest, _ = SETTINGS.read_text().split("[models]")
        models = "".join(f'{language} = ["{name}"]\n' for language, name in self.models.items())
        file = self.folder / f"stream-deid-{'-'.join(self.models)}.toml"
        file.write_text(f"{rest}[models]\n{models}")
        return [sys.executable, "-P", "-m", "stream_deid.cli", "--config", str(file)]


class Sender:
    """Notes at a steady rate, from a thread of its own, whatever becomes of the broker.

    `sent`: when each was handed over, by its place in the input.
    """

    def __init__(self, kafka: Kafka, notes: Iterator[bytes], rate: float) -> None:
        self.sent: dict[str, float] = {}
        self.count = 0
        self.topic, self._notes, self._rate = kafka.topic_in, notes, rate
        self._producer = Producer(
            {
                **base_options(kafka),
                **QUICK,
                "enable.idempotence": True,
                "message.timeout.ms": 0,
                "topic.metadata.refresh.interval.ms": 5000,
            }
        )
        self._end, self._going, self._idle = (threading.Event() for _ in range(3))
        self._thread = threading.Thread(target=self._run, daemon=True)

    def start(self) -> None:
        self._going.set()
        self._thread.start()

    def pause(self) -> None:
        """Send nothing more; what was handed over is delivered."""
        self._going.clear()
        self._idle.wait()
        assert self._producer.flush(120) == 0

    def resume(self) -> None:
        self._going.set()

    def stop(self) -> None:
        self._end.set()
        self._going.set()
        self._thread.join()
        assert self._producer.flush(120) == 0

    def _run(self) -> None:
        began = time.monotonic()
        for number, note in enumerate(self._notes):
            if not self._going.is_set():
                paused = time.monotonic()
                self._idle.set()
                self._going.wait()
                self._idle.clear()
                began += time.monotonic() - paused
            while (ahead := began + number / self._rate - time.monotonic()) > 0:
                self._producer.poll(0.01)
                if self._end.wait(min(ahead, 0.02)):
                    return
            report = self._report(time.monotonic())
            self._producer.produce(self.topic, note, key=str(number), on_delivery=report)
            self.count += 1

    def _report(self, at: float) -> Callable[[KafkaError | None, Message], None]:
        def report(error: KafkaError | None, record: Message) -> None:
            assert error is None, error
            self.sent[f"{record.topic()}/{record.partition()}/{record.offset()}"] = at

        return report


@dataclass(slots=True)
class Entry:
    """What came out of one message: releases of notes and audits, codes; `out`: when first."""

    notes: list[str] = field(default_factory=list)
    audits: list[str] = field(default_factory=list)
    dead: list[str] = field(default_factory=list)
    replayed: int = 0
    out: float = 0.0


class Book:
    """A `read_committed` reader of all that is released, in a thread of its own."""

    def __init__(
        self,
        kafka: Kafka,
        partitions: int,
        suffix: str = "",
        *,
        clean: Iterable[str] = (),
        newest: bool = False,
    ) -> None:
        """`clean`: more topics of clean notes; `newest`: only what comes from now on."""
        self.entries: dict[str, Entry] = {}
        self.releases: Counter[str] = Counter()
        self._topics = {
            f"{kafka.topic_out}{suffix}": "notes",
            f"{kafka.topic_audit}{suffix}": "audits",
            f"{kafka.topic_dead}{suffix}": "dead",
            **dict.fromkeys(clean, "notes"),
        }
        self._consumer = Consumer(
            {
                **base_options(kafka),
                **QUICK,
                "group.id": "day",
                "enable.auto.commit": False,
                "auto.offset.reset": "earliest",
                "isolation.level": "read_committed",
                "fetch.wait.max.ms": 50,
            }
        )
        at = OFFSET_END if newest else 0
        places = [TopicPartition(t, p, at) for t in self._topics for p in range(partitions)]
        self._consumer.assign(places)
        self._end = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._thread.start()

    def close(self) -> None:
        self._end.set()
        self._thread.join()
        self._consumer.close()

    def done(self, sent: Mapping[str, float]) -> bool:
        return all((entry := self.entries.get(source)) and entry.out for source in sent)

    def latency(self, sent: Mapping[str, float], since: float, until: float) -> str:
        """p50 and p99 of the notes that were sent between two moments."""
        took = [self.entries[s].out - at for s, at in sent.items() if since <= at < until]
        p50, p99 = np.percentile(took, [50, 99]) * 1000
        return f"p50 {p50:,.0f} ms, p99 {p99:,.0f} ms ({len(took)} notes)"

    def account(self, sent: Mapping[str, float]) -> dict[str, int]:
        """What is wrong; a note whose dead letter was replayed is there as both."""
        found: Counter[str] = Counter()
        for source in sent:
            entry = self.entries.get(source, Entry())
            live = len(entry.notes) - entry.replayed + len(entry.dead)
            found["lost"] += not live
            found["twice"] += live > 1 or entry.replayed > 1
            found["unaudited"] += sorted(entry.notes) != sorted(entry.audits)
            found["dead and not saved"] += bool(entry.dead) and not entry.replayed
        found["of nothing sent"] += len(self.entries.keys() - sent.keys())
        return dict(found)

    def _run(self) -> None:
        while not self._end.is_set():
            for message in self._consumer.consume(500, 0.1):
                if message.error() is None:
                    self._add(message)

    def _add(self, message: Message) -> None:
        headers = dict(message.headers() or ())
        source, release = headers["source"].decode(), headers["release"].decode()
        entry = self.entries.setdefault(source, Entry())
        kind = self._topics[message.topic()]
        what = json.loads(message.value())["code"] if kind == "dead" else release
        getattr(entry, kind).append(what)
        if kind == "notes":
            entry.replayed += "replay" in headers
            self.releases[release] += 1
        if kind != "audits" and not entry.out:
            entry.out = time.monotonic()
