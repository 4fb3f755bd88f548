"""Identifiers that are unique in the world by their form: of studies, series, devices, records.

uid  = n "." n "." ... (five and more, one of five digits)   "1.2.840.113619.2.55.3.604688119.969"
uuid = 8 "-" 4 "-" 4 "-" 4 "-" 12 hexadecimal digits         "550e8400-e29b-41d4-a716-446655440000"

A DICOM UID often ends with the second in which it was made. Those of standards stay: they name a
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


def _uid(hit: Hit) -> bool:
    value = hit.value
    if not whole(hit) or hit.before(1) == "." or value.startswith(_OF_STANDARDS):
        return False
    return any(len(part) >= _LONG for part in value.split("."))


UNIQUE = (
    Pattern(
        "uid", 1, PhiType.IDNUM,
        r"(?P<v>[0-2]\.[0-9]{1,3}(?:\.[0-9]+){3,})", _uid, (".",),
    ),
    Pattern(
        "uuid", 1, PhiType.IDNUM,
        r"(?P<v>[0-9A-Fa-f]{8}(?:-[0-9A-Fa-f]{4}){3}-[0-9A-Fa-f]{12})", whole, ("-",),
    ),
)  # fmt: skip
