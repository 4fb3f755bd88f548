"""Occupations: another one that fits where the first stood.

An English occupation follows `a` or `an` as the first did and says nothing of a sex; a Spanish one
keeps gender and number, and one that both sexes have by one word (`taxista`, `juez`) becomes
another such, so that article, pronoun and sex of the person still fit without a look at them. What
says that somebody has left it (`retired`, `jubilado de`) stays, and so does a preposition at the
end. The answer depends on the words alone, so that it is the same in all notes.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import cache
from types import MappingProxyType

from stream_deid.lists.lexicon import load_list
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.keys import Scope
from stream_deid.text.canonical import first_like, like_case
from stream_deid.text.folding import fold, without_accents
from stream_deid.text.linear import linear

_LISTS = Vocabulary("demographics_professions", "surrogates")

_LEFT = linear(
    rf"(?i)^(?:(?:{_LISTS['left_en']}|{_LISTS['left_es']})[ ])+(?:(?:{_LISTS['left_from']})[ ])?"
)
_OF = linear(rf"(?i)[ ](?:{_LISTS['left_from']})[ ]$")
_TAIL = linear(rf"(?i)(?:^|[ ])(?:{_LISTS['before_employers']})$")
_SPELT = frozenset("aefhilmnorsx")  # letters whose names begin with a vowel
_LIKE_YOU = tuple(_LISTS.ordered("like_you"))
_SILENT = tuple(_LISTS.ordered("silent"))
_MEN, _WOMEN = tuple(_LISTS.ordered("men")), tuple(_LISTS.ordered("women"))
_BOTH = tuple(_LISTS.ordered("both"))
_LONGEST_SPELT = 4
_ONE_IN_ES = linear(r"(?i)^\pL+és\b")  # payés
_KINDS = ("physician", "health", "uniformed", "clergy")
_ALIKE = {kind: linear(rf"\b(?:{_LISTS[kind]})") for kind in _KINDS}


def profession(text: str, scope: Scope, language: str, employer: Callable[[str], str]) -> str:
    """Another occupation for `text`, in its case; `text` where it only says that there is none any
    more. `employer`: another name for whom somebody has left (`jubilado de Renfe`).
    """
    core = text.strip()
    left = _LEFT.match(f"{core} ")
    start = min(left.end(), len(core)) if left is not None else 0
    tail = _TAIL.search(core, start)
    end = tail.start() if tail is not None else len(core)
    asked = core[start:end]
    if not asked:
        return text
    if left is not None and _OF.search(left[0]) and asked[0].isupper() and not core.isupper():
        return text.replace(core, core[:start] + employer(asked) + core[end:])
    made = _other(asked, scope, language)
    if language == "es" and asked.isascii() and asked.isupper():
        made = without_accents(made)
    return text.replace(core, core[:start] + like_case(asked, first_like(asked, made)) + core[end:])


def _other(asked: str, scope: Scope, language: str) -> str:
    key = fold(asked)
    if kind := _kind_of(key, language):
        names = _of_kind(kind, key, language)
    else:
        names = _spanish(key) if language == "es" else english()[takes_an(asked)]
    at = scope.integer(len(names), "profession", key)
    turned = (*names[at:], *names[:at])
    value = next((n for n in turned if fold(n) not in key and key not in fold(n)), names[at])
    plural = _is_plural(key, language) and not _ONE_IN_ES.search(asked)
    return _several(value, language) if plural else value


def _kind_of(key: str, language: str) -> str:
    """Of which kind a folded occupation is that stays among its like, or nothing."""
    names = load_list("words")
    kinds = (kind for kind, said in _ALIKE.items() if said.search(key))
    return next((k for k in kinds if language == "en" or f"profession.{k}.es.m" in names), "")


def _of_kind(kind: str, key: str, language: str) -> Sequence[str]:
    lists = load_list("words")
    if language == "es":
        names = lists[f"profession.{kind}.es.{gender(key)}"]
        return tuple(n for n in names if " " not in n) if _is_plural(key, "es") else names
    return tuple(n for n in lists[f"profession.{kind}.en"] if takes_an(n) == takes_an(key))


def takes_an(text: str) -> bool:
    """Whether `an` stands before English words, by the sound that they begin with."""
    first = text.strip().partition(" ")[0]
    low = fold(first)
    if first.isupper() and len(first) <= _LONGEST_SPELT and first.isalpha():
        return low[0] in _SPELT
    return low.startswith(_SILENT) or (low[:1] in set("aeiou") and not low.startswith(_LIKE_YOU))


@cache
def english() -> Mapping[bool, Sequence[str]]:
    """The English occupations: those behind `an` (True) and those behind `a`."""
    names = load_list("words")["profession.en"]
    return MappingProxyType(
        {kind: tuple(n for n in names if takes_an(n) == kind) for kind in (True, False)}
    )


def _spanish(key: str) -> Sequence[str]:
    kind = f"profession.es.{gender(key)}"
    names = load_list("words")[kind]
    return tuple(n for n in names if " " not in n) if _is_plural(key, "es") else names


def gender(key: str) -> str:
    """`m`, `f` or `both`, as the first word of a folded Spanish occupation shows it."""
    head = key.split(maxsplit=1)[0] if key.split() else ""
    one = head.removesuffix("es" if head.endswith(("res", "nes")) else "s")
    if one.endswith(_BOTH):
        return "both"
    if one.endswith(("a", "triz", *_WOMEN)):
        return "f"
    return "m" if one.endswith(("o", "or", *_MEN)) else "both"


def _is_plural(key: str, language: str) -> bool:
    if language == "en":
        return key.endswith("s") and not key.endswith(("ss", "us"))
    head = key.split(maxsplit=1)[0] if key.split() else ""
    return head.endswith(("os", "as", "es"))


def _several(name: str, language: str) -> str:
    if language == "es":
        return name + ("s" if fold(name)[-1] in set("aeiou") else "es")
    if name.endswith("y") and name[-2] not in set("aeiou"):
        return f"{name[:-1]}ies"
    return name + ("es" if name.endswith(("ch", "sh", "s", "x")) else "s")
