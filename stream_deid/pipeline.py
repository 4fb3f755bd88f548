"""The pure composition: a note in, a clean note and its audit record out.

`begin` runs everything that needs no model and says which windows it needs scored; it does not
fetch the scores. `finish` takes them, decodes, votes, replaces and proves coverage. Neither does
I/O, reads a clock or keeps state: the same note, key and release give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from stream_deid import audit
from stream_deid.detect.coverage import prove
from stream_deid.detect.fast.paths import FastPaths, Settled, beyond
from stream_deid.detect.neural.decoding import Reading, check_pool, decode
from stream_deid.detect.neural.model_windows import ModelSpec, windows
from stream_deid.detect.record.residue import Stated
from stream_deid.detect.settle.certain import certain
from stream_deid.detect.settle.repeat import repeated
from stream_deid.detect.settle.voting import vote
from stream_deid.errors import Halt, NoteRejected
from stream_deid.note import (
    AuditRecord,
    CleanPart,
    Deidentified,
    Detection,
    Edit,
    Finding,
    Note,
    Part,
    Window,
)
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.rewrite import rewrite
from stream_deid.text import language as languages
from stream_deid.text.memo import Memo
from stream_deid.text.readings import Plain, both, plain

FIELD_DETECTOR = "field@1"
Scores = NDArray[np.float32]


class Detector(Protocol):
    """A fast-path detector: no model, no state. Its detections carry its name and version."""

    def detect(self, text: str, note: Note) -> list[Detection]: ...


@dataclass(frozen=True, slots=True)
class Language:
    """What a language is examined with: every one of `models` must see every character.

    `pooled`: the models give one opinion, the mean of theirs; otherwise each votes for itself
    and one vote is enough (nference 2021). `fast`: the reviewed lists that settle sentences
    without the models, if any. Raises `Halt("pool...")` where models can't be pooled.
    """

    detectors: tuple[Detector, ...]
    models: tuple[ModelSpec, ...]
    pooled: bool = True
    fast: FastPaths | None = None

    def __post_init__(self) -> None:
        if self.pooled:
            check_pool(self.models)


MOST_KNOWN, MOST_KNOWN_LETTERS = 5000, 100_000
"""A message that states more identifiers than this is no record of a patient, and searching its
text for all of them could be made to take any time.
"""


@dataclass(frozen=True, slots=True)
class Pending:
    """A note whose fast paths have run; it waits for one score array for each of `windows`.

    `note.language` is decided: whatever looks at the note from here on goes by it. `readings`: the
    plain readings of parts (by their numbers) that have one; their windows are numbered behind
    those of the parts. `settled`: what reviewed rules answer for, by part. `memo`: what was found
    out about pieces of its text, for `finish`.
    """

    note: Note
    detections: tuple[tuple[Detection, ...], ...] = field(repr=False)
    windows: tuple[Window, ...] = field(repr=False)
    readings: tuple[tuple[int, Plain], ...] = field(default=(), repr=False)
    settled: tuple[tuple[Settled, ...], ...] = ()
    memo: Memo = field(default_factory=Memo, repr=False, compare=False)

    def settled_in(self, part: int) -> tuple[Settled, ...]:
        """What reviewed rules answer for in one part."""
        return self.settled[part] if self.settled else ()

    @property
    def texts(self) -> list[str]:
        """What windows are cut from, by their `part`."""
        parts = [part.text for part in self.note.parts]
        return parts + [reading.text for _, reading in self.readings]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Detectors and models by language, the surrogates, and the release that they make up."""

    languages: Mapping[str, Language]
    surrogates: Surrogates
    release: str

    def begin(self, note: Note) -> Pending:
        """Run the fast paths and cut the windows that the models must score.

        Raises `NoteRejected`: `language.unsupported` (no configured model), `note.record` (more
        known identifiers than a record has). Nothing is released.
        """
        _check_record(note)
        code = note.language or languages.guess(_prose(note), self.languages)
        if code not in self.languages:
            raise NoteRejected(
                "language.unsupported",
                f"no models are configured for this note's language; configured are "
                f"{', '.join(sorted(self.languages))}",
            )
        setup, note, memo = self.languages[code], replace(note, language=code), Memo()
        with memo.in_force():
            detections = [_without_models(part, note, setup) for part in note.parts]
            plains = tuple(plain_readings(note))
            settled, unread = _settle(note, setup.fast, detections, dict(plains))
            texts = [part.text if part.examine else "" for part in note.parts]
            needed = tuple(
                window
                for index, text in enumerate([*texts, *(reading.text for _, reading in plains)])
                if text
                for model in setup.models
                for window in windows(model, index, text, unread.get(index, ()))
            )
        return Pending(note, tuple(map(tuple, detections)), needed, plains, settled, memo)

    def finish(
        self, pending: Pending, scores: Sequence[Scores]
    ) -> tuple[Deidentified, AuditRecord]:
        """Decode `scores` (one array [n, labels] for each window), vote, replace, and account.

        Raises `Halt("coverage....")` when a character went unexamined by a required model,
        `NoteRejected("note.residue")` when a value that the message states would still stand.
        """
        note, setup = pending.note, self.languages[pending.note.language]
        coverage = _coverage(pending, setup)
        with pending.memo.in_force():
            detections = _with_models(pending, setup, scores)
            findings = _agree(note, detections)
            edits = self.surrogates.edits(note, findings)
        coverage["stated"] = self._look_again(note, edits)
        parts = tuple(
            CleanPart(rewrite(part.text, done), done)
            for part, done in zip(note.parts, edits, strict=True)
        )
        clean = Deidentified(
            note_id=self.surrogates.pseudonym("note", note.note_id),
            patient_id=self.surrogates.patient(note),
            parts=parts,
            release=self.release,
        )
        return clean, audit.record(
            note,
            clean,
            language=note.language,
            coverage=coverage,
            fast_path=_fast_path(pending, setup),
        )

    def _look_again(self, note: Note, edits: Sequence[Sequence[Edit]]) -> int:
        """Nothing goes out in which a name or number of the record still stands; how many were
        looked for.
        """
        policy = self.surrogates.policy
        stated = Stated(note.known, lambda phi: policy.strategy(phi).kind != "keep")
        count = sum(
            stated.standing(part.text, done) for part, done in zip(note.parts, edits, strict=True)
        )
        if count:
            detail = f"{count} names or numbers of the message's own record would still stand"
            raise NoteRejected("note.residue", detail)
        return len(stated)


def _check_record(note: Note) -> None:
    letters = sum(len(one.value) for one in note.known)
    if len(note.known) > MOST_KNOWN or letters > MOST_KNOWN_LETTERS:
        raise NoteRejected(
            "note.record",
            f"{len(note.known)} known identifiers of {letters} characters in all; a record may "
            f"have {MOST_KNOWN} of {MOST_KNOWN_LETTERS}",
        )


def plain_readings(note: Note) -> Iterator[tuple[int, Plain]]:
    """The parts that models read a second time, without the marks of exports and scans."""
    for index, part in enumerate(note.parts):
        reading = plain(part.text) if part.examine else None
        if reading is not None and reading.text:
            yield index, reading


def _prose(note: Note) -> str:
    return "\n".join(part.text for part in note.parts if part.examine)


def _without_models(part: Part, note: Note, setup: Language) -> list[Detection]:
    declared = [Detection(s.start, s.end, s.type, FIELD_DETECTOR) for s in part.declared]
    if not part.examine:
        return declared
    return declared + [d for detector in setup.detectors for d in both(detector, part.text, note)]


def _settle(
    note: Note,
    fast: FastPaths | None,
    detections: Sequence[list[Detection]],
    plains: Mapping[int, Plain],
) -> tuple[tuple[tuple[Settled, ...], ...], dict[int, list[tuple[int, int]]]]:
    """What reviewed rules answer for by part, and what models need not be shown of it.

    Adds what templates detect to `detections`. A part that has a plain reading is read in full.
    """
    if fast is None:
        return (), {}
    settled, unread = [], {}
    for index, part in enumerate(note.parts):
        mine: tuple[Settled, ...] = ()
        if part.examine and index not in plains:
            found, mine = fast.look(part.text, detections[index])
            detections[index] += found
            unread[index] = fast.unread(part.text, mine)
        settled.append(mine)
    return tuple(settled), unread


def _with_models(
    pending: Pending, setup: Language, scores: Sequence[Scores]
) -> list[list[Detection]]:
    if len(scores) != len(pending.windows):
        raise Halt("scores.count", "each window needs exactly one array of scores")
    detections = [list(found) for found in pending.detections]
    places = _places(pending)

    def read(number: int, text: str) -> list[Detection]:
        mine = [(model, places.get((number, model.name), [])) for model in setup.models]
        readings = [
            Reading(model, [pending.windows[i] for i in at], [scores[i] for i in at])
            for model, at in mine
        ]
        electorates = [readings] if setup.pooled else [[r] for r in readings]
        return [found for electorate in electorates for found in decode(text, electorate)]

    for index, part in enumerate(pending.note.parts):
        if part.examine:
            detections[index] += beyond(read(index, part.text), pending.settled_in(index))
    for number, (index, reading) in enumerate(pending.readings, len(pending.note.parts)):
        detections[index] += map(reading.moved, read(number, reading.text))
    return [
        certain(part.text, found) if part.coded else found
        for part, found in zip(pending.note.parts, detections, strict=True)
    ]


def _places(pending: Pending) -> dict[tuple[int, str], list[int]]:
    """Which windows belong to a part and a model, in order: messages can have hundreds of parts."""
    places: dict[tuple[int, str], list[int]] = {}
    for i, window in enumerate(pending.windows):
        places.setdefault((window.part, window.model), []).append(i)
    return places


def _agree(note: Note, detections: list[list[Detection]]) -> list[tuple[Finding, ...]]:
    """Vote once, look for every name found anywhere in all of the note, and vote again."""
    first = _vote(note, detections)
    again = repeated([part.text if part.examine else "" for part in note.parts], first)
    return _vote(note, [d + list(r) for d, r in zip(detections, again, strict=True)])


def _vote(note: Note, detections: Sequence[Sequence[Detection]]) -> list[tuple[Finding, ...]]:
    return [
        vote(part.text, found, seams=part.seams)
        for part, found in zip(note.parts, detections, strict=True)
    ]


def _coverage(pending: Pending, setup: Language) -> dict[str, object]:
    """Prove that every character of every examined part has somebody to answer for it.

    `chars` counts the characters of the parts, `examined` those in windows of every model,
    `settled` (where there are fast paths) those that a reviewed rule answers for.
    """
    places = _places(pending)
    covered = []
    for index, part in enumerate(pending.note.parts):
        if part.examine:
            owners = {
                model.name: [pending.windows[i] for i in places.get((index, model.name), [])]
                for model in setup.models
            }
            covered.append(prove(part.text, part.path, owners, pending.settled_in(index)))
    counts: dict[str, object] = {
        "chars": sum(one.chars for one in covered),
        "examined": sum(one.examined for one in covered),
        "models": [f"{model.name}@{model.version}" for model in setup.models],
    }
    if setup.fast is not None:
        counts["settled"] = sum(one.settled for one in covered)
    return counts


def _fast_path(pending: Pending, setup: Language) -> dict[str, object]:
    """Structured parts, and which reviewed rule answers for which stretch."""
    said: dict[str, object] = {"structured": sum(not part.examine for part in pending.note.parts)}
    if setup.fast is not None:
        said["settled"] = [
            {"path": part.path, "start": one.start, "end": one.end, "rule": one.rule}
            for index, part in enumerate(pending.note.parts)
            for one in pending.settled_in(index)
        ]
    return said
