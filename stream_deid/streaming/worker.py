"""One worker process: from settings to an exit status.

Statuses (`stream_deid.exits`) other than 0 are for the supervisor (Kubernetes, `rig.supervised`)
to act on: nothing is lost, whatever the moment.
"""

from __future__ import annotations

import asyncio
import inspect
import os
import signal
import sys
import threading
import time
from collections.abc import Awaitable, Callable, Mapping
from typing import Any

import faust
from aiokafka.errors import CorruptRecordException, KafkaConnectionError

from stream_deid import ending
from stream_deid.config import Settings
from stream_deid.errors import DeidError, Halt, Unavailable
from stream_deid.exits import CRASHED, OK, UNAVAILABLE, status_of
from stream_deid.outcome import AnyProcessor
from stream_deid.streaming import app as faust_app
from stream_deid.streaming.app import rebalance_s
from stream_deid.streaming.certificates import LOOK_S, Certificates
from stream_deid.streaming.dispatcher import Dispatcher
from stream_deid.streaming.health import SILENT_S, Health
from stream_deid.streaming.kafka.awaiting import Patience, await_worker_topics
from stream_deid.streaming.kafka.membership import name_to_join_under
from stream_deid.streaming.kafka.records import records_of
from stream_deid.streaming.lag_watch import LagWatch, Watched, WatchTimes
from stream_deid.streaming.observability import logs
from stream_deid.streaming.observability.endpoint import Endpoint
from stream_deid.streaming.observability.metrics import Metrics
from stream_deid.streaming.observability.telemetry import Telemetry
from stream_deid.streaming.observability.traces import Tracer

_LISTEN_S = 2.0
_GOODBYE_S = 5.0  # for leaving the group, which may be waiting for somebody who is gone
_LINGER_S = 0.5  # for what a crash left behind; there is nothing to save

Opener = Callable[..., AnyProcessor | Awaitable[AnyProcessor]]
"""From settings, and `records` where there are any."""

_log = logs.get("worker")


def end_process(error: BaseException) -> None:
    """End this process at once. Safe at any point: what is not committed is read again."""
    _log.critical("process_ends", exc_info=error)
    os._exit(status_of(error))


def run(settings: Settings, open_processor: Opener) -> int:
    """Run a worker until SIGTERM or an error; give the exit status. For the main thread."""
    logs.configure()
    ending.on_signal(_leave)
    settle_s = settings.deadline_s + 2 * rebalance_s(settings)
    health, metrics = Health(settle_s=settle_s), Metrics(exemplars=settings.http.exemplars)
    endpoint = Endpoint(settings.http.host, settings.http.port, health, metrics)
    endpoint.start()
    _log.info("endpoint", address=endpoint.address)
    try:
        return _run(settings, open_processor, health, metrics)
    except DeidError as error:
        _log.critical("worker_failed", exc_info=error)
        return status_of(error)
    finally:
        endpoint.stop()


def _leave(_: signal.Signals) -> None:
    """A signal before anything was taken; from then on `Worker` drains."""
    sys.exit(OK)


def _status_of_crash(reason: BaseException) -> int:
    """As `status_of`; a broker that goes away while Faust starts is away and nothing else, and so
    is what rotted on its disk.
    """
    if isinstance(reason, CorruptRecordException):  # its words are the partition's name
        reason = Unavailable("kafka.corrupt", str(reason))
        _log.critical("input_unreadable", exc_info=reason)
    return UNAVAILABLE if isinstance(reason, KafkaConnectionError) else status_of(reason)


def _run(settings: Settings, open_processor: Opener, health: Health, metrics: Metrics) -> int:
    kafka = settings.kafka
    faust_app.refuse_missing_codecs()
    counts = await_worker_topics(kafka, kafka.needed, _patience(settings, health))
    loop = asyncio.new_event_loop()
    asyncio.set_event_loop(loop)
    beating = loop.create_task(_beat(health))  # models may take minutes to build and load
    processor = loop.run_until_complete(_open(open_processor, settings, metrics))
    listening = loop.create_task(_listen(processor, health, metrics))
    metrics.built(processor.release, settings.policy.name)
    partitions = counts[kafka.topic_in]
    metrics.partitions.set(partitions)
    app = faust_app.build(settings, _member(settings, processor.release, partitions))
    telemetry = Telemetry(metrics, _tracer(settings, processor.release))
    dispatcher = Dispatcher(settings, processor, app, health=health, telemetry=telemetry)
    watch = _watch(settings, dispatcher, loop, health, metrics)
    watch.start()
    _connect(app, dispatcher, health)
    worker = _Worker(app, loop, health=health, shutdown_s=settings.shutdown_s)
    renewing = loop.create_task(_renew(Certificates(settings), worker))
    status = worker.status()
    for task in (beating, listening, renewing):
        task.cancel()
    watch.stop()
    arm(_LINGER_S if status else settings.shutdown_s, status)
    return status


def _patience(settings: Settings, health: Health) -> Patience:
    """To wait for the topics with; a worker that waits is live."""

    def tell(event: str, fields: Mapping[str, Any]) -> None:
        health.beat()
        _log.warning(event, **fields)

    return Patience(settings.deadline_s, tell)


def _member(settings: Settings, release: str, partitions: int) -> str:
    """The name to join the group under, told with what joins."""
    member = name_to_join_under(settings.kafka, range(partitions))
    _log.info(
        "ready_to_join", release=release, policy=settings.policy.name,
        models=settings.model_names, partitions=partitions, group=settings.kafka.group,
        member=member,
    )  # fmt: skip
    return member


def _watch(
    settings: Settings,
    dispatcher: Dispatcher,
    loop: asyncio.AbstractEventLoop,
    health: Health,
    metrics: Metrics,
) -> LagWatch:
    """The watch over what a dispatcher has claimed; it reads again on the dispatcher's loop."""

    def read_again(partition: int) -> None:
        asyncio.run_coroutine_threadsafe(dispatcher.read_idle(partition), loop)

    watched = Watched(dispatcher.owned, end_process, dispatcher.patience, read_again)
    times = WatchTimes(stall_s=settings.deadline_s + settings.kafka.session_timeout_s + 30)
    return LagWatch(settings.kafka, watched, times, health, metrics)


def _tracer(settings: Settings, release: str) -> Tracer | None:
    """The tracer that is wanted, if any. Raises `Halt("traces.missing")`."""
    if not settings.traces.endpoint:
        return None
    try:
        from stream_deid.streaming.observability.tracer import Exporting  # noqa: PLC0415
    except ImportError:
        raise Halt("traces.missing", "pip install 'stream-deid[traces]'") from None
    return Exporting.over_http(settings.traces, release)


async def _open(opener: Opener, settings: Settings, metrics: Metrics) -> AnyProcessor:
    opened = opener(settings, **await records_of(settings, metrics))
    return await opened if inspect.isawaitable(opened) else opened


async def _beat(health: Health) -> None:
    while True:
        health.beat()
        await asyncio.sleep(1.0)


async def _listen(processor: AnyProcessor, health: Health, metrics: Metrics) -> None:
    """Tell how it stands with the models while notes come, and while none do."""
    told = 0.0
    while not health.ending:
        try:
            contact = await processor.contact()
        except DeidError as error:  # a note will meet it, and what it means is decided there
            _log.warning("models_unwell", exc_info=error)
        else:
            health.silent(contact.silent_s)
            metrics.contact(contact)
            if contact.silent_s > told + SILENT_S:
                told = contact.silent_s
                silent = sorted(name for name, s in contact.by_model.items() if s > SILENT_S)
                _log.warning("models_silent", seconds=round(told), models=silent)
            elif told and contact.silent_s < SILENT_S:
                _log.info("models_answer", after_s=round(told))
                told = 0.0
        await asyncio.sleep(_LISTEN_S)


async def _renew(certificates: Certificates, worker: _Worker) -> None:
    """End the worker when its certificates were renewed: it comes back with the new ones."""
    while not await asyncio.to_thread(certificates.renewed):  # noqa: ASYNC110 - files tell nobody
        await asyncio.sleep(LOOK_S)
    await asyncio.sleep(certificates.turn_s)
    worker.end_to_begin_anew()


def _connect(app: faust_app.ClaimingApp, dispatcher: Dispatcher, health: Health) -> None:
    """Have Faust's events and rebalances go to the dispatcher."""

    async def released() -> None:
        await dispatcher.release()
        if health.ending:  # nothing is in hand: who waits for the group need not
            arm(_GOODBYE_S, OK)

    app.on_claim, app.on_release, app.end = dispatcher.claim, released, end_process
    app.positions = dispatcher.positions

    async def deidentify(stream: Any) -> None:
        app.acknowledge = stream.ack
        await dispatcher.serve(aiter(stream.noack().events()))

    async def closed(*_: Any, **__: Any) -> None:
        await dispatcher.close()

    app.agent(faust_app.input_topic(app), name="deidentify")(deidentify)
    app.on_before_shutdown.connect(closed, weak=False)


def arm(seconds: float, status: int) -> None:
    """End the process with `status` if it is still there after `seconds`."""

    def give_up() -> None:
        time.sleep(seconds)
        if status == OK:
            _log.info("left_without_goodbye", seconds=seconds)
        else:
            _log.critical("shutdown_took_too_long", seconds=seconds)
        os._exit(status)

    threading.Thread(target=give_up, name="watchdog", daemon=True).start()


class _Worker(faust.Worker):
    """Faust's worker with this project's logging, one deadline on shutdown, and a status."""

    def __init__(
        self,
        app: faust_app.ClaimingApp,
        loop: asyncio.AbstractEventLoop,
        *,
        health: Health,
        shutdown_s: float,
    ) -> None:
        super().__init__(app, loop=loop, override_logging=False, quiet=True)
        self.spinner = None
        self._health = health
        self._shutdown_s = shutdown_s
        self._drained = OK

    def end_to_begin_anew(self) -> None:
        """Drain as for SIGTERM, and ask by the status to be started again."""
        self._drained = UNAVAILABLE
        self._schedule_shutdown(signal.SIGTERM)

    def _schedule_shutdown(self, number: signal.Signals) -> None:
        self._health.stopping()
        _log.info("draining", signal=number.name, shutdown_s=self._shutdown_s)
        arm(self._shutdown_s, CRASHED)
        super()._schedule_shutdown(number)

    def install_signal_handlers(self) -> None:
        """Not mode's: by SIGUSR1 it prints every frame's locals, raw notes among them, and by
        SIGUSR2 it starts a debugger.
        """
        ending.on_signal(self._schedule_shutdown, _tell_ignored, loop=self.loop)

    async def crash(self, reason: BaseException) -> None:
        arm(self._shutdown_s, _status_of_crash(reason))
        await super().crash(reason)

    def status(self) -> int:
        """Run to the end. A start that fails crashes no service; its reason is in mode's end."""
        error: BaseException | None = None
        try:
            self.execute_from_commandline()
        except SystemExit as ended:
            if not ended.code:
                _log.info("drained")
                return self._drained
            error = ended.__context__
        error = self.crash_reason or error
        return CRASHED if error is None else _status_of_crash(error)


def _tell_ignored(number: signal.Signals) -> None:
    _log.warning("signal_ignored", signal=number.name)
