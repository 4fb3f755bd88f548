"""Ages, in figures and words: those of 90 and over become less exact."""

from __future__ import annotations

import re

from stream_deid.lists.calendar import UNITS
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate import number_words
from stream_deid.surrogate.demographics import old_ages
from stream_deid.surrogate.keys import Scope
from stream_deid.text.age import LONGEST_LIFE
from stream_deid.text.canonical import first_key, first_like, like_case, words
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LISTS, _AGES = Vocabulary("demographics_ages", "surrogates"), Vocabulary("ages")

OLD = 90
"""The age from which ages tell too much (45 CFR 164.514(b)(2)(i)(C))."""
_NUMBER = linear(r"\d+")
_VERY_OLD = _LISTS.words("very_old")
_BANDS = _LISTS.table("bands")
_PER_YEAR = {
    word: count
    for unit, count in (("month", 12), ("week", 52.1775), ("day", 365.2425), ("hour", 8765.82))
    for word in UNITS[unit]
}
_MEASURED = linear(rf"(?i)^ ?(?:{_LISTS['measures']})\b")
_ORDINAL = re.compile(r"^(?:st|nd|rd|th)\b", re.IGNORECASE)
_GROUPED = linear(r"\d{1,3}(?:[,.]\d{3})+|\d+")  # "33,960 days"


def years(text: str, after: str = "") -> int:
    """The whole years of an age in figures or words, `after` being what follows; 0 for none."""
    told = old_ages.told(text)
    if told is not None:
        return told
    if not _NUMBER.search(text):
        core = fold(text).strip().replace("-", " ")
        if any(w.key in _VERY_OLD for w in words(text)):
            return OLD
        heads = (" ".join(core.split()[:n]) for n in range(len(core.split()), 0, -1))
        values = {
            **number_words.values("es"),
            **number_words.values("en"),
            **number_words.old_ages(),
        }
        return next((values[head] for head in heads if head in values), 0)
    _, value, unit = _stated(text, after)
    return int(value / _PER_YEAR.get(unit, 1))


def is_measured(text: str, after: str) -> bool:
    """Whether a number that a model took for an age is a weight or a volume ("3210 g")."""
    return text[-1:].isdecimal() and _MEASURED.match(after) is not None


def _stated(text: str, after: str) -> tuple[tuple[int, int], int, str]:
    """(place, value, unit) of the number of an age: the last one with a unit under a year."""
    numbers = (
        (match, int("".join(_NUMBER.findall(match.group())))) for match in _GROUPED.finditer(text)
    )
    found = [
        (match.span(), value, _unit_after(text + after, match.end(), value))
        for match, value in numbers
    ]
    small = [one for one in found[1:] if one[2] in _PER_YEAR and one[1]]
    return small[-1] if small and years_of(found[0]) < OLD else found[0]


def years_of(stated: tuple[tuple[int, int], int, str]) -> float:
    """The years of a number and its unit."""
    return stated[1] / _PER_YEAR.get(stated[2], 1)


def age(
    text: str, scope: Scope, *, language: str, over: str, under: str, after: str = ""
) -> tuple[str, str]:
    """(replacement, strategy) of an AGE span, `after` being what follows it.

    90 and over become `90+` (in months `1080+`, and so on), or `89+` where `over` says so; under 90
    they stay, or with the policy's `age_under_90 = "perturb"` move by one or two, the same way for
    all ages of a patient; ages in words likewise.
    """
    told = old_ages.told(text)
    if told is not None:
        old = told >= OLD and over != "keep"
        return (f"{_least(over)}+", "generalise") if old else (text, "keep")
    if not _NUMBER.search(text):
        return _age_in_words(text, scope, language=language, over=over, under=under)
    stated = _stated(text, after)
    (start, end), value, unit = stated
    if years_of(stated) >= OLD:
        if over == "keep":
            return text, "keep"
        least = f"{int(_least(over) * _PER_YEAR.get(unit, 1))}+"
        tail = _ORDINAL.sub("", text[end:], count=1)
        tail = tail[1:] if tail[:1] in {"+", "s"} else tail.removeprefix("'s")
        return f"{_DECADE_PART.sub('', text[:start])}{least}{_exact(tail)}", "generalise"
    if under == "keep":
        return text, "keep"
    made = str(_moved(value, scope, top=OLD - 1 if unit not in _PER_YEAR else 999))
    return text[:start] + made.zfill(_zeros(text[start:end])) + text[end:], "perturb"


_DECADE_PART = linear(rf"(?i)^(?:(?:{_AGES['decade_parts']})[ -]*)+$")
_FRACTION = linear(
    rf"(?i)^(?:[.,]\d+|[ -]?[½⅓⅔¼¾⅛⅜⅝⅞]|[ -]\d[/⁄]\d|(?:[ ]?-[ ]?|[ ](?:to|or|and)[ ])\d{{2,3}}\b"
    rf"|{_AGES['halves']}"
    rf"|[ -](?:{_AGES['odd']}|{_AGES['odd_es']})\b)"
)
_HALF_AT_END = linear(rf"(?i)(?:{_AGES['halves']})$")


def _exact(tail: str) -> str:
    """What follows a generalised age, without what would tell it again ("½", "y medio")."""
    return str(_HALF_AT_END.sub("", _FRACTION.sub("", tail, count=1)))


def _least(over: str) -> int:
    """The years that a surrogate of an old age names: the rule's (164.514(b)(2)(i)(C)) or 89."""
    return int(over.removesuffix("+")) if over[:1].isdecimal() else OLD


def _zeros(raw: str) -> int:
    return len(raw) if raw.startswith("0") else 0


_SEXED = linear(r"^[ \t]?[-/]?[ \t]?(?:[MHW]|m)\b")
_OF_LIFE = linear(r"(?i)^[ \t]?[-/]?[ \t]?[mh][ \t-]*(?:old|of[ ](?:age|life)|de[ ](?:edad|vida))")


_UNIT_FOLLOWS = linear(r"^[\s(-]*\pL")
"""Nothing but blanks parts a number from its unit: in `92, 92M` the first has none."""


def _unit_after(text: str, at: int, value: int) -> str:
    """The word behind a number; `94M` and `94H` are people, not months and hours."""
    after = text[at:]
    if OLD <= value < LONGEST_LIFE and _SEXED.search(after) and not _OF_LIFE.search(after):
        return ""
    return first_key(after) if _UNIT_FOLLOWS.match(after) else ""


def _moved(value: int, scope: Scope, *, top: int) -> int:
    step = (-2, -1, 1, 2)[scope.integer(4, "age")]
    for delta in (step, -step, 1):
        if 1 <= value + delta <= top:
            return value + delta
    return max(value - 1, 0)


def _age_in_words(  # noqa: PLR0911 - each way to write an age in words has its answer
    text: str, scope: Scope, *, language: str, over: str, under: str
) -> tuple[str, str]:
    core = fold(text).strip().replace("-", " ")
    old = _very_old(text, core, language, _least(over))
    if old:
        return (text, "keep") if over == "keep" else (old, "generalise")
    for lang in (language, "es" if language == "en" else "en"):
        for size in range(len(core.split()), 0, -1):
            head = " ".join(core.split()[:size])
            value = number_words.old_ages().get(head) or number_words.values(lang).get(head)
            if value is None:
                continue
            tail = text.strip()[len(head) :] if len(head) < len(text.strip()) else ""
            if value >= OLD:
                if over == "keep":
                    return text, "keep"
                return f"{_least(over)}+{_exact(tail)}", "generalise"
            if under == "keep":
                return text, "keep"
            made = number_words.spell(_moved(value, scope, top=OLD - 1), lang)
            return like_case(text.strip(), first_like(text.strip(), made)) + tail, "perturb"
    band = _BANDS.get(fold(text).strip())
    if band is not None:
        return like_case(text.strip(), first_like(text.strip(), band)), "generalise"
    return "[AGE]", "tag"


def _very_old(text: str, core: str, language: str, least: int) -> str:
    """What stands for a word of great age ("nonagenarian", "ninety-fifth"); nothing for others."""
    if any(w.key in _VERY_OLD for w in words(text)):
        return f"de {least}+ años" if language == "es" else f"{least}+-year-old"
    return f"{least}+" if _OLD_ORDINAL.match(core) or _OLD_DECADE.match(core) else ""


_OLD_DECADE = linear(rf"(?:(?:{_AGES['decade_parts']})[ ]*)*nineties$")
_OLD_ORDINAL = linear(rf"(?:{_AGES['old_ordinals']}|{_AGES['old_ordinals_es']})$")
