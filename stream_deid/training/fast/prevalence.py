"""The inclusion list, mined: sentences by prevalence over patients and notes (nference 2021).

The paper took the 1,600 commonest sentences and, beyond these, the 25,000 commonest that name a
disease or a drug, and had each of them verified. So does this, behind filters that spare the
reviewer what no list may hold: digits, marked identifiers, pattern hits, names by gazetteer.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from stream_deid.detect.fast.inclusion import LEAST_WORDS
from stream_deid.detect.fast.units import normal, pieces
from stream_deid.detect.patterns import Patterns
from stream_deid.labels import label_type
from stream_deid.training.fast import words
from stream_deid.training.fast.reviews import ReviewEntry
from stream_deid.training.fast.sources import Mined

PREVALENT, CLINICAL = "prevalent", "clinical"
MOST_PREVALENT, MOST_CLINICAL = 1_600, 25_000
LEAST_PATIENTS = 3
LONGEST = 40
"""Words of a sentence that is worth a look."""


@dataclass(slots=True)
class CountedSentence:
    """One sentence in normal form with what was counted of it."""

    occurrences: int = 0
    marked: int = 0
    notes: set[str] = field(default_factory=set)
    patients: set[str] = field(default_factory=set)
    written: Counter[str] = field(default_factory=Counter)


@dataclass(slots=True)
class SentenceCorpus:
    """The sentences of all notes of one language, and how they write their words."""

    sentences: dict[str, CountedSentence] = field(default_factory=dict)
    usage: words.Usage = field(default_factory=words.Usage)
    notes: int = 0
    pieces: int = 0

    def add(self, mined: Mined) -> None:
        """Count the sentences of one note."""
        self.notes += 1
        hidden = [(a, b) for a, b, label in mined.spans if label_type(label) is not None]
        for start, end in pieces(mined.text):
            written = mined.text[start:end]
            self.usage.add(written)
            self.pieces += 1
            one = self.sentences.setdefault(normal(written), CountedSentence())
            one.occurrences += 1
            one.marked += any(a < end and start < b for a, b in hidden)
            one.notes.add(mined.note)
            one.patients.add(mined.patient)
            one.written[" ".join(written.split())] += 1


@dataclass(frozen=True, slots=True)
class Mining:
    """What came of it: entries to review, and how many sentences each filter took."""

    entries: list[ReviewEntry]
    filtered: Counter[str]


def mine(
    corpus: SentenceCorpus, language: str, folder: Path, *, least: int = LEAST_PATIENTS
) -> Mining:
    """The entries to review, the commonest first; `folder` holds the gazetteers, if any."""
    patterns, known = Patterns(language), words.gazetteer(folder)
    filtered: Counter[str] = Counter()
    kept: list[tuple[str, CountedSentence]] = []
    for text, one in sorted(corpus.sentences.items(), key=_rank):
        if len(one.patients) < least:
            continue
        why = _unfit(text, one) or _tells(one, patterns, known, corpus.usage)
        if why:
            filtered[why] += 1
        else:
            kept.append((text, one))
    common, rest = kept[:MOST_PREVALENT], kept[MOST_PREVALENT:]
    clinical = [(t, one) for t, one in rest if words.is_clinical(t)][:MOST_CLINICAL]
    filtered["beyond the commonest, and neither disease nor drug"] = len(rest) - len(clinical)
    return Mining(
        [_entry(*one, PREVALENT) for one in common] + [_entry(*one, CLINICAL) for one in clinical],
        +filtered,
    )


def _rank(item: tuple[str, CountedSentence]) -> tuple[int, int, int, str]:
    text, one = item
    return -len(one.patients), -len(one.notes), -one.occurrences, text


def _unfit(text: str, one: CountedSentence) -> str:
    count = len(text.split())
    if any(c.isdecimal() for c in text):
        return "digits"
    if count < LEAST_WORDS:
        return "a single word"
    if count > LONGEST:
        return "too long"
    return "marked as an identifier" if one.marked else ""


def _tells(
    one: CountedSentence, patterns: Patterns, known: frozenset[str], usage: words.Usage
) -> str:
    """Whether patterns or the gazetteers see an identifier in any writing of it."""
    forms: Iterable[str] = one.written
    if any(patterns.detect(form) for form in forms):
        return "a pattern's hit"
    if any(words.names(form, known, usage) for form in one.written):
        return "a name by gazetteer"
    return ""


def _entry(text: str, one: CountedSentence, tier: str) -> ReviewEntry:
    written = min(one.written, key=lambda form: (-one.written[form], form))
    counts = {
        "patients": str(len(one.patients)),
        "notes": str(len(one.notes)),
        "occurrences": str(one.occurrences),
        "tier": tier,
        "written": written,
    }
    return ReviewEntry(text, counts)


def share(corpus: SentenceCorpus, entries: Iterable[str]) -> float:
    """Which share of all pieces the entries make up."""
    return sum(corpus.sentences[e].occurrences for e in entries) / max(corpus.pieces, 1)
