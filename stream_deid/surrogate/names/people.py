"""The names of one note, resolved together.

What the note shows and knows of its people (`note_people`) is whole when it is made; each part of a
name gets its surrogate (`parts`) when it is asked for, and keeps it. What needs the whole note:
misspelt parts become misspellings of the surrogate, families ("the Smiths") its plural, a surrogate
is never a name that really stands in this note, and no two parts share one.

Residual: where a first-choice surrogate is itself a real name of the note (about one in the size
of the class for each pair of names), the part gets its second choice in this note only.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field, replace

from stream_deid.lists.lexicon import load_census, load_names
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names import abbreviated, marian_names
from stream_deid.surrogate.names.affixes import NameEvidence, parts_of
from stream_deid.surrogate.names.choosing import drawn
from stream_deid.surrogate.names.choosing.parts import letter, misspell, plural, surrogate
from stream_deid.surrogate.names.choosing.sound import sounds_given
from stream_deid.surrogate.names.groups import Groups
from stream_deid.surrogate.names.initials import are_initials
from stream_deid.surrogate.names.variants import NameVariants
from stream_deid.surrogate.taken import Taken
from stream_deid.text.canonical import Word, canonical, like_case, like_written
from stream_deid.text.linear import linear

_TRIES = 12
_LONG = 5
"""Letters of a name that is told by what holds it."""
_LETTERS = linear(r"\pL(?:-\pL){2,}|\pL(?: \pL){3,}")  # a name spelt: F-R-I-A-S


class NameSurrogates:
    """What the parts of names became so far: `made`, by canonical part; `taken`, so that no two
    parts share one.
    """

    __slots__ = ("made", "taken")

    def __init__(self) -> None:
        self.made: dict[str, str] = {}
        self.taken = Taken()

    def __repr__(self) -> str:
        return f"NameSurrogates({len(self.made)} parts)"


@dataclass(frozen=True, slots=True)
class People:
    """The name parts of one note and their surrogates.

    `evidence`: what its names tell about words that may be titles or particles; `votes`: by part,
    how often it stands as a given name less as a surname; `sexes`: by part, the sex of who bears
    it, where the record or the note says so; `given`: parts that the record says are given names
    and no surnames; `groups`: the parts of each person; `seen`: all of them; `so_far`: what they
    became; `drawn`: surrogates are those of one mention, and nothing of the names tells which
    (`names.choosing.drawn`).
    """

    scope: Scope
    language: str
    evidence: NameEvidence
    votes: Mapping[str, int] = field(repr=False)
    sexes: Mapping[str, str] = field(repr=False)
    given: AbstractSet[str] = field(repr=False)
    groups: Groups = field(repr=False)
    seen: AbstractSet[str] = field(repr=False)
    variants: NameVariants = field(repr=False)
    so_far: NameSurrogates = field(default_factory=NameSurrogates, repr=False)
    drawn: bool = False

    @property
    def home(self) -> str:
        """The origin of names that sound of none: by the note's language."""
        return "spanish" if self.language == "es" else "anglo"

    def anew(self, scope: Scope) -> People:
        """The same people at one mention, with names that are drawn whatever theirs are."""
        return replace(self, scope=scope, so_far=NameSurrogates(), drawn=True)

    def parts(self, text: str) -> tuple[Word, ...]:
        """The words of a name that identify (`affixes`)."""
        return parts_of(text, self.language, self.evidence)

    def part(self, key: str, scope: Scope | None = None) -> str:
        """The surrogate of a canonical part."""
        scope = scope or self.scope
        fresh = scope is not self.scope
        if not fresh and key in self.so_far.made:
            return self.so_far.made[key]
        base = self.variants.slips.get(key)
        if self.drawn:
            given, sex = self.is_given(key), self.sexes.get(key, "")
            chosen = self._choose(
                key,
                lambda n: drawn.name(scope, key, n, self.home, given=given, sex=sex),
                fresh=fresh,
            )
        elif key in self.variants.merged:
            chosen = "".join(self.part(half, scope) for half in self.variants.merged[key])
        elif key in self.variants.plurals:
            chosen = plural(self.part(self.variants.plurals[key], scope))
        elif base is not None:
            whole = self.part(base, scope)
            chosen = self._choose(key, lambda n: misspell(scope.sub(n), whole, key), fresh=fresh)
        else:
            given = key in self.given or (key not in load_names() and self.is_given(key))
            sex = self.sexes.get(key) or self.sexes.get(load_names().base.get(key, ""), "")
            chosen = self._choose(
                key,
                lambda n: surrogate(scope, key, n, self.home, given=given, sex=sex),
                fresh=fresh,
            )
        if not fresh:
            self.so_far.made[key] = chosen
        return chosen

    def nobody(self, key: str) -> str:
        """The surrogate of a name that nobody of the note bears (a word in an address)."""
        if self.drawn:
            return drawn.name(self.scope, key, 0, self.home, given=self.is_given(key), sex="")
        return surrogate(self.scope, key, 0, self.home)

    def _choose(self, key: str, draw: Callable[[int], str], *, fresh: bool) -> str:
        for step in range(_TRIES):
            value = draw(step)
            folded = canonical(value)
            same_head = folded[:1] == key[:1] and not self.drawn
            if folded in self.seen or same_head or self._tells(key, folded):
                continue
            if fresh or self.so_far.taken.take(folded, key):
                return value
        return value

    def _tells(self, key: str, folded: str) -> bool:
        """Whether a surrogate holds the name itself, or a long one of the note ("Varnell" beside
        an Arnel), which no address may show.
        """
        return (len(key) > 1 and key in folded) or any(
            folded[at:end] in self.seen
            for at in range(len(folded) - _LONG + 1)
            for end in range(at + _LONG, len(folded) + 1)
        )

    def is_given(self, key: str) -> bool:
        """Whether a part that no list holds is a given name: by the census, so that it is one in
        every note, where it is not both; else by its places, else by its sound.
        """
        census = load_census()
        if (key in census.sex) != (key in census.family):
            return key in census.sex
        return self.votes[key] > 0 if self.votes.get(key) else sounds_given(key, self.home)

    def initial(self, key: str, group: Sequence[str], scope: Scope | None = None) -> str:
        """The letter for the initial `key` (one letter) in a name whose other parts are `group`.

        Of other scripts than Latin, that of a person of the note who shares a part with `group`
        (of any where it is empty) and has a name that begins with `key`; else a keyed letter.
        """
        if self.drawn:
            return drawn.letter(self.scope, key)
        if key.isascii():
            return letter(scope or self.scope, key)
        people = self.groups.with_parts(group) if group else self.groups.with_head(key)
        for person in people:
            for part in person:
                if part[0] == key and part not in group:
                    return canonical(self.part(part, scope))[:1]
        return letter(scope or self.scope, key)

    def abbreviation(self, key: str, scope: Scope | None = None) -> str:
        """Surrogate for initials written together (`JS`)."""
        draw = drawn.letter if self.drawn else letter
        return "".join(draw(scope or self.scope, c) for c in key)

    def render(self, text: str, scope: Scope | None = None, *, staff: bool = False) -> str:
        """`text`, a name as written, with every identifying word replaced in its own style.

        `staff`: the name of a provider, whose small letters are initials (`initials`).
        """
        tokens = self.parts(text)
        if not tokens:
            return ""
        key = canonical(text)
        if key in self.seen and _LETTERS.fullmatch(text):
            mark = next(c for c in text if not c.isalpha())
            return mark.join(like_case(text, self.part(key, scope).upper()))
        initials = [self._initials(w, tokens, staff=staff) for w in tokens]
        group = [w.key for w, short in zip(tokens, initials, strict=True) if not short]
        pieces: list[str] = []
        last, before = 0, ""
        for word, short in zip(tokens, initials, strict=True):
            if not short:
                value = self._dress(abbreviated.model(word, tokens), self.part(word.key, scope))
            elif len(word.key) == 1:
                value = like_initial(word.text, self.initial(word.key, group, scope))
            else:
                value = like_initial(word.text, self.abbreviation(word.key, scope))
            between = marian_names.gap(text[last : word.start], (before, word.key), value)
            pieces += [between, value]
            last, before = self._behind(text, word), word.key
        return "".join([*pieces, text[last:]])

    def _initials(self, word: Word, tokens: Sequence[Word], *, staff: bool) -> bool:
        if word.key in self.seen:
            return False
        return are_initials(word, alone=len(tokens) == 1, staff=staff)

    def _behind(self, text: str, word: Word) -> int:
        return abbreviated.rest(text, word) if self.language == "es" else word.end

    def _dress(self, model: str, value: str) -> str:
        value = like_written(model, value, self.language)
        joined = any(c in model for c in "'’‘`´ʼ")
        return value if joined else value.replace("'", "")


def like_initial(model: str, value: str) -> str:
    """Initials in the case of the model, letter by letter where lengths agree."""
    if len(model) == len(value):
        return "".join(v.upper() if m.isupper() else v for m, v in zip(model, value, strict=True))
    return value.upper() if model.isupper() else value
