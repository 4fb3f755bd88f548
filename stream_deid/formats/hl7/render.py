"""Writes an HL7 message back: the raw text as it came, with edits and cuts made in one pass."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field

from stream_deid.budget import check
from stream_deid.errors import Halt
from stream_deid.formats.content.pieces import written
from stream_deid.formats.hl7.er7.escapes import encode, raw_edits
from stream_deid.formats.hl7.er7.syntax import Hl7Message, pieces
from stream_deid.formats.hl7.note_builder import RawStretch
from stream_deid.formats.hl7.texts.documents import Embedded
from stream_deid.note import CleanPart, Deidentified, Note

TAG = "[WITHHELD]"


@dataclass(frozen=True, slots=True)
class Hl7Envelope:
    """What `render` needs: the message, where each part lies in it, and what is cut out.

    `tagged`: the cuts in whose place stands `TAG`.
    """

    message: Hl7Message = field(repr=False)
    slots: tuple[tuple[RawStretch, ...], ...] = field(repr=False)
    cuts: tuple[tuple[int, int], ...]
    documents: tuple[Embedded, ...] = field(default=(), repr=False)
    tagged: frozenset[tuple[int, int]] = frozenset()


def render(note: Note, clean: Deidentified) -> bytes:
    """Write the message with the edits made and the cuts taken out, in its own character set.

    Raises `Halt` (`hl7.edits`) where edits and text of a part contradict each other or an edit
    crosses a seam, since a message written from such a state could not be trusted.
    """
    envelope = note.envelope
    assert isinstance(envelope, Hl7Envelope)
    message = envelope.message
    edits = [(*cut, _left(message, cut) if cut in envelope.tagged else "") for cut in envelope.cuts]
    for part, slots, cleaned in zip(note.parts, envelope.slots, clean.parts, strict=True):
        _check(part.text, cleaned)
        for slot, inside in _by_slot(slots, cleaned) if slots else ():
            check()
            edits += raw_edits(slot.decoded, inside, message.delimiters)
    texts = [part.text for part in note.parts]
    for one in envelope.documents:
        value = one.written(written(one.document.pieces, texts, clean.parts), message.delimiters)
        if value is not None:
            edits.append((one.start, one.end, value))
    out: list[str] = []
    done = 0
    for start, end, new in sorted(edits):
        if start < done:
            raise Halt("hl7.edits", "two edits of the message overlap")
        out += (message.text[done:start], _fit(new, message.charset))
        done = end
    out.append(message.text[done:])
    return message.head + "".join(out).encode(message.wire)


def _left(message: Hl7Message, cut: tuple[int, int]) -> str:
    """What stands in place of a cut; of a segment its name and line end stay."""
    tag = encode(TAG, message.delimiters)
    for segment in message.segments:
        if cut == (segment.start, segment.stop):
            end = message.text[segment.end : segment.stop]
            return f"{segment.name}{message.delimiters.field}{tag}{end}"
    return tag


def untouched(envelope: Hl7Envelope) -> Iterator[tuple[str, str]]:
    """Path and value of every component that goes out as it came, nothing in it examined."""
    message = envelope.message
    taken = [
        *envelope.cuts,
        *((slot.decoded.origin, slot.end) for slots in envelope.slots for slot in slots),
        *((one.start, one.end) for one in envelope.documents),
    ]
    for segment in message.segments:
        for number, (start, end) in enumerate(segment.fields, 1):
            path = f"{segment.name}[{segment.number}]-{number}"
            if (segment.name, number) == ("MSH", 2):
                continue
            for suffix, begin, stop in _components(message, start, end):
                inside = any(a < stop and begin < b for a, b in taken)
                if message.text[begin:stop].strip() and not inside:
                    yield path + suffix, message.text[begin:stop]


def _components(message: Hl7Message, start: int, end: int) -> Iterator[tuple[str, int, int]]:
    marks = message.delimiters
    repetitions = list(pieces(message.text, start, end, marks.repetition))
    for number, (begin, stop) in enumerate(repetitions, 1):
        suffix = f"({number})" if number > 1 else ""
        inner = list(pieces(message.text, begin, stop, marks.component))
        for component, (a, b) in enumerate(inner, 1):
            yield suffix + (f".{component}" if len(inner) > 1 else ""), a, b


def _check(text: str, cleaned: CleanPart) -> None:
    out: list[str] = []
    done = 0
    for edit in cleaned.edits:
        out += (text[done : edit.finding.start], edit.replacement)
        done = edit.finding.end
    if "".join((*out, text[done:])) != cleaned.text:
        raise Halt("hl7.edits", "the edits of a part do not lead to its text")


def _by_slot(
    slots: tuple[RawStretch, ...], cleaned: CleanPart
) -> list[tuple[RawStretch, list[tuple[int, int, str]]]]:
    """Deal the edits of a part out to the lines that they lie in, in the lines' own offsets."""
    dealt: list[tuple[RawStretch, list[tuple[int, int, str]]]] = [(slot, []) for slot in slots]
    line = 0
    for edit in cleaned.edits:
        while line + 1 < len(slots) and slots[line + 1].offset <= edit.finding.start:
            line += 1
        slot, inside = dealt[line]
        last = slots[line + 1].offset - 1 if line + 1 < len(slots) else None
        if last is not None and edit.finding.end > last:
            raise Halt("hl7.edits", "an edit crosses the seam of two lines")
        start, end = edit.finding.start - slot.offset, edit.finding.end - slot.offset
        inside.append((start, end, edit.replacement))
    return [(slot, inside) for slot, inside in dealt if inside]


def _fit(text: str, charset: str) -> str:
    """What of a surrogate the message's character set can hold: accents go where they must."""
    try:
        text.encode(charset)
    except UnicodeEncodeError:
        plain = unicodedata.normalize("NFKD", text)
        return plain.encode(charset, "ignore").decode(charset)
    return text
