"""Start a broker, Triton and a worker; publish a feed; show what came of it; account for it.

1. broker (embedded, or the real one that the environment names) with fresh topics
2. Triton on this machine's CPU, and one worker under supervision
3. the feed in one burst, for the rate; then a few notes one by one, for the latency
4. raw beside clean, one audit record, the account; status 1 if a single note is missing
"""

from __future__ import annotations

import secrets
import sys
import tempfile
import threading
from contextlib import ExitStack
from dataclasses import dataclass, replace
from pathlib import Path

from rich.console import Console

from stream_deid import config, ending
from stream_deid.rig.broker import free_port, open_broker
from stream_deid.rig.demo import show
from stream_deid.rig.demo.record import DemoBook
from stream_deid.rig.reconciliation import environment
from stream_deid.rig.supervised import Supervised
from stream_deid.rig.synthetic import AUTHORITY, feed
from stream_deid.serving import manifest
from stream_deid.serving.local.server import LocalServer
from stream_deid.streaming.kafka.clients import create_topics

PARTITIONS = 3
ALONE = 24


@dataclass(frozen=True, slots=True)
class Stack:
    """Where everything of the demo listens."""

    kafka: config.Kafka
    triton: str
    http: str
    work: Path


def main(
    settings: config.Settings, *, settings_file: Path | None, messages: int, seed: int, keep: bool
) -> int:
    """Run the demo; 0 if every note arrived exactly once, else 1."""
    ending.on_signal(ending.leave)
    console = Console()
    feed_all = tuple(feed(1 + messages + ALONE, seed))
    with ExitStack() as stack:
        running, worker = _start(stack, settings, settings_file, console)
        book = DemoBook(running.kafka, PARTITIONS, worker)
        stack.callback(book.close)
        with console.status("waiting for the worker"):
            book.singly(feed_all[:1])
        with console.status(f"publishing {messages} messages in one burst"):
            burst = book.burst(feed_all[1 : messages + 1])
        with console.status(f"publishing {ALONE} messages one by one"):
            single = book.singly(feed_all[messages + 1 :])
        problems = book.reader.settle(1.0).problems(len(book.entries))
        show.notes(console, book.entries)
        show.audit(console, book.entries)
        show.account(console, book.entries, burst, single)
        show.verdict(console, problems)
        if keep:
            _keep(console, running)
    return 1 if problems else 0


def _start(
    stack: ExitStack, settings: config.Settings, settings_file: Path | None, console: Console
) -> tuple[Stack, Supervised]:
    bootstrap, kafka_home = config.local_broker()
    work = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="stream-deid-demo-")))
    with console.status("starting a broker"):
        broker = stack.enter_context(open_broker(bootstrap=bootstrap, kafka_home=kafka_home))
        kafka = _topics(settings.kafka, broker, fresh=bool(bootstrap))
        create_topics(
            kafka,
            dict.fromkeys(kafka.topics, PARTITIONS),
        )
    console.print(f"broker   {broker}")
    names = settings.model_names
    with console.status("starting Triton (the first time builds the engines)"):
        repo = manifest.repository(settings.triton.repository)
        triton = stack.enter_context(LocalServer(repo, names, restarts=10)).url
    console.print(f"Triton   {triton}  {', '.join(names)}")
    http = f"127.0.0.1:{free_port()}"
    running = Stack(kafka, triton, http, work)
    command = [sys.executable, "-m", "stream_deid.cli"]
    if settings_file is not None:
        command += ["--config", str(settings_file)]
    worker = Supervised([*command, "worker"], env=_environment(running), log=work / "worker.log")
    stack.enter_context(worker)
    console.print(f"worker   http://{http}/metrics   log {work / 'worker.log'}")
    return running, worker


def _topics(kafka: config.Kafka, broker: str, *, fresh: bool) -> config.Kafka:
    """On a broker that others use, topics and group get a name of their own."""
    tag = f"demo-{secrets.token_hex(3)}." if fresh else ""
    return replace(
        kafka,
        bootstrap=broker,
        group=f"{tag}{kafka.group}",
        topic_in=f"{tag}{kafka.topic_in}",
        topic_out=f"{tag}{kafka.topic_out}",
        topic_audit=f"{tag}{kafka.topic_audit}",
        topic_dead=f"{tag}{kafka.topic_dead}",
        member="demo",
        session_timeout_s=6.0,
        heartbeat_s=0.5,
    )


def _environment(running: Stack) -> dict[str, str]:
    host, port = running.http.split(":")
    return environment(
        running.kafka,
        STREAM_DEID_KEYS__VALUE=config.new_key(),
        STREAM_DEID_TRITON__URL=running.triton,
        STREAM_DEID_FORMATS__AUTHORITIES=f'{{"{AUTHORITY}" = ""}}',
        STREAM_DEID_HTTP__HOST=host,
        STREAM_DEID_HTTP__PORT=port,
    )


def _keep(console: Console, running: Stack) -> None:
    console.print(
        f"\nStill running: Kafka [b]{running.kafka.bootstrap}[/] (topics {running.kafka.topic_in}, "
        f"{running.kafka.topic_out}, {running.kafka.topic_audit}, {running.kafka.topic_dead}), "
        f"Triton [b]{running.triton}[/], metrics [b]http://{running.http}/metrics[/]. "
        "Ctrl-C ends it."
    )
    ended = threading.Event()
    ending.on_signal(lambda _: ended.set())
    ended.wait()
