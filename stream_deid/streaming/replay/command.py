"""`stream-deid replay`: notes again, written exactly once, or compared and not written at all."""

from __future__ import annotations

import asyncio
import sys
import time
from collections.abc import Awaitable, Callable
from contextlib import aclosing
from dataclasses import dataclass, field
from pathlib import Path
from typing import TextIO

from confluent_kafka import KafkaException

from stream_deid import ending, exits
from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt, Unavailable
from stream_deid.outcome import AnyProcessor
from stream_deid.streaming.kafka.clients import await_topics
from stream_deid.streaming.kafka.offsets import Offsets
from stream_deid.streaming.kafka.records import records_of
from stream_deid.streaming.kafka.rights import refuse_denied
from stream_deid.streaming.observability import logs
from stream_deid.streaming.replay import plan as plans
from stream_deid.streaming.replay.comparing import Comparison
from stream_deid.streaming.replay.examining import (
    ANOTHER,
    Courtesy,
    Crash,
    Examination,
    ReplayTally,
)
from stream_deid.streaming.replay.meter import Meter
from stream_deid.streaming.replay.order import ReplayOrder, fresh_name, named
from stream_deid.streaming.replay.plan import ReplayPlan
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange
from stream_deid.streaming.replay.sending import Sender
from stream_deid.streaming.replay.whereabouts import whereabouts

_log = logs.get("replay")

_MISSING_S = 3.0  # until brokers have told each other of a topic that was just made

_KEYS_MARK = b"which key a replay is of"

Opener = Callable[..., Awaitable[AnyProcessor]]


@dataclass(frozen=True, slots=True)
class ReplayJob:
    """An order, and how it is carried out.

    `name`: of the replay; the same name goes on where it stopped. `rate`: notes a second, 0 for no
    bound; `most_lag`: none begin while the workers are further behind. `dry`: only say what would
    be done. `verify`: compare byte by byte; `differences`: a folder for what is different.
    """

    order: ReplayOrder = field(default_factory=ReplayOrder)
    name: str = ""
    rate: float = 0.0
    most_lag: int | None = None
    dry: bool = False
    verify: bool = False
    differences: Path | None = None

    @property
    def compares(self) -> bool:
        """Whether outputs are compared with what was released, and nothing is written."""
        return self.verify or self.differences is not None


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
    run = _Run(settings, mine, name, job, broker=broker, out=out or sys.stdout)
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
    return await_topics(
        mine,
        sorted(wanted),
        deadline_s=mine.transaction_timeout_s,
        tell=logs.warnings_to(_log),
        worker=writes,
        missing_s=_MISSING_S,
    )


class _Run:
    """One carrying out of a job."""

    def __init__(
        self,
        settings: Settings,
        mine: Kafka,
        name: str,
        job: ReplayJob,
        *,
        broker: BrokerView,
        out: TextIO,
    ) -> None:
        self._settings, self._mine, self._name = settings, mine, name
        self._job, self._broker, self._out = job, broker, out
        self._live = settings.kafka
        self._tally = ReplayTally()
        self._missing = 0

    def dry(self) -> int:
        """Say what would be read and written; end as the replay itself would at its start.

        Raises as that does: topics that are not there, rights and limits that don't suffice.
        """
        plan = self._plan("")
        for (topic, partition), wanted in sorted(plan.wanted.items()):
            places = (
                f"offsets {wanted.start} to {wanted.until}"
                if isinstance(wanted, OffsetRange)
                else "single notes"
            )
            self._say(f"{topic}/{partition}: {places}, {len(wanted)} records at most")
        outputs = self._mine.topics[1:]
        into = (
            "compared with what was released"
            if self._job.compares
            else f"into {', '.join(outputs)}"
        )
        self._say(f"{plan.total} records at most, {into}; nothing was done")
        self._say_gone(plan)
        self._say_empty(plan)
        if not self._job.compares:
            counts = _await_topics(self._live, self._mine, self._job, writes=True)
            for topic in outputs:
                self._say(f"{topic}: is there, {counts[topic]} partitions")
        return exits.OK

    async def write(self, opener: Opener) -> int:
        """Process and send; go on where a replay of this name stopped."""
        processor = await opener(self._settings, **await records_of(self._settings))
        try:
            sender = Sender(self._mine, processor, self._name, self._broker.committed)
            await asyncio.to_thread(sender.open)
            plan = await asyncio.to_thread(self._plan, identity(self._job.order, processor))
            await asyncio.to_thread(sender.begin, self._broker.group, plan.progress, plan.places)
            self._announce(plan, processor.release)
            with Meter(plan.total) as meter:
                await self._write(processor, sender, plan, meter)
            self._say_written(plan)
        finally:
            await processor.close()
        return self._status(plan)

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
                detail = f"stopped before its end; --id {self._name} goes on with it"
                raise Unavailable("replay.stopped", detail)
            await asyncio.to_thread(sender.finish)
            self._missing = plan.total - self._tally.done if self._job.order.picks else 0
        except Crash as crash:
            at = crash.source
            await asyncio.to_thread(sender.blame, at, position[at.topic, at.partition])
            detail = f"{crash.kind} at offset {at.offset} of partition {at.partition}"
            raise Halt("replay.crashed", f"{detail}; --id {self._name} goes on") from None
        finally:
            close()

    async def compare(self, opener: Opener) -> int:
        """Process and compare with what was released; write nothing to Kafka."""
        processor = await opener(self._settings, **await records_of(self._settings))
        try:
            plan = await asyncio.to_thread(self._plan, "")
            self._announce(plan, processor.release)
            comparison = await asyncio.to_thread(
                Comparison.open, self._settings, processor, self._broker, plan.wanted,
                folder=self._job.differences, since=self._job.order.first,
            )  # fmt: skip
            with Meter(plan.total) as meter:
                await self._compare(processor, comparison, plan, meter)
        finally:
            await processor.close()
        for line in comparison.close(verify=self._job.verify):
            self._say(line)
        self._say_gone(plan)
        self._say_empty(plan)
        proved = comparison.proves and not plan.unknown
        return exits.OK if proved or not self._job.verify else exits.REJECTS

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
        stream = self._broker.stream(plan.wanted)
        offsets = Offsets(self._live) if self._job.most_lag is not None else None
        partitions = [partition for _, partition in self._broker.partitions(self._live.topic_in)]

        def lag() -> int:
            assert offsets is not None
            return sum(high - done for done, high in offsets.lag(partitions).values())

        courtesy = Courtesy(self._job.rate, self._job.most_lag, lag if offsets else None)
        examination = Examination(
            processor, stream, deadline_s=self._settings.deadline_s, most=self._mine.batch,
            courtesy=courtesy, macs=plan.macs, progress=plan.progress,
        )  # fmt: skip
        loop = asyncio.get_running_loop()
        ending.on_signal(lambda _: examination.stopped.set(), loop=loop)

        def close() -> None:
            stream.close()
            if offsets is not None:
                offsets.close()

        return examination, close

    def _plan(self, digest: str) -> ReplayPlan:
        return plans.make(
            self._job.order, self._live, self._broker, digest,
            settled=self._settled, goes_on=not self._job.compares,
        )  # fmt: skip

    @property
    def _settled(self) -> bool:
        return self._job.order.live or self._job.compares

    def _announce(self, plan: ReplayPlan, release: str) -> None:
        _log.info(
            "replay", id=self._name, release=release, group=self._mine.group, total=plan.total,
            gone=plan.gone, live=self._job.order.live, goes_on=not plan.fresh,
            compares=self._job.compares,
        )  # fmt: skip

    def _say_written(self, plan: ReplayPlan) -> None:
        done = self._tally
        if plan.done_before:
            self._say(f"replay {self._name}: all of it was done before")
            return
        self._say(
            f"replay {self._name}: {done.released} released to {self._mine.topic_out}, "
            f"audit in {self._mine.topic_audit}"
        )
        for code, count in sorted(done.dead.items()):
            where = "left alone" if code == ANOTHER.code else f"in {self._mine.topic_dead}"
            self._say(f"{count} {code}, {where}")
        self._say_gone(plan)
        self._say_empty(plan)

    def _say_empty(self, plan: ReplayPlan) -> None:
        """That there is nothing to do, and where something would be."""
        if not plan.total:
            told = whereabouts(
                self._job.order, self._live, self._broker, plan, settled=self._settled
            )
            for line in told:
                self._say(line)

    def _say_gone(self, plan: ReplayPlan) -> None:
        if plan.gone:
            self._say(f"{plan.gone} records are not in the input any more")
        if plan.unknown:
            told = "mistyped, of another epoch or tenant, or their audit was deleted"
            self._say(f"no audit record has {', '.join(plan.unknown)}: {told}")
        if self._missing:
            self._say(f"{self._missing} coordinates that were named hold no record")

    def _status(self, plan: ReplayPlan) -> int:
        lacks = plan.unknown and not plan.done_before
        return (
            exits.REJECTS if plan.gone or self._missing or self._tally.dead or lacks else exits.OK
        )

    def _say(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()
