"""Training notes anew in every epoch: other values in the marked places, and noise.

Deterministic from (seed, epoch, note id). Spans are exact by construction.
"""

from __future__ import annotations

import hashlib
import random
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from stream_deid.training.data import noise, patient_records
from stream_deid.training.data.corpora import PROJECT, WORD, AnnotatedNote, LabelSpan
from stream_deid.training.data.gazetteers import Gazetteers
from stream_deid.training.data.lookalikes import Lookalikes
from stream_deid.training.data.redraw import Redraw

ValueOf = Callable[[str, str], str]
"""Old value and label to new value."""

_LONG_FIRST = ("PHONE", "SSN", "MEDICALRECORD", "NUMERO_TELEFONO")


@dataclass(frozen=True, slots=True)
class Augmenting:
    """The `[augment]` table of a recipe.

    `keep`: share of notes that stay as written in an epoch; `keep_value`: share of values that
    stay in the others (names that are words, eponyms and other traps are worth seeing often);
    `noisy`: whether noise is added, `noise`: how many times
    as often as the lists of `noise` say; `lookalikes`: a folder of the project to draw look-alikes
    from, none where empty; `records`: a file of patients' records (`patient_records`), here or in
    the folder of data, one of which stands in for a note's patient in `record_share` of the notes.
    """

    keep: float = 0.25
    keep_value: float = 0.1
    noisy: bool = True
    noise: float = 1.0
    lookalikes: str = ""
    records: str = ""
    record_share: float = 0.5


class Augmenter:
    """Draws variants of the notes of one corpus, as the settings of a recipe say."""

    def __init__(
        self,
        notes: Sequence[AnnotatedNote],
        gazetteers: Gazetteers,
        settings: Augmenting,
        seed: int,
    ) -> None:
        self._gazetteers = gazetteers
        self._settings, self._seed = settings, seed
        folder = settings.lookalikes
        self._lookalikes = Lookalikes.read(PROJECT / folder) if folder else None
        at = gazetteers.data
        self._records = patient_records.of(settings.records, at) if settings.records else ()
        self._pool = _pool(notes)
        self._common = {label: _common_words(values) for label, values in self._pool.items()}

    def draw(self, note: AnnotatedNote, epoch: int) -> AnnotatedNote:
        """The variant of `note` for `epoch`."""
        key = f"{self._seed}|{epoch}|{note.id}".encode()
        rng = random.Random(int.from_bytes(hashlib.sha256(key).digest()[:8], "big"))
        if rng.random() >= self._settings.keep:
            note = self._redraw(note, rng)
            if self._lookalikes is not None:
                note = self._lookalikes.vary(note, rng)
        strength = self._settings.noise if self._settings.noisy else 0.0
        return noise.disturb(note, rng, strength)

    def _redraw(self, note: AnnotatedNote, rng: random.Random) -> AnnotatedNote:
        patient = None
        if self._records and rng.random() < self._settings.record_share:
            patient = rng.choice(self._records)
        redraw = Redraw(rng, self._gazetteers, self._pool, self._common, note.language)
        redraw.patient = patient
        kept = {
            value: rng.random() < self._settings.keep_value
            for value in dict.fromkeys(note.text[a:b] for a, b, _ in note.spans)
        }
        for start, end, label in note.spans:  # long numbers first: last-four fragments follow them
            if label in _LONG_FIRST and end - start >= 7 and not kept[note.text[start:end]]:
                redraw.value(label, note.text[start:end])
        return replace_values(
            note, lambda old, label: old if kept[old] else redraw.value(label, old)
        )


def replace_values(note: AnnotatedNote, new_value: ValueOf) -> AnnotatedNote:
    """`note` with `new_value(old, label)` in the place of each marked value."""
    out: list[str] = []
    spans: list[LabelSpan] = []
    at = length = 0
    for start, end, label in note.spans:
        if start < at:
            continue  # nested or double annotation: the first one stands
        new = new_value(note.text[start:end], label)
        out += [note.text[at:start], new]
        length += start - at
        spans.append((length, length + len(new), label))
        length += len(new)
        at = end
    out.append(note.text[at:])
    return AnnotatedNote(note.id, "".join(out), tuple(spans), note.language, note.note_type)


def _pool(notes: Sequence[AnnotatedNote]) -> Mapping[str, tuple[str, ...]]:
    values: dict[str, dict[str, None]] = {}
    for note in notes:
        for start, end, label in note.spans:
            value = note.text[start:end]
            if "\n" not in value:
                values.setdefault(label, {})[value] = None
    return {label: tuple(found) for label, found in values.items()}


def _common_words(values: Sequence[str]) -> frozenset[str]:
    """Words of at least four values: "hospital", "pharmacy", not what names the place."""
    counts = Counter(w for v in values for w in {m[0].lower() for m in WORD.finditer(v)})
    return frozenset(w for w, n in counts.items() if n >= 4)
