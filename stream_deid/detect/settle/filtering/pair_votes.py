"""Bare pairs of numbers are days where the judge of pairs says so, whoever voted for them.

let go = a vote of a form or a model for a date that is a pair and nothing else, below `LEAST`; not
         with a zero before a figure ("08/25"), beside a day of the week, nor what can only be a
         month and a year
found  = a pair that no vote which counts (`founded`) spoke for, from `ENOUGH` on; with a dash or
         a full stop from `OTHERWISE` on; and one that an hour or a shift beside it tells
         (`dates.told`); in a field for results only where something beside it says that it is a
         day (`certain`)
place  = a model's vote for a house or a room, less sure than the judge is of a day, is let go
none   = what the text as a whole or what stands right beside it makes a share (`pairs.shares`),
         whatever the judge says
Between the two the votes count as they are. What a field is asked for is read before its value.
What a label, the record or a structured field calls an identifier is none of the judge's business,
nor is a pair within something longer.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence

from stream_deid.detect.pairs import judge
from stream_deid.detect.pairs.evidence import Text, padded, weekday_beside
from stream_deid.detect.pairs.judge import Judge
from stream_deid.detect.pairs.shares import no_days, out_of
from stream_deid.detect.pairs.written import Pair
from stream_deid.detect.patterns import is_pattern
from stream_deid.detect.patterns.dates.told import is_told
from stream_deid.detect.quantities.chains import is_programme
from stream_deid.detect.quantities.clinical import founded
from stream_deid.detect.record.stated import states
from stream_deid.detect.settle.filtering.bare_labels import bare_label
from stream_deid.detect.settle.filtering.certain import certain
from stream_deid.labels import ORGANIZATIONS, PhiType
from stream_deid.note import Detection, Part
from stream_deid.text.edges import trimmed
from stream_deid.text.folding import folded

DETECTOR = "pair@1"
LEAST, ENOUGH, OTHERWISE = 0.03, 0.7, 0.9
_ASKED = 60
_HOUSES = ORGANIZATIONS | {PhiType.LOCATION_OTHER}
_FORMS = frozenset({"date-month-day", "date-dash", "date-cycle", "date-lettered", "fecha-dia"})
"""Patterns that look at a pair and what stands around it."""


def by_judge(
    parts: Sequence[Part], detections: Sequence[Sequence[Detection]], language: str
) -> list[list[Detection]]:
    """The detections in each part of a message, those of bare pairs as the judge says."""
    judging = judge.load(language[:2])
    if judging is None:
        return [list(votes) for votes in detections]
    labels = [f"{part.asked[-_ASKED:]}: " if part.asked else "" for part in parts]
    read = judge.read(
        [
            folded(label + part.text) if part.examine else ""
            for label, part in zip(labels, parts, strict=True)
        ],
        language,
    )
    return [
        list(_in_one(part, votes, judging, one, len(label))) if one.pairs else list(votes)
        for part, votes, one, label in zip(parts, detections, read, labels, strict=True)
    ]


def _in_one(
    part: Part, votes: Sequence[Detection], judging: Judge, read: Text, label: int
) -> Iterator[Detection]:
    text = part.text
    judged = {
        (pair.start - label, pair.end - label): (pair, p)
        for pair, p in judge.judged(judging, read)
        if pair.start >= label
    }
    shares = no_days(read)
    kept: list[Detection] = []
    for vote in votes:
        if _of_form(vote):
            pair, p = judged.get(trimmed(text, vote.start, vote.end, vote.type), (None, 1.0))
            if pair and (pair.start in shares or _unlike(pair, p, read)) and not _said(pair, read):
                continue
        if _misplaced(vote, judged.get((vote.start, vote.end)), shares):
            continue
        if vote.type is PhiType.DATE and out_of(read.text, vote.start + label, vote.end + label):
            continue
        kept.append(vote)
    yield from kept
    spoken = _spoken(text, judged, kept)
    worded = any(map(str.isalpha, read.text))
    for (start, end), (pair, p) in judged.items() if worded else ():
        if is_programme(text, start, end) or (pair.start in shares and not _told(pair, read)):
            continue
        sure = max(p, ENOUGH) if _told(pair, read) else p
        enough = sure > p or p >= (ENOUGH if pair.sign == "/" else OTHERWISE)
        if enough and not any(spoken[start:end]):
            found = [Detection(start, end, PhiType.DATE, DETECTOR, sure)]
            yield from certain(text, found) if part.coded else found


def _misplaced(vote: Detection, said: tuple[Pair, float] | None, shares: Container[int]) -> bool:
    """Whether a model takes a pair for a house or a room and is less sure than the judge is that it
    is a day ("1/4 ICU, 1/5 floor").
    """
    if said is None or vote.type not in _HOUSES or is_pattern(vote.detector):
        return False
    pair, p = said
    return pair.sign == "/" and p >= ENOUGH and p > vote.score and pair.start not in shares


def _spoken(text: str, pairs: Iterable[tuple[int, int]], votes: Iterable[Detection]) -> bytearray:
    """Which characters votes that count name, of those votes that name one of a pair."""
    asked, spoken = bytearray(len(text)), bytearray(len(text))
    for start, end in pairs:
        asked[start:end] = b"\1" * (end - start)
    for one in votes:
        there = asked.find(1, one.start, one.end) >= 0
        if there and founded(text, one) and not bare_label(text, one):
            stop = min(one.end, len(text))
            spoken[one.start : stop] = b"\1" * (stop - one.start)
    return spoken


def _told(pair: Pair, read: Text) -> bool:
    return is_told(read.text, pair.start, pair.end)


def _unlike(pair: Pair, p: float, read: Text) -> bool:
    """Whether the judge lets go of a pair that can be a day as the text writes it."""
    return p < LEAST and read.fits(pair)


def _said(pair: Pair, read: Text) -> bool:
    """Whether a zero in a pair, or a day of the week or an hour beside it, makes it a day."""
    return _told(pair, read) or padded(read.text, pair) or weekday_beside(read.text, pair)


def _of_form(vote: Detection) -> bool:
    """Whether a vote calls something a date for its form and its surroundings alone."""
    name = vote.detector.partition("@")[0]
    if vote.type is not PhiType.DATE or states(name):
        return False
    return name in _FORMS or not is_pattern(vote.detector)
