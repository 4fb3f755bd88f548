"""Marked lines set into unmarked clinical text, so that identifiers are learnt among real prose.

Transcribed reports without identifiers (their writers' placeholders become marked values, and a
sentence that may hold a real identifier is left out) give the contexts and the hard negatives:
drugs, eponyms, scales, doses. Lines and sentences of hand-marked notes are set between theirs;
people of the text are given names where one is written. Spans are exact by construction;
everything is drawn from a seed. The values are drawn anew afterwards, see `augment`.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace

from stream_deid.lists.calendar import MONTHS, SHORT_MONTHS, WEEKDAYS
from stream_deid.lists.titles import written
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.training.data.calendar import HOLIDAYS
from stream_deid.training.data.corpora import AnnotatedNote, LabelSpan, with_breaks

_LISTS = Vocabulary("insertion", "", "stream_deid.training")

Piece = tuple[str, tuple[LabelSpan, ...]]
"""A line or sentence with its own spans."""

_TERM = 3
"""A capitalised word in as many texts is a clinical term, unless it is a common given name."""
_SENTENCE = re.compile(r"(?<![DM][rs]\.)(?<!Mrs\.)(?<=[.!?])\s{1,2}(?=[A-Z])|\n")
_NAME = r"(?:X{1,4}|Y|Z|A|B|XYZ|Xyz|ABCD?|Abcd?|_{2,})\b"
_PLACEHOLDER = re.compile(
    rf"\b(?P<staff>Drs?\.)\s+(?P<doctor>{_NAME})"
    rf"|\b(?P<title>M(?:r|s|rs|iss)\.?)\s+(?P<patient>{_NAME})"
)
_CALENDAR = (*MONTHS["en"], *SHORT_MONTHS["en"], "sept", *WEEKDAYS["en"])
_DAYS = "|".join((*map(str.capitalize, _CALENDAR), *(one for one in HOLIDAYS if " " not in one)))
_DOUBTFUL = re.compile(
    rf"\b(?:{written('transcript')})\b\.?\s+[A-Z]|\b[A-Z]\.\s?[A-Z]\."
    r"|_{2,}|X{2,}|XYZ|ABC|MM/DD|@"
    rf"|\b(?:{_LISTS['institutions']}|{_DAYS}|New\sYear)\b"
    r"|\b(?:19|20)\d\d\b|\d{1,2}[/-]\d{1,2}[/-]\d{2}|\b\d{5,}\b|\d{3}-\d{4}"
    rf"|\b9\d[- ]years?|\b1[01]\d[- ]years?|\b(?:{_LISTS['circumstances']})\b"
)
_PERSON = re.compile(
    rf"\b(?P<whole>[Tt]he patient)(?= (?:{_LISTS['of_patients']})\b)"
    rf"|\b(?P<kin>(?:his|her) (?:{_LISTS['kin']}))(?= (?:{_LISTS['of_kin']})\b)"
)
_INSIDE = re.compile(r"(?<=[a-z,;(] )[A-Z][a-z]+\b")
_PLACES = _LISTS.words("places")


@dataclass(frozen=True, slots=True)
class Carrier:
    """Lines and sentences of one clinical text, free of identifiers but for marked ones."""

    id: str
    pieces: tuple[Piece, ...]
    language: str


def carriers(
    texts: Iterable[tuple[str, str]], is_name: Callable[[str, bool], bool], language: str = "en"
) -> list[Carrier]:
    """Transcribed texts, by name, cut into sentences; what may hold an identifier is left out.

    `is_name(word, rare)`: whether a capitalised word inside a sentence may be a person's or a
    place's; `rare`: it stands in fewer than three texts, as clinical terms seldom do.
    """
    found = [Carrier(name, tuple(_sentences(text)), language) for name, text in texts]
    spread: Counter[str] = Counter()
    for one in found:
        spread.update({m[0] for text, _ in one.pieces for m in _INSIDE.finditer(text)})

    def sound(piece: Piece) -> bool:
        text, marks = piece
        kept = {text[a:b] for a, b, _ in marks}
        words = {m[0] for m in _INSIDE.finditer(text)} - kept
        return not any(is_name(w, spread[w] < _TERM) for w in words)

    return [replace(one, pieces=tuple(p for p in one.pieces if sound(p))) for one in found]


def marked_carriers(notes: Iterable[AnnotatedNote], shortest: int = 60) -> list[Carrier]:
    """The running text of marked notes, cut into sentences of `shortest` characters or more.

    Headers and lists stay behind, and sentences whose identifiers a cut would part.
    """
    found = []
    for note in notes:
        pieces, start = [], 0
        for sentence in _SENTENCE.split(note.text):
            start = note.text.index(sentence, start)
            end = start + len(sentence)
            inside = [
                (a - start, b - start, k) for a, b, k in note.spans if start <= a and b <= end
            ]
            parted = any(a < start < b or a < end < b for a, b, _ in note.spans)
            if len(sentence) >= shortest and not parted:
                pieces.append((sentence, tuple(inside)))
            start = end
        found.append(Carrier(note.id, tuple(pieces), note.language))
    return found


def _sentences(text: str) -> Iterator[Piece]:
    for sentence in _SENTENCE.split(with_breaks(text)):
        piece = _unmasked(sentence)
        if piece is not None:
            yield piece


def _unmasked(sentence: str) -> Piece | None:
    """Placeholders of people as marked values; None where an identifier may be left."""
    out, spans, at = "", [], 0
    for match in _PLACEHOLDER.finditer(sentence):
        group = "doctor" if match["doctor"] else "patient"
        out += sentence[at : match.start(group)]
        label, value = ("DOCTOR", "Hale") if group == "doctor" else ("PATIENT", "Moreno")
        spans.append((len(out), len(out) + len(value), label))
        out, at = out + value, match.end()
    out += sentence[at:]
    rest = out
    for start, end, _ in reversed(spans):
        title = rest[:start].rstrip().rfind(" ") + 1
        rest = rest[:title] + rest[end:]
    doubtful = _DOUBTFUL.search(rest) or any(w in _PLACES for w in re.findall(r"[A-Z]\w+", rest))
    return None if doubtful or not out.strip() else (out.strip(), tuple(_shifted(out, spans)))


def _shifted(text: str, spans: Iterable[LabelSpan]) -> Iterator[LabelSpan]:
    left = len(text) - len(text.lstrip())
    return ((a - left, b - left, label) for a, b, label in spans)


def donors(notes: Sequence[AnnotatedNote], longest: int = 240) -> list[Piece]:
    """Marked lines of hand-written notes that are no longer than `longest` characters."""
    found = []
    for note in notes:
        start = 0
        for line in note.text.splitlines(keepends=True):
            end = start + len(line.rstrip())
            inside = [s for s in note.spans if start <= s[0] and s[1] <= end]
            cut = any(s[0] < start < s[1] or s[0] < end < s[1] for s in note.spans)
            if inside and not cut and len(line) <= longest:
                spans = tuple((a - start, b - start, label) for a, b, label in inside)
                found.append((note.text[start:end], spans))
            start += len(line)
    return found


class Insertion:
    """Composes notes: a stretch of a carrier with donors' lines set in and people named.

    Source: synthetic identifiers in real text, as for the nference models (2021, methods) and
    Dernoncourt (2016, section 3.1) describe for their corpora's surrogates.
    """

    def __init__(self, carriers: Sequence[Carrier], given: Sequence[Piece], seed: int) -> None:
        self._carriers = [c for c in carriers if len(c.pieces) >= 4]
        self._donors = list(given)
        self._seed = seed

    def notes(self, epoch: int, count: int) -> list[AnnotatedNote]:
        """`count` notes for an epoch, the same for the same seed."""
        rng = random.Random(f"{self._seed}|insertion|{epoch}")
        return [self._note(rng, f"inserted-{epoch}-{i}") for i in range(count)]

    def _note(self, rng: random.Random, name: str) -> AnnotatedNote:
        chosen = rng.choice(self._carriers)
        length = min(len(chosen.pieces), rng.randint(5, 22))
        first = rng.randint(0, len(chosen.pieces) - length)
        pieces = [_named(p, rng) for p in chosen.pieces[first : first + length]]
        for _ in range(rng.choice((0, 1, 2, 3, 4, 6))):
            pieces.insert(rng.randint(0, len(pieces)), rng.choice(self._donors))
        by_line = rng.random() < 0.4
        text, spans = "", []
        for i, (piece, marks) in enumerate(pieces):
            if i:
                text += "\n" if by_line or rng.random() < 0.25 else " "
            spans += [(len(text) + a, len(text) + b, label) for a, b, label in marks]
            text += piece
        return AnnotatedNote(name, text, tuple(sorted(spans)), chosen.language, "inserted")


def _named(piece: Piece, rng: random.Random) -> Piece:
    """Now and then the person of a sentence gets a name."""
    text, marks = piece
    match = _PERSON.search(text)
    if match is None or marks or rng.random() > 0.35:
        return piece
    name = rng.choice(_LISTS.ordered("names"))
    title = rng.choice(_LISTS.ordered("titles")) if name.endswith("Moreno") else ""
    before = text[: match.start()] + (title if match["whole"] else match["kin"] + " ")
    out = before + name + text[match.end() :]
    return out, ((len(before), len(before) + len(name), "PATIENT"),)
