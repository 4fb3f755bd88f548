"""Writes a FHIR message back: the tree as it came, with edits, cuts and labels made in a copy."""

from __future__ import annotations

import base64
from dataclasses import dataclass, field
from typing import Any

from stream_deid.budget import check
from stream_deid.errors import Halt
from stream_deid.formats.content.pieces import written
from stream_deid.formats.exact_json import ExactNumber, dump
from stream_deid.formats.fhir.building.note_builder import Container, FhirLeaf
from stream_deid.note import Deidentified, Note

_ABSENT = "http://hl7.org/fhir/StructureDefinition/data-absent-reason"
_SYSTEM = "http://terminology.hl7.org/CodeSystem/v3-ObservationValue"
_PSEUDED = {"system": _SYSTEM, "code": "PSEUDED", "display": "pseudonymized"}
_REDACTED = {"system": _SYSTEM, "code": "REDACTED", "display": "redacted"}
_GONE: Any = object()


@dataclass(frozen=True, slots=True)
class FhirEnvelope:
    """What `render` needs: the message, where its parts lie in it, and what is cut out.

    `sized`: attachments whose size is counted anew; `labelled`: resources (by identity) that get
    security labels, which contained ones must not have.
    """

    tree: dict[str, Any] = field(repr=False)
    leaves: tuple[FhirLeaf, ...] = field(repr=False)
    cuts: tuple[tuple[Container, str | int, bool], ...] = field(repr=False)
    sized: tuple[dict[str, Any], ...] = field(repr=False)
    labelled: frozenset[int]


def render(note: Note, clean: Deidentified) -> bytes:
    """Write the message with the edits made and the cuts taken out.

    Raises `Halt` (`fhir.edits`) where edits and text of a part contradict each other.
    """
    envelope = note.envelope
    assert isinstance(envelope, FhirEnvelope)
    _check(note, clean)
    return dump(_Writer(envelope, note, clean).build(envelope.tree)).encode("utf-8")


def _check(note: Note, clean: Deidentified) -> None:
    for part, cleaned in zip(note.parts, clean.parts, strict=True):
        out: list[str] = []
        done = 0
        for edit in cleaned.edits:
            out += (part.text[done : edit.finding.start], edit.replacement)
            done = edit.finding.end
        if "".join((*out, part.text[done:])) != cleaned.text:
            raise Halt("fhir.edits", "the edits of a part do not lead to its text")


class _Writer:
    def __init__(self, envelope: FhirEnvelope, note: Note, clean: Deidentified) -> None:
        self._cut = {(id(holder), key): required for holder, key, required in envelope.cuts}
        self._sized = {id(one) for one in envelope.sized}
        self._labelled = envelope.labelled
        self._made: dict[tuple[int, str | int], str | ExactNumber] = {}
        self._cuts_made = 0
        texts = [part.text for part in note.parts]
        for leaf in envelope.leaves:
            self._leaf(leaf, texts, clean)

    def _leaf(self, leaf: FhirLeaf, texts: list[str], clean: Deidentified) -> None:
        check()
        at = (id(leaf.container), leaf.key)
        old = leaf.container[leaf.key]  # type: ignore[index]
        text = written(leaf.pieces, texts, clean.parts)
        if text == old and not isinstance(old, ExactNumber):
            return
        made = leaf.write(text)
        if made is None:
            self._cut[at] = leaf.required
        else:
            self._made[at] = ExactNumber(made) if isinstance(old, ExactNumber) else made

    def build(self, value: Any) -> Any:
        """The value as it is released, `_GONE` where nothing of it is."""
        if isinstance(value, dict):
            return self._object(value)
        if isinstance(value, list):
            return self._list(value, padded=False)
        return value

    def _object(self, value: dict[str, Any]) -> Any:
        check()
        before = self._cuts_made
        made: dict[str, Any] = {}
        for key, one in value.items():
            at = (id(value), key)
            if at in self._cut:
                self._cuts_made += 1
                if self._cut[at]:
                    self._masked(made, value, key)
            elif at in self._made:
                made[key] = self._made[at]
                if key == "value" and isinstance(one, ExactNumber) and made[key] != one:  # Quantity
                    made["comparator"] = ">="
            else:
                built = (
                    self._list(one, padded=f"_{key}" in value)
                    if isinstance(one, list)
                    else self.build(one)
                )
                if built is not _GONE:
                    self._put(made, key, built)
        if not _meaningful(made, value):
            return _GONE
        if id(value) in self._sized and isinstance(made.get("data"), str):
            made["size"] = ExactNumber(str(len(base64.b64decode(made["data"]))))
        if id(value) in self._labelled:
            return _labelled(made, redacted=self._cuts_made > before)
        return made

    def _masked(self, made: dict[str, Any], value: dict[str, Any], key: str) -> None:
        """Say of a required element that it was there (extension data-absent-reason)."""
        mark = {"url": _ABSENT, "valueCode": "masked"}
        if isinstance(value[key], dict):
            made[key] = {"extension": [mark]}
        elif not isinstance(value[key], list):
            beside = made.setdefault(f"_{key}", {})
            beside["extension"] = [*beside.get("extension", []), mark]

    @staticmethod
    def _put(made: dict[str, Any], key: str, built: Any) -> None:
        if key.startswith("_") and isinstance(made.get(key), dict) and isinstance(built, dict):
            marks = [*built.get("extension", []), *made[key].get("extension", [])]
            made[key] = {**built, "extension": marks}
        else:
            made[key] = built

    def _list(self, value: list[Any], *, padded: bool) -> Any:
        made: list[Any] = []
        for i, one in enumerate(value):
            at = (id(value), i)
            if at in self._cut:
                self._cuts_made += 1
                built = _GONE
            else:
                built = self._made[at] if at in self._made else self.build(one)
            if built is not _GONE:
                made.append(built)
            elif padded:
                made.append(None)
        return _GONE if value and all(one is None for one in made) else made


def _meaningful(made: dict[str, Any], value: dict[str, Any]) -> bool:
    """Whether an object still says something: no extension or entry without its value does."""
    if len(made) == len(value) or "resourceType" in value:
        return True
    if "url" in value and set(made) <= {"url", "id"} and set(value) - {"url", "id"}:
        return False
    if "resource" in value and "resource" not in made:
        return "request" in made or "response" in made
    return bool(made)


def _labelled(made: dict[str, Any], *, redacted: bool) -> dict[str, Any]:
    """The resource with the standard's labels of de-identified data (v3-ObservationValue)."""
    meta = dict(made.get("meta", {}))
    stated = meta.get("security", [])
    labels = list(stated) if isinstance(stated, list) else [stated]
    for label in (_PSEUDED, _REDACTED) if redacted else (_PSEUDED,):
        if not any(isinstance(one, dict) and one.get("code") == label["code"] for one in labels):
            labels.append(dict(label))
    meta["security"] = labels
    first: dict[str, Any] = {key: made[key] for key in ("resourceType", "id") if key in made}
    return {**first, "meta": meta, **{k: v for k, v in made.items() if k not in (*first, "meta")}}
