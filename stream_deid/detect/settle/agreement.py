"""What all detectors say of a note becomes its findings: the rooms, one after the other."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from stream_deid.detect.record.lots import without_lots
from stream_deid.detect.settle.boundaries.columns import by_columns
from stream_deid.detect.settle.boundaries.kin import apart_from_kin
from stream_deid.detect.settle.boundaries.particles import whole
from stream_deid.detect.settle.boundaries.short_names import whole_names
from stream_deid.detect.settle.filtering.certain import certain, said_surely
from stream_deid.detect.settle.filtering.feast_votes import without_words_of_feasts
from stream_deid.detect.settle.filtering.foreign_months import without_foreign_months
from stream_deid.detect.settle.filtering.pair_votes import by_judge
from stream_deid.detect.settle.fusion.voting import Count
from stream_deid.detect.settle.layout.boards import on_boards
from stream_deid.detect.settle.layout.headed import headed
from stream_deid.detect.settle.layout.rows import in_rows
from stream_deid.detect.settle.layout.speakers import speaking
from stream_deid.detect.settle.propagation.acronyms import acronyms
from stream_deid.detect.settle.propagation.disguised import disguised, open_names
from stream_deid.detect.settle.propagation.halves import other_halves
from stream_deid.detect.settle.propagation.initials import initialled
from stream_deid.detect.settle.propagation.own_places import as_rooms, own_places
from stream_deid.detect.settle.propagation.repeat import repeated
from stream_deid.detect.settle.retyping.institutions import as_institutions
from stream_deid.detect.settle.retyping.mistaken_people import as_people
from stream_deid.detect.settle.retyping.month_names import people_of_months
from stream_deid.detect.settle.retyping.one_type import one_type
from stream_deid.detect.settle.retyping.stamps import as_stamps
from stream_deid.detect.words.substances import is_allergen
from stream_deid.note import Detection, Finding, Note, Part

Votes = list[list[Detection]]
"""By part of a note."""
Findings = list[tuple[Finding, ...]]
"""By part of a note."""


def votes_of(
    parts: Sequence[Part], known: Sequence[Iterable[Detection]], said: Sequence[Iterable[Detection]]
) -> Votes:
    """The votes in each part: what is `known` without models, and what models `said` within the
    boundaries of names; in a field for codes only what is certain.
    """
    votes = []
    for part, before, models in zip(parts, known, said, strict=True):
        names = apart_from_kin(part.text, by_columns(part.text, models))
        cut = [whole(part.text, one) for one in names]
        if part.coded:
            surely = said_surely(part.text, part.asked, cut)
            votes.append(certain(part.text, [*before, *surely], part.asked))
        else:
            votes.append([*before, *cut])
    return votes


def agree(note: Note, votes: Sequence[Sequence[Detection]]) -> Findings:
    """The findings in each part of a note, of what all detectors say of it.

    The votes that count are fused; so they are with what the layout tells and what stands again
    elsewhere, and once more with names in disguise, if there are any. Then each finding takes its
    type from its form and from what the same words are elsewhere.
    """
    texts = [part.text if part.examine and not is_allergen(part) else "" for part in note.parts]
    counts = [Count(part.text, part.seams) for part in note.parts]
    votes = _filtered(note, texts, votes)
    found = _fused(note, counts, votes)
    votes = _beside(votes, _by_layout(texts, found), *_again(note, texts, found))
    found = _fused(note, counts, votes)
    hidden = disguised(texts, found, open_names(texts, found, note.known))
    if any(hidden):
        found = _fused(note, counts, _beside(votes, hidden))
    found = as_institutions(texts, as_rooms(note.parts, found), note.known)
    return one_type(texts, as_people(texts, found))


def _filtered(note: Note, texts: Sequence[str], votes: Sequence[Sequence[Detection]]) -> Votes:
    """The votes without months of other languages, words of feasts, pairs that are no days, and
    lots; on names that were cut at the dot of a short form with one on the whole.
    """
    own = [
        list(without_words_of_feasts(without_foreign_months(text, said, note.language)))
        for text, said in zip(texts, votes, strict=True)
    ]
    if note.language[:2].lower() == "es":
        own = [whole_names(text, said) for text, said in zip(texts, own, strict=True)]
    return without_lots(note.parts, by_judge(note.parts, own, note.language))


def _fused(note: Note, counts: Sequence[Count], votes: Sequence[Sequence[Detection]]) -> Findings:
    """Disjoint findings, those retyped whose own form says what they are."""
    return [
        as_stamps(part.text, people_of_months(part.text, count.of(said)))
        for part, count, said in zip(note.parts, counts, votes, strict=True)
    ]


def _by_layout(texts: Sequence[str], found: Findings) -> Votes:
    """What rows, columns and turns of a chat tell beside what was `found`, and halves of names."""
    return [
        [
            *in_rows(text, mine),
            *other_halves(text, mine),
            *speaking(text, mine),
            *on_boards(text, mine),
            *headed(text),
        ]
        for text, mine in zip(texts, found, strict=True)
    ]


def _again(note: Note, texts: Sequence[str], found: Findings) -> Iterable[Votes]:
    """Where what was `found` once stands again, in so many words or shortened."""
    return (
        repeated(texts, found),
        initialled(texts, found),
        acronyms(texts, found),
        own_places(note.parts),
    )


def _beside(votes: Votes, *more: Sequence[Sequence[Detection]]) -> Votes:
    """The votes in each part, and more of them."""
    return [[one for some in each for one in some] for each in zip(votes, *more, strict=True)]
