"""Sentences of clinical text: stretches of characters, ordered, disjoint, without edge blanks.

A sentence ends at ".", "!", "?" that is not part of an abbreviation, an initial, a number or a
list mark and is followed by white space and by something that can open a sentence. A line break
ends one too, unless the line was wrapped: the next line goes on in lower case, and this one is
long and does not end in a colon. Blank lines always end one. Linear; English and Spanish.
"""

from __future__ import annotations

from importlib.resources import files

ABBREVIATIONS = frozenset(
    files("stream_deid.text")
    .joinpath("abbreviations.txt")
    .read_text("utf-8")
    .partition("\n")[2]
    .split()
)
_STOPS = ".!?…"
_CLOSERS = "\"'”’)]}»"
_WRAPPED = 60
"""A line at least this long may have been wrapped by the program that wrote it."""


def sentences(text: str) -> list[tuple[int, int]]:
    """`(start, end)` of each sentence of `text`."""
    out: list[tuple[int, int]] = []
    start = line = 0
    i = 0
    while i < len(text):
        char = text[i]
        end = -1
        if char == "\n":
            if _ends_line(text, line, i):
                end = i
            line = i + 1
        elif char in _STOPS and _ends_sentence(text, start, i):
            end = _past_closers(text, i + 1)
        if end >= 0:
            _add(text, start, end, out)
            start = end
        i = max(i + 1, end)
    _add(text, start, len(text), out)
    return out


def _add(text: str, start: int, end: int, out: list[tuple[int, int]]) -> None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    if start < end:
        out.append((start, end))


def _past_closers(text: str, at: int) -> int:
    while at < len(text) and text[at] in _CLOSERS:
        at += 1
    return at


def _ends_line(text: str, line: int, at: int) -> bool:
    after = at + 1
    while after < len(text) and text[after] in " \t\r":
        after += 1
    if after >= len(text) or not text[after].islower():
        return True
    written = text[line:at].rstrip()
    return len(written) < _WRAPPED or written.endswith(":")


def _ends_sentence(text: str, start: int, at: int) -> bool:
    after = _past_closers(text, at + 1)
    if after >= len(text):
        return True
    if not text[after].isspace():
        return False
    while after < len(text) and text[after] in " \t":
        after += 1
    if after < len(text) and text[after].islower():
        return False
    return text[at] != "." or not _abbreviated(text, start, at)


def _abbreviated(text: str, start: int, at: int) -> bool:
    """The word before this full stop is an abbreviation, an initial, or a list number."""
    first = at
    while first > start and not text[first - 1].isspace() and text[first - 1] not in "([{\"'“«":
        first -= 1
    word = text[first:at]
    if word.lower() in ABBREVIATIONS:
        return True
    if len(word) == 1 and word.isalpha():
        return word.isupper()
    opens = not text[start:first].strip()
    return opens and word.isdecimal() and len(word) <= 2
