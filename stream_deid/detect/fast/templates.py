"""Sentence templates with typed slots (nference, "pattern templates"), matched in linear time.

A template is one line of text with slots:

    template = (literal | slot)+
    slot     = "{" [TYPE] ":" shape "}"          TYPE: a PHI type; none: not an identifier
    shape    = (W | N | A | other)+              W letters, N digits, A letters and digits

as in "Electronically signed by: {DOCTOR:W, W W} on {DATE:N/N/N} at {:N:N} PM". Literals match
without regard to case, white space stretches. A line that matches as a whole is settled: its
slots are the identifiers, and no model needs to see it. A slot without a type may hold digits
only, so that no name can pass through one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

import re2

from stream_deid.detect.patterns.base import View
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Detection
from stream_deid.text.folding import folded

_SHAPES = {"W": r"[A-Za-z]+(?:['-][A-Za-z]+)*\.?", "N": r"[0-9]+", "A": r"[A-Za-z0-9]+"}
_SLOT = re2.compile(r"\{([A-Z]*):([^{}]+)\}")


@dataclass(frozen=True, slots=True)
class Matched:
    """What the templates said about a text: detections, and the stretches that they settle."""

    detections: list[Detection] = field(repr=False)
    settled: list[tuple[int, int]]


def _literal(text: str) -> str:
    words = [re2.escape(word) for word in folded(text).split()]
    edges = ("[ \t]+" if text[:1].isspace() else "", "[ \t]+" if text[-1:].isspace() else "")
    if not words:
        return "[ \t]+" if text else ""
    return edges[0] + "(?i:" + "[ \t]+".join(words) + ")" + edges[1]


def _shape(shape: str) -> str:
    out = ""
    for char in shape:
        out += _SHAPES.get(char) or ("[ \t]+" if char == " " else re2.escape(folded(char)))
    return out


class _Template:
    """One template: its expression and the type of each group."""

    __slots__ = ("regex", "types")

    def __init__(self, text: str) -> None:
        self.types: list[PhiType] = []
        regex, at = r"[ \t]*", 0
        for slot in _SLOT.finditer(text.strip()):
            regex += _literal(text.strip()[at : slot.start()])
            regex += self._slot(slot.group(1), slot.group(2))
            at = slot.end()
        regex += _literal(text.strip()[at:])
        self.regex = regex + r"[ \t]*"

    def _slot(self, kind: str, shape: str) -> str:
        if not kind:
            if "W" in shape or "A" in shape:
                raise Halt("templates.slot", "a slot without a type may hold digits only")
            return "(?:" + _shape(shape) + ")"
        if kind not in PhiType.__members__:
            raise Halt("templates.type", f"{kind!r} is no PHI type")
        self.types.append(PhiType(kind))
        return "(" + _shape(shape) + ")"


class Templates:
    """All templates of a language; raises `Halt` on a template that isn't well formed."""

    name = "template"
    version = "1"

    def __init__(self, lines: Iterable[str]) -> None:
        self._templates = [_Template(line) for line in lines if line.strip()]
        options = re2.Options()
        options.encoding = re2.Options.Encoding.LATIN1
        options.log_errors = False
        self._each: list[Any] = [
            re2.compile(t.regex.encode("ascii"), options) for t in self._templates
        ]
        self._set: Any = re2.Set.FullMatchSet(options)
        for template in self._templates:
            self._set.Add(template.regex.encode("ascii"))
        if self._templates:
            self._set.Compile()

    def match(self, text: str) -> Matched:
        """Detections and settled stretches of the lines of `text` that are templates."""
        result = Matched([], [])
        if not self._templates or not text:
            return result
        view = View(text)
        for start, end in _lines(view.text):
            line = view.raw[start:end]
            hits = sorted(self._set.Match(line) or ())
            if not hits:
                continue
            result.settled.append(view.origin(start, end))
            for index in hits:
                result.detections.extend(self._slots(view, start, index, line))
        return result

    def detect(self, text: str, note: object = None) -> list[Detection]:  # noqa: ARG002 (the protocol)
        """The slots alone, for callers that don't skip windows."""
        return self.match(text).detections

    def _slots(self, view: View, start: int, index: int, line: bytes) -> Iterator[Detection]:
        found = self._each[index].fullmatch(line)
        for group, kind in enumerate(self._templates[index].types, start=1):
            low, high = found.span(group)
            low, high = view.origin(start + low, start + high)
            yield Detection(low, high, kind, f"{self.name}@{self.version}")


def _lines(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    while start < len(text):
        end = text.find("\n", start)
        end = len(text) if end < 0 else end
        if text[start:end].strip():
            yield start, end
        start = end + 1


TEMPLATES = {
    "en": (
        "Electronically signed by: {DOCTOR:W, W W} on {DATE:N/N/N} at {:N:N} AM",
        "Electronically signed by: {DOCTOR:W, W W} on {DATE:N/N/N} at {:N:N} PM",
        "Electronically signed by: {DOCTOR:W, W} on {DATE:N/N/N} at {:N:N} AM",
        "Electronically signed by: {DOCTOR:W, W} on {DATE:N/N/N} at {:N:N} PM",
        "Electronically signed by {DOCTOR:W W}, MD on {DATE:N/N/N} at {:N:N} AM",
        "Electronically signed by {DOCTOR:W W}, MD on {DATE:N/N/N} at {:N:N} PM",
        "Date of service: {DATE:N/N/N}",
        "Date of birth: {DATE:N/N/N}",
        "DOB: {DATE:N/N/N}",
        "MRN: {MEDICALRECORD:N}",
        "Dictated: {DATE:N/N/N} {:N:N}",
        "Transcribed: {DATE:N/N/N} {:N:N}",
        "Admission date: {DATE:N/N/N}",
        "Discharge date: {DATE:N/N/N}",
        "Page {:N} of {:N}",
    ),
    "es": (
        "Fecha de nacimiento: {DATE:N/N/N}",
        "Fecha de ingreso: {DATE:N/N/N}",
        "Fecha de alta: {DATE:N/N/N}",
        "NHC: {MEDICALRECORD:N}",
        "CP: {ZIP:N}",
        "Página {:N} de {:N}",
    ),
}
"""The project's own few; mining adds more as data."""


def shipped(language: str) -> Templates:
    """The project's own templates for a language; none for one that it has none for."""
    return Templates(TEMPLATES.get(language[:2].lower(), ()))
