"""One finding that is replaced, with all that says by what: what a maker of surrogates is given."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from stream_deid.note import Finding, Part
from stream_deid.surrogate.context import NoteContext
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.places.rename import Places
from stream_deid.surrogate.policy import Policy


@dataclass(frozen=True, slots=True)
class Mention:
    """What is replaced: `core`, the text of a finding without white space at its edges, where it
    stands, and what the note shares. `drawn`: the scope of a mention that is not (or no longer) the
    patient's own, None for it.
    """

    core: str = field(repr=False)
    part: Part = field(repr=False)
    finding: Finding
    note: NoteContext = field(repr=False)
    policy: Policy
    drawn: Scope | None = None

    @property
    def scope(self) -> Scope:
        """Where its surrogates are drawn from."""
        return self.drawn or self.note.scope

    @property
    def language(self) -> str:
        return self.note.language

    @property
    def people(self) -> People:
        """The people of the note, with names drawn anew for a mention of its own."""
        people = self.note.people
        return people if self.drawn is None else people.anew(self.drawn.sub("name"))

    @property
    def places(self) -> Places:
        """The places of the note, drawn anew for a mention of its own."""
        places = self.note.places
        return places if self.drawn is None else places.anew(self.drawn.sub("place"))

    def before(self, count: int) -> str:
        """So many characters before it."""
        return self.part.text[max(self.finding.start - count, 0) : self.finding.start]

    def after(self, count: int) -> str:
        """So many characters behind it."""
        return self.part.text[self.finding.end : self.finding.end + count]


Made = tuple[str, str]
"""A replacement and its strategy, empty for the policy's own."""
Maker = Callable[[Mention], Made]
