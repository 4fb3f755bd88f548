"""From overlapping votes to disjoint, typed findings.

One vote that counts is enough to hide a character (the union of detectors, for recall); what the
votes disagree on is settled here, before anything is replaced:

1. Votes are cut at seams, grown to whole tokens and trimmed.
2. Votes of one type that overlap become one; so do votes of one family (two kinds of number, two
   kinds of person) that overlap in part, under the better type. A long date that others see as
   several dates with a sign between each two stays several (`overlaps`).
3. The longest vote owns its characters; what lies inside it is absorbed, however good its type
   (an e-mail address in a URL, a date in an id, a surname in a hospital's name). Exceptions:
   a vote with score under `WEAK` yields to every stronger one, and an identifier of fixed form
   at the edge of a name, place or organisation is cut off it (the ZIP after a street).
4. Votes for the same stretch: the better type of `labels.PRIORITY` (nference, supplementary
   table 1), weak votes last.
5. Patterns (and what the record only guesses) are settled among themselves, models (and what the
   record and the rest of the note tell) among themselves; where the two overlap, the span, type
   and label that a model read stand, and patterns add what they alone have (`precedence`).
6. Neighbours of one type join across a hyphen, parts of a name or street across a space, and
   "LAST, FIRST" across its comma. What only patterns saw doesn't join what a model read.

The result doesn't depend on the order of the votes, and voting on findings changes nothing.
Every letter and digit of every vote that counts (`quantities.founded`, `bare_labels`) is covered,
but for the label that runs on behind it (`run_on`); punctuation at edges may be let go.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence

from stream_deid.budget import check
from stream_deid.detect.patterns import is_pattern
from stream_deid.detect.quantities.clinical import founded
from stream_deid.detect.record.stated import states
from stream_deid.detect.settle.boundaries.run_on import without_label
from stream_deid.detect.settle.filtering.bare_labels import bare_label
from stream_deid.detect.settle.fusion.precedence import joint
from stream_deid.detect.settle.fusion.spans import RANK, WEAK, Vote, distinct, overlapping, within
from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType
from stream_deid.note import Detection, Finding, Span
from stream_deid.text.edges import Grown, between_seams, bounds, has_text, trimmed, whole_tokens

__all__ = ["WEAK", "Count", "vote"]

_JOIN_SPACE = PERSONS | {PhiType.STREET}
_JOIN_HYPHEN = _JOIN_SPACE | ORGANIZATIONS | {PhiType.CITY, PhiType.PROFESSION}


class Count:
    """The count of the votes on one text. Where votes come again beside new ones, what was made of
    them, and of those that overlap, is not made again.

    `seams`: offsets of characters that no finding may hold (see `note.Part`).
    """

    __slots__ = ("_grown", "_repaired", "_seams", "_settled", "_text")

    def __init__(self, text: str, seams: Sequence[int] = ()) -> None:
        self._text, self._seams = text, sorted(seams)
        self._grown: Grown = {}
        self._repaired: dict[Detection, tuple[Vote, ...]] = {}
        self._settled: dict[tuple[Vote, ...], list[Finding]] = {}

    def of(self, detections: Iterable[Detection]) -> tuple[Finding, ...]:
        """Disjoint findings in order of the text, from the `detections` of all detectors in it."""
        ranks: tuple[list[Vote], list[Vote]] = ([], [])
        for one in detections:
            check()
            repaired = self._repaired.get(one)
            if repaired is None:
                repaired = self._repaired[one] = tuple(self._counted(one))
            ranks[is_pattern(one.detector)].extend(repaired)
        models, patterns = (distinct(votes) for votes in ranks)
        found: list[Finding] = []
        for group in overlapping(sorted((*models, *patterns), key=lambda v: (v.start, v.end))):
            check()
            votes = tuple(group)
            settled = self._settled.get(votes)
            if settled is None:
                settled = self._settled[votes] = _settle(self._text, group)
            found += settled
        return tuple(_joined(self._text, found, self._seams))

    def _counted(self, one: Detection) -> Iterator[Vote]:
        """The votes that one comes to; none where it doesn't count."""
        if founded(self._text, one) and not bare_label(self._text, one):
            yield from _repaired(self._text, one, self._seams, self._grown)


def vote(
    text: str, detections: Iterable[Detection], seams: Sequence[int] = ()
) -> tuple[Finding, ...]:
    """One count of all `detections`."""
    return Count(text, seams).of(detections)


def _repaired(text: str, vote_: Detection, seams: Sequence[int], grown: Grown) -> Iterator[Vote]:
    """The vote as whole, trimmed tokens between seams."""
    end = min(vote_.end, len(text))
    for low, high in between_seams(vote_.start, end, seams):
        first = start, stop = trimmed(text, low, high, vote_.type)
        if start >= stop or not has_text(text, start, stop):
            continue
        edges = bounds(start, len(text), seams)
        whole = start, stop = whole_tokens(text, start, stop, edges, vote_.type, known=grown)
        if whole != first:
            start, stop = trimmed(text, start, stop, vote_.type)
        stop = without_label(text, start, stop, vote_.type)
        yield Vote(start, stop, vote_.type, vote_.score, vote_.label, (vote_.detector,))


def _of_patterns(detectors: Sequence[str]) -> bool:
    """Whether nobody but patterns took part."""
    return all(map(is_pattern, detectors))


def _guessed(vote_: Vote) -> bool:
    """Whether the record says no more than that a word may be what it states."""
    return vote_.weak and all(map(states, vote_.detectors))


def _settle(text: str, group: list[Vote]) -> list[Finding]:
    """The findings of one run of overlapping votes."""
    if len(group) == 1:
        return _findings(group, group)
    ranks: tuple[list[Vote], list[Vote]] = ([], [])
    for one in group:
        ranks[_of_patterns(one.detectors) or _guessed(one)].append(one)
    return _findings(joint(text, *ranks), group)


def _findings(owners: Sequence[Vote], group: Sequence[Vote]) -> list[Finding]:
    """The owners (disjoint, sorted) as findings, each with everyone who voted for a part of it."""
    voters: list[list[Vote]] = [[] for _ in owners]
    for one in group:
        for mine in voters[within(owners, one.start, one.end)]:
            mine.append(one)
    return [_finding(owner, mine) for owner, mine in zip(owners, voters, strict=True)]


def _finding(owner: Vote, voters: Sequence[Vote]) -> Finding:
    names = tuple(sorted({name for v in voters for name in v.detectors}))
    rivals = {Span(v.start, v.end, v.type) for v in voters if not v.weak and v.type != owner.type}
    return Finding(
        owner.start, owner.end, owner.type, names, owner.score, owner.label, _ranked(rivals)
    )


def _ranked(rivals: Iterable[Span]) -> tuple[Span, ...]:
    return tuple(sorted(rivals, key=lambda one: (RANK[one.type], one.start, one.end)))


def _joined(text: str, found: Sequence[Finding], seams: Sequence[int]) -> list[Finding]:
    """Neighbours of one type that are one name, as one; never across a seam."""
    out: list[Finding] = []
    for one in found:
        if out and _joins(text, out[-1], one) and not _parted(seams, out[-1].end, one.start):
            last = out.pop()
            names = tuple(sorted({*last.detectors, *one.detectors}))
            label = last.label or one.label
            score = max(last.score, one.score)
            rivals = _ranked({*last.rivals, *one.rivals})
            out.append(Finding(last.start, one.end, one.type, names, score, label, rivals))
        else:
            out.append(one)
    return out


def _parted(seams: Sequence[int], start: int, end: int) -> bool:
    """Whether one of the sorted `seams` lies in `[start, end)`."""
    return bisect_left(seams, start) < bisect_left(seams, end)


def _joins(text: str, left: Finding, right: Finding) -> bool:
    if left.type is not right.type or (left.label and right.label and left.label != right.label):
        return False
    gap = text[left.end : right.start]
    if not gap:
        return left.type is not PhiType.DATE
    together = _of_patterns(left.detectors) is _of_patterns(right.detectors)
    return together and _one_name(text[left.start : left.end], left.type, gap)


def _one_name(word: str, kind: PhiType, gap: str) -> bool:
    """Whether what stands behind `word` and `gap` belongs to the same name."""
    if gap == "-":
        return kind in _JOIN_HYPHEN
    if gap == " ":
        return kind in _JOIN_SPACE
    if kind not in PERSONS:
        return False
    if gap in (", ", ","):
        return word.isupper() or word.isalpha()
    return gap == ". " and (len(word) == 1 or word[-2:-1] in " .")
