"""FHIR messages through the real pipeline (patterns and known values, no models), leaf by leaf."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats.exact_json import ExactNumber, dump, load
from stream_deid.formats.fhir import message
from stream_deid.note import AuditRecord, Note
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

SAMPLES = sorted((Path(__file__).parents[1] / "data" / "fhir").glob("*.json"))
KEY = b"0123456789abcdef"
_LANGUAGES = {code: Language((Patterns(code), KnownIdentifiers()), ()) for code in ("en", "es")}


def pipeline(policy: str = "expert-determination") -> Pipeline:
    return Pipeline(_LANGUAGES, Surrogates(Policy.named(policy), KEY), release="test")


def through(
    raw: bytes, policy: str = "expert-determination", **options: Any
) -> tuple[Note, bytes, AuditRecord]:
    note = message.parse(raw, language_default="en", **options)
    made = pipeline(policy)
    clean, audit = made.finish(made.begin(note), [])
    return note, message.render(note, clean), audit


def released(value: Any, policy: str = "expert-determination", **options: Any) -> Any:
    """What comes out of a resource given as Python values, its security labels left out."""
    _, out, _ = through(json.dumps(value).encode(), policy, **options)
    return unlabelled(json.loads(out))


def unlabelled(value: Any) -> Any:
    """A message without the labels that the service itself puts on."""
    if isinstance(value, list):
        return [unlabelled(one) for one in value]
    if not isinstance(value, dict):
        return value
    made = {key: unlabelled(one) for key, one in value.items()}
    meta = made.get("meta")
    if isinstance(meta, dict) and "security" in meta:
        kept = [one for one in meta["security"] if one.get("code") not in ("PSEUDED", "REDACTED")]
        meta = {**meta, "security": kept} if kept else {
            key: one for key, one in meta.items() if key != "security"
        }  # fmt: skip
        made = {**made, "meta": meta} if meta else {k: v for k, v in made.items() if k != "meta"}
    return made


def exact(raw: bytes) -> str:
    """A message as compact JSON with its numbers as they are written, labels left out."""
    return dump(unlabelled(load(raw.decode("utf-8"))))


def leaves(value: Any, path: str = "") -> Iterator[tuple[str, Any]]:
    """Every leaf with its path; numbers by their text."""
    if isinstance(value, dict):
        for key, one in value.items():
            yield from leaves(one, f"{path}.{key}" if path else key)
    elif isinstance(value, list):
        for number, one in enumerate(value):
            yield from leaves(one, f"{path}[{number}]")
    else:
        yield path, f"number {value}" if isinstance(value, ExactNumber) else value


def changes(raw: bytes, out: bytes) -> dict[str, tuple[Any, Any]]:
    """Path of every leaf that changed, with what it was and what it is (None: not there)."""
    before = dict(leaves(unlabelled(load(raw.decode("utf-8")))))
    after = dict(leaves(unlabelled(load(out.decode("utf-8")))))
    return {
        path: (before.get(path), after.get(path))
        for path in (*before, *(p for p in after if p not in before))
        if before.get(path) != after.get(path)
    }
