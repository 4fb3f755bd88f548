"""From arguments of the command line to a job."""

from __future__ import annotations

import argparse
import re

from stream_deid.errors import Halt
from stream_deid.streaming.replay.command import Job
from stream_deid.streaming.replay.order import Bound, Order


def job_of(arguments: argparse.Namespace) -> Job:
    """Raises `Halt("replay.range" | "replay.order")` for what means nothing."""
    if arguments.rate < 0:
        raise Halt("replay.order", "--rate must not be below 0")
    since = Bound.parse(arguments.since).time_ms if arguments.since else 0
    if since is None:
        raise Halt("replay.range", "--since is a date or a time")
    order = Order(
        first=_bound(arguments.first),
        last=_bound(arguments.last),
        patients=tuple(sorted(arguments.patient)),
        notes=tuple(sorted(arguments.note)),
        dead=None if arguments.dead is None else tuple(sorted(arguments.dead)),
        since_ms=since,
        share=_share(arguments.share),
        check_macs=not arguments.other_key,
        live=arguments.live,
    )
    return Job(
        order,
        name=arguments.id,
        rate=arguments.rate,
        most_lag=arguments.max_lag,
        dry=arguments.dry_run,
        verify=arguments.verify,
        differences=arguments.diff,
    )


def _bound(text: str | None) -> Bound:
    return Bound.parse(text) if text else Bound()


def _share(text: str) -> tuple[int, int]:
    found = re.fullmatch(r"(\d+)/(\d+)", text)
    if found is None:
        raise Halt("replay.order", f"--share {text}: write I/N, as 0/4")
    return int(found[1]), int(found[2])
