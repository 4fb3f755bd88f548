"""`stream-deid mllp`: takes HL7 v2 over MLLP and writes it to the input topic.

One event loop for all connections, a thread for each sender's transactions (`lane`), and one that
asks every few seconds whether the broker answers.
"""

from __future__ import annotations

import asyncio
import socket
import ssl
import threading
from functools import partial
from typing import Any

from confluent_kafka import KafkaException
from confluent_kafka.admin import AdminClient

from stream_deid import ending
from stream_deid.audit import mac_key
from stream_deid.config import Kafka, Settings, read_key
from stream_deid.errors import Halt
from stream_deid.formats import hl7_interfaces
from stream_deid.mllp.access import Guests, server_tls
from stream_deid.mllp.arrival import Registrar
from stream_deid.mllp.connection import Connection
from stream_deid.mllp.door import Door, Visitor, opened
from stream_deid.mllp.health import MllpHealth
from stream_deid.mllp.house import Budget, House
from stream_deid.mllp.intake import Intake
from stream_deid.mllp.metrics import ListenerMetrics
from stream_deid.streaming.examine import OF_THE_PROCESS
from stream_deid.streaming.kafka.awaiting import Patience, await_topics
from stream_deid.streaming.kafka.clients import base_options, client
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.endpoint import Endpoint

_HANDSHAKE_S = 10.0
_ASK_EVERY_S = 3.0
_BACKLOG = 256
_AGAIN_S = 0.2

_log = logs.get("mllp")


class Listener:
    """The server of one process; lives on one event loop."""

    def __init__(self, house: House) -> None:
        self._house = house
        self._guests = Guests(house.settings)
        self._door = Door(house.settings.max_connections, house.settings.max_silent)
        self._open: dict[Connection, asyncio.Task[Any]] = {}
        self._tasks: set[asyncio.Task[None]] = set()
        self._sockets: list[socket.socket] = []
        self._tls: ssl.SSLContext | None = None

    @property
    def port(self) -> int:
        return int(self._sockets[0].getsockname()[1])

    async def start(self) -> None:
        """Listen. Raises `Halt("mllp.bind" | "mllp.tls")`."""
        settings = self._house.settings
        self._tls = server_tls(settings, partial(self._refuse, "tls"))
        try:
            self._sockets = await opened(settings.host, settings.port, _BACKLOG)
        except OSError as error:
            where = f"{settings.host}:{settings.port}"
            raise Halt("mllp.bind", f"{where}: {error.strerror}") from None
        loop = asyncio.get_running_loop()
        self._tasks |= {loop.create_task(self._let_in(one)) for one in self._sockets}

    async def stop(self, wait_s: float) -> None:
        """Take no connection, finish the messages in hand for at most `wait_s` seconds."""
        serving = set(self._open.values())
        idle = self._tasks - serving
        for task in idle:
            task.cancel()
        if idle:
            await asyncio.wait(idle)
        for one in self._sockets:
            one.close()
        for connection in self._open:
            connection.leave()
        if serving:
            await asyncio.wait(serving, timeout=wait_s)
        for task in serving:
            task.cancel()
        self._house.intake.close()

    async def _let_in(self, listening: socket.socket) -> None:
        """Whoever comes, until cancelled."""
        loop = asyncio.get_running_loop()
        while True:
            try:
                came, peer = await loop.sock_accept(listening)
            except OSError as error:  # no file descriptor is left, or he is gone again
                _log.warning("accept_failed", error=error.strerror)
                await asyncio.sleep(_AGAIN_S)
                continue
            self._tasks.add(loop.create_task(self._welcome(came, str(peer[0]))))

    async def _welcome(self, came: socket.socket, address: str) -> None:
        """TLS, then blocks; counted from before the first byte."""
        task = asyncio.current_task()
        assert task is not None
        visitor = Visitor(address, task.cancel)
        refused = "network" if self._guests.elsewhere(address) else self._counted(visitor)
        if refused:
            self._refuse(refused)
            self._tasks.discard(task)
            came.close()
            return
        try:
            reader, writer = await self._connected(came)
            if reader is not None and writer is not None:
                await self._serve(reader, writer, visitor)
        finally:
            self._door.left(visitor)
            self._tasks.discard(task)

    def _counted(self, visitor: Visitor) -> str:
        place, sent_off = self._door.enter(visitor)
        if sent_off is not None:
            self._refuse("silent")
        return "" if place else "full"

    async def _connected(
        self, came: socket.socket
    ) -> tuple[asyncio.StreamReader, asyncio.StreamWriter] | tuple[None, None]:
        """Nothing where no handshake was made; `server_tls` tells of those that failed."""
        loop = asyncio.get_running_loop()
        reader = asyncio.StreamReader(loop=loop)
        protocol = asyncio.StreamReaderProtocol(reader, loop=loop)
        try:
            transport, _ = await loop.connect_accepted_socket(
                lambda: protocol,
                came,
                ssl=self._tls,
                ssl_handshake_timeout=_HANDSHAKE_S if self._tls else None,
            )
        except (OSError, TimeoutError):
            return None, None
        return reader, asyncio.StreamWriter(transport, protocol, reader, loop)

    async def _serve(
        self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, visitor: Visitor
    ) -> None:
        metrics = self._house.metrics
        refusal = self._guests.refusal(visitor.address, writer.get_extra_info("peercert"))
        if refusal:
            self._refuse(refusal)
            writer.transport.abort()
            return
        visitor.leave = writer.transport.abort
        _keep_alive(writer)
        connection = Connection(self._house, reader, writer, visitor)
        task = asyncio.current_task()
        assert task is not None
        self._open[connection] = task
        metrics.connections.inc()
        try:
            reason = await connection.run()
            metrics.closed.labels(reason).inc()
        except OF_THE_PROCESS:
            raise
        except BaseException as error:  # noqa: BLE001 - its words may quote a message: only its type goes on
            metrics.closed.labels("failed").inc()
            _log.error("connection_failed", exc_info=error)
        finally:
            metrics.connections.dec()
            self._open.pop(connection, None)
            writer.close()

    def _refuse(self, reason: str, detail: str = "") -> None:
        self._house.metrics.refused.labels(reason).inc()
        _log.warning("connection_refused", reason=reason, detail=detail)


def _keep_alive(writer: asyncio.StreamWriter) -> None:
    """Notice peers that are gone without a word, and send answers at once."""
    sock = writer.get_extra_info("socket")
    sock.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
    sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)


class Lookout(threading.Thread):
    """Asks whether the broker answers; a listener without one is not ready, but answers AE."""

    def __init__(self, kafka: Kafka, standing: MllpHealth, metrics: ListenerMetrics) -> None:
        super().__init__(name="lookout", daemon=True)
        self._kafka, self._standing, self._metrics = kafka, standing, metrics
        self._ended = threading.Event()

    def run(self) -> None:
        admin = client(AdminClient, base_options(self._kafka))
        while not self._ended.wait(_ASK_EVERY_S):
            try:
                admin.list_topics(self._kafka.topic_in, timeout=_ASK_EVERY_S)
            except KafkaException:
                self._say("the broker does not answer")
            else:
                self._say("")

    def stop(self) -> None:
        self._ended.set()

    def _say(self, reason: str) -> None:
        self._metrics.kafka.set(0 if reason else 1)
        self._standing.hinder("kafka", reason)


def listener_topics(settings: Settings) -> tuple[str, str]:
    """Where messages are written, and where their ids are."""
    return settings.kafka.topic_in, settings.mllp.topic_seen


async def serve(settings: Settings, standing: MllpHealth, metrics: ListenerMetrics) -> None:
    """Listen until a signal ends it (`ending`). Raises `Halt`, `Unavailable`."""
    loop, ended = asyncio.get_running_loop(), asyncio.Event()
    ending.on_signal(lambda _: ended.set(), loop=loop)
    kafka, own = settings.kafka, settings.mllp
    patience = Patience(settings.deadline_s, logs.warnings_to(_log), ended=ended.is_set)
    counts = await asyncio.to_thread(await_topics, kafka, listener_topics(settings), patience)
    if ended.is_set():
        return
    house = House(
        own,
        Registrar(
            mac_key(read_key(settings.keys), settings.keys.tenant), hl7_interfaces(settings.formats)
        ),
        Intake(settings, counts[own.topic_seen]),
        metrics,
        Budget(own.max_bytes_in_hand, metrics),
    )
    listener, lookout = Listener(house), Lookout(kafka, standing, metrics)
    await listener.start()
    lookout.start()
    metrics.kafka.set(1)
    standing.hinder("start", "")
    _log.info("listening", port=listener.port, tls=bool(own.certificate), to=kafka.topic_in)
    while not ended.is_set():
        standing.beat()
        try:
            await asyncio.wait_for(ended.wait(), 1.0)
        except TimeoutError:
            continue
    standing.hinder("stop", "stopping")
    lookout.stop()
    await listener.stop(settings.shutdown_s)
    _log.info("stopped")


def main(settings: Settings) -> int:
    """Run until SIGTERM or Ctrl-C."""
    logs.configure()
    standing, metrics = MllpHealth(), ListenerMetrics()
    endpoint = Endpoint(settings.http.host, settings.http.port, standing, metrics)
    endpoint.start()
    try:
        asyncio.run(serve(settings, standing, metrics))
    finally:
        endpoint.stop()
    return 0
