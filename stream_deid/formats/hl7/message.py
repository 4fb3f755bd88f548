"""HL7 v2 messages (ER7) to notes and back, byte for byte except for what identifies.

Segments and fields go by an allow-list, `data/fields.toml`; what it does not name is
withheld and listed in `Note.withheld`. Decisions that senders and receivers should know:

* Header fields stay where closed lists hold them (applications, types, codes), so that interfaces
  keep working; anything else in them is examined. The control id (MSH-10, and MSA-2 of the answer
  to it) is replaced by a keyed token, since it holds counters, times and numbers that tell the
  order of messages; MSH-13 and MSA-4, which count them, are left out. MSH-4 and 6 (facilities) are
  replaced.
* Codes and other fields that stay are searched for what the message says of its people, and for
  identifiers of fixed form (`kept.last_look`).
* The note's id is MSH-10 with MSH-4, or a digest of the message where MSH-10 is empty. The
  patient is known by number and assigning authority (`patients`).
* The language comes from MSH-19. PID-15 is the language that the patient speaks, which says
  nothing about the language of the report, and is not used.
* MLLP framing is taken off and not put back: delivery is by Kafka, not by MLLP.
"""

from __future__ import annotations

import hashlib
import re
from collections.abc import Sequence
from dataclasses import replace
from datetime import date

from stream_deid.detect.record.lots import is_lot
from stream_deid.errors import NoteRejected
from stream_deid.formats import people
from stream_deid.formats.hl7 import patients
from stream_deid.formats.hl7.er7 import syntax as hl7_syntax
from stream_deid.formats.hl7.er7.components import Hl7Place
from stream_deid.formats.hl7.er7.syntax import Hl7Message, Segment
from stream_deid.formats.hl7.field_walk import Hl7Walk
from stream_deid.formats.hl7.kept.last_look import KeptLeaf, look_again
from stream_deid.formats.hl7.maps.field_map import FieldMap, FieldRule
from stream_deid.formats.hl7.maps.interfaces import Interface, interface_of
from stream_deid.formats.hl7.note_builder import Hl7Builder
from stream_deid.formats.hl7.render import Hl7Envelope, render
from stream_deid.formats.hl7.texts.free_text import (
    TextField,
    asked,
    asks_who,
    is_short_value,
    lines,
    observed,
    text_field,
    text_runs,
)
from stream_deid.formats.hl7.values.numeric_values import is_number, lone
from stream_deid.formats.language import language
from stream_deid.formats.short_values import (
    asks_for_a_lot,
    counts_days,
    is_user_name,
    tells_weekday,
)
from stream_deid.labels import PhiType
from stream_deid.note import OF_MANY, WEEKDAY, Note

__all__ = ["around", "cut", "parse", "patient_of", "render", "split"]

split = hl7_syntax.split
around = hl7_syntax.around
cut = hl7_syntax.cut

_DATED = (("TXA", 4), ("OBR", 7), ("PV1", 44), ("EVN", 2), ("MSH", 7))
_CLASSES = frozenset("BCEINOPRU")
_WITHHELD, _KEPT = FieldRule("drop"), FieldRule("keep")


def parse(
    raw: bytes,
    *,
    language_default: str = "",
    pass_segments: Sequence[str] = (),
    interfaces: Sequence[Interface] = (),
    decoded: bool = False,
) -> Note:
    """Read one message; its language is `language_default` where MSH-19 names none.

    `pass_segments` names segments outside the map that are let through, with everything in them
    that is no code examined as free text. `interfaces`: the first that takes the message says how
    its fields are read; without any the project's own map does. `decoded`: as in `syntax.read`.

    Raises `NoteRejected`: `hl7.msh`, `hl7.batch`, `hl7.charset`, `hl7.encoding`, `hl7.master`,
    `hl7.unreadable`, `hl7.withheld`.
    """
    message = hl7_syntax.read(raw, decoded=decoded)
    interface = interface_of(message, (*interfaces, Interface()))
    fields = interface.fields
    _refuse_master_files(message, fields)
    out = Hl7Builder(message, patients.Owners(message, interface.authorities))
    walk = Hl7Walk(out, fields)
    texts = _examine_texts(message, fields, out, walk)
    for segment in message.segments:
        _segment(segment, texts.get(segment.start), walk, fields, frozenset(pass_segments))
    _reject(interface, walk, out)
    look_again(out, walk.kept, fields.listed)
    return Note(
        note_id=_note_id(message, raw),
        patient_id=patients.patient_of(message, interface.authorities),
        parts=tuple(out.parts),
        language=language(_at_component(message, "MSH", 19, 1)) or language_default,
        known=people.known(out.facts, out.sexes),
        note_type=message.value("MSH", 9),
        written_on=_written_on(message),
        envelope=Hl7Envelope(
            message, tuple(out.slots), tuple(out.cuts), tuple(walk.documents.found),
            frozenset(out.shown if interface.tag_withheld else ()),
        ),
        withheld=tuple(out.withheld),
    )  # fmt: skip


def _refuse_master_files(message: Hl7Message, fields: FieldMap) -> None:
    """Staff, places and codes of a hospital are about no patient; a map may name their segments."""
    kind = message.value("MSH", 9).split(message.delimiters.component)[0]
    if kind == "MFN" and "MFE" not in fields.segments:
        detail = "a message of master files; a map of its interface that names MFE takes them"
        raise NoteRejected("hl7.master", detail)


def _reject(interface: Interface, walk: Hl7Walk, out: Hl7Builder) -> None:
    if interface.reject_unreadable and walk.documents.withheld:
        reason = walk.documents.withheld[0]
        raise NoteRejected("hl7.unreadable", f"a document ({reason}) can't be examined")
    if interface.reject_withheld and out.withheld:
        raise NoteRejected("hl7.withheld", f"{out.withheld[0]} would be left out")


def _examine_texts(
    message: Hl7Message, fields: FieldMap, out: Hl7Builder, walk: Hl7Walk
) -> dict[int, TextField]:
    """Examine the text of OBX and NTE runs; the text fields by start of their segment."""
    texts: dict[int, TextField] = {}
    for run in text_runs(message, fields):
        places: list[tuple[int, int]] = []
        for segment in run:
            found = text_field(message, segment)
            if found is not None:
                texts[segment.start] = found
                places += lines(message, found)
        _examine_text(message, run, places, out, walk)
    return texts


def _examine_text(
    message: Hl7Message,
    run: Sequence[Segment],
    places: Sequence[tuple[int, int]],
    out: Hl7Builder,
    walk: Hl7Walk,
) -> None:
    """The text of a run: one value that is somebody's or a code, by what was asked, or prose."""
    path, test = _path_of_text(run), asked(message, run[0])
    value = out.decoded(*places[0]).text.strip() if len(places) == 1 else ""
    if (phi := lone(value)) is not None:
        length = len("20000101") if phi is PhiType.DATE else None
        out.declare(Hl7Place(*places[0], path), phi, length=length)
    elif is_user_name(value, test):
        out.declare(Hl7Place(*places[0], path), PhiType.USERNAME)
    elif counts_days(test) and is_number(value):
        out.declare(Hl7Place(*places[0], path), PhiType.IDNUM)
    elif tells_weekday(value, test):
        out.state(Hl7Place(*places[0], path), WEEKDAY)
    elif asks_for_a_lot(test) and is_lot(value):
        walk.kept.append(KeptLeaf(*places[0], path, asked=OF_MANY))
    else:
        out.examine(places, path, coded=is_short_value(message, run), asked=test)


def _path_of_text(run: Sequence[Segment]) -> str:
    """Where a run of texts stands: `OBX[2:4]-5`."""
    first, last = run[0].number, run[-1].number
    numbers = str(first) if first == last else f"{first}:{last}"
    return f"{run[0].name}[{numbers}]-{5 if run[0].name == 'OBX' else 3}"


def _segment(
    segment: Segment,
    text: TextField | None,
    walk: Hl7Walk,
    fields: FieldMap,
    passed: frozenset[str],
) -> None:
    rules = fields.segments.get(segment.name)
    where = f"{segment.name}[{segment.number}]"
    if rules is None and segment.name not in passed:
        # a lone word on a line of a broken text looks like a segment, and may be a name
        named = bool(segment.fields)
        shown = where if named else f"???[{segment.number}]"
        walk.withhold(segment.start, segment.stop, shown, shown=named)
        return
    own = 5 if segment.name == "OBX" else 3
    moved = _moved(walk.message, segment)
    for number, (start, end) in enumerate(segment.fields, 1):
        shifted = max(number - moved, 1)
        if text is not None and number >= own:
            if text.shift is None or number <= own + text.shift:
                continue
            shifted = number - text.shift
        if start == end:
            continue
        rule = rules.get(shifted, _WITHHELD) if rules is not None else FieldRule("code")
        path = f"{where}-{number}"
        if rule.kind == "observation":
            _observation(segment, Hl7Place(start, end, path), walk, fields)
        else:
            walk.field(start, end, path, walk.about(rule, segment, shifted))


def _moved(message: Hl7Message, segment: Segment) -> int:
    """By how many fields a PV1 stands too far behind: its class, a letter of table 0004, is never a
    place (`PV1||1|I|4W^412^A^MAPLE`, `PV1|1||I|4W^412^A^MAPLE`).
    """
    if segment.name != "PV1" or len(segment.fields) < 4:
        return 0
    first, second, third, fourth = (message.text[a:b].strip() for a, b in segment.fields[:4])
    counted = not first and second.isdecimal() and len(second) < 3
    empty = not second and fourth.count(message.delimiters.component) >= 3
    return int(third in _CLASSES and (counted or empty))


def _observation(segment: Segment, value: Hl7Place, walk: Hl7Walk, fields: FieldMap) -> None:
    """OBX-5 that is not text, by what it says of a person or by its data type."""
    message = walk.message
    rule = observed(message, segment, fields)
    asks = asks_who(message, segment)
    if asks is not None and (rule is None or rule.kind not in fields.types):
        unit = segment.at(6)
        about = walk.about(FieldRule("as", asks), segment, 5)
        walk.answer(value, about, message.text[slice(*unit)] if unit else "")
        return
    if rule is None or rule.kind == "text":
        return
    measured = rule.kind == "code" and segment.at(6) is not None
    if measured and is_number(message.text[value.start : value.end]):
        rule = _KEPT  # however much it looks like a date
    if rule.kind in ("code", "coded"):
        rule = replace(rule, role=asked(message, segment))
    walk.field(value.start, value.end, value.path, walk.about(rule, segment, 5))


def _at_component(message: Hl7Message, segment: str, number: int, component: int) -> str:
    first = message.value(segment, number).split(message.delimiters.repetition)[0]
    values = first.split(message.delimiters.component)
    return values[component - 1].strip() if len(values) >= component else ""


def _note_id(message: Hl7Message, raw: bytes) -> str:
    control = message.value("MSH", 10).strip()
    if not control:
        return f"sha256:{hashlib.sha256(raw).hexdigest()}"
    facility = _at_component(message, "MSH", 4, 1)
    return f"{control}@{facility}" if facility else control


def _written_on(message: Hl7Message) -> date | None:
    for segment, number in _DATED:
        found = re.match(r"(\d{4})(\d\d)(\d\d)", message.value(segment, number))
        if found:
            try:
                return date(*(int(part) for part in found.groups()))
            except ValueError:
                continue
    return None


def patient_of(raw: bytes, interfaces: Sequence[Interface] = ()) -> str:
    """The patient's id as `parse` finds it, with nothing else examined. Raises as `parse` does."""
    message = hl7_syntax.read(raw)
    interface = interface_of(message, (*interfaces, Interface()))
    return patients.patient_of(message, interface.authorities)
