"""Surrogates of short names: nicknames, and names of two letters.

A nickname becomes a short form of what the full name becomes: one that the lists have, one as
people cut it where that is a name too (Dominic, Dom), else a nickname or a short given name of its
sex. A name of two letters ("To", "Bo") becomes one of two or three: in capitals it reads as
initials, and what stands for initials is as short. Within one note `people` keeps them apart.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import load_census, load_names, reads_as_word
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.first_letters import head
from stream_deid.surrogate.names.choosing.stock import classes
from stream_deid.text.canonical import canonical
from stream_deid.text.linear import linear

SHORTEST = 2
"""Letters of the shortest names."""
_SHORT = 3
_CUT = 5  # letters of a given name that is as short as a nickname
_WHOLE = 8  # letters of one that nobody need shorten
_FEW, _MOST = 4, 24
"""Names of a letter: as many as there should be, and the commonest ones that are enough."""
_SYLLABLE = linear(r"(?i)[^aeiouyáéíóú]*[aeiouyáéíóú]+[bcdfgklmnprstvz]")
_DOUBLED = "bdglmnprtz"
_BEFORE_I = {"g": "gu", "c": "qu", "z": "c"}


def nickname(scope: Scope, key: str, step: int, *, full: str, home: str, sex: str = "") -> str:
    """What stands for the nickname `key`, where `full` stands for the full name; `step` > 0 draws
    another one, `home` and `sex` as in `parts.surrogate`.
    """
    lists = load_names()
    forms = lists.short.get(canonical(full), ())
    letter = head(scope, key[0])
    sex = sex or sex_of(lists.base[key])
    forms = tuple(
        form for form in (*forms, *_cut(full, home))
        if sex_of(canonical(form)) in (sex, "U") and not reads_as_word(form)
    )  # fmt: skip
    forms = tuple(f for f in (*_small(full, home), *forms) if canonical(f)[0] == letter)
    if step < len(forms):
        siblings = [canonical(s) for s in lists.short[lists.base[key]]]
        return forms[(siblings.index(key) + step) % len(forms)]
    names = _nicknames(sex, "hispanic" if home == "spanish" else "any").get(letter, ())
    return names[scope.integer(len(names), "nickname", key, step)] if names else full


def two_letters(scope: Scope, key: str, root: Scope, sex: str) -> str:
    """What stands for a name of two letters, where there is any; `root`: the scope of letters,
    `sex`: F, M or U for a given name, nothing for a surname.
    """
    names = _of_few_letters(sex).get(head(root, key[0]), ())
    return names[scope.integer(len(names), "short", key)] if names else ""


def sex_of(key: str) -> str:
    """F, M or U of a canonical name that is a given name, or nothing."""
    lists = load_names()
    return lists.sex.get(lists.base.get(key, key)) or load_census().sex.get(key, "")


def _small(full: str, home: str) -> Iterator[str]:
    """What Spanish makes of any name in -a or -o: Pablito, Paquita, Lucita."""
    if home == "spanish" and full[-1:] in "oa" and len(full) > _SHORT:
        soft = full[-2] in "ií"
        stem = full[:-2] if soft else full[:-1]
        yield (
            stem if soft else f"{stem[:-1]}{_BEFORE_I.get(stem[-1], stem[-1])}"
        ) + f"it{full[-1]}"


def _cut(full: str, home: str) -> Iterator[str]:
    """What people make of a name that has no listed short form: Dom, Dommy; itself."""
    found = _SYLLABLE.match(full) if home != "spanish" else None
    if found is not None:
        doubled = found[0] + found[0][-1] if found[0][-1] in _DOUBLED else found[0]
        yield from (found[0], doubled + "y", doubled + "ie")
    if len(full) <= _WHOLE or home == "spanish":
        yield full


@cache
def _nicknames(sex: str, origin: str) -> Mapping[str, tuple[str, ...]]:
    """Nicknames and short given names of a sex, by first letter. Made once in a process."""
    lists = load_names()
    nicks = [
        nick
        for full, short in lists.short.items()
        for nick in short
        if sex_of(full) == sex and ("hispanic" in lists.label(full)) == (origin != "any")
    ]
    names = [*nicks, *_given(sex, "hispanic" if origin != "any" else "anglo", origin)]
    names = [name for name in names if sex_of(canonical(name)) in (sex, "U")]
    return _by_letter([[n for n in names if len(n) <= _CUT], names])


@cache
def _of_few_letters(sex: str) -> Mapping[str, tuple[str, ...]]:
    """Names of two and three letters by first letter, and of more where these are few."""
    if sex:
        names = [name for one in dict.fromkeys((sex, "U")) for name in _given(one, "", "any")]
    else:
        names = [*_listed("family", ""), *_of_census("family", "-", "any")]
    longest = (_SHORT, _SHORT + 1, _CUT)
    return _by_letter([[n for n in names if len(canonical(n)) <= most] for most in longest])


def _given(sex: str, own: str, origin: str) -> list[str]:
    return [*_listed("given", own, sex), *_of_census("given", sex, origin)]


def _listed(kind: str, origin: str, sex: str = "") -> list[str]:
    """The listed names of a kind; of an origin and a sex where these are given."""
    return [
        name
        for label, group in sorted(classes().items())
        if label.startswith(kind)
        and f"/{origin}" in label
        and label.endswith(f"/{sex}" * bool(sex))
        for name in group.names
    ]


def _of_census(kind: str, sex: str, origin: str) -> list[str]:
    letters = load_census().names.get((kind, sex, origin), {})
    return [name for names in letters.values() for name in names]


def _by_letter(pools: Sequence[Sequence[str]]) -> Mapping[str, tuple[str, ...]]:
    """The first names of each letter; those of later pools where a letter has few."""
    found: dict[str, dict[str, None]] = {}
    for most, names in zip((_MOST, *[_FEW] * len(pools)), pools, strict=False):
        for name in names:
            own = found.setdefault(canonical(name)[0], {})
            if len(own) < most and len(canonical(name)) >= SHORTEST and not reads_as_word(name):
                own[name] = None
    return MappingProxyType({letter: tuple(own) for letter, own in found.items()})
