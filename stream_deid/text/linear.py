"""Expressions that take time linear in the text (RE2), as `re` has them.

Around each search the library encodes the text and turns offsets in bytes into those in characters,
which takes longer than the search on the short pieces that most are asked about. Where a text is
ASCII or bytes the offsets are the same, so the automaton is asked at once; every other text is left
to the library.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import re2
from re2 import _Anchor as Anchor

_NOWHERE = (-1, -1)


class Match:
    """Where an expression and its groups stand in a text: of `re.Match` what is needed."""

    __slots__ = ("_names", "_spans", "string")

    def __init__(
        self, string: str | bytes, spans: list[tuple[int, int]], names: Mapping[Any, int]
    ) -> None:
        self.string, self._spans, self._names = string, spans, names

    def span(self, group: int = 0) -> tuple[int, int]:
        """Where the match, or a group of it, stands."""
        return self._spans[group]

    def start(self, group: int = 0) -> int:
        """Where it begins."""
        return self._spans[group][0]

    def end(self, group: int = 0) -> int:
        """Where it ends."""
        return self._spans[group][1]

    def __getitem__(self, group: int | str) -> Any:
        start, end = self._spans[group if isinstance(group, int) else self._names[group]]
        return self.string[start:end] if start >= 0 else None

    def group(self, group: int | str = 0) -> Any:
        """What the match, or a group of it, holds; None where the group took no part."""
        return self[group]

    def groups(self, default: Any = None) -> tuple[Any, ...]:
        """What each group holds."""
        held = (self[group] for group in range(1, len(self._spans)))
        return tuple(default if one is None else one for one in held)

    def groupdict(self) -> dict[Any, Any]:
        """What each group that has a name holds."""
        return {name: self[group] for name, group in self._names.items()}


class Expression:
    """One expression; a match of it is a `Match`, or one of the library that answers alike."""

    __slots__ = ("_ask", "_library", "findall", "groupindex", "groups", "pattern", "split", "sub")

    def __init__(self, pattern: str | bytes, options: Any = None) -> None:
        self._library = re2.compile(pattern, options)
        self._ask = self._library._regexp.Match  # noqa: SLF001 - the automaton, with nothing around
        self.pattern: Any = pattern
        self.groups: int = self._library.groups
        self.groupindex: dict[Any, int] = self._library.groupindex
        self.findall, self.split = self._library.findall, self._library.split
        self.sub = self._library.sub

    def search(self, text: str | bytes, pos: int = 0, endpos: int | None = None) -> Any:
        """The first match in `text[pos:endpos]`."""
        return self._first(Anchor.UNANCHORED, text, pos, endpos)

    def match(self, text: str | bytes, pos: int = 0, endpos: int | None = None) -> Any:
        """The match that begins at `pos`."""
        return self._first(Anchor.ANCHOR_START, text, pos, endpos)

    def fullmatch(self, text: str | bytes, pos: int = 0, endpos: int | None = None) -> Any:
        """The match that is all of `text[pos:endpos]`."""
        return self._first(Anchor.ANCHOR_BOTH, text, pos, endpos)

    def finditer(self, text: str | bytes, pos: int = 0, endpos: int | None = None) -> Iterator[Any]:
        """The matches in `text[pos:endpos]`, which don't overlap."""
        raw = _encoded(text)
        if raw is None:
            yield from self._library.finditer(text, pos, endpos)
            return
        at, last = _within(len(raw), pos, endpos)
        while at <= last:
            spans = self._ask(Anchor.UNANCHORED, raw, at, last)
            end = spans[0][1]
            if spans[0] == _NOWHERE:
                return
            yield Match(text, spans, self.groupindex)
            if at == last:
                return
            at = end if end > at else at + 1

    def _first(self, anchor: Any, text: str | bytes, pos: int, endpos: int | None) -> Any:
        raw = _encoded(text)
        if raw is None:
            return next(self._library._match(anchor, text, pos, endpos), None)  # noqa: SLF001
        at, last = 0, len(raw)
        if pos or endpos is not None:
            at, last = _within(last, pos, endpos)
            if at > last:
                return None
        spans = self._ask(anchor, raw, at, last)
        return None if spans[0] == _NOWHERE else Match(text, spans, self.groupindex)


def _encoded(text: str | bytes) -> bytes | None:
    """The text as bytes, one for each character; None where that can't be."""
    if isinstance(text, bytes):
        return text
    return text.encode("ascii") if text.isascii() else None


def _within(size: int, pos: int, endpos: int | None) -> tuple[int, int]:
    """Where the search begins and ends in a text of `size`."""
    return max(0, min(pos, size)), size if endpos is None else max(0, min(endpos, size))


def linear(pattern: str | bytes, options: Any = None) -> Expression:
    """An expression in the syntax of RE2."""
    return Expression(pattern, options)
