"""The account of a whole note: that everything in it was examined, by whom, by which rules."""

from __future__ import annotations

from collections.abc import Sequence

from stream_deid.detect.examination import Language, Pending
from stream_deid.detect.neural.passages import Heard
from stream_deid.errors import Halt


def coverage(pending: Pending, setup: Language, heard: Sequence[Heard]) -> dict[str, object]:
    """That every character of every examined part has somebody to answer for it, and who.

    `chars` counts the characters of the parts, `examined` those in windows of every model,
    `settled` (where there are fast paths) those that a reviewed rule answers for.
    """
    if setup.required:
        _heard_whole(pending, heard)
    parts = [(i, part) for i, part in enumerate(pending.note.parts) if part.examine]
    chars = sum(len(part.text) for _, part in parts)
    settled = sum(one.end - one.start for i, _ in parts for one in pending.settled_in(i))
    counts: dict[str, object] = {
        "chars": chars,
        "examined": chars - settled,
        "models": setup.required,
    }
    if setup.fast is not None:
        counts["settled"] = settled
    return counts


def _heard_whole(pending: Pending, heard: Sequence[Heard]) -> None:
    """Raise `Halt("coverage.gap")` unless what was proved adds up to every examined part."""
    ends = [0] * len(pending.note.parts)
    for part, start, proof in sorted(
        (covered for one in heard for covered in one.covered), key=lambda covered: covered[:2]
    ):
        if ends[part] != start:
            raise Halt("coverage.gap", "models were not asked about a stretch of this note")
        ends[part] += proof.chars
    if any(
        part.examine and end != len(part.text)
        for part, end in zip(pending.note.parts, ends, strict=True)
    ):
        raise Halt("coverage.gap", "models were not asked about the whole of this note")


def fast_path(pending: Pending, setup: Language) -> dict[str, object]:
    """Structured parts, and which reviewed rule answers for which stretch."""
    said: dict[str, object] = {"structured": sum(not part.examine for part in pending.note.parts)}
    if setup.fast is not None:
        said["settled"] = [
            {"path": part.path, "start": one.start, "end": one.end, "rule": one.rule}
            for index, part in enumerate(pending.note.parts)
            for one in pending.settled_in(index)
        ]
    return said
