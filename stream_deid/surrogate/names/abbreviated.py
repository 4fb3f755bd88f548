"""Spanish names written short (`Mª`, `M.ª`, `Fco.`, `Hdez.`), read as what they are short for.

The surrogate is that of the whole name, so it agrees with where the name is written out, and stands
whole: of most names no short form is known that would tell nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stream_deid.lists.short_names import FULL, SIGNED
from stream_deid.text.canonical import Word, canonical

_RAISED = frozenset("ªº")


def written_out(text: str, tokens: Sequence[Word]) -> tuple[Word, ...]:
    """The words of a name with the keys of what they are short for; `Ma` needs its sign or dot, and
    is one word with a raised letter behind its dot (`M.ª`, `Ant.º`).
    """
    whole = _with_raised(text, tokens)
    return tuple(replace(w, key=FULL[canonical(w.text)]) if is_short(text, w) else w for w in whole)


def _with_raised(text: str, tokens: Sequence[Word]) -> Sequence[Word]:
    if _RAISED.isdisjoint(text):
        return tokens
    whole: list[Word] = []
    for word in tokens:
        raised = word.text in _RAISED and text[word.start - 1 : word.start] == "."
        if whole and raised and whole[-1].end == word.start - 1:
            shown = text[whole[-1].start : word.end]
            if canonical(shown) in FULL:
                whole[-1] = Word(whole[-1].start, word.end, shown, canonical(shown))
                continue
        whole.append(word)
    return whole


def is_short(text: str, word: Word) -> bool:
    """Whether a word of a name is a short form of another."""
    key = canonical(word.text)
    signed = word.text[-1] in _RAISED or _dotted(text, word)
    return key in FULL and (signed or key not in SIGNED)


def rest(text: str, word: Word) -> int:
    """Where what stands behind a word of a name goes on: behind the dot of a short form."""
    return word.end + (is_short(text, word) and _dotted(text, word))


def model(word: Word, tokens: Sequence[Word]) -> str:
    """What the surrogate of a word is written like: of one with a raised letter (`Mª`, `M.ª`) like
    the words beside it.
    """
    if word.text[-1] not in _RAISED:
        return word.text
    return next((one.text for one in tokens if one is not word and len(one.key) > 1), word.text)


def _dotted(text: str, word: Word) -> bool:
    return text[word.end : word.end + 1] == "."
