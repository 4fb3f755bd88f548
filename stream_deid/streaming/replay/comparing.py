"""Notes processed again beside what was released for them; nothing is written but a report.

The files hold what an audit holds (places, types, detectors, pseudonyms), no value and no text,
and are for their owner alone.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any, Self

import orjson

from stream_deid.atomic import PRIVATE, beside
from stream_deid.config import Formats, Settings
from stream_deid.errors import DeidError, Halt
from stream_deid.formats import made, sniff
from stream_deid.outcome import AnyProcessor, Released
from stream_deid.streaming.deadletter import render
from stream_deid.streaming.delivery import Parcel
from stream_deid.streaming.observability import logs
from stream_deid.streaming.replay import report as reports
from stream_deid.streaming.replay.difference import Difference, Texts, difference
from stream_deid.streaming.replay.examining import ANOTHER
from stream_deid.streaming.replay.order import Bound
from stream_deid.streaming.replay.reading import BrokerView, OffsetRange, Picked, Place
from stream_deid.streaming.replay.released import MessageOutputs
from stream_deid.streaming.replay.released import OutputsReader as ReleasedThen

RECORDS, WORDS, TABLE = "differences.jsonl", "summary.txt", "table.tsv"
_AT_ONCE = 500
_MOST_BYTES = 16_000_000
_log = logs.get("replay")


class Comparison:
    """Takes outcomes and compares them, some hundred at a time. Blocking; one owner."""

    def __init__(
        self, formats: Formats, processor: AnyProcessor, then: ReleasedThen, folder: Path | None
    ) -> None:
        self._formats, self._processor, self._then = made(formats), processor, then
        self._report = reports.Report(processor.release)
        self._waiting: list[Parcel] = []
        self._folder, self._files = folder, ExitStack()
        self._records = None if folder is None else self._new(folder, RECORDS)

    @classmethod
    def open(
        cls,
        settings: Settings,
        processor: AnyProcessor,
        broker: BrokerView,
        wanted: Mapping[Place, OffsetRange | Picked],
        *,
        folder: Path | None,
        since: Bound,
    ) -> Self:
        """Find what was released. Raises `Halt("replay.folder")`."""
        released = ReleasedThen(settings.kafka, broker, wanted, since)
        return cls(settings.formats, processor, released, folder)

    def _new(self, folder: Path, name: str) -> IO[bytes]:
        """A file that its owner alone can read, there under its name when all are whole."""
        try:
            folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            part = self._files.enter_context(beside(folder / name, mode=PRIVATE))
            return self._files.enter_context(part.open("wb"))
        except OSError as error:
            raise Halt("replay.folder", f"{folder}: {error.strerror}") from None

    def add(self, parcels: Sequence[Parcel]) -> None:
        """Outcomes of now."""
        self._waiting += parcels
        size = sum(len(parcel.raw) for parcel in self._waiting)
        if len(self._waiting) >= _AT_ONCE or size >= _MOST_BYTES:
            self.flush()

    def flush(self) -> None:
        """Compare what waits."""
        then = self._then.of(parcel.source for parcel in self._waiting)
        for parcel in self._waiting:
            self._compare(parcel, then[parcel.source])
        self._waiting.clear()

    @property
    def proves(self) -> bool:
        """Whether all came out byte for byte as they were released."""
        return self._report.proves and not self._then.oddities.any

    def close(self, *, verify: bool) -> list[str]:
        """What is to be said; and the files, where there is a folder for them."""
        lines = [*self._report.verification(), *self._then.oddities.told()] if verify else []
        if several := self._then.several:
            lines.append(f"{several} have more than one clean note; the last of each was compared")
        if self._folder is None or self._records is None:
            return lines
        words = self._report.words()
        rows = [("kind", "then", "now", "detector", "spans"), *self._report.table()]
        table = "".join("\t".join(map(str, row)) + "\n" for row in rows)
        for name, text in ((WORDS, words + "\n"), (TABLE, table)):
            self._new(self._folder, name).write(text.encode())
        self._files.close()
        return [*lines, words, "", table.rstrip()]

    def _compare(self, parcel: Parcel, then: MessageOutputs) -> None:
        verdict, found = self._judge(parcel, then)
        self._report.verdicts[verdict] += 1
        if found is not None:
            self._report.add(found)
        if verdict == reports.SAME:
            return
        if self._records is None:
            _log.info("differs", verdict=verdict, output=then.at, **parcel.source.place)
        else:
            self._records.write(orjson.dumps(self._record(parcel, then, verdict, found)) + b"\n")

    def _judge(self, parcel: Parcel, then: MessageOutputs) -> tuple[str, Difference | None]:
        outcome = parcel.outcome
        released = then.note is not None and then.audit is not None
        if outcome is ANOTHER or not (released or then.dead):
            return reports.MISSING, None
        self._count_release(then.audit if released else then.dead)
        if isinstance(outcome, Released):
            if not released:
                return reports.NOW_RELEASED, None
            if outcome.note == then.note and outcome.audit == then.audit:
                keys = {then.keys["note"], then.keys["audit"]}
                mine = keys == {outcome.key} and not _both(then)
                return (reports.SAME if mine else reports.DIFFERENT), None
            return self._changes(parcel, outcome, then)
        if released:
            return reports.NOW_DEAD, None
        letter = render(
            parcel.source.place, outcome, mac=self._processor.mac(parcel.raw),
            size=len(parcel.raw), release=self._processor.release,
        )  # fmt: skip
        return (reports.SAME if letter == then.dead else reports.DIFFERENT), None

    def _changes(
        self, parcel: Parcel, now: Released, then: MessageOutputs
    ) -> tuple[str, Difference | None]:
        """A note that was released both times; the name of the release alone is no difference."""
        assert then.note is not None
        if self._folder is None:
            return reports.DIFFERENT, None
        texts = [self._texts(message) for message in (parcel.raw, then.note, now.note)]
        try:
            found = difference(_spans(then.audit), _spans(now.audit), *texts)
        except (KeyError, TypeError):  # what was released has no audit record as we know it
            return reports.DIFFERENT, None
        named = str(_body(then.audit).get("release", "")).encode()
        note = then.note.replace(named, self._processor.release.encode()) if named else then.note
        alike = note == now.note and not found.changes
        return (reports.SAME if alike else reports.DIFFERENT), found

    def _count_release(self, record: bytes | None) -> None:
        release = str(_body(record).get("release", ""))
        if release != self._processor.release:
            self._report.others[release] += 1

    def _texts(self, message: bytes) -> Texts:
        try:
            note = self._formats[sniff(message)].parse(message)
        except DeidError:
            return {}
        paths = Counter(part.path for part in note.parts)
        return {part.path: part.text for part in note.parts if paths[part.path] == 1}

    def _record(
        self, parcel: Parcel, then: MessageOutputs, verdict: str, found: Difference | None
    ) -> dict[str, Any]:
        before, outcome = _body(then.audit or then.dead), parcel.outcome
        now = _body(outcome.audit) if isinstance(outcome, Released) else {"code": outcome.code}
        names = {"note_id": now.get("note_id"), "was_note_id": before.get("note_id")}
        codes = {"code": now.get("code"), "was_code": before.get("code")}
        body = {
            "source": parcel.source.place,
            "verdict": verdict,
            "release": self._processor.release,
            "was_release": before.get("release"),
            **{k: v for k, v in (names | codes).items() if v is not None},
        }
        if found is not None:
            body |= {"hidden_words": found.hidden, "freed_words": found.freed}
            body["spans"] = [change.entry() for change in found.changes]
        return body


def _both(then: MessageOutputs) -> bool:
    """Whether a message was released and rejected, and no replay came between."""
    return then.dead is not None and not then.replayed


def _body(record: bytes | None) -> dict[str, Any]:
    try:
        body = orjson.loads(record or b"{}")
    except orjson.JSONDecodeError:
        return {}
    return body if isinstance(body, dict) else {}


def _spans(audit: bytes | None) -> list[dict[str, Any]]:
    return list(_body(audit).get("spans", []))
