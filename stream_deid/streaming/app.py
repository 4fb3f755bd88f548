"""Faust, held to what this project needs of it: intake and the consumer group.

Six departures from Faust as it comes, each after a failure seen in experiments:

* `ClaimingApp` claims partitions before Faust reads their committed offsets, and lets batches
  in hand finish before partitions are given up.
* `StrictAssignor` refuses to assign from metadata that lacks a subscribed topic. Faust's own
  gives every member an empty assignment and sleeps for good.
* `_IntakeThread` sends heartbeats while partitions are claimed. aiokafka sends none before the
  callback has returned: a claim longer than a session lost the group, which gave the partitions
  to another, whose claim fenced this one, in turn (seen after restarts of a broker).
* `_IntakeConsumer` is set to where the claims stand. aiokafka's `seek_to_committed` doesn't move
  where nothing is committed or the offset is 0, so that records which Faust had fetched and dropped
  during a rebalance were not read again: two workers that joined together at the start stood still
  until a further note came, and then ended with `stream.gap`. What is read twice or too far ahead
  is for the lanes to tell (`unbroken`), not for Faust, whose memory of offsets outlives a seek.
* Every member watches how many partitions there are. In aiokafka the leader does; a static leader
  that was restarted is given its partitions without being told that it leads, so that nobody
  watched, and partitions that were added had no owner (seen: for 242 s).
* The input topic is subscribed with `acks=False`: acknowledging an event accounts for it in
  Faust, but Faust commits no offsets. They move inside the transactions of `delivery.py`
  only; an offset committed late by Faust could set one of those back.

Faust's consumer is told to read committed records only, so that messages of a sender's
aborted transaction are never processed.
"""

from __future__ import annotations

import tempfile
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import Any, ClassVar, cast

import faust
from aiokafka import codec
from faust.assignor.partition_assignor import PartitionAssignor
from faust.transport.drivers import aiokafka as driver
from faust.types import TP
from mode.supervisors import CrashingSupervisor

from stream_deid.config import Kafka, Settings
from stream_deid.errors import Halt, Unavailable
from stream_deid.streaming.kafka.headers import tolerate_names
from stream_deid.streaming.kafka.security import credentials

_FETCH_BYTES = 1 << 20  # for one partition at a time; a single larger record still comes
_METADATA_AGE_MS = 10_000  # so soon partitions that were added are seen, and the group shares anew

Assigned = Callable[[set[int], int, str], Awaitable[None]]


class StrictAssignor(PartitionAssignor):
    """Faust's sticky assignor, which fails where a subscribed topic has no partitions.

    So it is where a topic was deleted, or a broker died between joining and assigning.
    """

    def assign(self, cluster: Any, member_metadata: Any) -> Any:
        topics = {t for member in member_metadata.values() for t in member.subscription}
        missing = sorted(t for t in topics if not cluster.partitions_for_topic(t))
        if missing:
            cast(ClaimingApp, self.app).end(
                Unavailable("kafka.metadata", f"no metadata of {', '.join(missing)}")
            )
        return super().assign(cluster, member_metadata)


class _IntakeThread(driver.AIOKafkaConsumerThread):
    def _create_worker_consumer(self, transport: Any) -> Any:
        consumer = super()._create_worker_consumer(transport)
        consumer._isolation_level = "read_committed"  # noqa: SLF001 - Faust offers no setting
        return consumer

    async def on_partitions_assigned(self, assigned: Any, generation_id: int = 0) -> None:
        """Claims may take longer than a session: the group hears of this member meanwhile.

        aiokafka's heartbeat begins behind this callback only, and starts no second one.
        """
        coordinator = self._ensure_consumer()._coordinator  # noqa: SLF001 - as all of it below
        coordinator._start_heartbeat_task()  # noqa: SLF001
        if coordinator._group_subscription is None:  # noqa: SLF001 - of a leader it is the group's
            coordinator._group_subscription = {cast(ClaimingApp, self.app).topic_in}  # noqa: SLF001
            coordinator._metadata_snapshot = coordinator._get_metadata_snapshot()  # noqa: SLF001
        await super().on_partitions_assigned(assigned, generation_id)

    async def seek_to(self, positions: Mapping[int, int]) -> Mapping[Any, int]:
        """Read on at these offsets of the input, as far as its partitions are assigned."""
        return cast(Mapping[Any, int], await self.call_thread(self._seek_to, positions))

    async def _seek_to(self, positions: Mapping[int, int]) -> Mapping[Any, int]:
        consumer = self._ensure_consumer()
        topic = cast(ClaimingApp, self.app).topic_in
        found = {
            place: positions[place.partition]
            for place in consumer.assignment()
            if place.topic == topic and place.partition in positions
        }
        for place, offset in found.items():
            consumer.seek(place, offset)
        return found


class _Forgetful(dict[Any, Any]):
    """Faust's offsets read so far; it drops what it believes to have read."""

    def __setitem__(self, place: Any, offset: Any) -> None: ...

    def update(self, *_: Any, **__: Any) -> None: ...

    def __missing__(self, place: Any) -> None: ...


class _IntakeConsumer(driver.Consumer):
    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._read_offset = _Forgetful()

    def _new_consumer_thread(self) -> Any:
        return _IntakeThread(self, loop=self.loop, beacon=self.beacon)

    def resume_flow(self) -> None:
        """Not while partitions are claimed, by the end of an earlier assignment."""
        if not cast(ClaimingApp, self.app).claiming:
            super().resume_flow()

    async def seek_to_committed(self) -> Mapping[Any, int]:
        """To where the claims stand: what is committed is theirs, and known."""
        return await self.set_to(cast(ClaimingApp, self.app).positions())

    async def set_to(self, positions: Mapping[int, int]) -> Mapping[Any, int]:
        """Have it read on at these offsets of the input."""
        return await cast(_IntakeThread, self._thread).seek_to(positions)


class _IntakeTransport(driver.Transport):
    Consumer: ClassVar[type] = _IntakeConsumer


class ClaimingApp(faust.App):
    """Faust's app with hooks around every rebalance and before it stops.

    `on_claim(partitions, generation, member)` runs before Faust seeks; `on_release()` before
    partitions are given up and before the app stops; `end(error)` ends the process. `positions()`
    says where reading goes on. To those who take its messages it is an `InputConsumer`.
    """

    topic_in: str
    on_claim: Assigned
    on_release: Callable[[], Awaitable[None]]
    end: Callable[[BaseException], None]
    positions: Callable[[], Mapping[int, int]]
    acknowledge: Callable[[Any], Awaitable[bool]]
    claiming = False

    def _new_transport(self) -> Any:
        return _IntakeTransport(self.conf.broker_consumer, self)

    async def _on_partitions_revoked(self, revoked: Any) -> None:
        await super()._on_partitions_revoked(revoked)
        await self.on_release()

    async def _on_partitions_assigned(self, assigned: Any, generation_id: int = 0) -> None:
        if not self.should_stop:
            mine = {tp.partition for tp in assigned if tp.topic == self.topic_in}
            self._stop_flow()
            self.consumer.resume_partitions(assigned)  # what an earlier claim had paused
            try:
                await self.on_claim(mine, generation_id, self._member())
            except Exception as error:  # noqa: BLE001 - Faust would log it and stay assigned
                self.end(error)
                return
            finally:
                self.claiming = False
        await super()._on_partitions_assigned(assigned, generation_id)

    def _stop_flow(self) -> None:
        """Faust does so before it gives partitions up, and not where it had none."""
        self.claiming = True
        self.consumer.stop_flow()
        self.flow_control.suspend()
        self.flow_control.clear()

    async def read_again(self) -> None:
        """Set the consumer back to `positions`."""
        await self.consumer.perform_seek()

    def pause(self, partition: int) -> None:
        """Read no more of a partition; what is on the way still comes, or is lost."""
        self.consumer.pause_partitions({TP(self.topic_in, partition)})

    async def read_on(self, partition: int) -> None:
        """Read a partition that was paused, from where its claim stands."""
        self.consumer.resume_partitions({TP(self.topic_in, partition)})
        positions = {one: at for one, at in self.positions().items() if one == partition}
        await cast(_IntakeConsumer, self.consumer).set_to(positions)

    def _member(self) -> str:
        """The id that the group knows this process by; empty once it has dropped it."""
        consumer = cast(Any, self.consumer)._thread._consumer  # noqa: SLF001 - Faust shows no id
        return str(consumer._coordinator.member_id)  # noqa: SLF001

    async def on_stop(self) -> None:
        await self.on_release()
        await super().on_stop()


def refuse_missing_codecs() -> None:
    """Raises `Halt("kafka.codecs")`: aiokafka would meet a batch that it can't unpack again and
    again, and no partition would go on.
    """
    known = {"gzip": codec.has_gzip, "snappy": codec.has_snappy, "lz4": codec.has_lz4,
             "zstd": codec.has_zstd}  # fmt: skip
    if missing := [name for name, there in known.items() if not there()]:
        raise Halt("kafka.codecs", f"can't unpack {', '.join(missing)}: pip install cramjam")


def drain_s(settings: Settings) -> float:
    """How long a batch in hand may take to finish when partitions are given up, in seconds."""
    return 0.6 * settings.shutdown_s


def rebalance_s(settings: Settings) -> float:
    """How long the group waits for a member to give up its partitions, in seconds."""
    return drain_s(settings) + settings.kafka.session_timeout_s + 5


def build(settings: Settings, member: str) -> ClaimingApp:
    """The Faust app for these settings; its hooks are still to be set. `member`: the name of a
    static member, empty for an ordinary one.
    """
    kafka = settings.kafka
    tolerate_names()
    app = ClaimingApp(
        kafka.group,
        broker=[f"kafka://{address.strip()}" for address in kafka.bootstrap.split(",")],
        broker_credentials=credentials(kafka.security),
        broker_session_timeout=kafka.session_timeout_s,
        broker_heartbeat_interval=kafka.heartbeat_s,
        broker_rebalance_timeout=rebalance_s(settings),
        broker_request_timeout=max(90.0, 2 * kafka.session_timeout_s),
        broker_max_poll_interval=max(1000.0, 10 * settings.deadline_s),
        broker_max_poll_records=max(100, 4 * kafka.batch),
        consumer_auto_offset_reset="earliest",
        consumer_group_instance_id=member or None,
        consumer_max_fetch_size=_FETCH_BYTES,
        consumer_metadata_max_age_ms=_METADATA_AGE_MS,
        # A full buffer makes Faust pause for a second: it must hold more work than that.
        stream_buffer_maxsize=max(1024, 16 * kafka.batch),
        stream_wait_empty=False,
        stream_publish_on_commit=False,
        agent_supervisor=CrashingSupervisor,
        PartitionAssignor=StrictAssignor,
        processing_guarantee="at_least_once",
        topic_allow_declare=False,
        topic_disable_leader=True,
        web_enabled=False,
        store="memory://",
        autodiscover=False,
        worker_redirect_stdouts=False,
        value_serializer="raw",
        key_serializer="raw",
        datadir=str(_state_dir(kafka)),
    )
    app.topic_in = kafka.topic_in
    return app


def _state_dir(kafka: Kafka) -> Path:
    """Faust's folder, made. Raises `Halt("kafka.state_dir")` where that can't be."""
    folder = Path(kafka.state_dir or Path(tempfile.gettempdir()) / f"faust-{kafka.group}")
    try:
        folder.mkdir(mode=0o700, parents=True, exist_ok=True)
    except OSError as error:
        raise Halt(
            "kafka.state_dir", f"{folder} can't be made: {error.strerror}; set kafka.state_dir"
        ) from None
    return folder


def input_topic(app: ClaimingApp) -> Any:
    """The raw input as a Faust topic; see the module's text on `acks=False`."""
    return app.topic(app.topic_in, value_serializer="raw", key_serializer="raw", acks=False)
