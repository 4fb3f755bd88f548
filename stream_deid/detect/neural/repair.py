"""From the tokens that a model tagged to the span that a person would mark.

Whole words; neighbours of one label joined over white space or a hyphen where the model broke
a word; titles, possessives and edge punctuation left out; nothing across a blank line.
"""

from __future__ import annotations

from collections.abc import Sequence

from stream_deid.lists.titles import affixes
from stream_deid.text.edges import SEPARATORS

LabelledSpan = tuple[int, int, str, float]
"""start, end, label, score"""

PERSON_LABELS = frozenset(
    {
        "PATIENT", "DOCTOR", "NOMBRE_SUJETO_ASISTENCIA", "NOMBRE_PERSONAL_SANITARIO",
        "FAMILIARES_SUJETO_ASISTENCIA",
    }
)  # fmt: skip
TITLES = affixes("span")
_EDGE = SEPARATORS | frozenset(" \t\n\r\x0b\x0c\xa0.!?´/\\&+-–—([{)]}")
"""What a model's span loses in addition: a pattern may have meant it ("+34 91", "(555)")."""
_OPENS_TO_CLOSE = {")": "(", "]": "[", "}": "{"}
_CLOSES = {"(": ")", "[": "]", "{": "}"}
_KEEP_LAST = frozenset({"."})


def repair(
    text: str, spans: Sequence[LabelledSpan], *, line_spans: bool = True
) -> list[LabelledSpan]:
    """Ordered, disjoint spans from ordered, disjoint ones. Linear in their total length."""
    pieces = [p for s in spans for p in _cut_blank_lines(text, s, line_spans=line_spans)]
    whole = _whole_words(text, pieces)
    trimmed = [_trim(text, s) for s in whole]
    return [s for s in trimmed if s[0] < s[1] and any(c.isalnum() for c in text[s[0] : s[1]])]


def _cut_blank_lines(text: str, span: LabelledSpan, *, line_spans: bool) -> list[LabelledSpan]:
    """Pieces of a span between blank lines (between any line breaks unless `line_spans`)."""
    start, end, label, score = span
    out: list[LabelledSpan] = []
    at = start
    i = text.find("\n", start, end)
    while i >= 0:
        j = i + 1
        while j < end and text[j] in " \t\r\n":
            j += 1
        if not line_spans or "\n" in text[i + 1 : j]:
            out.append((at, i, label, score))
            at = j
        i = text.find("\n", j, end)
    out.append((at, end, label, score))
    return [s for s in out if s[0] < s[1]]


def _whole_words(text: str, spans: Sequence[LabelledSpan]) -> list[LabelledSpan]:
    """Letters that touch the span's letters belong to it (so do digits to digits).

    "McDonald" of which only "Donald" was tagged is wholly meant; "12Smith" is not.
    """
    out: list[LabelledSpan] = []
    for k, (start, end, label, score) in enumerate(spans):
        low = out[-1][1] if out else 0
        high = spans[k + 1][0] if k + 1 < len(spans) else len(text)
        first, last = max(start, low), end
        while first > low and _same_word(text[first - 1], text[first]):
            first -= 1
        while last < high and _same_word(text[last], text[last - 1]):
            last += 1
        if first >= last:
            continue
        out.append(_join(text, out, (first, last, label, score)))
    return out


def _same_word(outer: str, inner: str) -> bool:
    return (outer.isalpha() and inner.isalpha()) or (outer.isdecimal() and inner.isdecimal())


def _join(text: str, out: list[LabelledSpan], span: LabelledSpan) -> LabelledSpan:
    """`span`, with the one before it taken in where both are halves of one word."""
    start, end, label, score = span
    if not out:
        return span
    before_start, before_end, before_label, before_score = out[-1]
    gap = text[before_end:start]
    halves = gap in {"", "-", "'", "’", "\u2010", "\u2011"} and (
        text[before_end - 1].isalpha() and text[start].isalpha()
    )
    if before_label != label or not halves:
        return span
    out.pop()
    return before_start, end, label, max(before_score, score)


def _trim(text: str, span: LabelledSpan) -> LabelledSpan:
    start, end, label, score = span
    start, end = _strip(text, start, end)
    if label in PERSON_LABELS:
        start = _skip_titles(text, start, end)
        if text[max(start, end - 2) : end].lower() in {"'s", "’s"} and end - 2 > start:
            end -= 2
        start, end = _strip(text, start, end)
    return start, end, label, score


def _strip(text: str, start: int, end: int) -> tuple[int, int]:
    """Edge punctuation out; a bracket stays where its partner is inside, an initial's dot too."""
    while end - start > 1 and _wrapped(text, start, end):
        start, end = start + 1, end - 1
    while start < end and text[start] in _EDGE:
        partner = _CLOSES.get(text[start])
        if partner and partner in text[start + 1 : end]:
            break
        start += 1
    while start < end and text[end - 1] in _EDGE:
        char = text[end - 1]
        partner = _OPENS_TO_CLOSE.get(char)
        if partner and partner in text[start : end - 1]:
            break
        if char in _KEEP_LAST and _initial_before(text, start, end - 1):
            break
        end -= 1
    return start, end


def _wrapped(text: str, start: int, end: int) -> bool:
    """One pair of brackets stands around the whole span."""
    partner = _CLOSES.get(text[start])
    return text[end - 1] == partner and partner not in text[start : end - 1]


def _initial_before(text: str, start: int, dot: int) -> bool:
    """An upper-case letter alone, or a short abbreviation as in "J.R." or "St.", goes before."""
    if dot - 1 < start or not text[dot - 1].isalpha():
        return False
    if dot - 2 < start:
        return text[dot - 1].isupper()
    return text[dot - 1].isupper() and not text[dot - 2].isalnum()


def _skip_titles(text: str, start: int, end: int) -> int:
    while True:
        i = start
        while i < end and text[i].isalpha():
            i += 1
        word = text[start:i].lower()
        j = i + 1 if i < end and text[i] == "." else i
        while j < end and text[j] in " \t\xa0\n":
            j += 1
        if word not in TITLES or j >= end or j == i:
            return start
        start = j
