"""What a replay is asked for, and how far it is; no I/O."""

from __future__ import annotations

import hashlib
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from datetime import UTC, datetime

import orjson

from stream_deid.config import Kafka
from stream_deid.errors import Halt
from stream_deid.streaming import suspects

NAME = re.compile(r"[A-Za-z0-9][A-Za-z0-9_-]{0,63}")
SUFFIX = ".replay"
PSEUDONYM = re.compile(r"[a-z2-7]{20}")
"""As `surrogate.keys.token` makes them."""
_OFFSET = re.compile(r"[0-9]+")
_PLACES = re.compile(r"[0-9]+:[0-9]+(,[0-9]+:[0-9]+)*")
_MOST = 2**63 - 1


@dataclass(frozen=True, slots=True)
class Bound:
    """One end of a range: a time (milliseconds since 1970, where Kafka's begin), one offset for
    every partition, or offsets by partition (others are left out). All empty: the range is open.
    """

    time_ms: int | None = None
    offset: int | None = None
    offsets: Mapping[int, int] = field(default_factory=dict)

    @staticmethod
    def parse(text: str) -> Bound:
        """`2026-03-01`, `2026-03-01T12:00:00+01:00` (UTC where it doesn't say), `1200`, or
        `0:1200,3:40` (partition:offset). Raises `Halt("replay.range")`.
        """
        if _OFFSET.fullmatch(text):
            return Bound(offset=_offset(text))
        if _PLACES.fullmatch(text):
            return Bound(offsets=_offsets(text))
        try:
            moment = datetime.fromisoformat(text)
        except ValueError:
            raise Halt(
                "replay.range",
                f"{text!r} is no date, no time, no offset and no list of PARTITION:OFFSET",
            ) from None
        moment = moment if moment.tzinfo else moment.replace(tzinfo=UTC)
        return Bound(time_ms=max(0, round(moment.timestamp() * 1000)))  # below: Kafka's "newest"

    def of(self, partition: int) -> int | None:
        """The offset that it names for a partition; None where it names none."""
        return self.offsets.get(partition, self.offset)

    def behind(self, other: Bound) -> bool:
        """Whether no record can lie between this and the `other`, without asking a broker."""
        if self.time_ms is not None and other.time_ms is not None:
            return self.time_ms > other.time_ms
        if self.offset is not None and other.offset is not None:
            return self.offset > other.offset
        both = self.offsets.keys() & other.offsets.keys()
        return any(self.offsets[one] > other.offsets[one] for one in both)


def _offset(text: str) -> int:
    """An offset as Kafka has them. Raises `Halt("replay.range")`."""
    if len(text) > len(str(_MOST)) or int(text) > _MOST:
        raise Halt("replay.range", f"{text[:40]} is more than an offset can be")
    return int(text)


def _offsets(text: str) -> dict[int, int]:
    found: dict[int, int] = {}
    for partition, _, offset in (one.partition(":") for one in text.split(",")):
        number = _offset(partition)
        if number in found:
            raise Halt("replay.range", f"{text[:40]}: partition {number} is named twice")
        found[number] = _offset(offset)
    return found


@dataclass(frozen=True, slots=True)
class ReplayOrder:
    """Which notes: a range of the input, and of it everything, or what belongs to pseudonyms, or
    what became dead letters (`dead`: by these codes, all of them where it is empty) since a moment.

    `share`: (which, of how many) of the input's partitions. `check_macs`: an original that is not
    the message that audit or dead letter name is left alone. `live`: into the live topics.
    """

    first: Bound = field(default_factory=Bound)
    last: Bound = field(default_factory=Bound)
    patients: tuple[str, ...] = ()
    notes: tuple[str, ...] = ()
    dead: tuple[str, ...] | None = None
    since_ms: int = 0
    share: tuple[int, int] = (0, 1)
    check_macs: bool = True
    live: bool = False

    def __post_init__(self) -> None:
        which, many = self.share
        if not 0 <= which < many:
            raise Halt("replay.order", f"--share {which}/{many}: count from 0 to {many - 1}")
        if self.first.behind(self.last):
            raise Halt("replay.range", "--from lies behind --to: there is nothing between")
        one, other = self.first.offsets.keys(), self.last.offsets.keys()
        if one and other and one != other:
            told = ", ".join(map(str, sorted(one ^ other)))
            raise Halt("replay.range", f"partition {told} stands in one of --from and --to only")
        if self.dead is not None and (self.patients or self.notes):
            raise Halt("replay.order", "dead letters have no pseudonyms: take --dead by itself")
        if self.since_ms and self.dead is None:
            raise Halt("replay.order", "--since is for --dead; a range has --from and --to")

    @property
    def picks(self) -> bool:
        """Whether single notes are looked for, rather than a whole range."""
        return bool(self.patients or self.notes) or self.dead is not None

    def wants(self, partition: int) -> bool:
        """Whether a partition of the input is among those to replay."""
        which, many = self.share
        named = self.first.offsets.keys() | self.last.offsets.keys()
        return partition % many == which and (not named or partition in named)

    def digest(self, release: str, key: str) -> str:
        """What makes it this replay and no other: 16 hexadecimal digits. `key`: what tells the
        secret key from others, which the name of a release doesn't.
        """
        body = orjson.dumps(
            [asdict(self), release, key], option=orjson.OPT_SORT_KEYS | orjson.OPT_NON_STR_KEYS
        )
        return hashlib.sha256(body).hexdigest()[:16]


@dataclass(frozen=True, slots=True)
class ReplayProgress:
    """What the committed offset of a partition remembers: where its replay ends, which replay it
    is, of how many partitions, and which notes ended the process (`suspects`).
    """

    until: int
    digest: str
    partitions: int
    tries: Mapping[int, int] = field(default_factory=dict)

    def dump(self, position: int) -> str:
        """As metadata of an offset committed at `position`."""
        tries = suspects.encode(self.tries, position)
        return orjson.dumps([self.until, self.digest, self.partitions, tries]).decode()

    @staticmethod
    def load(metadata: str | None) -> ReplayProgress | None:
        """From metadata; None where it is none of ours."""
        try:
            until, digest, partitions, tries = orjson.loads(metadata or "null")
            return ReplayProgress(int(until), str(digest), int(partitions), suspects.decode(tries))
        except (ValueError, TypeError):
            return None


def checked_name(name: str) -> str:
    """The name of a replay. Raises `Halt("replay.order")` where it can't be one."""
    if not NAME.fullmatch(name):
        raise Halt("replay.order", "--id is made of letters, digits, - and _, 64 at most")
    return name


def named(kafka: Kafka, name: str, share: tuple[int, int] = (0, 1), *, live: bool) -> Kafka:
    """The settings of a replay: a group of its own (each share has one), outputs beside the live
    ones or into them.

    Raises `Halt("replay.order")` for a name that can't be one.
    """
    name = checked_name(name)
    which, many = share
    group = f"{kafka.group}-replay-{name}" + (f"-{which}-of-{many}" if many > 1 else "")
    if live:
        return replace(kafka, group=group)
    return replace(
        kafka,
        group=group,
        topic_out=kafka.topic_out + SUFFIX,
        topic_audit=kafka.topic_audit + SUFFIX,
        topic_dead=kafka.topic_dead + SUFFIX,
    )


def fresh_name(now: float) -> str:
    """A name that tells when the replay began (UTC)."""
    return datetime.fromtimestamp(now, UTC).strftime("%Y%m%d-%H%M%S")
