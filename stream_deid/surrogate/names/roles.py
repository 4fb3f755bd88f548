"""Which words of a name are given names and which surnames, by where they stand.

| written | given | surname |
|---|---|---|
| a structured field that says so | | |
| `Rosibel Ann Cruz` | all but the last | last |
| `CRUZ, ROSIBEL M`, `CRUZ^ROSIBEL` | behind the comma or caret | before it |
| `Mr. Cruz`, `Dr. Cruz`, `J. Cruz` | | the one word |
| `don Ramón` in Spanish | the one word | |
| `su esposa Oliva`, a relative of one word in Spanish | the one word | |

Words that a hyphen joins are one. Spanish surnames stand alone in twos and first in lists, so
there the order must be told by a word that is or sounds like a given name. One word alone tells
nothing. The votes of all names of a note are counted (`people`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from stream_deid.lists.lexicon import load_names
from stream_deid.lists.titles import affixes
from stream_deid.surrogate.names.affixes import TITLES
from stream_deid.surrogate.names.choosing.sound import sounds_given
from stream_deid.text.canonical import Word, words

_FIELDS = {"given": 1, "middle": 1, "nickname": 1, "family": -1}
_OF_KIN = frozenset({"kin", "relative"})
_MARKS = frozenset(",^")
_BEFORE_GIVEN = affixes("given", "title")
_BEFORE_EITHER = affixes("either", "title")


def votes(
    text: str, parts: Sequence[Word], language: str, role: str = ""
) -> Iterator[tuple[str, int]]:
    """(canonical word, 1 for a given name or -1 for a surname) of what place or `role` tells.

    `parts`: the identifying words of `text`; `role`: what its structured field says it holds, or
    `kin` for names among nouns of kinship, which tell nothing, `relative` for those of relatives,
    who are called by a given name where one word is all (Spanish).
    """
    if role in _FIELDS:
        yield from ((w.key, _FIELDS[role]) for w in parts)
        return
    units = _units(text, parts)
    if role in _OF_KIN and language == "es" and len(units) == 1 and parts[0] is units[0][0]:
        yield from ((w.key, 1) for w in units[0])
        return
    if role == "kin":
        return
    behind = _behind_mark(text, units)
    if behind:
        yield from ((w.key, 1 if i >= behind else -1) for i, u in enumerate(units) for w in u)
    elif len(units) == 1:
        vote = _alone(text, parts, units[0], language)
        yield from ((w.key, vote) for w in units[0] if vote)
    elif units:
        order = _spanish_order(units) if language == "es" else -1 if _turned(units) else 1
        yield from ((w.key, order) for w in units[0] if order)
        yield from ((w.key, -order) for w in units[-1] if order)
        middle = units[1:-1] if order == 1 and language != "es" else []
        yield from ((w.key, 1) for unit in middle for w in unit)


def _units(text: str, parts: Sequence[Word]) -> list[list[Word]]:
    """The words, with those that hyphens join together; without initials."""
    units: list[list[Word]] = []
    end = -1
    for word in parts:
        if end >= 0 and text[end : word.start] == "-":
            units[-1].append(word)
        else:
            units.append([word])
        end = word.end
    return [unit for unit in units if len(unit) > 1 or len(unit[0].key) > 1]


def _behind_mark(text: str, units: Sequence[Sequence[Word]]) -> int:
    """The first unit behind a comma or caret, 0 where there is none or nothing behind it."""
    ends = [unit[-1].end for unit in units]
    return next(
        (
            i
            for i, unit in enumerate(units)
            if i and not _MARKS.isdisjoint(text[ends[i - 1] : unit[0].start])
        ),
        0,
    )


def _turned(units: Sequence[Sequence[Word]]) -> bool:
    """Whether the surname stands first: alone in capitals (`KHALIL Farida`), or with a listed
    given name last of two in capitals.
    """
    first, last = units[0][0], units[-1][-1]
    if not first.text.isupper():
        return False
    if not last.text.isupper():
        return True
    label = load_names().label
    turned = label(last.key).startswith("given") and label(first.key)[:4] not in {"give", "both"}
    return turned and len(units) == 2


def _spanish_order(units: Sequence[Sequence[Word]]) -> int:
    """1 where the given name stands first, -1 where it stands last, 0 where that is open.

    A listed given name tells, then the sound, then that lists of surnames first are in capitals.
    """
    keys = (units[0][0].key, units[-1][0].key)
    labels = [load_names().label(key) for key in keys]
    first, last = (label.startswith("given") for label in labels)
    if not (first or last):
        unlisted = zip(keys, labels, strict=True)
        first, last = (not label and sounds_given(key, "spanish") for key, label in unlisted)
    if not (first or last) and len(units) > 2 and not labels[0]:
        return int(not units[0][0].text.isupper())
    return first - last


def _alone(text: str, parts: Sequence[Word], unit: Sequence[Word], language: str) -> int:
    """The vote of a word without others, by the title or initial before it; 0 where none is."""
    if parts[0] is not unit[0]:
        return -1
    before = next((w.key for w in words(text) if w.start < parts[0].start), "")
    if before in _BEFORE_GIVEN and language == "es":
        return 1
    return -1 if before in TITLES - _BEFORE_EITHER - _BEFORE_GIVEN else 0
