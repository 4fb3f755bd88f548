"""Proper names of Spanish and Latin American organisations, and names that have no proper part.

The surrogate of a name is of its kind: a person in full for a person, `Virgen de ...` for a
`Virgen de ...`, a town for a town after `de`, with an article or particle where the name has one,
and about as many words. A name of words of kind only (`Hospital General`, `Facultad de Medicina`)
becomes another of the same noun.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from itertools import groupby

from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.lexicon import load_list, load_names
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.unlisted import unlisted
from stream_deid.surrogate.names.distinctive import LADIES, LADY_TITLES, NOBLES, first_free
from stream_deid.surrogate.organizations.kinds import SAME_KIND
from stream_deid.surrogate.places import street_names
from stream_deid.surrogate.places.street_names import ARTICLES, PARTICLES, person
from stream_deid.surrogate.scramble import scramble
from stream_deid.surrogate.taken import Taken
from stream_deid.text.canonical import Word
from stream_deid.text.folding import fold

_NOBLES = NOBLES | {"baron", "baronesa"}  # surnames too, elsewhere
_WOMEN = Vocabulary("organizations_rename", "surrogates").words("ladies")
_TRIES = 64  # for a surname that is no word of kind: one in hundreds is one
_SOUNDS_I = ("i", "hi")  # before which `y` is `e`
_AND = frozenset({"y", "i", "e", "and"})
_LONGEST_PERSON = 3
_ACRONYM = 4  # letters of one beside a name, which is spelt as no language is
_NOT_SPANISH = re.compile(r"[kw]|([bdfghjmnpstvz])\1|[gpst]h|h[^aeiou]|[^aeioulnrsdtxyz]$|g[ae]n$")


@dataclass(frozen=True, slots=True)
class Asked:
    """A proper name: its words, what leads it (`de`, `de la`, `La`), and whether it stands alone,
    without a word of kind.
    """

    run: Sequence[Word]
    raw: str = field(repr=False)
    lead: str = field(repr=False)
    alone: bool


def split_lead(lead: str) -> tuple[str, str]:
    """What of a lead stays and what goes with the name: `de La` is `de` and the article of a name.

    `de la` and `del` go with the name as they are, `de` alone stays.
    """
    pieces = lead.split()
    if pieces and pieces[-1][:1].isupper() and fold(pieces[-1]) in ARTICLES:
        return " ".join(pieces[:-1]), pieces[-1]
    return ("", lead) if pieces and fold(lead) != "de" else (lead, "")


def proper(
    scope: Scope,
    asked: Asked,
    city: Callable[[str], str],
    real: frozenset[str],
    taken: Taken,
) -> tuple[str, str]:
    """(lead, name) that stand for the lead and name of an organisation.

    `city` replaces a town; `real`: the distinctive words of the note's names, which no name takes;
    `taken`: as in `distinctive.first_free`.
    """
    stays, goes = split_lead(asked.lead)
    title = _title(asked)
    if not title and not goes:
        if stays:
            return stays, city(asked.raw)
        if not _personal(asked) and _foreign(asked):
            return "", _word_by_word(scope, asked)
    key = " ".join(fold(f"{goes} {asked.raw}").split())
    made = first_free(
        lambda step: _draw(scope.sub("organisation", key, step), asked, title, goes),
        key, (real, SPANISH_KIND_WORDS), taken,
    )  # fmt: skip
    return (asked.lead, f"{title} {made}") if title else (stays, made)


def _draw(scope: Scope, asked: Asked, title: str, goes: str) -> str:
    """A name of the kind of the one asked for, without its `title` and with what `goes` with it."""
    if title:
        ladies = asked.run[0].key in LADIES
        return _listed(scope, "virgin") if ladies else _of_rank(scope, asked, title)
    if goes:
        return _listed(scope, "article" if fold(goes) in ARTICLES else "of")
    if _personal(asked):
        return _person(scope, asked)
    size = len(asked.run)
    return _listed(scope, "word") if size == 1 else _listed(scope, "several", size)


def _title(asked: Asked) -> str:
    """The title of the Virgin (`Nuestra Señora`) or of rank (`Marqués`) before a name."""
    run = asked.run
    if len(run) == 1 or run[0].key not in LADIES | _NOBLES:
        return ""
    last = run[1] if run[1].key in LADY_TITLES else run[0]
    end = last.end - run[0].start
    return asked.raw[: end + (asked.raw[end : end + 1] == ".")]


def _of_rank(scope: Scope, asked: Asked, title: str) -> str:
    """Who is of a rank: a given name, or the name of a house."""
    rest = asked.raw[len(title) :].split()
    if rest and fold(rest[0]) in PARTICLES:
        return f"de {_surname(scope)}"
    names = load_list("words")["saint.es.f" if asked.run[0].key in _WOMEN else "saint.es"]
    return names[scope.integer(len(names), "rank")]


def _listed(scope: Scope, kind: str, size: int = 0) -> str:
    """A listed name of a kind, of `size` words where there are such."""
    fitting = _by_size().get((kind, size)) or load_list("organizations_es")[kind]
    return fitting[scope.integer(len(fitting), kind)]


@cache
def _by_size() -> Mapping[tuple[str, int], tuple[str, ...]]:
    """The listed names by kind and number of words."""
    found: dict[tuple[str, int], tuple[str, ...]] = {}
    for kind, names in load_list("organizations_es").items():
        for size, alike in groupby(sorted(names, key=_size), key=_size):
            found[kind, size] = tuple(alike)
    return found


def _size(name: str) -> int:
    return len(name.split())


def _personal(asked: Asked) -> bool:
    """Whether a name is that of a person: no particle in it, and a Spanish name first."""
    keys = [word.key for word in asked.run]
    return "hispanic" in load_names().label(keys[0]) and not set(keys) & set(PARTICLES)


def _person(scope: Scope, asked: Asked) -> str:
    """A person as written: given name and surnames, surnames joined by `y`, a surname alone."""
    keys = [word.key for word in asked.run if word.key not in _AND]
    joined = len(keys) < len(asked.run)
    size = min(len(keys) - joined, _LONGEST_PERSON)
    given = size > 1 and not load_names().label(keys[0]).startswith("family")
    surnames = " ".join(_surname(scope.sub("surname", i)) for i in range(size))
    name = person(scope, size) if given else surnames
    if not joined:
        return name
    other = _surname(scope.sub("and"))
    return f"{name} {'e' if fold(other).startswith(_SOUNDS_I) else 'y'} {other}"


def _surname(scope: Scope) -> str:
    """A listed surname that is no word of kind (`Plaza`), or the name would read as another's."""
    drawn = (street_names.surname(scope.sub("try", step)) for step in range(_TRIES))
    return next(name for name in drawn if fold(name) not in SPANISH_KIND_WORDS)


def _foreign(asked: Asked) -> bool:
    """Whether a name isn't spelt as Spanish is: a firm's, more often than a hospital's."""
    said = [word for word in asked.run if word.key not in _AND]
    if len(said) > 1:
        said = [word for word in said if len(word.key) > _ACRONYM or not word.text.isupper()]
    return any(_NOT_SPANISH.search(word.key) for word in said)


def _word_by_word(scope: Scope, asked: Asked) -> str:
    """A name that stands alone and is not Spanish, as those of firms: a surname for each word."""
    pieces: list[str] = []
    last = 0
    origin = asked.run[0].start
    for word in asked.run:
        start = word.start - origin
        pieces += [asked.raw[last:start], _firm(scope.sub("firm"), word)]
        last = word.end - origin
    return "".join([*pieces, asked.raw[last:]])


def _firm(scope: Scope, word: Word) -> str:
    if word.key in PARTICLES or word.key in _AND:
        return word.text
    return scramble(scope, word.text) if len(word.key) == 1 else unlisted(scope, word.key)


def generic(scope: Scope, text: str, tokens: Sequence[Word], taken: Taken) -> str:
    """Another name of the same noun for a name of words of kind only, or nothing; what stands
    before the noun stays.

    The first of a keyed order whose number of words is nearest and that is not `taken` for
    another name.
    """
    key = " ".join(word.key for word in tokens)
    if key in SAME_KIND["es"] or not tokens:
        return ""
    lists = load_list("organizations_es")
    noun = next((i for i, w in enumerate(tokens) if f"generic.{w.key}" in lists), None)
    if noun is None:
        return ""
    names = lists[f"generic.{tokens[noun].key}"]
    at = scope.integer(len(names), "generic", key)
    start = tokens[noun].start
    shown = fold(text[start:])
    others = [
        n for n in (*names[at:], *names[:at]) if fold(n) not in shown and shown not in fold(n)
    ]
    others.sort(key=lambda name: abs(len(name.split()) - len(tokens) + noun))
    found = next((n for n in others if taken.take(fold(n), key)), "")
    return text[:start] + found if found else ""
