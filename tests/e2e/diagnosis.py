"""What the doctor says of a broker."""

from __future__ import annotations

from stream_deid.config import Kafka, Settings
from stream_deid.operations.doctor import kafka as doctor
from stream_deid.operations.doctor.findings import Level

ONE_REPLICA = "has one replica"


def told(kafka: Kafka, *commands: str) -> dict[Level, list[str]]:
    """What is said by level, without what every broker of a trial is told."""
    found: dict[Level, list[str]] = {level: [] for level in Level}
    for one in doctor.look(Settings(kafka=kafka), frozenset(commands)):
        if ONE_REPLICA not in one.what:
            found[one.level].append(f"{one.what} -- {one.remedy}")
    return found
