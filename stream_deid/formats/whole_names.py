"""A field that holds the whole of a person's name, and more: which of its words are the name.

`RN Sunniva`, `Niece Leocadia`, `Baby Girl Ravenscroft`, `Wen-Ling Tsai, PhD, FACMG`. A post, a
kinship, a credential names nobody: it stays, and is not looked for in the text, where a nurse, a
niece and a "med list" are what they are. Titles (`Dr. Thistlewood`) belong to the name: surrogates
know what to do with them.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

from stream_deid.lists.newborns import LONGEST, NEWBORNS
from stream_deid.lists.people import is_listed_name
from stream_deid.lists.titles import affixes
from stream_deid.lists.vocabulary import Vocabulary, ordinary
from stream_deid.text.folding import fold

_LONGEST = 200
_WORD = re.compile(r"[^\W_]+(?:[.'’-]+[^\W_]+)*\.?")
_APART = re.compile(r"[,;/()\[\]–—]|\s-|-\s")
_SIGN = re.compile(r"[A-Z]{3,6}(?:-[A-Z]{1,3})?")
_BESIDE_A_NAME = ("name", "hl7", "fhir", "record")


@dataclass(frozen=True, slots=True)
class _Word:
    start: int
    end: int
    raw: str
    key: str


def name_within(value: str) -> tuple[int, int]:
    """`[start, end)` of the name in a whole value; empty where it has words beside a name alone."""
    words = _words(value)
    if not words or len(value) > _LONGEST:
        return 0, len(value)
    if _only_posts(words):
        return 0, 0
    first, last = _opening(words, value), _closing(words, value)
    if first >= len(words) or last < first:
        return 0, len(value)
    if first == 0 and last == len(words) - 1:
        return 0, len(value)
    return words[first].start, words[last].end


def name_of(value: str) -> str:
    """The name in a whole value, "" where there is none."""
    start, end = name_within(value)
    return value[start:end]


def _words(value: str) -> list[_Word]:
    return [
        _Word(*m.span(), m.group(), fold(m.group()).lower().replace(".", "").replace("'", ""))
        for m in _WORD.finditer(value)
    ]


def _only_posts(words: list[_Word]) -> bool:
    """Whether posts or kin are all that a value says ("night nurse", "resident on call")."""
    return any(_is_post(words, at, "") for at in range(len(words))) and all(
        _is_said(word.key) for word in words
    )


def _opening(words: list[_Word], value: str) -> int:
    """Where the name begins: behind posts, kin, newborns; before titles that lead to it."""
    at = first = _newborn(words)
    while at < len(words):
        word = words[at]
        if _is_post(words, at, value) or _is_small(words, at) or _leads(words, at, value):
            first = at + 1
        elif not _is_title(word):
            break
        at += 1
    return first


def _is_post(words: list[_Word], at: int, value: str) -> bool:
    """Whether a word is a post or a kinship, or qualifies one behind it; a name before a comma is
    none, nor is a kinship that people bear in capitals (Nieto).
    """
    word = words[at]
    if value[word.end :].lstrip().startswith(","):
        return False
    if word.key in _list("posts"):
        return True
    if word.key in _list("kin") and (word.raw.islower() or not is_listed_name(word.raw)):
        return True
    return word.key in _list("beside") and at + 1 < len(words) and _is_post(words, at + 1, value)


def _is_small(words: list[_Word], at: int) -> bool:
    """Whether a word in small letters stands before capitals, and is one of any text."""
    word = words[at]
    return (
        word.raw.islower()
        and word.key in ordinary()
        and not is_listed_name(word.raw)
        and any(later.raw[0].isupper() for later in words[at + 1 :])
    )


def _leads(words: list[_Word], at: int, value: str) -> bool:
    """Whether a credential stands before a name in other letters (`RN Sunniva`)."""
    word = words[at]
    return (
        _is_credential(word)
        and _written_as_one(word)
        and not is_listed_name(word.raw)
        and any(later.raw[1:].islower() for later in words[at + 1 :])
        and "," not in value[: word.end]
    )


def _newborn(words: list[_Word]) -> int:
    """How many words at the start say that somebody has no name yet."""
    for count in range(min(LONGEST, len(words) - 1), 0, -1):
        if " ".join(word.key for word in words[:count]) in NEWBORNS:
            return count
    return 0


def _closing(words: list[_Word], value: str) -> int:
    """The last word of the name: before credentials, and before what stands apart from it."""
    last = len(words) - 1
    for at in range(last, 0, -1):
        between = value[words[at - 1].end : words[at].start]
        if (
            _ends(words[at], between)
            or (_is_said(words[at].key) and _stands_apart(words, at, value))
            or (not value.isupper() and _is_sign(words, at, between))
        ):
            last = at - 1
        elif not _is_said(words[at].key):
            break
    return last


def _ends(word: _Word, between: str) -> bool:
    """Whether a credential is none of the names, by its letters or by what parts it from them."""
    return _is_credential(word) and (_written_as_one(word) or bool(_APART.search(between)))


def _is_sign(words: list[_Word], at: int, between: str) -> bool:
    """Whether capitals that are no name follow a credential, or a comma behind two words."""
    raw = words[at].raw
    return (
        _SIGN.fullmatch(raw) is not None
        and not is_listed_name(raw)
        and (_is_credential(words[at - 1]) or ("," in between and at > 1))
    )


def _stands_apart(words: list[_Word], at: int, value: str) -> bool:
    """Whether something parts a word, or a run of posts that it ends, from the name."""
    while at > 0:
        if _APART.search(value[words[at - 1].end : words[at].start]):
            return True
        if not _is_said(words[at - 1].key):
            return False
        at -= 1
    return False


def _is_said(key: str) -> bool:
    return key in _list("posts") or key in _list("kin") or key in _list("beside")


def _is_credential(word: _Word) -> bool:
    return word.key in _credentials() and (word.raw[0].isupper() or "." in word.raw)


def _written_as_one(word: _Word) -> bool:
    """Whether a credential has more than one capital (`RN`, `PhD`, `M.D.`), or is nobody's name."""
    return sum(c.isupper() for c in word.raw) > 1


def _is_title(word: _Word) -> bool:
    return word.key in _titles()


@cache
def _list(name: str) -> frozenset[str]:
    return Vocabulary("posts", "", __package__).words(name)


@cache
def _credentials() -> frozenset[str]:
    return frozenset().union(*(affixes(who, "credential") for who in _BESIDE_A_NAME))


@cache
def _titles() -> frozenset[str]:
    return frozenset().union(*(affixes(who, "title") for who in _BESIDE_A_NAME))
