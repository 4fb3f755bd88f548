"""Brokers for the demo and the tests: embedded, a local Apache Kafka, or one that runs already.

`open_broker()` chooses: `bootstrap` if given, else Apache Kafka (single-node KRaft) if `KAFKA_HOME`
is given, else noida-db, a broker in one small binary from the package index. noida-db keeps
everything in memory and does not survive kills; claims about durability are only tried on Apache
Kafka.
"""

from __future__ import annotations

import base64
import contextlib
import itertools
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import threading
import time
import uuid
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from types import TracebackType
from typing import IO, Self

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from stream_deid import ending
from stream_deid.config import Kafka, without_secrets
from stream_deid.errors import Unavailable
from stream_deid.rig.authority import Authority
from stream_deid.rig.ports import refuse_taken
from stream_deid.streaming.kafka.clients import create_topics

SCRAM = ("SCRAM-SHA-256", "SCRAM-SHA-512")


_PORTS = range(15_000, 30_000)
_turns = itertools.count(101 * os.getpid())


def free_port() -> int:
    """A TCP port that is free on the loopback interface now, and stays so until it is used.

    This process gives it once, others begin elsewhere, and the system draws none of these for
    connections: a broker that was killed finds its port again.
    """
    while True:
        port = _PORTS[next(_turns) % len(_PORTS)]
        with socket.socket() as probe, contextlib.suppress(OSError):
            probe.bind(("127.0.0.1", port))
            return port


def new_id() -> str:
    """An id as Kafka makes them for clusters and folders."""
    return base64.urlsafe_b64encode(uuid.uuid4().bytes).rstrip(b"=").decode()


class Broker:
    """A broker process on loopback ports of its own, with its data in `folder`.

    `start`, `stop` (SIGTERM), `kill` (SIGKILL) and `start` again work on the same folder and
    the same address.
    """

    name = "broker"
    start_s = 240.0
    durable = False

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.port = free_port()
        self.client_options: dict[str, str] = {}
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def bootstrap(self) -> str:
        return f"127.0.0.1:{self.port}"

    @property
    def log(self) -> Path:
        return self.folder / f"{self.name}.log"

    def start(self) -> Self:
        """Start the process and wait until it answers. Raises `Unavailable("broker.start")`."""
        self.folder.mkdir(parents=True, exist_ok=True)
        self._prepare()
        with self.log.open("ab") as log:
            self._process = self._launch(log)
        deadline = time.monotonic() + self.start_s
        while not self._answers():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise Unavailable("broker.start", f"{self.name} does not answer; see {self.log}")
            time.sleep(0.1)
        return self

    def stop(self, *, wait_s: float = 20.0) -> None:
        """Ask the process to end, and make it if it does not."""
        self._end(signal.SIGTERM, wait_s)

    def send(self, number: signal.Signals) -> None:
        """Send the process a signal (SIGSTOP and SIGCONT, say)."""
        assert self._process is not None
        os.killpg(self._process.pid, number)

    def kill(self) -> None:
        """End the process with SIGKILL, as a crash of its machine would."""
        self._end(signal.SIGKILL, 10.0)

    def __enter__(self) -> Self:
        try:
            return self.start()
        except BaseException:  # a signal, say
            self.stop()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()

    def _prepare(self) -> None:
        """Write what the process needs before its first start."""

    def _command(self) -> list[str]:
        raise NotImplementedError

    def _launch(self, log: IO[bytes]) -> subprocess.Popen[bytes]:
        return subprocess.Popen(  # noqa: S603 - commands of this module
            self._command(), stdout=log, stderr=log, start_new_session=True, env=without_secrets()
        )

    def _answers(self) -> bool:
        admin = AdminClient(
            {
                "bootstrap.servers": self.bootstrap,
                "log_level": 0,
                "socket.timeout.ms": 5000,
                **self.client_options,
            }
        )
        try:
            return bool(admin.list_topics(timeout=5.0).brokers)
        except KafkaException:
            return False

    def _end(self, number: signal.Signals, wait_s: float) -> None:
        process, self._process = self._process, None
        if process is None or process.poll() is not None:
            return
        for what in (number, signal.SIGKILL):
            try:
                os.killpg(process.pid, what)
                process.wait(wait_s)
            except ProcessLookupError:
                process.wait(wait_s)
            except subprocess.TimeoutExpired:
                continue
            return


class NoidaDb(Broker):
    """noida-db's Kafka service: for demos and single-worker tests."""

    name = "noida-db"

    def _command(self) -> list[str]:
        script = Path(sys.executable).with_name("noida-db")
        found = str(script) if script.exists() else shutil.which("noida-db")
        if found is None:
            raise Unavailable(
                "broker.missing", "no broker: install stream-deid[embedded] or set KAFKA_HOME"
            )
        data = str(self.folder / "data")
        return [found, "start", "--data-dir", data, "--only", "kafka", "--kafka-port",
                str(self.port)]  # fmt: skip


class ApacheKafka(Broker):
    """A single KRaft node of the Kafka distribution in `home` (needs Java 17)."""

    name = "kafka"
    durable = True

    def __init__(
        self,
        folder: Path,
        home: Path,
        *,
        users: Mapping[str, str] | None = None,
        authority: Authority | None = None,
        **settings: str,
    ) -> None:
        """`users`: passwords by name; with them clients say who they are, by any mechanism, and
        only `admin` has rights until an ACL gives others some. `authority`: over TLS, with a
        certificate of its own. `settings`: of `server.properties`.
        """
        super().__init__(folder)
        self._home = home
        self.controller = free_port()
        self.users = dict(users or {})
        self._authority = authority
        self.settings = settings
        self.form: tuple[str, ...] = (f"--cluster-id={new_id()}", "--standalone")
        self._listener = "SASL_SSL" if authority else "SASL_PLAINTEXT"
        self.client_options = self.security("admin") if users else {}

    def security(self, user: str, mechanism: str = "PLAIN") -> dict[str, str]:
        """What a client of this user says (`kafka.security`), with a password."""
        said = {
            "security.protocol": self._listener,
            "sasl.mechanism": mechanism,
            "sasl.username": user,
            "sasl.password": self.users[user],
        }
        if self._authority:
            said["ssl.ca.location"] = str(self._authority.certificate)
        return said

    def _prepare(self) -> None:
        if self._config.exists():
            return
        text = (self._home / "config" / "server.properties").read_text(encoding="utf-8")
        text = text.replace("9092", str(self.port)).replace("9093", str(self.controller))
        if self.users:
            text = text.replace("PLAINTEXT://", f"{self._listener}://")
            text = text.replace(",PLAINTEXT:PLAINTEXT", f",{self._listener}:{self._listener}")
            text = text.replace(
                "inter.broker.listener.name=PLAINTEXT",
                f"inter.broker.listener.name={self._listener}",
            )
        lines = [line for line in text.splitlines() if not line.startswith("log.dirs")]
        lines += [
            f"log.dirs={self.folder / 'data'}",
            "group.initial.rebalance.delay.ms=0",
            "group.min.session.timeout.ms=2000",
            "offsets.topic.num.partitions=4",
            "transaction.state.log.num.partitions=4",
            "offsets.topic.replication.factor=1",
            "transaction.state.log.replication.factor=1",
            "transaction.state.log.min.isr=1",
            *(f"{name.replace('_', '.')}={value}" for name, value in self.settings.items()),
            *(self._access() if self.users else ()),
            *(self._certificate(self._authority) if self._authority else ()),
        ]
        self._config.write_text("\n".join(lines) + "\n", encoding="utf-8")
        storage = str(self._home / "bin" / "kafka-storage.sh")
        scram = [
            f"--add-scram={mechanism}=[name={name},password={word}]"
            for name, word in self.users.items()
            for mechanism in SCRAM
        ]
        self._output([storage, "format", *self.form, "-c", str(self._config), *scram])

    def _access(self) -> list[str]:
        known = " ".join(f'user_{name}="{word}"' for name, word in self.users.items())
        login = f'username="admin" password="{self.users["admin"]}"'
        logins = {
            "PLAIN": f"plain.PlainLoginModule required {login} {known};",
            **dict.fromkeys(SCRAM, "scram.ScramLoginModule required;"),
            # tokens that nobody has signed: for trials
            "OAUTHBEARER": "oauthbearer.OAuthBearerLoginModule required "
            'unsecuredLoginStringClaim_sub="admin";',
        }
        listener = f"listener.name.{self._listener.lower()}"
        return [
            f"sasl.enabled.mechanisms={','.join(logins)}",
            "sasl.mechanism.inter.broker.protocol=PLAIN",
            *(
                f"{listener}.{mechanism.lower()}.sasl.jaas.config="
                f"org.apache.kafka.common.security.{login}"
                for mechanism, login in logins.items()
            ),
            "authorizer.class.name=org.apache.kafka.metadata.authorizer.StandardAuthorizer",
            "super.users=User:admin;User:ANONYMOUS",  # the controller speaks to itself in the clear
        ]

    def _certificate(self, authority: Authority) -> list[str]:
        certificate, key = authority.issue(self.name)
        store = self.folder / "broker.pem"
        store.write_text(key.read_text() + certificate.read_text(), encoding="ascii")
        return [
            "ssl.keystore.type=PEM",
            f"ssl.keystore.location={store}",
            "ssl.truststore.type=PEM",
            f"ssl.truststore.location={authority.certificate}",
        ]

    @property
    def _config(self) -> Path:
        return self.folder / "server.properties"

    def _command(self) -> list[str]:
        return [str(self._home / "bin" / "kafka-server-start.sh"), str(self._config)]

    def _output(self, command: list[str]) -> str:
        done = subprocess.run(  # noqa: S603 - scripts of the distribution that the user named
            command, capture_output=True, text=True, check=False, timeout=self.start_s
        )
        if done.returncode:
            raise Unavailable("broker.start", f"{Path(command[0]).name} failed")
        return done.stdout


@contextmanager
def open_broker(
    *,
    bootstrap: str | None = None,
    kafka_home: str | None = None,
    folder: Path | None = None,
) -> Iterator[str]:
    """Give the address of a broker, and end it afterwards if it was started here."""
    if bootstrap:
        yield bootstrap
        return
    with tempfile.TemporaryDirectory(prefix="stream-deid-broker-") as scratch:
        place = folder or Path(scratch)
        broker = ApacheKafka(place, Path(kafka_home)) if kafka_home else NoidaDb(place)
        with broker:
            yield broker.bootstrap


def main(port: int, folder: Path | None, topics: Mapping[str, int] | None = None) -> int:
    """`stream-deid broker`: an embedded broker in the foreground until SIGTERM or Ctrl-C."""
    refuse_taken(port)
    with tempfile.TemporaryDirectory(prefix="stream-deid-broker-") as scratch:
        broker = NoidaDb(folder or Path(scratch))
        broker.port = port or broker.port
        ended = threading.Event()
        ending.on_signal(lambda _: ended.set())
        with broker:
            kafka = Kafka(bootstrap=broker.bootstrap)
            create_topics(kafka, topics or dict.fromkeys(kafka.topics, 3))
            sys.stdout.write(f"broker on {broker.bootstrap}; Ctrl-C ends it\n")
            sys.stdout.flush()
            ended.wait()
    return 0
