"""Identifiers put into every component of the sample messages: where they stay, and why.

`tests/data/hl7/survivors.tsv` is the whole list; run as a program, this prints what it should be.
"""

import sys
from collections.abc import Iterator

from fhir_helpers import pipeline
from formats_helpers import HL7_SAMPLES

from stream_deid.errors import NoteRejected
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.formats.hl7.er7.syntax import Hl7Message, pieces, read
from stream_deid.formats.hl7.render import untouched

LISTED = HL7_SAMPLES / "survivors.tsv"
PIPELINE = pipeline()
STRANGE = {"date": "20240507", "ssn": "521-64-9083", "ten digits": "6175550199"}
"""Values that the message states nowhere else."""


def own(message: Hl7Message) -> dict[str, str]:
    """What the message states of its patient, written as it stands and otherwise."""
    mark = message.delimiters.component
    surname = message.value("PID", 5).split(mark)[0]
    number = message.value("PID", 3).split(mark)[0]
    return {"surname": surname, "number with zeros": f"00{number}"}


def components(message: Hl7Message, seen: set[tuple[str, str]]) -> Iterator[tuple[str, int, int]]:
    """Segment, field and component, and where it lies; the first repetition of each field.

    `seen`: places, with OBX-2, that were had before and are left out.
    """
    marks = message.delimiters
    for segment in message.segments:
        for number, (start, end) in enumerate(segment.fields, 1):
            if segment.name == "MSH" and number < 3:
                continue
            _, stop = next(pieces(message.text, start, end, marks.repetition))
            kind = segment.at(2)
            type_ = message.text[slice(*kind)] if kind and segment.name == "OBX" else ""
            inner = pieces(message.text, start, stop, marks.component)
            for component, place in enumerate(inner, 1):
                where = f"{segment.name}-{number}.{component}"
                if (where, type_) not in seen:
                    seen.add((where, type_))
                    yield where, *place


def survivors() -> set[tuple[str, str]]:
    """(what, where) of every value that goes out of the place where it was put."""
    found, seen = set(), set()
    for sample in sorted(HL7_SAMPLES.glob("*.hl7")):
        message = read(sample.read_bytes())
        planted = {**STRANGE, **own(message)}
        for where, start, end in components(message, seen):
            for kind, value in planted.items():
                text = alone(message, start, end, value)
                if survives(value, message.head + text.encode(message.charset), message.charset):
                    found.add((kind, where))
    return found


def alone(message: Hl7Message, start: int, end: int, value: str) -> str:
    """The message's MSH and PID and the segment of a place, with a value in it."""
    text = message.text
    return "".join(
        text[one.start : start] + value + text[end : one.stop]
        if one.start <= start < one.stop
        else text[one.start : one.stop]
        for one in message.segments
        if one.name in ("MSH", "PID") or one.start <= start < one.stop
    )


def survives(value: str, raw: bytes, charset: str) -> bool:
    """Whether a value stands in what goes out; the whole path is asked where it is examined."""
    try:
        note = hl7v2.parse(raw, language_default="en")
    except NoteRejected:
        return False
    if any(value in left for _, left in untouched(note.envelope)):
        return True
    if not any(part.examine and value in part.text for part in note.parts):
        return False
    clean, _ = PIPELINE.finish(PIPELINE.begin(note), [])
    return value.casefold() in hl7v2.render(note, clean).decode(charset).casefold()


def listed() -> set[tuple[str, str]]:
    rows = [line.split("\t") for line in LISTED.read_text("utf-8").splitlines()[1:]]
    return {(kind, where) for kind, where, why in rows if why}


def test_only_what_is_listed_survives():
    assert survivors() == listed()


if __name__ == "__main__":
    sys.stdout.writelines(f"{kind}\t{where}\n" for kind, where in sorted(survivors()))
