"""What organisations are: the words that say it, and words that say the same.

Words of kind (hospital, pharmacy, centro de salud) and those between them name nobody and stay.
A name of such words only gets a name among them; so that it isn't still there as it was, a word
that tells least is left out, or the noun becomes another one of the same kind.
"""

from __future__ import annotations

from collections.abc import Sequence
from collections.abc import Set as AbstractSet

from stream_deid.lists.kinds_of_organizations import KIND_WORDS, KINDS
from stream_deid.lists.lexicon import load_places
from stream_deid.lists.titles import affixes
from stream_deid.text.canonical import Word
from stream_deid.text.folding import fold

LEAST = KINDS.words("least")
"""Words of kind that a name may lose and be of the same kind still."""

SAME_KIND = {code: KINDS.table(f"same_kind_{code}") for code in ("en", "es")}
"""By language, for a noun of kind (or a phrase) another one that does not hold it."""

JOINTS = affixes("joint", "particle")

_TELLING = KIND_WORDS - JOINTS - affixes("article", "particle")
_OPENING = affixes("article", "particle") | {"san", "santa"}
_LONGEST_TOWN = 4  # words


def same_kind(text: str, tokens: Sequence[Word], language: str) -> str:
    """The kind that `text` (words of kind only, `tokens`) states, in other words.

    A phrase becomes another one, else a word that tells least is left out, else the noun (last in
    English, first in Spanish) becomes another one.
    """
    others = SAME_KIND[language]
    phrase = others.get(" ".join(word.key for word in tokens))
    if phrase is not None:
        return _styled(text.strip(), phrase, language)
    if len(tokens) < 2:
        return _styled(text.strip(), "centro" if language == "es" else "center", language)
    inner = _inner(tokens)
    rest = _without_least(text, inner)
    if rest:
        return rest
    first, last = inner[0], inner[-1]
    noun = first if language == "es" else last
    other = others.get(noun.key)
    if other is None:
        return text[: first.end] if language == "es" else text[last.start :]
    return text[first.start : noun.start] + _styled(noun.text, other, language) + text[noun.end :]


def opening_phrase(tokens: Sequence[Word], language: str) -> int:
    """How many words of a listed phrase of kind (`centro de salud`) a longer name begins with."""
    keys = [word.key for word in tokens]
    sizes = [len(phrase.split()) for phrase in SAME_KIND[language] if " " in phrase
             and phrase.split() == keys[: len(phrase.split())]]  # fmt: skip
    return max((size for size in sizes if size < len(keys)), default=0)


def town_at(
    text: str, tokens: Sequence[Word], real: AbstractSet[str], language: str
) -> tuple[int, int] | None:
    """Where a town of several words stands: the note's own (`real`, folded), or a listed one of
    whose name a word says what places are ("Hyde Park General"), or in English is a Spanish article
    or saint ("El Paso Clinic").
    """
    kinds = [word.key in _TELLING for word in tokens]
    opens = [language != "es" and word.key in _OPENING for word in tokens]
    for size in range(min(_LONGEST_TOWN, len(tokens)), 1, -1):
        for at in range(len(tokens) - size + 1):
            own = [any(opens[at : at + size]), *kinds[at : at + size]]
            start, end = tokens[at].start, tokens[at + size - 1].end
            named = fold(text[start:end])
            listed = any(own) and not all(own[1:]) and named in load_places().named
            if listed or named in real:
                return start, end
    return None


def _inner(tokens: Sequence[Word]) -> Sequence[Word]:
    """The words without joints at the edges; all of them where there are only joints."""
    kept = [i for i, word in enumerate(tokens) if word.key not in JOINTS]
    return tokens[kept[0] : kept[-1] + 1] if kept else tokens


def _without_least(text: str, tokens: Sequence[Word]) -> str:
    """`text` without the first of its words that tells least, or nothing where all or none tell."""
    least = next((i for i, word in enumerate(tokens) if word.key in LEAST), -1)
    telling = any(w.key not in LEAST and w.key not in JOINTS for w in tokens)
    if least < 0 or not telling:
        return ""
    if least == len(tokens) - 1:
        return text[tokens[0].start : tokens[least - 1].end]
    if least == 0:
        after = _inner(tokens[1:])
        return text[after[0].start : after[-1].end]
    return text[tokens[0].start : tokens[least].start] + text[tokens[least + 1].start :].rstrip()


def _styled(model: str, value: str, language: str) -> str:
    """`value` in the case of `model`: all capitals, capitals at the beginning of words, or none."""
    if model.isupper():
        return value.upper()
    if not model[:1].isupper():
        return value
    if language == "es":
        return value[:1].upper() + value[1:]
    return " ".join(word.capitalize() for word in value.split())
