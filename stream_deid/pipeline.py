"""The pure composition: a note in, a clean note and its audit record out.

`begin` runs everything that needs no model and says in which chunks models must read the note;
`windows` cuts one for them, `hear` takes their scores and decodes; neither fetches the scores.
`finish` votes, replaces and proves coverage. None does I/O, reads a clock or keeps state: the same
note, key and release give the same bytes.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import Protocol

from stream_deid import audit
from stream_deid.detect.fast.paths import FastPaths, Settled
from stream_deid.detect.neural.decoding import check_pool
from stream_deid.detect.neural.model_windows import ModelSpec
from stream_deid.detect.neural.passages import (
    Chunk,
    Heard,
    Passage,
    Scores,
    chunks,
    hear,
    passages,
)
from stream_deid.detect.record.residue import Stated
from stream_deid.detect.settle.certain import certain, said_surely
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
    """A note whose fast paths have run; it waits for what models say of each of `chunks`.

    `note.language` is decided: whatever looks at the note from here on goes by it. `settled`: what
    reviewed rules answer for, by part. `memo`: what was found out about pieces of its text, for
    what follows.
    """

    note: Note
    detections: tuple[tuple[Detection, ...], ...] = field(repr=False)
    chunks: tuple[Chunk, ...] = ()
    settled: tuple[tuple[Settled, ...], ...] = ()
    memo: Memo = field(default_factory=Memo, repr=False, compare=False)

    def settled_in(self, part: int) -> tuple[Settled, ...]:
        """What reviewed rules answer for in one part."""
        return self.settled[part] if self.settled else ()

    @property
    def texts(self) -> list[str]:
        """What windows are cut from, by their `part`."""
        return [passage.text for chunk in self.chunks for passage in chunk.passages]


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Detectors and models by language, the surrogates, and the release that they make up."""

    languages: Mapping[str, Language]
    surrogates: Surrogates
    release: str

    def begin(self, note: Note) -> Pending:
        """Run the fast paths and say what the models must read.

        Raises `NoteRejected`: `language.unsupported` (no configured model), `note.record` (more
        known identifiers than a record has). Nothing is released.
        """
        _check_record(note)
        code = note.language or self._language(_prose(note))
        if code not in self.languages:
            raise NoteRejected(
                "language.unsupported",
                f"no models are configured for this note's language; configured are "
                f"{', '.join(sorted(self.languages))}",
            )
        setup, note, memo = self.languages[code], replace(note, language=code), Memo()
        with memo.in_force():
            plains = plain_readings(note)
            detections = [
                _without_models(part, plains.get(index), note, setup)
                for index, part in enumerate(note.parts)
            ]
            settled, unread = _settle(note, setup.fast, detections, plains)
            asked = passages_of(note, plains, settled, unread) if setup.models else ()
        return Pending(note, tuple(map(tuple, detections)), chunks(asked), settled, memo)

    def _language(self, prose: str) -> str:
        """What a text that names no language is in."""
        return languages.foreign(prose, self.languages) or languages.guess(prose, self.languages)

    def windows(self, pending: Pending, chunk: Chunk) -> tuple[Window, ...]:
        """What the models of the note's language must score of a chunk."""
        with pending.memo.in_force():
            return chunk.windows(self.languages[pending.note.language].models)

    def hear(
        self, pending: Pending, chunk: Chunk, windows: Sequence[Window], scores: Sequence[Scores]
    ) -> Heard:
        """Decode `scores`, one array [n, labels] for each of the chunk's windows.

        Raises `Halt("coverage....")` when a character went unexamined by a required model.
        """
        setup = self.languages[pending.note.language]
        electorates = [setup.models] if setup.pooled else [(one,) for one in setup.models]
        with pending.memo.in_force():
            return hear(chunk, electorates, windows, scores)

    def finish(self, pending: Pending, heard: Sequence[Heard]) -> tuple[Deidentified, AuditRecord]:
        """Vote, replace, and account for what was `heard` of each chunk, in order.

        Raises `Halt("coverage....")` when a part was not heard to its end,
        `NoteRejected("note.residue")` when a value that the message states would still stand.
        """
        note, setup = pending.note, self.languages[pending.note.language]
        coverage = _coverage(pending, setup, heard)
        with pending.memo.in_force():
            detections = _with_models(pending, heard)
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


def plain_readings(note: Note) -> dict[int, Plain]:
    """Plain readings by part, of those that are read a second time without their marks."""
    read = ((index, plain(part.text)) for index, part in enumerate(note.parts) if part.examine)
    return {index: reading for index, reading in read if reading is not None and reading.text}


def passages_of(
    note: Note,
    plains: Mapping[int, Plain],
    settled: Sequence[Sequence[Settled]] = (),
    unread: Mapping[int, Sequence[tuple[int, int]]] = MappingProxyType({}),
) -> Iterator[Passage]:
    """Every part that is examined, then every plain reading."""
    for index, part in enumerate(note.parts):
        if part.examine:
            ruled = settled[index] if settled else ()
            yield from passages(index, part.text, settled=ruled, unread=unread.get(index, ()))
    for index, reading in plains.items():
        yield from passages(index, reading.text, plain=reading)


def _prose(note: Note) -> str:
    return "\n".join(part.text for part in note.parts if part.examine)


def _without_models(
    part: Part, reading: Plain | None, note: Note, setup: Language
) -> list[Detection]:
    declared = [Detection(s.start, s.end, s.type, FIELD_DETECTOR) for s in part.declared]
    if not part.examine:
        return declared
    return declared + [
        found for one in setup.detectors for found in both(one, part.text, reading, note)
    ]


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


def _with_models(pending: Pending, heard: Sequence[Heard]) -> list[list[Detection]]:
    said: list[list[Detection]] = [[] for _ in pending.note.parts]
    for one in heard:
        for part, found in one.detections:
            said[part].append(found)
    return [
        certain(part.text, [*known, *said_surely(part.text, models)])
        if part.coded
        else [*known, *models]
        for part, known, models in zip(pending.note.parts, pending.detections, said, strict=True)
    ]


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


def _coverage(pending: Pending, setup: Language, heard: Sequence[Heard]) -> dict[str, object]:
    """That every character of every examined part has somebody to answer for it, and who.

    `chars` counts the characters of the parts, `examined` those in windows of every model,
    `settled` (where there are fast paths) those that a reviewed rule answers for.
    """
    if setup.models:
        _heard_whole(pending, heard)
    parts = [(i, part) for i, part in enumerate(pending.note.parts) if part.examine]
    chars = sum(len(part.text) for _, part in parts)
    settled = sum(one.end - one.start for i, _ in parts for one in pending.settled_in(i))
    counts: dict[str, object] = {
        "chars": chars,
        "examined": chars - settled,
        "models": [f"{model.name}@{model.version}" for model in setup.models],
    }
    if setup.fast is not None:
        counts["settled"] = settled
    return counts


def _heard_whole(pending: Pending, heard: Sequence[Heard]) -> None:
    """Raise `Halt("coverage.gap")` unless what was proved adds up to every examined part."""
    ends = [0] * len(pending.note.parts)
    for part, start, proof in sorted(
        (covered for one in heard for covered in one.covered), key=lambda covered: covered[:2]
    ):
        if ends[part] != start:
            raise Halt("coverage.gap", "models were not asked about a stretch of this note")
        ends[part] += proof.chars
    if any(
        part.examine and end != len(part.text)
        for part, end in zip(pending.note.parts, ends, strict=True)
    ):
        raise Halt("coverage.gap", "models were not asked about the whole of this note")


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
