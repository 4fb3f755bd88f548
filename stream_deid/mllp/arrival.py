"""A message as it is taken: who it is from, which one it is, and whose.

Senders and control ids go to Kafka and to the logs as keyed hashes only.
"""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, field

from stream_deid.errors import NoteRejected
from stream_deid.formats.hl7.maps.interfaces import Interface
from stream_deid.formats.hl7.message import patient_of
from stream_deid.mllp.header import Header, without_date

_SIZE = 16


@dataclass(frozen=True, slots=True)
class Arrival:
    """`sender`: hexadecimal, of MSH-3 and MSH-4. `number`: of MSH-10. `digest`: of all but MSH-7.

    `key`: the patient's as `formats.hl7` finds it; the sender where a message is about nobody.
    """

    sender: str
    number: bytes
    digest: bytes
    key: bytes = field(repr=False)
    raw: bytes = field(repr=False)


class Registrar:
    """Hashes under a key that is derived from the service's and is of no other use.

    `interfaces`: as in `formats.hl7`; all messages of a patient keep their order.
    """

    def __init__(self, key: bytes, interfaces: Sequence[Interface] = ()) -> None:
        self._interfaces = interfaces
        self._key = hashlib.blake2b(b"mllp", key=hashlib.sha256(key).digest()).digest()

    def arrival(self, header: Header, message: bytes) -> Arrival:
        """Raises `NoteRejected`: `mllp.control_id`, `hl7.msh`, `hl7.batch`, `hl7.charset`,
        `hl7.encoding`.
        """
        if not header.at(10).strip():
            raise NoteRejected("mllp.control_id", "MSH-10 is empty")
        sender = self._hash(b"sender", header.at(3), header.at(4)).hex()
        patient = patient_of(message, self._interfaces).encode()
        return Arrival(
            sender=sender,
            number=self._hash(b"number", sender.encode(), header.at(10).strip()),
            digest=self._hash(b"message", without_date(message)),
            key=patient or sender.encode(),
            raw=message,
        )

    def _hash(self, *parts: bytes) -> bytes:
        mac = hashlib.blake2b(key=self._key, digest_size=_SIZE)
        for part in parts:
            mac.update(len(part).to_bytes(8) + part)
        return mac.digest()
