"""What the shell asks of whatever processes notes, and what it gets back.

The shell (`streaming`) moves bytes and offsets; it never looks into a note. An `AnyProcessor`
turns one raw message into an `Outcome`. It may raise `Unavailable` (the shell tries the note
again until its deadline) and `NoteRejected` (the shell writes a dead letter); any other
exception ends the process, and the note is read again by the next one (`streaming.suspects`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Protocol, TypeAlias

from stream_deid.note import Headers

BYTES_A_SECOND = 4000
"""Beyond `deadline_s` the models have a second for so many bytes of a message."""

ABSENT = "record.absent"
"""The code of notes whose patient has no record; where that is waited for, of the wait as well."""

BESIDE_MODELS = "records.", "registry."
"""Codes of what a note needs beside the models: where that is away, no note is too slow."""

FAILED = "note.failed"
"""The code of notes that a defect of ours can't take; an operator should hear of each."""


@dataclass(frozen=True, slots=True, order=True)
class Source:
    """The coordinates of a message: where it was read, and what stood beside it there."""

    topic: str
    partition: int
    offset: int
    headers: Headers = field(default_factory=dict, compare=False, repr=False)

    @property
    def place(self) -> dict[str, Any]:
        """The coordinates alone, for records."""
        return {"topic": self.topic, "partition": self.partition, "offset": self.offset}


def headers_of(stated: Any) -> Headers:
    """Headers as a client hands them over: the last of a name counts, and none without a value."""
    pairs = stated.items() if isinstance(stated, Mapping) else stated or ()
    return {
        str(name): value.encode() if isinstance(value, str) else bytes(value)
        for name, value in pairs
        if value is not None
    }


@dataclass(frozen=True, slots=True)
class Stats:
    """About one note for the metrics: seconds by stage, replaced spans by PHI type, how many words
    were released, and the note's pseudonym.
    """

    seconds: Mapping[str, float] = field(default_factory=dict)
    phi: Mapping[str, int] = field(default_factory=dict)
    words: int = 0
    note: str = ""


@dataclass(frozen=True, slots=True)
class Released:
    """A clean note with its audit record; `key` is the patient's pseudonym."""

    note: bytes = field(repr=False)
    key: bytes = field(repr=False)
    audit: bytes = field(repr=False)
    stats: Stats = field(default_factory=Stats)


@dataclass(frozen=True, slots=True)
class Dead:
    """A note that can't be processed: a stable `code` and a `detail` without text of it."""

    code: str
    detail: str
    stats: Stats = field(default_factory=Stats)


Outcome: TypeAlias = Released | Dead


@dataclass(frozen=True, slots=True)
class Contact:
    """How it stands with what notes need: seconds since all of it last answered, how many
    requests were tried again, by code, and seconds since each model answered.
    """

    silent_s: float = 0.0
    retries: Mapping[str, int] = field(default_factory=dict)
    by_model: Mapping[str, float] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class PatientRecord:
    """What is known of a patient beside the note, and where it was read."""

    value: bytes = field(repr=False)
    place: Mapping[str, Any]


class PatientRecords(Protocol):
    """Records of patients by their id (`formats.identity.patient_key`)."""

    @property
    def away(self) -> bool:
        """Whether they could not be read when last asked for."""

    async def of(self, patient: str) -> PatientRecord | None:
        """The newest record as of now, None where there is none. Raises `Unavailable`, `Halt`."""

    def close(self) -> None:
        """Let go of connections."""


class AnyProcessor(Protocol):
    """Turns raw messages into outcomes; called for many notes at once on one event loop."""

    @property
    def release(self) -> str:
        """The name of this release of code, models and policy; a header of every output."""

    def mac(self, raw: bytes) -> str:
        """The keyed hash of a message, under which a dead letter names its input."""

    def seal(self, kind: str, key: bytes | None, value: bytes) -> bytes:
        """The seal of a record that goes to an inner topic (`stream_deid.seal`)."""

    async def process(self, raw: bytes, source: Source) -> Outcome:
        """Process one message; the same bytes and source give the same outcome.

        Raises `NoteRejected`, `Unavailable`, `Halt` (see `stream_deid.errors`).
        """

    async def answers(self) -> bool:
        """Whether all that notes need is there; if so, a note that takes too long is too slow."""

    async def contact(self) -> Contact:
        """How it stands with what notes need; whatever has been silent is asked."""

    async def close(self) -> None:
        """Let go of connections; called once, after the last `process`."""
