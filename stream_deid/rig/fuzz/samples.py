"""What hostile inputs are made from: messages and lines of text of this project's own.

The synthetic feed and its poison are always there; folders of a checkout (`tests`, `corpora`) add
theirs: `.hl7` files, JSON files of FHIR and lines of `.jsonl` are messages, anything else is text.
The same folders give the same samples in the same order.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import orjson

from stream_deid.rig.synthetic import feed, poison

FOLDERS = tuple(map(Path, ("tests/data", "corpora/dev", "corpora/train")))
"""Looked for in the working folder where no others are named."""

_TEXTS = {".txt", ".json", ".tsv"}
_FEED = 80
_FEED_SEED = 11
_MAX_MESSAGE = 20_000


@dataclass(frozen=True, slots=True)
class Samples:
    """`json`, `hl7` and `fhir`: whole messages; `lines`: text, none of it empty."""

    json: Sequence[bytes] = field(repr=False)
    hl7: Sequence[bytes] = field(repr=False)
    fhir: Sequence[bytes] = field(repr=False)
    lines: Sequence[str] = field(repr=False)


def load(folders: Iterable[Path] = FOLDERS) -> Samples:
    """Everything of the feed and of those `folders` that are there."""
    found: dict[str, list[bytes]] = {"json": [], "hl7v2": [], "fhir": []}
    lines: list[str] = []
    poisons = (message for _, message in poison())
    for message in (*feed(_FEED, _FEED_SEED), *poisons):
        if len(message.value) <= _MAX_MESSAGE:
            found[message.format].append(message.value)
    for folder in folders:
        for path in sorted(folder.rglob("*")):
            if path.suffix == ".hl7":
                found["hl7v2"].append(path.read_bytes())
            elif path.suffix == ".jsonl":
                found["json"] += [line for line in path.read_bytes().splitlines() if line.strip()]
            elif path.suffix == ".json" and b'"resourceType"' in path.read_bytes()[:500]:
                found["fhir"].append(path.read_bytes())
            elif path.suffix in _TEXTS:
                lines += path.read_text(encoding="utf-8").splitlines()
    lines += [line for raw in found["json"] for line in _lines(raw)]
    lines = [line for line in lines if line.strip()]
    return Samples(found["json"], found["hl7v2"], found["fhir"], lines)


def _lines(raw: bytes) -> list[str]:
    try:
        text = orjson.loads(raw)["text"]
    except (orjson.JSONDecodeError, KeyError, TypeError):
        return []
    return text.splitlines() if isinstance(text, str) else []
