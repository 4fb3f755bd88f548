"""What topics must be like; pure judgement of facts that `kafka` has gathered."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import Enum

from stream_deid.config import Settings
from stream_deid.operations.doctor.findings import Area, DoctorFinding
from stream_deid.streaming.replay.order import SUFFIX

KAFKA = Area("kafka")
_DAY_MS = 86_400_000


class Role(Enum):
    """What a topic is to us."""

    IN = "in"
    OUT = "out"
    AUDIT = "audit"
    DEAD = "dead"
    SEEN = "seen"
    RECORDS = "records"


@dataclass(frozen=True, slots=True)
class WantedTopic:
    """A topic that must be there, and the setting that names it."""

    setting: str
    name: str
    role: Role


@dataclass(frozen=True, slots=True)
class Facts:
    """A topic as the broker tells it. `replicas`, `in_sync`: of its poorest partition;
    `settings` None: this user may not ask for them.
    """

    partitions: int
    replicas: int
    in_sync: int
    leaderless: int = 0
    settings: Mapping[str, str] | None = field(default_factory=dict)


def wanted(settings: Settings, commands: frozenset[str]) -> list[WantedTopic]:
    """The topics of a worker, and of the other commands that are named."""
    kafka = settings.kafka
    found = [
        WantedTopic("kafka.topic_in", kafka.topic_in, Role.IN),
        WantedTopic("kafka.topic_out", kafka.topic_out, Role.OUT),
        WantedTopic("kafka.topic_audit", kafka.topic_audit, Role.AUDIT),
        WantedTopic("kafka.topic_dead", kafka.topic_dead, Role.DEAD),
    ]
    if kafka.topic_records:
        found.append(WantedTopic("kafka.topic_records", kafka.topic_records, Role.RECORDS))
    if "release" in commands:
        found.append(WantedTopic("release.topic_notes", settings.release.topic_notes, Role.OUT))
        found.append(WantedTopic("release.topic_audit", settings.release.topic_audit, Role.AUDIT))
    if "replay" in commands:
        found += [  # the audit of a replay may go with its notes
            WantedTopic(f"{one.setting} with {SUFFIX}", one.name + SUFFIX, Role.OUT)
            for one in found[1:4]
        ]
    if "mllp" in commands:
        found.append(WantedTopic("mllp.topic_seen", settings.mllp.topic_seen, Role.SEEN))
    return found


def missing(one: WantedTopic, like: int) -> DoctorFinding:
    """A topic that is not there; `like`: partitions of the input."""
    name = f"{one.setting}: there is no topic {one.name}"
    return KAFKA.error(
        name, f"kafka-topics.sh --create --topic {one.name} --partitions {like or 12}"
        " --replication-factor 3 --config min.insync.replicas=2",
    )  # fmt: skip


def judge(one: WantedTopic, facts: Facts, settings: Settings) -> Iterator[DoctorFinding]:
    """What is wrong with a topic."""
    name = f"{one.setting}: {one.name}"
    found = list(_health(name, facts))
    if facts.settings is None:
        yield from found
        yield KAFKA.well(
            f"{name}: {facts.partitions} partitions; its settings can't be seen "
            "(that takes DescribeConfigs)"
        )
        return
    found += _safety(name, one, facts, facts.settings)
    found += _keeping(name, one, facts.settings)
    found += _sizes(name, one, facts.settings, settings.kafka.max_message_bytes)
    yield from found
    if not found:
        yield KAFKA.well(f"{name}: {facts.partitions} partitions, {facts.replicas} replicas")


def _health(name: str, facts: Facts) -> Iterator[DoctorFinding]:
    if facts.leaderless:
        yield KAFKA.error(
            f"{name}: {facts.leaderless} partitions have no leader",
            "start the brokers that are down",
        )
    elif facts.in_sync < facts.replicas:
        yield KAFKA.warning(
            f"{name}: only {facts.in_sync} of {facts.replicas} replicas are in sync",
            "look at the brokers' health before anything else",
        )


def alike(counts: Mapping[str, int], pairs: list[tuple[str, str]]) -> Iterator[DoctorFinding]:
    """Topics whose partitions must be equal in number: a patient is in the same one of both."""
    for note, audit in pairs:
        if note in counts and audit in counts and counts[note] != counts[audit]:
            yield KAFKA.warning(
                f"{note} has {counts[note]} partitions and {audit} {counts[audit]}: "
                "readers can't join them partition by partition",
                f"the smaller one: --alter --partitions {max(counts[note], counts[audit])}",
            )


def _safety(
    name: str, one: WantedTopic, facts: Facts, values: Mapping[str, str]
) -> Iterator[DoctorFinding]:
    least = int(values.get("min.insync.replicas", "1"))
    if facts.replicas == 1:
        yield KAFKA.warning(
            f"{name} has one replica: a broker that is lost takes the records with it",
            "3 replicas and min.insync.replicas=2, but for trials",
        )
    elif least > facts.replicas:
        yield KAFKA.error(
            f"{name}: min.insync.replicas is {least} of {facts.replicas}: nothing can be written",
            _alter(one, f"min.insync.replicas={facts.replicas - 1}"),
        )
    elif least == facts.replicas:
        yield KAFKA.warning(
            f"{name}: min.insync.replicas is {least} of {facts.replicas}: "
            "while a broker is restarted nothing can be written",
            _alter(one, f"min.insync.replicas={facts.replicas - 1}"),
        )
    elif least == 1:
        yield KAFKA.warning(
            f"{name}: min.insync.replicas is 1: what one broker alone has taken can be lost",
            _alter(one, "min.insync.replicas=2"),
        )
    if values.get("unclean.leader.election.enable") == "true":
        yield KAFKA.warning(
            f"{name}: a replica that lags may become leader, and committed records are lost",
            _alter(one, "unclean.leader.election.enable=false"),
        )


def _keeping(name: str, one: WantedTopic, values: Mapping[str, str]) -> Iterator[DoctorFinding]:
    policy = values.get("cleanup.policy", "delete")
    if one.role is Role.RECORDS:
        if policy != "compact":
            yield KAFKA.error(
                f"{name} is not compacted alone ({policy}): records of patients are deleted by age",
                _alter(one, "cleanup.policy=compact"),
            )
        return
    if "compact" in policy:
        yield KAFKA.error(
            f"{name} is compacted: of records with one key only the newest stays",
            _alter(one, "cleanup.policy=delete"),
        )
    kept = int(values.get("retention.ms", "-1"))
    if one.role is Role.AUDIT and kept >= 0:
        yield KAFKA.warning(
            f"{name} keeps audit records for {kept / _DAY_MS:g} days: then nothing tells what was "
            "done to a note, and `replay` can't find it",
            _alter(one, "retention.ms=-1"),
        )
    elif one.role is not Role.AUDIT and 0 <= kept < _DAY_MS:
        yield KAFKA.warning(
            f"{name} keeps records for {kept / 3_600_000:g} hours: who is behind for longer loses",
            _alter(one, "retention.ms=604800000"),
        )
    if one.role in (Role.IN, Role.AUDIT) and int(values.get("retention.bytes", "-1")) >= 0:
        yield KAFKA.warning(
            f"{name}: retention.bytes deletes records by size, read or not",
            _alter(one, "retention.bytes=-1"),
        )


def _sizes(
    name: str, one: WantedTopic, values: Mapping[str, str], ours: int
) -> Iterator[DoctorFinding]:
    theirs = int(values.get("max.message.bytes", str(ours)))
    if one.role in (Role.OUT, Role.AUDIT) and theirs < ours:
        yield KAFKA.warning(
            f"{name} takes records of {theirs} bytes, kafka.max_message_bytes is {ours}: "
            "larger notes become dead letters (output.too_large)",
            _alter(one, f"max.message.bytes={ours}"),
        )


def _alter(one: WantedTopic, change: str) -> str:
    return (
        "kafka-configs.sh --alter --entity-type topics "
        f"--entity-name {one.name} --add-config {change}"
    )
