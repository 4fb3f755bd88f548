"""Words for sex: what a record or a note calls it, and what stands in their place."""

from __future__ import annotations

from types import MappingProxyType

from stream_deid.lists.vocabulary import rows
from stream_deid.text.folding import fold

_TABLE = {word: (sex, neutral, said) for word, sex, neutral, *said in rows("sexes")[1]}
NEUTRAL = MappingProxyType({word: new for word, (_, new, _) in _TABLE.items() if new != "-"})
"""What a word for sex becomes where sex is hidden."""
TOLD_NONE = frozenset(word for word, (sex, new, _) in _TABLE.items() if (sex, new) == ("-", "-"))
"""What stands in a field of sex and tells none."""
FEMALE = frozenset(word for word, (sex, *_) in _TABLE.items() if sex == "F")


_LONGEST_LETTERS = 4
_LONG = tuple(word for word in _TABLE if len(word) > _LONGEST_LETTERS)


def _is_said(word: str, where: str) -> bool:
    return where in "".join(_TABLE[word][2]).split("|")


def words_said(where: str) -> str:
    """An expression of the words that are said in a place (`field`, `behind`, `before`)."""
    return "|".join(word for word in _TABLE if _is_said(word, where))


def sex_of(value: str) -> str:
    """`F` or `M`, as a field of a record says it; else nothing."""
    word = fold(value).strip()
    return _TABLE[word][0] if word in _TABLE and _is_said(word, "record") else ""


def is_word_for_sex(word: str) -> bool:
    """Whether a folded word or letter says a sex, in a record or a text, or holds such a word."""
    return word in _TABLE or any(one in word for one in _LONG)
