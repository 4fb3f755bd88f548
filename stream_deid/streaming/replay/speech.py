"""What a replay says on its output, in lines for people."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TextIO

from stream_deid.streaming.replay.examining import ANOTHER, ReplayTally
from stream_deid.streaming.replay.job import Errand
from stream_deid.streaming.replay.plan import ReplayPlan
from stream_deid.streaming.replay.reading import OffsetRange
from stream_deid.streaming.replay.whereabouts import whereabouts


class ReplaySpeech:
    """Says what becomes of an errand."""

    def __init__(self, errand: Errand, out: TextIO) -> None:
        self._errand, self._out = errand, out
        self._outputs = errand.mine.topics[1:]

    def would(self, plan: ReplayPlan) -> None:
        """What would be read and written."""
        for (topic, partition), wanted in sorted(plan.wanted.items()):
            places = (
                f"offsets {wanted.start} to {wanted.until}"
                if isinstance(wanted, OffsetRange)
                else "single notes"
            )
            self._say(f"{topic}/{partition}: {places}, {len(wanted)} records at most")
        into = (
            "compared with what was released"
            if self._errand.job.compares
            else f"into {', '.join(self._outputs)}"
        )
        self._say(f"{plan.total} records at most, {into}; nothing was done")
        self._lacks(plan)

    def are_there(self, partitions: Mapping[str, int]) -> None:
        """The topics that would be written."""
        for topic in self._outputs:
            self._say(f"{topic}: is there, {partitions[topic]} partitions")

    def written(self, plan: ReplayPlan, done: ReplayTally) -> None:
        """What was processed and sent."""
        mine, name = self._errand.mine, self._errand.name
        if plan.done_before:
            self._say(f"replay {name}: all of it was done before")
            return
        self._say(
            f"replay {name}: {done.released} released to {mine.topic_out}, "
            f"audit in {mine.topic_audit}"
        )
        for code, count in sorted(done.dead.items()):
            where = "left alone" if code == ANOTHER.code else f"in {mine.topic_dead}"
            self._say(f"{count} {code}, {where}")
        self._lacks(plan, done.missing)

    def compared(self, lines: Iterable[str], plan: ReplayPlan) -> None:
        """What a comparison says of itself, and of what there was to compare."""
        for line in lines:
            self._say(line)
        self._lacks(plan)

    def _lacks(self, plan: ReplayPlan, missing: int = 0) -> None:
        """What was asked for and isn't there; where nothing is, where something would be."""
        if plan.gone:
            self._say(f"{plan.gone} records are not in the input any more")
        if plan.unknown:
            told = "mistyped, of another epoch or tenant, or their audit was deleted"
            self._say(f"no audit record has {', '.join(plan.unknown)}: {told}")
        if missing:
            self._say(f"{missing} coordinates that were named hold no record")
        if not plan.total:
            job, live, broker = self._errand.job, self._errand.live, self._errand.broker
            for line in whereabouts(job.order, live, broker, plan, settled=job.settled):
                self._say(line)

    def _say(self, line: str) -> None:
        self._out.write(line + "\n")
        self._out.flush()
