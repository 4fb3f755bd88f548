"""The pure composition: a note in, a clean note and its audit record out.

`begin` runs everything that needs no model and says in which chunks models must read the note;
`windows` cuts one for them, `hear` takes their scores and decodes; neither fetches the scores.
`finish` votes, replaces and proves coverage. None does I/O, reads a clock or keeps state: the same
note, key and release give the same bytes.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from stream_deid import audit
from stream_deid.detect import whole_note
from stream_deid.detect.examination import (
    Language,
    Pending,
    passages_of,
    plain_readings,
    settle,
    without_models,
)
from stream_deid.detect.neural.passages import (
    Chunk,
    Heard,
    Scores,
    chunks,
    hear,
)
from stream_deid.detect.record.residue import Stated
from stream_deid.detect.settle.agreement import agree, votes_of
from stream_deid.detect.settle.propagation.disguised import disguised, open_names
from stream_deid.detect.words.substances import is_allergen
from stream_deid.errors import NoteRejected
from stream_deid.labels import PERSONS
from stream_deid.note import (
    AuditRecord,
    CleanPart,
    Deidentified,
    Detection,
    Edit,
    Finding,
    Note,
    Window,
)
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.rewrite import rewrite
from stream_deid.text import language as languages
from stream_deid.text.canonical import words
from stream_deid.text.memo import Memo

_MOST_PROSE = 10_000
"""Characters in which names are looked for; fewer tell what language a text is in."""
MOST_KNOWN, MOST_KNOWN_LETTERS = 5000, 100_000
"""A message that states more identifiers than this is no record of a patient, and searching its
text for all of them could be made to take any time.
"""


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
                without_models(part, plains.get(index), note, setup)
                for index, part in enumerate(note.parts)
            ]
            settled, unread = settle(note, setup.fast, detections, plains)
            asked = passages_of(note, plains, settled, unread) if setup.required else ()
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
        with pending.memo.in_force():
            return hear(
                chunk, setup.electorates, windows, scores, setup.decoder, readers=setup.readers
            )

    def finish(self, pending: Pending, heard: Sequence[Heard]) -> tuple[Deidentified, AuditRecord]:
        """Vote, replace, and account for what was `heard` of each chunk, in order.

        Raises `Halt("coverage....")` when a part was not heard to its end,
        `NoteRejected("note.residue")` when a value that the message states, or a name that was
        found in it, would still stand.
        """
        note, setup = pending.note, self.languages[pending.note.language]
        coverage = whole_note.coverage(pending, setup, heard)
        with pending.memo.in_force():
            detections = _with_models(pending, heard)
            findings = agree(note, detections)
            edits = self.surrogates.edits(note, findings)
            coverage |= self._look_again(note, findings, edits)
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
            fast_path=whole_note.fast_path(pending, setup),
        )

    def _look_again(
        self, note: Note, findings: Sequence[Sequence[Finding]], edits: Sequence[Sequence[Edit]]
    ) -> dict[str, int]:
        """Nothing goes out in which a name or number of the record, or a name that was found in the
        note, still stands; how many of the record and how many of the note were looked for.
        """
        policy = self.surrogates.policy
        stated = Stated(note.known, lambda phi: policy.strategy(phi).kind != "keep")
        pairs = list(zip(note.parts, edits, strict=True))
        count = sum(
            stated.standing(part.text, done) for part, done in pairs if not is_allergen(part)
        )
        if count:
            detail = f"{count} names or numbers of the message's own record would still stand"
            raise NoteRejected("note.residue", detail)
        texts = ["" if is_allergen(part) else part.text for part in note.parts]
        hidden = [
            [one for one in found if policy.strategy(one.type).kind != "keep"]
            if part.examine or not part.coded
            else []
            for part, found in zip(note.parts, findings, strict=True)
        ]
        names = open_names(texts, hidden)
        replaced = [[edit.finding for edit in done] for done in edits]
        count = sum(map(len, disguised(texts, replaced, names)))
        if count:
            detail = f"{count} names that the note says elsewhere would still stand"
            raise NoteRejected("note.residue", detail)
        return {"stated": len(stated), "named": len(names)}


def _check_record(note: Note) -> None:
    letters = sum(len(one.value) for one in note.known)
    if len(note.known) > MOST_KNOWN or letters > MOST_KNOWN_LETTERS:
        raise NoteRejected(
            "note.record",
            f"{len(note.known)} known identifiers of {letters} characters in all; a record may "
            f"have {MOST_KNOWN} of {MOST_KNOWN_LETTERS}",
        )


def _prose(note: Note) -> str:
    """The text of a note without the names that its record states, which tell no language."""
    named = {word.key for one in note.known if one.type in PERSONS for word in words(one.value)}
    text = "\n".join(part.text for part in note.parts if part.examine)
    pieces, end = [], 0
    for word in words(text[:_MOST_PROSE]) if named else ():
        if word.key in named:
            pieces.append(text[end : word.start])
            end = word.end
    return "".join((*pieces, text[end:]))


def _with_models(pending: Pending, heard: Sequence[Heard]) -> list[list[Detection]]:
    """All votes in each part of a note."""
    said: list[list[Detection]] = [[] for _ in pending.note.parts]
    for one in heard:
        for part, found in one.detections:
            said[part].append(found)
    return votes_of(pending.note.parts, pending.detections, said)
