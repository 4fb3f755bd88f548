"""Sentence templates with typed slots (nference 2021), matched in linear time.

    template = (literal | slot)+
    slot     = "{" TYPE ":" shape "}"        TYPE: a PHI type, or TIME: a time of day, no identifier
    shape    = (W | N | A | other)+          W letters, N digits, A letters and digits

as in "Electronically signed by: {DOCTOR:W, W W} on {DATE:N/N/N} at {TIME:N:N} PM". Literals hold no
digits and match without regard to case and accents, white space stretches. A sentence that matches
as a whole is settled: its slots are the identifiers, and no model needs to see it.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import re2

from stream_deid.detect.fast.reviewed import Reviewed
from stream_deid.detect.fast.units import whole
from stream_deid.detect.patterns.base import compiled
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Detection
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear

TIME = "TIME"
"""The one slot that is no identifier: digits of a clock, so that nothing else can pass there."""

_SHAPES = {"W": r"[A-Za-z]+(?:['-][A-Za-z]+)*", "N": r"[0-9]+", "A": r"[A-Za-z0-9]+"}
_BLANK = r"[ \t\r\n]+"
_CLOCK = r"[0-2]?[0-9]:[0-5][0-9](?::[0-5][0-9])?"
_SLOT = linear(r"\{([A-Z]+):([^{}]+)\}")


class Template:
    """One template: its expression over folded text, and the type of each group.

    Raises `Halt("templates.entry")` for one that is not well formed or has a digit in a literal.
    """

    __slots__ = ("regex", "types")

    def __init__(self, text: str) -> None:
        self.types: list[PhiType] = []
        regex, at = "", 0
        for slot in _SLOT.finditer(text):
            regex += _literal(text[at : slot.start()]) + self._slot(slot.group(1), slot.group(2))
            at = slot.end()
        self.regex = regex + _literal(text[at:])
        if not self.types:
            raise Halt("templates.entry", "a template needs a slot of a PHI type")

    def _slot(self, kind: str, shape: str) -> str:
        if kind == TIME:
            return f"(?:{_CLOCK})"
        if kind not in PhiType.__members__:
            raise Halt("templates.entry", f"{kind!r} is no PHI type")
        self.types.append(PhiType(kind))
        return f"({_shape(shape)})"


def _literal(text: str) -> str:
    if any(c.isdecimal() or c in "{}" for c in text):
        raise Halt("templates.entry", "a literal of a template holds a digit or a brace")
    words = [re2.escape(word) for word in folded(text).split()]
    if not words:
        return _BLANK if text else ""
    before, after = (_BLANK if edge.isspace() else "" for edge in (text[:1], text[-1:]))
    return f"{before}(?i:{_BLANK.join(words)}){after}"


def _shape(shape: str) -> str:
    return "".join(
        _SHAPES.get(char) or (_BLANK if char == " " else re2.escape(folded(char))) for char in shape
    )


class Matched:
    """A sentence `[start, end)` that is a template, and its slots."""

    __slots__ = ("end", "slots", "start")

    def __init__(self, start: int, end: int, slots: list[Detection]) -> None:
        self.start, self.end, self.slots = start, end, slots


class Templates:
    """All templates of a language."""

    def __init__(self, reviewed: Reviewed) -> None:
        self.entries = reviewed.entries
        self._templates = [Template(entry) for entry in reviewed.entries]
        self._each = [compiled(one.regex) for one in self._templates]
        self._set = _set_of(self._templates) if self._templates else None
        self.rule = f"template@{reviewed.version}"

    def __len__(self) -> int:
        return len(self._templates)

    def matched(
        self, text: str, sentences: Iterable[tuple[int, int]] | None = None
    ) -> list[Matched]:
        """The sentences of `text` that are templates, in order; `sentences` as for the list."""
        if self._set is None:
            return []
        found = []
        for start, end in whole(text) if sentences is None else sentences:
            hits = list(self.slots_of(folded(text[start:end])))
            if hits:
                slots = [
                    Detection(start + low, start + high, kind, self.rule)
                    for index, spans in hits
                    for (low, high), kind in zip(spans, self._templates[index].types, strict=True)
                ]
                found.append(Matched(start, end, slots))
        return found

    def slots_of(self, sentence: str) -> Iterator[tuple[int, list[tuple[int, int]]]]:
        """The templates that a folded sentence is, by number, and where their slots are in it."""
        line = sentence.encode("ascii")
        for index in sorted(self._set.Match(line) or ()) if self._set is not None else ():
            found = self._each[index].fullmatch(line)
            yield index, [found.span(g) for g in range(1, len(self._templates[index].types) + 1)]


def _set_of(templates: list[Template]) -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    one = re2.Set.FullMatchSet(options)
    for template in templates:
        one.Add(folded(template.regex).encode("ascii"))
    one.Compile()
    return one
