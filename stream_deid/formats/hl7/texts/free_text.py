"""Free text in HL7: reports spread over OBX lines, notes over NTE lines.

Consecutive OBX segments of a text type with the same OBX-3, and consecutive NTE segments, are
one part whose lines are joined by seams, so that detectors see a report as its author did.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from stream_deid.formats import demographics
from stream_deid.formats.hl7.er7.syntax import Hl7Message, Segment, pieces
from stream_deid.formats.hl7.maps.field_map import FieldMap, FieldRule
from stream_deid.formats.short_values import asks_for_more, few_words
from stream_deid.labels import PhiType

_STATUSES = frozenset("ABCDFINOPRSUVWX")  # table 0085
_STATUS, _TEXT = 11, 5
_LINES = re.compile(r"~|\\\.br\\")
_CODE = re.compile(r"[^\s]{0,40}")


class TextField:
    """The free-text field of one segment, found even where the text holds raw separators.

    `shift` says by how many fields the rest of the segment moved; None: the text takes all.
    """

    def __init__(self, start: int, end: int, shift: int | None) -> None:
        self.start = start
        self.end = end
        self.shift = shift


def text_runs(message: Hl7Message, fields: FieldMap) -> Iterator[Sequence[Segment]]:
    """Segments that carry one text together, in order of appearance."""
    run: list[Segment] = []
    for segment in message.segments:
        key = _run_key(message, segment, fields)
        if run and (key is None or key != _run_key(message, run[0], fields)):
            yield run
            run = []
        if key is not None:
            run.append(segment)
    if run:
        yield run


def _run_key(message: Hl7Message, segment: Segment, fields: FieldMap) -> tuple[str, str] | None:
    if segment.name == "NTE":
        return ("NTE", "")
    if segment.name == "OBX" and is_text_observation(message, segment, fields):
        place = segment.at(3)
        return ("OBX", message.text[slice(*place)] if place else "")
    return None


def is_text_observation(message: Hl7Message, segment: Segment, fields: FieldMap) -> bool:
    """Whether OBX-5 is text, by OBX-2; an unknown type counts as text, an answer that says who
    somebody is doesn't.
    """
    if asks_who(message, segment) is not None:
        return False
    rule = observed(message, segment, fields)
    return rule is None or rule.kind == "text"


def observed(message: Hl7Message, segment: Segment, fields: FieldMap) -> FieldRule | None:
    """The rule of OBX-5 by its data type (OBX-2), if it has one."""
    place = segment.at(2)
    return fields.observation.get(message.text[slice(*place)].strip() if place else "")


def asks_who(message: Hl7Message, segment: Segment) -> PhiType | None:
    """What OBX-5 says of a person, by OBX-3: codes in its components 1 and 4, words in any."""
    place = segment.at(3)
    if place is None:
        return None
    found = pieces(message.text, *place, message.delimiters.component)
    said = [message.text[a:b] for a, b in found]
    return demographics.meaning(said[0:4:3], [*said[0:2], *said[3:5]])


def is_short_value(message: Hl7Message, run: Sequence[Segment]) -> bool:
    """Whether the text of a run is a result of a few words (`short_values`); what has lines (but
    of figures alone: `16/18~31~6/11`), or separators of its own, was written as prose.
    """
    (segment, *more) = run
    place = segment.at(_TEXT)
    if more or segment.name != "OBX" or place is None:
        return False
    value = message.text[slice(*place)]
    lined = _LINES.search(value) is not None and any(map(str.isalpha, _LINES.sub("", value)))
    prose = lined or _shift(message, segment) != 0
    return not prose and few_words(value) and not asks_for_more(asked(message, segment))


def asked(message: Hl7Message, segment: Segment) -> str:
    """The names of the test whose result a segment has: codes, then words."""
    place = segment.at(3) if segment.name == "OBX" else None
    if place is None:
        return ""
    found = pieces(message.text, *place, message.delimiters.component)
    said = [message.text[a:b] for a, b in found]
    words = [*said[4:5], *said[1:2]]
    return " ".join(one for one in (*said[:1], *said[2:4], *said[5:], *words) if one)


def text_field(message: Hl7Message, segment: Segment) -> TextField | None:
    """Where the text of an OBX (field 5) or NTE (field 3) lies; None where it has none.

    A raw field separator inside the text moves everything behind it. In an OBX the status
    (field 11) shows by how much; where nothing fits, all the rest counts as text.
    """
    number = _TEXT if segment.name == "OBX" else 3
    if len(segment.fields) < number:
        return None
    start, end = segment.fields[number - 1]
    shift = _shift(message, segment) if segment.name == "OBX" else _note_shift(message, segment)
    if shift is None:
        end = segment.end
    elif shift:
        end = segment.fields[number - 1 + shift][1]
    return TextField(start, end, shift)


def _shift(message: Hl7Message, segment: Segment) -> int | None:
    values = [message.text[slice(*place)].strip() for place in segment.fields]
    for extra in range(max(0, len(values) - _STATUS) + 1):
        at = _STATUS - 1 + extra
        if at < len(values) and values[at] in _STATUSES:
            return extra
    between = values[_TEXT : _STATUS + 1]
    if all(_CODE.fullmatch(value) for value in between):
        return 0
    return None


def _note_shift(message: Hl7Message, segment: Segment) -> int | None:
    place = segment.at(4)
    value = message.text[slice(*place)] if place else ""
    coded = _CODE.fullmatch(value) or message.delimiters.component in value
    return 0 if coded else None


def lines(message: Hl7Message, field: TextField) -> list[tuple[int, int]]:
    """The repetitions of a text field, each a line of it."""
    return list(pieces(message.text, field.start, field.end, message.delimiters.repetition))
