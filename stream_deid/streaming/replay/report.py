"""A comparison in words and as a table; no I/O."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field

from stream_deid.streaming.replay.difference import (
    FOUND,
    KINDS,
    LOST,
    MOVED,
    RETYPED,
    SURROGATE,
    Difference,
)

SAME, DIFFERENT, MISSING = "same", "different", "missing"
NOW_DEAD, NOW_RELEASED = "now_dead", "now_released"


@dataclass(slots=True)
class Report:
    """Counts over all notes that were compared.

    `verdicts`: by note. `spans`: by (kind, type then, type now), `by_detector`: by (kind, type,
    detector); a span that several detectors voted for counts for each of them.
    """

    release: str
    others: Counter[str] = field(default_factory=Counter)
    verdicts: Counter[str] = field(default_factory=Counter)
    spans: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    by_detector: Counter[tuple[str, str, str]] = field(default_factory=Counter)
    hidden: int = 0
    freed: int = 0

    def add(self, found: Difference) -> None:
        """One note that was released then and now."""
        self.hidden += found.hidden
        self.freed += found.freed
        for change in found.changes:
            then = "" if change.kind == FOUND else change.was
            now = "" if change.kind == LOST else change.type
            self.spans[change.kind, then, now] += 1
            for detector in change.detectors:
                self.by_detector[change.kind, change.type, detector] += 1

    @property
    def notes(self) -> int:
        return self.verdicts.total()

    @property
    def proves(self) -> bool:
        """Whether there was something to compare, and all of it was the same."""
        return self.notes > 0 and self.verdicts[SAME] == self.notes

    def verification(self) -> Iterator[str]:
        """What `--verify` says."""
        yield (
            f"{self.verdicts[SAME]} of {self.notes} notes came out byte for byte as they were "
            f"released"
        )
        for verdict, said in _SAID.items():
            if self.verdicts[verdict]:
                yield f"{self.verdicts[verdict]} {said}"
        for release, count in sorted(self.others.items()):
            yield f"{count} were released under {release}, this is {self.release}"
        if self.notes and self.verdicts[DIFFERENT] == self.notes and not self.others:
            yield "every one came out otherwise: is another key or tenant set here than then?"

    def words(self) -> str:
        """The comparison in a few sentences."""
        found, lost = self._by_kind(FOUND), self._by_kind(LOST)
        more = f"{found.total()} more spans{_listed(found)}"
        fewer = f"{lost.total()} as they were{_listed(lost)}"
        retyped, moved, other = (self._count(kind) for kind in (RETYPED, MOVED, SURROGATE))
        sentences = [
            f"Release {self.release}, over {self.notes} notes, would have hidden {more}",
            f"and left {fewer}.",
            f"It hides {self.hidden} more words and frees {self.freed}.",
            f"{retyped} spans got another type, {moved} other bounds, {other} another surrogate.",
            f"{self.verdicts[SAME]} notes came out the same.",
        ]
        sentences += [
            f"{self.verdicts[verdict]} {_SAID[verdict]}."
            for verdict in (NOW_DEAD, NOW_RELEASED, MISSING)
            if self.verdicts[verdict]
        ]
        return " ".join(sentences)

    def table(self) -> list[tuple[str, str, str, str, int]]:
        """(kind, type then, type now, detector, spans); without a detector: of all of them."""
        rows = [(kind, then, now, "", n) for (kind, then, now), n in self.spans.items()]
        rows += [(kind, "", phi, who, n) for (kind, phi, who), n in self.by_detector.items()]
        return sorted(rows, key=lambda row: (KINDS.index(row[0]), bool(row[3]), -row[4], row))

    def _by_kind(self, kind: str) -> Counter[str]:
        counts: Counter[str] = Counter()
        for (k, then, now), number in self.spans.items():
            if k == kind:
                counts[then or now] += number
        return counts

    def _count(self, kind: str) -> int:
        return self._by_kind(kind).total()


_SAID = {
    DIFFERENT: "came out otherwise",
    NOW_DEAD: "were released and are dead letters now",
    NOW_RELEASED: "were dead letters and are released now",
    MISSING: "have no output to compare with",
}


def _listed(counts: Mapping[str, int]) -> str:
    listed = ", ".join(f"{n} {name}" for name, n in Counter(counts).most_common())
    return f" ({listed})" if listed else ""
