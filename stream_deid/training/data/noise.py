"""Noise that notes suffer on their way: capitals, OCR, lost lines, merged words, lost accents.

Every function gives a note whose spans are exact by construction: the text is rebuilt from
edits, and each span's ends move with the characters that they stood at.
"""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Callable, Sequence

from stream_deid.training.data.corpora import AnnotatedNote, LabelSpan

CharEdit = tuple[int, int, str]
"""start, end, new text"""

_OCR = {
    "l": "1", "1": "l", "I": "l", "O": "0", "0": "O", "o": "0", "5": "S", "S": "5", "8": "B",
    "B": "8", "c": "e", "e": "c", "i": "l", "h": "b", "n": "ri", "m": "rn", "g": "q", "u": "v",
    "t": "f", "2": "Z", "6": "b", "G": "6", ",": ".", ".": ",",
}  # fmt: skip


def apply(note: AnnotatedNote, edits: Sequence[CharEdit]) -> AnnotatedNote:
    """`note` with `edits` made; ordered, disjoint, none across an end of a span."""
    bounds = sorted({b for s in note.spans for b in s[:2]})
    moved: dict[int, int] = {}
    out: list[str] = []
    at = length = k = 0
    for start, end, new in [*edits, (len(note.text), len(note.text), "")]:
        while k < len(bounds) and bounds[k] <= start:
            moved[bounds[k]] = length + bounds[k] - at
            k += 1
        out += [note.text[at:start], new]
        length += start - at + len(new)
        at = end
    spans = [(moved[a], moved[b], label) for a, b, label in note.spans]
    kept = tuple(s for s in spans if s[0] < s[1])
    return AnnotatedNote(note.id, "".join(out), kept, note.language, note.note_type)


def _crosses(spans: Sequence[LabelSpan]) -> frozenset[int]:
    return frozenset(b for s in spans for b in s[:2])


def capitals(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """All capitals, as old systems write."""
    del rng
    return _map(note, str.upper)


def lower(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """All lower case, as hurried people write."""
    del rng
    return _map(note, str.lower)


def small_values(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Values in small letters among words as they were: "lives in salem", "d/w okafor"."""
    small = {v: rng.random() < 0.5 for v in sorted({note.text[a:b] for a, b, _ in note.spans})}
    text = note.text
    for a, b, _ in note.spans:
        value = note.text[a:b]
        if small[value] and len(value.lower()) == len(value):
            text = text[:a] + value.lower() + text[b:]
    return AnnotatedNote(note.id, text, note.spans, note.language, note.note_type)


def _map(note: AnnotatedNote, change: Callable[[str], str]) -> AnnotatedNote:
    text = "".join(c if len(change(c)) != 1 else change(c) for c in note.text)
    return AnnotatedNote(note.id, text, note.spans, note.language, note.note_type)


def ocr(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Characters misread, about one in a hundred."""
    rate = rng.uniform(0.004, 0.02)
    edits = [
        (i, i + 1, _OCR[c]) for i, c in enumerate(note.text) if c in _OCR and rng.random() < rate
    ]
    return apply(note, edits)


def lost_lines(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Line breaks that became spaces, some or all of them."""
    rate = rng.choice((0.3, 1.0))
    text = "".join(" " if c == "\n" and rng.random() < rate else c for c in note.text)
    return AnnotatedNote(note.id, text, note.spans, note.language, note.note_type)


def merged_words(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Spaces lost where the words can still be told apart (by case or by digits)."""
    text = note.text
    edits = [
        (i, i + 1, "")
        for i in range(1, len(text) - 1)
        if text[i] == " "
        and (
            (text[i - 1].islower() and text[i + 1].isupper())
            or (text[i - 1].isalpha() and text[i + 1].isdigit())
            or text[i - 1] in ".,:;"
        )
        and rng.random() < 0.04
    ]
    return apply(note, edits)


def lost_punctuation(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Stops, commas and colons left out, as in dictation."""
    rate = rng.uniform(0.15, 0.8)
    inside = {i for s in note.spans for i in range(s[0], s[1])}
    edits = [
        (i, i + 1, "")
        for i, c in enumerate(note.text)
        if c in ".,:;" and i not in inside and rng.random() < rate
    ]
    return apply(note, edits)


def speech(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """As a recogniser writes: one line, no capitals, next to no punctuation."""
    inside = {i for s in note.spans for i in range(s[0], s[1])}
    edits: list[CharEdit] = [
        (i, i + 1, "")
        for i, c in enumerate(note.text)
        if c in ".,:;()" and i not in inside and rng.random() < 0.95
    ]
    flat = apply(note, edits)
    text = flat.text.replace("\n", " ").lower()
    if len(text) != len(flat.text):
        return flat
    return AnnotatedNote(note.id, text, flat.spans, note.language, note.note_type)


def split_words(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Words that a scan tore apart: a blank inside, about one word in forty."""
    edges = _crosses(note.spans)
    edits: list[CharEdit] = [
        (i, i, " ")
        for i in range(2, len(note.text) - 2)
        if note.text[i - 2 : i + 2].isalpha() and i not in edges and rng.random() < 0.006
    ]
    return apply(note, edits)


def lost_accents(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Accented letters as plain ones."""
    del rng
    return _map(note, lambda c: unicodedata.normalize("NFD", c)[:1] or c)


def typos(note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
    """Letters swapped, doubled or left out, about one word in forty."""
    text, edges = note.text, _crosses(note.spans)
    edits: list[CharEdit] = []
    i = 1
    while i < len(text) - 2:
        pair = text[i : i + 2]
        if pair.isalpha() and rng.random() < 0.005 and not {i, i + 1, i + 2} & edges:
            edits.append((i, i + 2, rng.choice((pair[::-1], pair[0], pair[0] * 2 + pair[1]))))
            i += 4
        i += 1
    return apply(note, edits)


Noise = Callable[[AnnotatedNote, random.Random], AnnotatedNote]
ENGLISH: tuple[tuple[float, Noise], ...] = (
    (0.05, capitals), (0.05, lower), (0.04, ocr), (0.05, lost_lines), (0.04, merged_words),
    (0.04, lost_punctuation), (0.06, typos), (0.03, speech), (0.02, split_words),
    (0.04, small_values),
)  # fmt: skip
SPANISH: tuple[tuple[float, Noise], ...] = (
    (0.03, capitals), (0.02, lower), (0.02, ocr), (0.02, lost_lines), (0.03, merged_words),
    (0.02, lost_punctuation), (0.07, lost_accents), (0.03, typos), (0.02, speech),
    (0.02, split_words), (0.06, small_values),
)  # fmt: skip


def disturb(note: AnnotatedNote, rng: random.Random, strength: float = 1.0) -> AnnotatedNote:
    """At most a few kinds of noise at once, each with `strength` times the share of its list."""
    for share, change in SPANISH if note.language == "es" else ENGLISH:
        if rng.random() < share * strength:
            note = change(note, rng)
    return note
