"""Where patterns and models overlap: the span that a model read stands.

A model reads the sentence; a pattern sees a form. So a model's span keeps its edges, its type
and its label, and a pattern's vote adds what it alone has beside it. Five exceptions:

* A vote of fixed form (number, date, e-mail, URL, address of a computer) that holds more than the
  models saw of it, or overlaps another number in part, makes it whole; type and label stay the
  model's where they are of one family.
* A labelled number in words that holds all that the models saw of it stands under its own type, as
  do the age before "birthday", the year behind "born in" or "class of", the code behind "ZIP" (the
  law has a rule for each of these) and the last figures of a number behind "ends in".
* A person's name that holds all that a model saw of it makes it whole; the type stays the model's.
* A vote that runs from the first to the last of several spans of its type makes them one.
* What `overlaps.gives` cuts off the edge of a name, place or organisation (its ZIP) is cut off.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from math import inf

from stream_deid.detect.settle.fusion.overlaps import gives, settled, shared_out
from stream_deid.detect.settle.fusion.spans import Vote, akin, united, within
from stream_deid.labels import NUMBERS, PERSONS, PhiType
from stream_deid.note import ends_a_number
from stream_deid.text.edges import has_text

_WEB = frozenset({PhiType.EMAIL, PhiType.URL, PhiType.IPADDR})
_WHOLE = NUMBERS | _WEB | {PhiType.DATE, PhiType.AGE, PhiType.ZIP, PhiType.USERNAME}


def joint(text: str, models: Sequence[Vote], patterns: Sequence[Vote]) -> list[Vote]:
    """Disjoint votes, sorted, that cover every letter and digit of both."""
    if not models or not patterns:
        return settled(text, models or patterns)
    if len(models) == len(patterns) == 1 and _agree(text, models[0], patterns[0]):
        return shared_out(text, _seconded(models, patterns))
    stand = settled(text, models)
    for one in sorted({*united(patterns), *patterns}, key=_longest):
        place = within(stand, one.start, one.end)
        mine = stand[place]
        if mine and _is_said(text, one, mine):
            names = sorted({name for v in (one, *mine) for name in v.detectors})
            stand[place] = [replace(one, detectors=tuple(names))]
        elif mine and not one.weak and (_completes(text, one, mine) or _bridges(text, one, mine)):
            stand[place] = [_whole(one, mine)]
    stand = _seconded(stand, patterns)
    edges = [p for p in patterns if _at_an_edge(text, p, stand[within(stand, p.start, p.end)])]
    return shared_out(text, [*settled(text, edges), *stand, *settled(text, patterns)])


def _agree(text: str, model: Vote, pattern: Vote) -> bool:
    """Whether both say the same, and the pattern knows no rule of its own."""
    same = (model.start, model.end, model.type) == (pattern.start, pattern.end, pattern.type)
    return same and not _is_said(text, pattern, [model])


def _longest(one: Vote) -> tuple[int, tuple[bool, int, float, str], int, Sequence[str]]:
    return (one.start - one.end, one.merit, one.start, one.detectors)


def _at_an_edge(text: str, one: Vote, mine: Sequence[Vote]) -> bool:
    return any(m.holds(one) and gives(text, m, one) for m in mine)


def _completes(text: str, one: Vote, mine: Sequence[Vote]) -> bool:
    """Whether a vote of fixed form is the whole of which the models saw pieces."""
    if any(m.holds(one) or _same_text(text, one, m) for m in mine):
        return False
    if one.type in PERSONS:
        return len(mine) == 1 and mine[0].type in PERSONS and one.holds(mine[0])
    if one.type not in _WHOLE:
        return False
    if one.type in _WEB:
        return all(one.holds(m) for m in mine)
    return all(m.type in _WHOLE and (one.holds(m) or {one.type, m.type} <= NUMBERS) for m in mine)


def _is_said(text: str, one: Vote, mine: Sequence[Vote]) -> bool:
    """Whether a vote is a labelled number in words, of which models took pieces for other things
    ("doce punto cuatro guion k"), or of a kind that has a rule of its own.
    """
    said = one.type is PhiType.MEDICALRECORD and not any(
        c.isdecimal() for c in text[one.start : one.end]
    )
    said = said or ends_a_number(one.detectors)
    said = said or any(
        one.score >= _RULED.get(name.partition("@")[0], inf) for name in one.detectors
    )
    return said and not one.weak and all(one.holds(m) for m in mine)


_RULED = {
    "age-birthday": 0.0, "edad-cumplida": 0.0, "date-birth-year": 0.0, "zip-label": 0.0,
    "codigo-postal": 1.0,
}  # fmt: skip
"""Patterns of kinds that have a rule of their own, and from which score on they have said it."""


def _bridges(text: str, one: Vote, mine: Sequence[Vote]) -> bool:
    """Whether a vote runs from the first to the last of several spans of its type."""
    if len(mine) < 2 or any(m.type is not one.type for m in mine):
        return False
    if len({m.label for m in mine}) > 1:
        return False
    hull = replace(one, start=min(m.start for m in mine), end=max(m.end for m in mine))
    return _same_text(text, one, hull)


def _same_text(text: str, one: Vote, other: Vote) -> bool:
    """Whether two votes hold the same letters and digits."""
    starts = sorted((one.start, other.start))
    ends = sorted((one.end, other.end))
    return not has_text(text, *starts) and not has_text(text, *ends)


def _whole(one: Vote, mine: Sequence[Vote]) -> Vote:
    """All of `mine` and the pattern's vote as one, typed by the longest akin of `mine`."""
    like = [m for m in mine if m.type is one.type] or [m for m in mine if akin(m.type, one.type)]
    voice = min(like, key=lambda v: (v.start - v.end, v.merit, v.start), default=one)
    return Vote(
        min(one.start, *(m.start for m in mine)),
        max(one.end, *(m.end for m in mine)),
        voice.type,
        max(v.score for v in (voice, one)),
        voice.label,
        tuple(sorted({n for v in (one, *mine) for n in v.detectors})),
    )


def _seconded(stand: Sequence[Vote], patterns: Sequence[Vote]) -> list[Vote]:
    """The models' spans with the better score of patterns of their type that overlap them."""
    out = list(stand)
    for one in patterns:
        place = within(out, one.start, one.end)
        out[place] = [
            replace(m, score=one.score) if one.type is m.type and one.score > m.score else m
            for m in out[place]
        ]
    return out
