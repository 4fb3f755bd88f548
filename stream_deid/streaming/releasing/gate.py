"""Which inner records may leave: those that a worker sealed."""

from __future__ import annotations

from stream_deid import seal
from stream_deid.config import Settings, read_former_keys
from stream_deid.config.places import NamedRecords
from stream_deid.errors import Halt
from stream_deid.streaming.releasing.inner import InnerRecord
from stream_deid.streaming.releasing.outside import Leaving, Outside


class Gate:
    """Every record of a batch comes to it before anything of the batch goes out, for the first pass
    reads them all. Raises `Halt("key...")` where a former key is none.
    """

    def __init__(self, settings: Settings, key: bytes, outside: Outside) -> None:
        kafka, outer = settings.kafka, settings.release
        self._outside = outside
        self._kinds = {kafka.topic_out: seal.NOTE, kafka.topic_audit: seal.AUDIT}
        secrets = (key, *read_former_keys(outer))
        self._keys = [seal.seal_key(one, settings.keys.tenant) for one in secrets]
        self._passed_over = [NamedRecords.of(one) for one in outer.passed_over]

    def leaving(self, record: InnerRecord) -> Leaving | None:
        """What recipients get of a record; None of one that can't leave and is in
        `release.passed_over`.

        Raises `Halt("release.seal", "release.audit")` for one that can't and isn't.
        """
        kind, key = self._kinds[record.topic], record.key
        place = f"{record.topic}/{record.partition}/{record.offset}"
        if not seal.holds(self._keys, record.seal, kind, key, record.value):
            if self._named(record):
                return None
            told = "bears another's seal" if record.seal else "bears no seal"
            raise Halt(
                "release.seal",
                f"{place} {told}: no worker wrote it under this key or one of "
                "release.former_keys; nothing of its batch goes out. A key that was changed: name "
                "the former one; else find who wrote it, and name it in release.passed_over "
                "(docs/operations.md)",
            )
        if kind == seal.NOTE:
            return self._outside.note(record.value, key or b"")
        try:
            return self._outside.audit(record.value, key or b"")
        except ValueError:
            if self._named(record):
                return None
            raise Halt("release.audit", f"no audit record at {place}") from None

    def _named(self, record: InnerRecord) -> bool:
        at = record.topic, record.partition, record.offset
        return any(one.holds(*at) for one in self._passed_over)
