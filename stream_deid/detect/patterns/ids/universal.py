"""Identifiers that are unique in the world by their form: of studies, series, devices, records.

uid  = n "." n "." ... (five and more, one of five digits)   "1.2.840.113619.2.55.3.604688119.969"
uuid = 8 "-" 4 "-" 4 "-" 4 "-" 12 hexadecimal digits         "550e8400-e29b-41d4-a716-446655440000"
ulid = 26 capitals and figures, no I, L, O or U              "01F0TNWB00X4CDEFGHJKMNPQ7S"
key  = 24 to 47 hexadecimal digits, of both kinds            "604ea4005f3c2b1a4c8d9e0f"

A DICOM UID often ends with the second in which it was made, a ULID and a key of MongoDB begin with
it. Those of standards stay: they name a
class, a transfer syntax, a coding system.
"""

from __future__ import annotations

from stream_deid.detect.patterns.base import Hit, Pattern, whole
from stream_deid.labels import PhiType

_OF_STANDARDS = (
    "1.2.840.10008.",  # DICOM
    "1.3.6.1.4.1.19376.",  # IHE
    *(f"2.16.840.1.113883.{arc}." for arc in (5, 6, 10, 12, 18)),  # HL7
)
_LONG = 5
_SOME = 4


def _uid(hit: Hit) -> bool:
    value = hit.value
    if not whole(hit) or hit.before(1) == "." or value.startswith(_OF_STANDARDS):
        return False
    return any(len(part) >= _LONG for part in value.split("."))


def _mixed(hit: Hit) -> bool:
    """Figures and letters, some of each: no sequence of bases or amino acids, no amount."""
    figures = sum(c.isdecimal() for c in hit.value)
    return whole(hit) and _SOME <= figures <= len(hit.value) - _SOME


UNIQUE = (
    Pattern(
        "uid", 1, PhiType.IDNUM,
        r"(?P<v>[0-2]\.[0-9]{1,3}(?:\.[0-9]+){3,})", _uid, (".",),
    ),
    Pattern(
        "uuid", 1, PhiType.IDNUM,
        r"(?P<v>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})", whole, ("-",),
    ),
    Pattern("ulid", 1, PhiType.IDNUM, r"(?P<v>[0-7][0-9A-HJKMNP-TV-Z]{25})", _mixed),
    Pattern("hex-key", 1, PhiType.IDNUM, r"(?P<v>[0-9a-f]{24,47}|[0-9A-F]{24,47})", _mixed),
)  # fmt: skip
