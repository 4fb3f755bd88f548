"""What a pattern is, and how patterns run over a text in linear time.

A pattern is an RE2 expression (linear time, no look-around), a check in Python that sees the
neighbours of a match, and a name and version that the audit shows (`date@1`). The version is a part
of that name and counts no changes: it has been 1 in all of them. Whether an expression or a check
is what it was tells the release in the same audit, whose hash changes with every file that an
output depends on (`provenance`). The value is the group `v` where there is one (several groups of
that role: `v1`, `v2`, ...), else the whole match. A group `tail` at its end is optional: where the
check refuses the value, it is tried again without its tail (and without the group `year`).

Patterns don't see the text itself but a `View` of it: every character folded to one of ASCII
(`text.folding.plain`) and invisible ones left out, with a map back to the code points of the
original. So patterns are written in plain ASCII ("anos" for "años"), their automata stay small, and
"０３/０４" or a number with a zero-width space inside are found where they stand.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import re2

from stream_deid.budget import check
from stream_deid.labels import PhiType
from stream_deid.note import Detection
from stream_deid.text.folding import folded
from stream_deid.text.linear import linear
from stream_deid.text.view import View


@dataclass(frozen=True, slots=True)
class Hit:
    """A match as a check sees it: the value is `text[start:end]`; `groups` are the named ones."""

    view: View
    start: int
    end: int
    groups: dict[str, str]

    @property
    def text(self) -> str:
        return self.view.text

    @property
    def value(self) -> str:
        return self.view.text[self.start : self.end]

    def before(self, length: int) -> str:
        return self.view.text[max(0, self.start - length) : self.start]

    def after(self, length: int) -> str:
        return self.view.text[self.end : self.end + length]


Check = Callable[[Hit], bool | int]
"""Whether a match is a value; a number: yes, but only so many characters of it."""


def _options() -> Any:
    options = re2.Options()
    options.encoding = re2.Options.Encoding.LATIN1
    options.log_errors = False
    return options


def compiled(regex: str) -> Any:
    """An RE2 expression over the bytes of a view; it may be written with accents."""
    return linear(folded(regex).encode("ascii"), _options())


class Context:
    """An RE2 expression that checks look at a bounded stretch of text with."""

    __slots__ = ("_regex",)

    def __init__(self, regex: str) -> None:
        self._regex = compiled(regex)

    def search(self, text: str) -> bool:
        return self._regex.search(text.encode("ascii")) is not None

    def match(self, text: str) -> bool:
        return self._regex.match(text.encode("ascii")) is not None


def whole(hit: Hit) -> bool:
    """The value isn't cut out of a longer word or number."""
    text, start, end = hit.view.text, hit.start, hit.end
    if start and text[start - 1].isalnum() and text[start].isalnum():
        return False
    return not (end < len(text) and text[end].isalnum() and text[end - 1].isalnum())


_DECIMALS = Context(r"\d[.,]$")


def in_decimals(hit: Hit) -> bool:
    """The value begins in a number's second half ("2.4 V 60", "+21.5 D SN 12834555")."""
    return bool(_DECIMALS.search(hit.before(2)))


@dataclass(frozen=True, slots=True)
class Pattern:
    """One linear-time pattern. `needs`: it runs where any of these lower-case literals is."""

    name: str
    version: int
    type: PhiType
    regex: str
    check: Check = whole
    needs: tuple[str, ...] = ()
    score: float = 1.0
    label: str = ""

    @property
    def detector(self) -> str:
        return f"{self.name}@{self.version}"


_LONGEST = 256
"""Longer matches aren't tried again from their second token, which keeps the scan linear."""


class Compiled:
    """A pattern ready to run."""

    __slots__ = ("_detector", "_groups", "_regex", "_values", "pattern")

    def __init__(self, pattern: Pattern) -> None:
        self.pattern = pattern
        self._regex: Any = compiled(pattern.regex)
        names = {k.decode(): i for k, i in self._regex.groupindex.items()}
        self._values = sorted(i for k, i in names.items() if k[0] == "v") or [0]
        self._groups = {k: i for k, i in names.items() if k[0] != "v"}
        self._detector = pattern.detector

    def wanted(self, view: View) -> bool:
        needs = self.pattern.needs
        return not needs or any(literal in view.lower for literal in needs)

    def run(self, view: View) -> Iterator[Detection]:
        """All values in the view; a match that its check refuses is tried again further on, and
        one that it cuts goes on behind the cut ("DR. PINEDA Y DRA. SALGADO").
        """
        pos, regex, raw = 0, self._regex, view.raw
        while match := regex.search(raw, pos):
            check()
            first, last = match.span()
            ends = []
            for group in self._values:
                span = self._value(view, match, group)
                if span is not None:
                    ends.append((span[1], match.span(group)[1]))
                    yield self._detection(view, *span)
            long = last - first > _LONGEST
            cut, end = ends[-1] if ends and not long else (last, last)
            whole_match = last > first and (ends or long)
            behind = cut if cut < end else last
            pos = behind if whole_match else _next_token(view.text, first)

    def _detection(self, view: View, start: int, end: int) -> Detection:
        pattern = self.pattern
        start, end = view.origin(start, end)
        return Detection(start, end, pattern.type, self._detector, pattern.score, pattern.label)

    def _value(self, view: View, match: Any, group: int) -> tuple[int, int] | None:
        start, end = match.span(group)
        if start < 0 or start == end:
            return None
        groups = {
            name: match.group(index).decode("ascii")
            for name, index in self._groups.items()
            if match.span(index)[0] >= 0
        }
        pattern = self.pattern
        verdict = pattern.check(Hit(view, start, end, groups))
        if verdict and verdict is not True:
            end = start + verdict
        elif not verdict:
            tail = match.span(self._groups["tail"])[0] if "tail" in groups else start
            if tail <= start:
                return None
            groups = {k: v for k, v in groups.items() if k not in ("tail", "year")}
            end = tail
            if not pattern.check(Hit(view, start, end, groups)):
                return None
        return start, end


def numbers(value: str) -> list[str]:
    """The runs of digits in `value`."""
    return "".join(c if c.isdecimal() else " " for c in value).split()


def _next_token(text: str, at: int) -> int:
    """The next offset after `at` where a value may begin: not inside a word or a number."""
    at += 1
    while at < len(text) and (
        (text[at].isdecimal() and text[at - 1].isdecimal())
        or (text[at].isalpha() and text[at - 1].isalpha())
    ):
        at += 1
    return at


class Bank:
    """Many patterns over one text: one scan of a set tells which of its patterns match at all.

    Each set holds, besides its patterns, one expression that always matches, once. Where it is
    missing from the answer, the set's automaton ran out of memory, and all of its patterns are run.
    """

    __slots__ = ("_compiled", "_sets")

    def __init__(self, patterns: Sequence[Pattern]) -> None:
        self._compiled = [
            [Compiled(p) for p in patterns[i : i + _SET_SIZE]]
            for i in range(0, len(patterns), _SET_SIZE)
        ]
        self._sets = [_set_of(group) for group in self._compiled]

    def run(self, view: View) -> list[Detection]:
        """The detections of all patterns, in the patterns' order."""
        out: list[Detection] = []
        for group, one in zip(self._compiled, self._sets, strict=True):
            check()
            hits = sorted(one.Match(view.raw) or ())
            if len(group) not in hits:
                hits = list(range(len(group)))
            for index in hits:
                if index < len(group) and group[index].wanted(view):
                    out.extend(group[index].run(view))
        return out


_SET_SIZE = 12
_SET_MEMORY = 24 << 20


def _set_of(group: Sequence[Compiled]) -> Any:
    options = _options()
    options.max_mem = _SET_MEMORY
    one = re2.Set.SearchSet(options)
    for member in group:
        one.Add(folded(member.pattern.regex).encode("ascii"))
    one.Add(rb"\A")
    one.Compile()
    return one
