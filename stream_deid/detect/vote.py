"""From overlapping votes to disjoint, typed findings.

One vote is enough to hide a character (the union of all detectors, for recall); what the votes
disagree on is settled here, before anything is replaced:

1. Votes are cut at seams, grown to whole tokens and trimmed.
2. Votes of one type that overlap become one; so do votes of one family (two kinds of number, two
   kinds of person) that overlap in part, under the better type. A long date that others see as
   several dates with nothing but punctuation between stays several.
3. The longest vote owns its characters; what lies inside it is absorbed, however good its type
   (an e-mail address in a URL, a date in an id, a surname in a hospital's name). Exceptions:
   a vote with score under `WEAK` yields to every stronger one, and an identifier of fixed form
   at the edge of a name, place or organisation is cut off it (the ZIP after a street).
4. Votes for the same stretch: the better type of `labels.PRIORITY` (nference, supplementary
   table 1), weak votes last.
5. Neighbours of one type join across a space or hyphen, and "LAST, FIRST" across its comma.

The result doesn't depend on the order of the votes, and voting on findings changes nothing.
Every letter and digit of every vote is covered; punctuation at edges may be let go.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

from stream_deid.detect.edges import between_seams, bounds, has_text, trimmed, whole_tokens
from stream_deid.labels import NUMBERS, ORGANIZATIONS, PERSONS, PLACES, PRIORITY, PhiType
from stream_deid.note import Detection, Finding

WEAK = 0.5
_RANK = {phi: rank for rank, phi in enumerate(PRIORITY)}
_FIXED = NUMBERS | {PhiType.EMAIL, PhiType.URL, PhiType.IPADDR, PhiType.DATE, PhiType.ZIP}
_PROSE = PERSONS | ORGANIZATIONS | (PLACES - {PhiType.ZIP}) | {PhiType.PROFESSION, PhiType.OTHER}
_FAMILIES = (NUMBERS, PERSONS, PLACES - {PhiType.ZIP}, ORGANIZATIONS)
_JOIN_SPACE = PERSONS | ORGANIZATIONS | {PhiType.STREET, PhiType.CITY, PhiType.PROFESSION}
_BREAKS = frozenset(",;()\n\t|/")


@dataclass(frozen=True, slots=True)
class _Vote:
    start: int
    end: int
    type: PhiType
    score: float
    label: str
    detectors: tuple[str, ...]

    @property
    def weak(self) -> bool:
        return self.score < WEAK

    @property
    def merit(self) -> tuple[bool, int, float, str]:
        """Smaller is better."""
        return self.weak, _RANK[self.type], -self.score, self.label

    def holds(self, other: _Vote) -> bool:
        return self.start <= other.start and other.end <= self.end

    def overlaps(self, other: _Vote) -> bool:
        return self.start < other.end and other.start < self.end


def vote(
    text: str, detections: Iterable[Detection], seams: Sequence[int] = ()
) -> tuple[Finding, ...]:
    """Disjoint findings in order of `text`, from the `detections` of all detectors in it.

    `seams`: offsets of characters that no finding may hold (see `note.Part`).
    """
    seams = sorted(seams)
    votes = _distinct(v for d in detections for v in _repaired(text, d, seams))
    if not votes:
        return ()
    found: list[Finding] = []
    for group in _overlapping(votes):
        found += _settle(text, group)
    return tuple(_joined(text, found, seams))


def _repaired(text: str, vote_: Detection, seams: Sequence[int]) -> Iterator[_Vote]:
    """The vote as whole, trimmed tokens between seams."""
    end = min(vote_.end, len(text))
    for low, high in between_seams(vote_.start, end, seams):
        start, stop = trimmed(text, low, high, vote_.type)
        if start >= stop or not has_text(text, start, stop):
            continue
        edges = bounds(start, len(text), seams)
        start, stop = whole_tokens(text, start, stop, edges, vote_.type)
        start, stop = trimmed(text, start, stop, vote_.type)
        yield _Vote(start, stop, vote_.type, vote_.score, vote_.label, (vote_.detector,))


def _distinct(votes: Iterable[_Vote]) -> list[_Vote]:
    """One vote for each stretch and type, sorted."""
    by_key: dict[tuple[int, int, PhiType], list[_Vote]] = {}
    for one in votes:
        by_key.setdefault((one.start, one.end, one.type), []).append(one)
    return [
        _merged(group, key[0], key[1]) for key, group in sorted(by_key.items(), key=lambda i: i[0])
    ]


def _merged(group: Sequence[_Vote], start: int, end: int) -> _Vote:
    best = min(group, key=lambda v: (v.merit, v.start - v.end, v.start))
    label = best.label or min(
        (v.label for v in group if v.type is best.type and v.label), default=""
    )
    names = tuple(sorted({name for v in group for name in v.detectors}))
    return _Vote(start, end, best.type, max(v.score for v in group), label, names)


def _overlapping(votes: Sequence[_Vote]) -> Iterator[list[_Vote]]:
    """Runs of votes (sorted by start) that overlap one another."""
    group: list[_Vote] = []
    reach = 0
    for one in votes:
        if group and one.start >= reach:
            yield group
            group = []
        group.append(one)
        reach = max(reach, one.end)
    yield group


def _settle(text: str, group: list[_Vote]) -> list[Finding]:
    """The findings of one run of overlapping votes."""
    group = _united(_tiled(text, group))
    cutters = [v for v in group if _cuts_off(text, v, group)]
    order = sorted(
        group, key=lambda v: (v.weak, v not in cutters, v.start - v.end, v.merit, v.start)
    )
    owned: list[_Vote] = []
    for one in order:
        owned += [
            _Vote(s, e, one.type, one.score, one.label, one.detectors)
            for s, e in _free(text, one, owned)
        ]
    owned.sort(key=lambda v: v.start)
    return [_finding(o, group) for o in owned]


def _finding(owner: _Vote, group: Sequence[_Vote]) -> Finding:
    names = sorted({n for v in group if v.overlaps(owner) for n in v.detectors})
    return Finding(owner.start, owner.end, owner.type, tuple(names), owner.score, owner.label)


def _tiled(text: str, group: list[_Vote]) -> list[_Vote]:
    """Without the dates that others see as several dates side by side."""

    def tiled(whole: _Vote) -> bool:
        inner = [v for v in group if v.type is whole.type and v is not whole and whole.holds(v)]
        at, count = whole.start, 0
        for one in inner:
            if one.start < at:
                return False
            if has_text(text, at, one.start):
                return False
            at, count = one.end, count + 1
        return count > 1 and not has_text(text, at, whole.end)

    return [v for v in group if not (v.type is PhiType.DATE and tiled(v))]


def _related(one: _Vote, other: _Vote) -> bool:
    """Whether two overlapping votes are better one: same type, or same family in part."""
    if one.type is other.type:
        return True
    if one.holds(other) or other.holds(one):
        return False
    return any(one.type in f and other.type in f for f in _FAMILIES)


def _united(group: list[_Vote]) -> list[_Vote]:
    """Votes of one type that overlap as one, and parts of one family likewise."""
    done = False
    while not done:
        done = True
        for i, one in enumerate(group):
            mates = [v for v in group if v is not one and one.overlaps(v) and _related(one, v)]
            if mates:
                joint = [one, *mates]
                span = min(v.start for v in joint), max(v.end for v in joint)
                rest = [v for k, v in enumerate(group) if k != i and v not in mates]
                group = _distinct([*rest, _merged(joint, *span)])
                done = False
                break
    return group


def _cuts_off(text: str, vote_: _Vote, group: Sequence[_Vote]) -> bool:
    """Whether everything that holds `vote_` gives it away at its edge."""
    holders = [
        v for v in group if v is not vote_ and v.holds(vote_) and not (v.weak and not vote_.weak)
    ]
    return bool(holders) and all(_gives(text, holder, vote_) for holder in holders)


def _gives(text: str, holder: _Vote, edge: _Vote) -> bool:
    if (
        holder.type not in _PROSE
        or edge.weak
        or (holder.start, holder.end) == (edge.start, edge.end)
    ):
        return False
    if edge.start == holder.start:
        border = text[edge.end : edge.end + 1]
    elif edge.end == holder.end:
        border = text[edge.start - 1]
    else:
        return False
    if edge.type in _FIXED:
        return not border.isalnum()
    places = holder.type in PLACES and edge.type in PLACES
    return places and (border in _BREAKS or text[edge.start - 2 : edge.start - 1] in _BREAKS)


def _free(text: str, vote_: _Vote, owned: Sequence[_Vote]) -> Iterator[tuple[int, int]]:
    """What of the vote nobody owns yet, trimmed."""
    at = vote_.start
    taken = sorted((o.start, o.end) for o in owned if o.overlaps(vote_))
    for start, end in [*taken, (vote_.end, vote_.end)]:
        if start > at:
            low, high = trimmed(text, at, start, vote_.type)
            if low < high and has_text(text, low, high):
                yield low, high
        at = max(at, end)


def _joined(text: str, found: Sequence[Finding], seams: Sequence[int]) -> list[Finding]:
    """Neighbours of one type that are one name, as one; never across a seam."""
    out: list[Finding] = []
    for one in found:
        if out and _joins(text, out[-1], one) and not _parted(seams, out[-1].end, one.start):
            last = out.pop()
            names = tuple(sorted({*last.detectors, *one.detectors}))
            label = last.label or one.label
            score = max(last.score, one.score)
            out.append(Finding(last.start, one.end, one.type, names, score, label))
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
    if left.type not in _JOIN_SPACE:
        return False
    if gap in (" ", "-"):
        return True
    word = text[left.start : left.end]
    if gap in (", ", ","):
        return left.type in PERSONS and (word.isupper() or word.isalpha())
    return gap == ". " and left.type in PERSONS and (len(word) == 1 or word[-2:-1] in " .")
