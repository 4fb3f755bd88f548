"""What single fields of a JSON message say: a kind of note, a time, numbers."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date
from functools import cache

from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import listed, toml
from stream_deid.note import Known, Part, Span

# Matched against single fields, anchored at both ends.
_LOINC = re.compile(r"(?:LOINC[: ])?(\d{3,6})-(\d)")
_LEAST = 4
_ISO = re.compile(
    r"(\d{4})(?:-?(\d\d)(?:-?(\d\d))?)?(?:[T ]\d\d(?::?\d\d(?::?\d\d(?:[.,]\d{1,9})?)?)?)?"
    r" ?(?:Z|z|[+-]\d\d:?(?:\d\d)?)?"
)


@cache
def _kinds() -> frozenset[str]:
    return listed("note_types.txt", "stream_deid.formats")


def note_type(value: str) -> str:
    """A value that names a kind of note in known words or as a LOINC code; empty where it does not.

    Any other word may be somebody's name, any other number somebody's.
    """
    code = _LOINC.fullmatch(value)
    if code is not None:
        return value if _check_digit(code[1]) == int(code[2]) else ""
    words = re.split(r"[\s_./-]+", value.strip().lower())
    return value if all(word in _kinds() for word in words) else ""


def _check_digit(number: str) -> int:
    """LOINC's check digit (mod 10; LOINC Users' Guide, appendix C)."""
    odd = sum(int(c) for c in str(2 * int(number[::-2][::-1])))
    even = sum(int(c) for c in number[-2::-2])
    return -(odd + even) % 10


def timestamp(text: str, path: str = "timestamp") -> tuple[Part, date | None] | None:
    """A time stamp as a structured part (its date is declared, its time of day stays) and its day.

    None for a blank text.
    """
    if not text.strip():
        return None
    found = _ISO.fullmatch(text)
    length = max(found.end(n) for n in (1, 2, 3)) if found else len(text)
    part = Part(
        text,
        path,
        examine=False,
        declared=(Span(0, length, PhiType.DATE),),
        role="timestamp",
    )
    try:
        written_on = date(*(int(piece) for piece in found.groups())) if found else None
    except (TypeError, ValueError):
        written_on = None
    return part, written_on


@cache
def _meant() -> dict[str, str]:
    table = toml("envelope_fields", "stream_deid.formats")["meant"]
    return {key: field for field, keys in table.items() for key in keys.split()}


def meant(key: str) -> tuple[str, str] | None:
    """A listed name that senders give to a field of the envelope (without its capitals and joints),
    and that field; None for the field's own name and any other, which may be somebody's.
    """
    plain = "".join(c for c in key.lower() if c.isalnum())
    field = _meant().get(plain)
    return None if field is None or field == key else (plain, field)


def numbers(value: str, *, note: bool) -> Iterator[Known]:
    """An id as something to search for, where it can be told from a word."""
    if any(c.isdecimal() for c in value) and len(value) >= _LEAST:
        yield Known(PhiType.IDNUM if note else PhiType.MEDICALRECORD, value)
