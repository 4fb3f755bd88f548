"""`stream-deid split`: a batch of HL7 v2 as the messages that it holds, for the input topic.

All of them or none: where the batch is not all there, or one of its messages could not be read by a
worker, nothing is written.
"""

from __future__ import annotations

import sys
import time
from collections.abc import Sequence
from pathlib import Path

from stream_deid import atomic, exits, stderr
from stream_deid.config import Settings
from stream_deid.errors import Halt, NoteRejected
from stream_deid.files.reading import STANDARD
from stream_deid.formats import hl7_interfaces
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.streaming.kafka.awaiting import Patience, await_topics
from stream_deid.streaming.kafka.transactions import Record, Transactions
from stream_deid.streaming.observability import logs

_FORMAT = ("format", b"hl7v2")
_log = logs.get("split")


def main(settings: Settings, source: Path, folder: Path | None) -> int:
    """Write the messages into a folder, or (None) to the input topic; a status of `exits`.

    Raises `Halt`, `Unavailable`.
    """
    raw = sys.stdin.buffer.read() if source == STANDARD else source.read_bytes()
    try:
        messages, _ = hl7v2.cut(raw)
    except NoteRejected as error:
        return _refuse([f"{error}"])
    if not messages:
        return _refuse(["hl7.msh: there is no message in it"])
    keys, wrong = _keys(settings, messages)
    if wrong:
        return _refuse(wrong)
    if folder is not None:
        _write(messages, folder)
        stderr.stream().write(f"{len(messages):,} messages in {folder}\n")
        return exits.OK
    _publish(settings, messages, keys)
    stderr.stream().write(f"{len(messages):,} messages in {settings.kafka.topic_in}\n")
    return exits.OK


def _refuse(reasons: Sequence[str]) -> int:
    out = stderr.stream()
    for reason in reasons:
        out.write(f"{reason}\n")
    out.write("nothing is written\n")
    return exits.REJECTS


def _keys(settings: Settings, messages: Sequence[bytes]) -> tuple[list[bytes], list[str]]:
    """The patient of each message, and what is wrong with those that can't be read."""
    interfaces = hl7_interfaces(settings.formats)
    keys, wrong = [], []
    for number, message in enumerate(messages, 1):
        try:
            keys.append(hl7v2.patient_of(message, interfaces).encode())
        except NoteRejected as error:
            wrong.append(f"message {number:,}: {error}")
    return keys, wrong


def _write(messages: Sequence[bytes], folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    if any(folder.iterdir()):
        raise Halt("file.exists", f"{folder} is not empty; name a new folder")
    width = max(4, len(str(len(messages))))
    for number, message in enumerate(messages, 1):
        atomic.write(folder / f"{number:0{width}}.hl7", message, mode=atomic.PRIVATE)


def _publish(settings: Settings, messages: Sequence[bytes], keys: Sequence[bytes]) -> None:
    """In one transaction, each under its patient, as `stream-deid mllp` has it."""
    kafka = settings.kafka
    logs.configure()
    patience = Patience(settings.deadline_s, logs.warnings_to(_log))
    await_topics(kafka, (kafka.topic_in,), patience)
    records = [
        Record(index, kafka.topic_in, key, message, [_FORMAT])
        for index, (key, message) in enumerate(zip(keys, messages, strict=True))
    ]
    deadline = time.monotonic() + settings.deadline_s
    # under a name that the listener's rights cover
    transactions = Transactions(kafka, f"{kafka.group}-mllp-split")
    transactions.open(deadline)
    while (failed := transactions.run(records, (), None, deadline)) is not None:
        if failed.oversized:
            number = min(failed.oversized) + 1
            raise Halt("file.too_large", f"message {number:,} is larger than the broker takes")
