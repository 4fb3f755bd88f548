"""From arguments of the command line to a job; what means nothing is refused, nothing is asked."""

from __future__ import annotations

import argparse
import re
from collections.abc import Collection

from stream_deid.config.problems import nearest
from stream_deid.errors import Halt
from stream_deid.streaming.replay.job import ReplayJob
from stream_deid.streaming.replay.order import PSEUDONYM, Bound, ReplayOrder, checked_name


def job_of(arguments: argparse.Namespace, codes: Collection[str] = ()) -> ReplayJob:
    """Raises `Halt("replay.range" | "replay.order")` for what means nothing.

    `codes`: that dead letters can bear.
    """
    since = 0 if arguments.since is None else Bound.parse(arguments.since).time_ms
    if since is None:
        raise Halt("replay.range", "--since is a date or a time")
    order = ReplayOrder(
        first=_bound(arguments.first),
        last=_bound(arguments.last),
        patients=_pseudonyms("--patient", arguments.patient),
        notes=_pseudonyms("--note", arguments.note),
        dead=None if arguments.dead is None else _codes(arguments.dead, codes),
        since_ms=since,
        share=_share(arguments.share),
        check_macs=not arguments.other_key,
        live=arguments.live,
    )
    return ReplayJob(
        order,
        name="" if arguments.id is None else checked_name(arguments.id),
        rate=arguments.rate or 0.0,
        most_lag=arguments.max_lag,
        dry=arguments.dry_run,
        verify=arguments.verify,
        differences=arguments.diff,
    )


def _bound(text: str | None) -> Bound:
    return Bound() if text is None else Bound.parse(text)


def _pseudonyms(option: str, given: list[str]) -> tuple[str, ...]:
    for one in given:
        if not PSEUDONYM.fullmatch(one):
            told = f"{option} {one[:40]!r} is no pseudonym (20 of a to z and 2 to 7)"
            raise Halt("replay.order", f"{told}; audit records have them")
    return tuple(sorted(given))


def _codes(given: list[str], known: Collection[str]) -> tuple[str, ...]:
    for one in given:
        if one not in known:
            meant = nearest(one, known)
            remedy = f"did you mean {meant}?" if meant else "docs/errors.md lists them"
            raise Halt("replay.order", f"--dead {one[:40]!r}: no dead letter has it; {remedy}")
    return tuple(sorted(given))


def _share(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"([0-9]{1,6})/([1-9][0-9]{0,5})", text)
    if found is None:
        raise Halt("replay.order", f"--share {text[:40]}: write I/N, as 0/4")
    return int(found[1]), int(found[2])
