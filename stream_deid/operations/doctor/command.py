"""Looks at everything, whatever is wrong with a part of it, and says what to do."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from pathlib import Path

from stream_deid import config
from stream_deid.config import Settings, named_files
from stream_deid.operations import offline_checks
from stream_deid.operations.doctor import findings, kafka, machine, topics, triton, wires
from stream_deid.operations.doctor.findings import Area, DoctorFinding
from stream_deid.streaming.observability import logs

SETTINGS = Area("settings")


def main(path: Path | None, commands: frozenset[str], *, as_json: bool) -> int:
    """Print the findings; give 0 (well), 1 (warnings) or 78 (errors)."""
    with logs.silenced():  # findings say it
        found = list(look(path, commands))
    if as_json:
        sys.stdout.write(findings.as_json(found).decode())
    else:
        sys.stdout.write(findings.as_text(found))
    return findings.status(found)


def look(path: Path | None, commands: frozenset[str] = frozenset()) -> Iterator[DoctorFinding]:
    """Settings, machine, brokers, models; settings that are wrong end it."""
    examined = config.examine(path)
    settings = examined.settings
    alone = settings is None  # what of files and models is wrong, parts say as well
    problems = offline_checks.all_problems(examined, models=alone, files=alone)
    if settings is not None:  # without these no client can be made
        away = named_files.unreadable(settings)
        problems += [one for one in away if one.path.startswith(offline_checks.SECURITY)]
    for problem in problems:
        where = f" (set by {problem.where})" if problem.where else ""
        yield SETTINGS.error(f"{problem.what}{where}", problem.remedy)
    if settings is None or problems:
        return
    yield SETTINGS.well(f"no mistakes; {len(examined.origins)} set, the others as by default")
    yield from _whole(machine.MACHINE, machine.look, settings)
    yield from _whole(topics.KAFKA, lambda s: kafka.look(s, commands), settings)
    yield from _whole(triton.TRITON, triton.look, settings)
    yield from _whole(wires.WIRES, wires.look, settings)


def _whole(
    area: Area, part: Callable[[Settings], Iterator[DoctorFinding]], settings: Settings
) -> Iterator[DoctorFinding]:
    """The findings of a part, and one more if it breaks."""
    try:
        yield from part(settings)
    except Exception as error:  # noqa: BLE001 - the other parts are looked at all the same
        kind = type(error).__qualname__
        yield area.error(f"looking at it failed: {kind}", "tell us, with this output")
