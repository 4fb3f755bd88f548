"""`stream-deid replay`: notes again, written exactly once, or compared and not written at all."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from pathlib import Path
from typing import TextIO

from confluent_kafka import KafkaException

from stream_deid import ending, exits
from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt, Unavailable
from stream_deid.outcome import AnyProcessor
from stream_deid.streaming.kafka.awaiting import Patience, await_topics, await_worker_topics
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.kafka.records import records_of
from stream_deid.streaming.kafka.rights import refuse_denied
from stream_deid.streaming.observability import logs
from stream_deid.streaming.replay import plan as plans
from stream_deid.streaming.replay.comparing import Comparison
from stream_deid.streaming.replay.examining import (
    Courtesy,
    Crash,
    Examination,
    ReplayPace,
    ReplayTally,
)
from stream_deid.streaming.replay.job import Errand, ReplayJob
from stream_deid.streaming.replay.meter import Meter
from stream_deid.streaming.replay.order import ReplayOrder, fresh_name, named
from stream_deid.streaming.replay.plan import ReplayPlan
from stream_deid.streaming.replay.reading import BrokerView
from stream_deid.streaming.replay.sending import Sender
from stream_deid.streaming.replay.speech import ReplaySpeech

_log = logs.get("replay")

_MISSING_S = 3.0  # until brokers have told each other of a topic that was just made

_KEYS_MARK = b"which key a replay is of"

Opener = Callable[..., Awaitable[AnyProcessor]]


def main(settings: Settings, job: ReplayJob, opener: Opener, out: TextIO | None = None) -> int:
    """Run the job; a status of `exits`. Raises `Halt`, `Unavailable`."""
    logs.configure()
    if job.compares and job.order.live:
        raise Halt("replay.order", "--live writes, --verify and --diff only compare")
    if job.differences is not None:
        _refuse_used(job.differences)
    name = job.name or fresh_name(time.time())
    mine = named(settings.kafka, name, job.order.share, live=job.order.live)
    _await_topics(settings.kafka, mine, job, writes=not (job.dry or job.compares))
    broker = BrokerView(mine, mine.transaction_timeout_s)
    errand = Errand(job, name, settings.kafka, mine, broker)
    run = _Run(settings, errand, ReplaySpeech(errand, out or sys.stdout))
    try:
        _refuse_absent(job.order, settings.kafka, broker)
        if job.dry:
            return run.dry()
        return asyncio.run(run.compare(opener) if job.compares else run.write(opener))
    except KafkaException as error:
        refuse_denied(error.args[0])
        raise Unavailable("replay.read", f"the broker refuses: {error.args[0].name()}") from None
    finally:
        broker.close()


def identity(order: ReplayOrder, processor: AnyProcessor) -> str:
    """What makes a replay this one and no other: the order, the release, and the key by its hash
    of a constant.
    """
    return order.digest(processor.release, processor.mac(_KEYS_MARK))


def _refuse_used(folder: Path) -> None:
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise Halt("replay.folder", f"{folder} is there already; take a new folder")


def _refuse_absent(order: ReplayOrder, live: Kafka, broker: BrokerView) -> None:
    """Partitions that are named and that the input doesn't have."""
    there = {partition for _, partition in broker.partitions(live.topic_in)}
    if absent := sorted({*order.first.offsets, *order.last.offsets} - there):
        told = f"{live.topic_in} has no partition {absent[0]}: it has {len(there)}, from 0 on"
        raise Halt("replay.range", told)


def _await_topics(live: Kafka, mine: Kafka, job: ReplayJob, *, writes: bool) -> dict[str, int]:
    """Partitions by topic. Topics are made by somebody: what isn't there is told at once."""
    reads = {live.topic_audit} | ({live.topic_dead} if job.order.dead is not None else set())
    wanted = {*mine.topics, *reads} if writes else {*live.topics}
    patience = Patience(mine.transaction_timeout_s, logs.warnings_to(_log), missing_s=_MISSING_S)
    return (await_worker_topics if writes else await_topics)(mine, sorted(wanted), patience)


class _Run:
    """An errand on its way; `speech` says on the output what became of it."""

    def __init__(self, settings: Settings, errand: Errand, speech: ReplaySpeech) -> None:
        self._settings, self._errand, self._speech = settings, errand, speech
        self._tally = ReplayTally()

    def dry(self) -> int:
        """Say what would be read and written; end as the replay itself would at its start.

        Raises as that does: topics that are not there, rights and limits that don't suffice.
        """
        errand = self._errand
        self._speech.would(self._plan(""))
        if not errand.job.compares:
            counts = _await_topics(errand.live, errand.mine, errand.job, writes=True)
            self._speech.are_there(counts)
        return exits.OK

    async def write(self, opener: Opener) -> int:
        """Process and send; go on where a replay of this name stopped."""
        errand = self._errand
        processor = await opener(self._settings, **await records_of(self._settings))
        try:
            sender = Sender(errand.mine, processor, errand.name, errand.broker.committed)
            await asyncio.to_thread(sender.open)
            plan = await asyncio.to_thread(self._plan, identity(errand.job.order, processor))
            await asyncio.to_thread(sender.begin, errand.broker.group, plan.progress, plan.places)
            self._announce(plan, processor.release)
            with Meter(plan.total) as meter:
                await self._write(processor, sender, plan, meter)
            self._speech.written(plan, self._tally)
        finally:
            await processor.close()
        lacks = plan.unknown and not plan.done_before
        problems = plan.gone or self._tally.missing or self._tally.dead or lacks
        return exits.REJECTS if problems else exits.OK

    async def _write(
        self, processor: AnyProcessor, sender: Sender, plan: ReplayPlan, meter: Meter
    ) -> None:
        examination, close = self._examination(processor, plan)
        position = {place: wanted.next(0) or 0 for place, wanted in plan.wanted.items()}
        try:
            async with aclosing(examination.parcels()) as outcomes:
                async for parcels in outcomes:
                    delivered = await asyncio.to_thread(sender.commit, parcels)
                    for parcel in parcels:
                        at = parcel.source
                        position[at.topic, at.partition] = at.offset + 1
                    self._tally.count(delivered)
                    meter.advance(len(parcels))
            if examination.stopped.is_set():
                detail = f"stopped before its end; --id {self._errand.name} goes on with it"
                raise Unavailable("replay.stopped", detail)
            await asyncio.to_thread(sender.finish)
            if self._errand.job.order.picks:
                self._tally.missing = plan.total - self._tally.done
        except Crash as crash:
            at = crash.source
            await asyncio.to_thread(sender.blame, at, position[at.topic, at.partition])
            detail = f"{crash.kind} at offset {at.offset} of partition {at.partition}"
            raise Halt("replay.crashed", f"{detail}; --id {self._errand.name} goes on") from None
        finally:
            close()

    async def compare(self, opener: Opener) -> int:
        """Process and compare with what was released; write nothing to Kafka."""
        job = self._errand.job
        processor = await opener(self._settings, **await records_of(self._settings))
        try:
            plan = await asyncio.to_thread(self._plan, "")
            self._announce(plan, processor.release)
            comparison = await asyncio.to_thread(
                Comparison.open, self._settings, processor, self._errand.broker, plan.wanted,
                folder=job.differences, since=job.order.first,
            )  # fmt: skip
            with Meter(plan.total) as meter:
                await self._compare(processor, comparison, plan, meter)
        finally:
            await processor.close()
        self._speech.compared(comparison.close(verify=job.verify), plan)
        proved = comparison.proves and not plan.unknown
        return exits.OK if proved or not job.verify else exits.REJECTS

    async def _compare(
        self, processor: AnyProcessor, comparison: Comparison, plan: ReplayPlan, meter: Meter
    ) -> None:
        examination, close = self._examination(processor, plan)
        try:
            async with aclosing(examination.parcels()) as outcomes:
                async for parcels in outcomes:
                    await asyncio.to_thread(comparison.add, parcels)
                    meter.advance(len(parcels))
            await asyncio.to_thread(comparison.flush)
        except Crash as crash:
            raise Halt("replay.crashed", f"{crash.kind} at {crash.source}") from None
        finally:
            close()
        if examination.stopped.is_set():
            raise Unavailable("replay.stopped", "stopped before its end; begin again")

    def _examination(
        self, processor: AnyProcessor, plan: ReplayPlan
    ) -> tuple[Examination, Callable[[], None]]:
        job, live, broker = self._errand.job, self._errand.live, self._errand.broker
        stream = broker.stream(plan.wanted)
        offsets = Offsets(live) if job.most_lag is not None else None
        partitions = [partition for _, partition in broker.partitions(live.topic_in)]

        def lag() -> int:
            assert offsets is not None
            return sum(high - done for done, high in offsets.lag(partitions).values())

        pace = ReplayPace(
            self._settings.deadline_s,
            self._errand.mine.batch,
            Courtesy(job.rate, job.most_lag, lag if offsets else None),
        )
        examination = Examination(processor, stream, plan, pace)
        loop = asyncio.get_running_loop()
        ending.on_signal(lambda _: examination.stopped.set(), loop=loop)

        def close() -> None:
            stream.close()
            if offsets is not None:
                offsets.close()

        return examination, close

    def _plan(self, digest: str) -> ReplayPlan:
        job = self._errand.job
        return plans.make(
            job.order, self._errand.live, self._errand.broker, digest,
            settled=job.settled, goes_on=not job.compares,
        )  # fmt: skip

    def _announce(self, plan: ReplayPlan, release: str) -> None:
        job = self._errand.job
        _log.info(
            "replay", id=self._errand.name, release=release, group=self._errand.mine.group,
            total=plan.total, gone=plan.gone, live=job.order.live, goes_on=not plan.fresh,
            compares=job.compares,
        )  # fmt: skip
