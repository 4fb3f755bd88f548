"""A review: a file with one line an entry, its counts, and the decision that somebody took.

Tab-separated, for a spreadsheet or for `stream-deid lists review`: `decision` is empty, `accept` or
`reject`; only what is accepted is ever compiled into what serves. A file that is mined again keeps
the decisions on entries that it held before.
"""

from __future__ import annotations

import csv
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path

from stream_deid import atomic
from stream_deid.detect.fast import reviewed
from stream_deid.detect.fast.inclusion import Inclusion
from stream_deid.detect.fast.reviewed import Reviewed
from stream_deid.detect.fast.templates import Templates
from stream_deid.errors import Halt

OPEN, ACCEPT, REJECT = DECISIONS = ("", "accept", "reject")
_HEAD = "# stream-deid review"


@dataclass(frozen=True, slots=True)
class ReviewEntry:
    """One line: the sentence or template, what was counted of it, and the decision."""

    text: str
    counts: Mapping[str, str] = field(default_factory=dict)
    decision: str = OPEN


@dataclass(frozen=True, slots=True)
class Review:
    """All entries of one kind (`reviewed.KINDS`) and language, in the order of the file."""

    kind: str
    language: str
    entries: tuple[ReviewEntry, ...]

    def decided(self) -> Counter[str]:
        """How many entries have which decision."""
        return Counter(one.decision for one in self.entries)

    def keeping(self, earlier: Review) -> Review:
        """The same, with the decisions of an earlier review on the same entries."""
        taken = {one.text: one.decision for one in earlier.entries}
        entries = (replace(one, decision=taken.get(one.text, OPEN)) for one in self.entries)
        return replace(self, entries=tuple(entries))


def read(path: Path) -> Review:
    """A review file. Raises `Halt("review.file")` where it is none, or a decision is unknown."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            head = handle.readline().split()
            rows = list(csv.DictReader(handle, delimiter="\t", quoting=csv.QUOTE_NONE))
    except (OSError, UnicodeDecodeError) as error:
        raise Halt("review.file", f"{path}: {type(error).__name__}") from None
    if head[:3] != _HEAD.split() or len(head) != 5 or head[3] not in reviewed.KINDS:
        raise Halt("review.file", f"{path} is no review file")
    entries = []
    for number, row in enumerate(rows, start=3):
        decision, text = (row.pop("decision", "") or "").strip(), row.pop("entry", "")
        if decision not in DECISIONS or not text:
            raise Halt("review.file", f"{path}, line {number}: decision must be accept or reject")
        entries.append(ReviewEntry(text, row, decision))
    return Review(head[3], head[4], tuple(entries))


def write(path: Path, review: Review) -> None:
    """Write the file whole or not at all."""
    columns = list(review.entries[0].counts) if review.entries else []
    with (
        atomic.beside(path) as part,
        part.open("w", encoding="utf-8", newline="") as handle,
    ):
        handle.write(f"{_HEAD} {review.kind} {review.language}\n")
        out = csv.writer(
            handle, delimiter="\t", quoting=csv.QUOTE_NONE, lineterminator="\n", escapechar=None,
            quotechar=None,
        )  # fmt: skip
        out.writerow(["decision", "entry", *columns])
        for one in review.entries:
            values = (one.decision, one.text, *(one.counts.get(c, "") for c in columns))
            out.writerow([value.replace("\t", " ") for value in values])


def accepted(review: Review) -> Reviewed:
    """What serves: the accepted entries alone. Raises `Halt` for one that may never serve."""
    entries = (one.text for one in review.entries if one.decision == ACCEPT)
    made = Reviewed.of(review.kind, review.language, entries)
    if review.kind == reviewed.INCLUSION:
        Inclusion(made)
    else:
        Templates(made)
    return made


def compile_into(path: Path, folder: Path) -> Path:
    """Compile a review file into a folder of what serves; the path of the file written."""
    made = accepted(read(path))
    folder.mkdir(parents=True, exist_ok=True)
    out = folder / reviewed.file_name(made.kind, made.language)
    atomic.write(out, made.render())
    return out


_ANSWERS = {"a": ACCEPT, "r": REJECT, "s": OPEN}
ASK = "[a]ccept  [r]eject  [s]kip  [b]ack  [q]uit > "


def walk(path: Path, ask: Callable[[str], str], show: Callable[[str], None]) -> Counter[str]:
    """Go through the open entries of a review file one by one; each answer is kept at once.

    `ask` gives one line of what the reviewer types, `show` prints. Returns how many entries have
    which decision in the end.
    """
    review = read(path)
    todo = [i for i, one in enumerate(review.entries) if one.decision == OPEN]
    at = 0
    while at < len(todo):
        entry = review.entries[todo[at]]
        show(f"\n{at + 1} of {len(todo)}   {_counted(entry.counts)}\n    {entry.text}")
        answer = ask(ASK).strip().lower()[:1]
        if answer == "q":
            break
        if answer == "b":
            at = max(at - 1, 0)
        elif answer in _ANSWERS:
            review = _decide(review, todo[at], _ANSWERS[answer])
            write(path, review)
            at += 1
    return review.decided()


def _counted(counts: Mapping[str, str]) -> str:
    return ", ".join(f"{name} {value}" for name, value in counts.items())


def _decide(review: Review, index: int, decision: str) -> Review:
    entries = list(review.entries)
    entries[index] = replace(entries[index], decision=decision)
    return replace(review, entries=tuple(entries))


def outcome(decided: Mapping[str, int]) -> str:
    """One line on how far a review is."""
    return (
        f"{decided.get(ACCEPT, 0)} accepted, {decided.get(REJECT, 0)} rejected, "
        f"{decided.get(OPEN, 0)} not yet reviewed (these don't serve)"
    )


def save(path: Path, review: Review) -> Sequence[ReviewEntry]:
    """Write a newly mined review over an earlier one, keeping its decisions; the open entries."""
    if path.exists():
        review = review.keeping(read(path))
    write(path, review)
    return [one for one in review.entries if one.decision == OPEN]
