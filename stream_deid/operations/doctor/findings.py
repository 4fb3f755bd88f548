"""What the doctor has found, and what it means for a start."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from enum import StrEnum

import orjson

from stream_deid import exits
from stream_deid.errors import DeidError


class Level(StrEnum):
    """`WARNING`: it works, and may hurt one day. `ERROR`: it fails, or breaks a promise."""

    WELL = "well"
    WARNING = "warning"
    ERROR = "error"


@dataclass(frozen=True, slots=True)
class DoctorFinding:
    """One thing that was looked at. `area`: settings, machine, kafka, triton or wires."""

    level: Level
    area: str
    what: str
    remedy: str = ""


@dataclass(frozen=True, slots=True)
class Area:
    """Makes the findings of one area."""

    name: str

    def well(self, what: str) -> DoctorFinding:
        return DoctorFinding(Level.WELL, self.name, what)

    def warning(self, what: str, remedy: str) -> DoctorFinding:
        return DoctorFinding(Level.WARNING, self.name, what, remedy)

    def error(self, what: str, remedy: str) -> DoctorFinding:
        return DoctorFinding(Level.ERROR, self.name, what, remedy)

    def of(self, error: DeidError, remedy: str = "") -> DoctorFinding:
        """An error as the service would tell it; docs/errors.md has its code."""
        return self.error(str(error), remedy or f"docs/errors.md: {error.code}")


def status(found: Iterable[DoctorFinding]) -> int:
    """0: nothing against a start; 1: warnings; 78: errors."""
    levels = {one.level for one in found}
    if Level.ERROR in levels:
        return exits.MISCONFIGURED
    return exits.CRASHED if Level.WARNING in levels else exits.OK


def as_text(found: Iterable[DoctorFinding]) -> str:
    """By area, one line a finding, its remedy below it."""
    lines, area = [], ""
    for one in found:
        if one.area != area:
            area = one.area
            lines.append(f"{area}\n")
        lines.append(f"  {one.level.value:<8} {one.what}\n")
        lines += [f"           {one.remedy}\n"] if one.remedy else []
    return "".join(lines)


def as_json(found: list[DoctorFinding]) -> bytes:
    """`{"status": ..., "findings": [{"level", "area", "what", "remedy"}, ...]}`."""
    body = {"status": status(found), "findings": [asdict(one) for one in found]}
    return orjson.dumps(body, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)
