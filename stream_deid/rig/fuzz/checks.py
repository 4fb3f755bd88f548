"""What must hold of every message, whatever is in it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cache, lru_cache
from pathlib import Path
from typing import Any

import orjson

import stream_deid
from stream_deid import audit
from stream_deid.errors import DeidError
from stream_deid.formats import FORMATS, sniff
from stream_deid.outcome import FAILED, Dead, Released
from stream_deid.rig.fuzz.messages import FuzzInput
from stream_deid.rig.fuzz.subject import KEY, SETTINGS, Result
from stream_deid.streaming.examine import TOO_SLOW, Crashed
from stream_deid.streaming.observability import logs

PIECE = 8
"""So many characters of a note in a row may stand in nothing that is not the note."""

CANARY_RELEASED = "canary released"

_BESIDE = frozenset({"attack", "rig", "training"})  # no words of these come into a record
_CODE = re.compile(r"[a-z0-9]+(\.[a-z0-9_-]+)+")
_ID = re.compile(r"[0-9A-Za-z]{20}")


@dataclass(frozen=True, slots=True)
class FuzzFault:
    """Something that did not hold: `what` in one of a few words, `where` without text of a note."""

    what: str
    where: str = field(default="")

    def __str__(self) -> str:
        return f"{self.what}: {self.where}" if self.where else self.what


def faults(one: FuzzInput, first: Result, again: Result) -> list[FuzzFault]:
    """Everything that is wrong with a message that was processed twice."""
    found = [*_reaction(first)]
    if (first.written, first.error is None) != (again.written, again.error is None):
        found.append(FuzzFault("differs when processed again"))
    found += _told(one, first)
    if isinstance(first.outcome, Released):
        found += _output(one, first, first.outcome)
    return list(dict.fromkeys(found))


def _reaction(result: Result) -> Iterator[FuzzFault]:
    """Released, or dead with a stable code that is no defect's."""
    if result.error is not None:
        kind = result.error.kind if isinstance(result.error, Crashed) else ""
        frames = logs.describe(result.error)[0]["frames"]
        yield FuzzFault("raises", f"{kind or type(result.error).__qualname__} at {frames[-1:]}")
    if isinstance(result.outcome, Dead):
        code = result.outcome.code
        if code == FAILED:
            yield FuzzFault("defect", result.outcome.detail)
        elif code == TOO_SLOW.code:
            yield FuzzFault("waits", "for a service that the pure path has no use for")
        elif not _CODE.fullmatch(code) or f'"{code}"' not in _words():
            yield FuzzFault("unknown code")


def _told(one: FuzzInput, result: Result) -> Iterator[FuzzFault]:
    """No canary and no piece of the text in dead letter, audit or log."""
    text = "\n".join(_texts(one.raw, result))
    places: dict[str, Iterable[str]] = {
        "dead letter": _leaves(orjson.loads(result.letter or b"null")),
        "log": (leaf for line in result.log.splitlines() for leaf in _log_line(line)),
    }
    if isinstance(result.outcome, Released):
        body = orjson.loads(result.outcome.audit)
        _without_hashes(one, result.outcome, body)
        places["audit"] = _leaves(body)
    for place, leaves in places.items():
        said = [piece for leaf in leaves for piece in leaf.split(" (")]  # a path and why
        whole = "\n".join(said).casefold()
        if any(canary.casefold() in whole for canary in one.canaries):
            yield FuzzFault("canary told", place)
        elif any(_quotes(leaf, text) for leaf in said):
            yield FuzzFault("text told", place)


def _texts(raw: bytes, result: Result) -> Iterator[str]:
    yield raw.decode("utf-8", "replace")
    if result.note is not None:
        yield from (part.text for part in result.note.parts)
        yield from (known.value for known in result.note.known)


def _without_hashes(one: FuzzInput, outcome: Released, body: dict[str, Any]) -> None:
    """Keyed hashes and ids that are what they should be may look like anything."""
    macs = {"input_mac": one.raw, "output_mac": outcome.note}
    for name, data in macs.items():
        if body.get(name) == audit.keyed_mac(KEY, data):
            del body[name]
    if _ID.fullmatch(body["note_id"]):
        del body["note_id"]


def _log_line(line: str) -> Iterator[str]:
    try:
        entry = json.loads(line)
    except ValueError:
        yield line
        return
    entry.pop("timestamp", None)
    yield from _leaves(entry)


def _leaves(value: Any) -> Iterator[str]:
    """Every string of a JSON value, keys among them."""
    if isinstance(value, dict):
        for key, inner in value.items():
            yield str(key)
            yield from _leaves(inner)
    elif isinstance(value, list):
        for inner in value:
            yield from _leaves(inner)
    elif isinstance(value, str):
        yield value


def _quotes(leaf: str, text: str) -> bool:
    pieces = (leaf[at : at + PIECE] for at in range(len(leaf) - PIECE + 1))
    return any(piece in text and not _ours(piece) for piece in pieces)


@lru_cache(4096)
def _ours(piece: str) -> bool:
    """Whether a piece of a record is a piece of the code that writes it."""
    return piece in _words()


@cache
def _words() -> str:
    root = Path(stream_deid.__file__).parent
    code = (path for path in root.rglob("*.py") if path.relative_to(root).parts[0] not in _BESIDE)
    files = (
        *sorted(code),
        *sorted(root.rglob("fields.toml")),
        *root.rglob("map.toml"),
        *root.rglob("elements.tsv"),
    )
    return "\n".join(file.read_text(encoding="utf-8") for file in files)


def _output(one: FuzzInput, result: Result, outcome: Released) -> Iterator[FuzzFault]:
    """A valid message of its format, with nothing in it that should be hidden."""
    try:
        form = sniff(outcome.note)
        FORMATS[form](SETTINGS.formats).parse(outcome.note)
    except DeidError as error:
        yield FuzzFault("output invalid", error.code)
        return
    if form != sniff(one.raw):
        yield FuzzFault("output invalid", "another format")
    shown = outcome.note.decode("utf-8", "replace")
    if form != "hl7v2":
        shown = "\n".join(_leaves(orjson.loads(outcome.note)))
    shown = shown.casefold()
    if any(canary.casefold() in shown for canary in one.hidden):
        yield FuzzFault(CANARY_RELEASED, one.kind.removesuffix(", wounded"))
    yield from _spans(result, outcome)


def _spans(result: Result, outcome: Released) -> Iterator[FuzzFault]:
    """Offsets of the audit lie in the texts that they speak of, in order, none upon another."""
    note = result.note
    sizes = (
        {path: len(part.text) for path, part in zip(audit.paths(note), note.parts, strict=True)}
        if note
        else {}
    )
    at: dict[str, tuple[int, int]] = {}
    for span in orjson.loads(outcome.audit)["spans"]:
        path = span["path"]
        end, out_end = at.get(path, (0, 0))
        if not (end <= span["start"] < span["end"] and out_end <= span["out_start"]):
            yield FuzzFault("audit's spans overlap")
            return
        if span["end"] > sizes.get(path, span["end"]):
            yield FuzzFault("audit's span beyond its text")
            return
        at[path] = span["end"], span["out_end"]
