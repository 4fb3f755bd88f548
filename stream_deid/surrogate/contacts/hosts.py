"""Hosts of mail and web addresses: named as the houses are whose they are.

A label is read as the name of a house that is written in one word ("bayouregional"): what it is
stays, its name becomes what that of the house becomes in the text ("Bayou Regional"). The top-level
domain stays, the domain of a public mail provider too, and words that name an office and nobody.
"""

from __future__ import annotations

from collections.abc import Callable

from stream_deid.lists.lexicon import load_list, top_level_domains
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.contacts.user_names import OFFICES, pieces
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.unlisted import unlisted
from stream_deid.surrogate.scramble import scramble, scramble_digits
from stream_deid.text.canonical import like_case
from stream_deid.text.folding import fold

_LISTS = Vocabulary("contacts_addresses", "surrogates")

ENDINGS = _LISTS.words("endings")
"""Parts of addresses that name nobody: schemes, top-level domains, kinds of file."""

_FREE_MAIL = _LISTS.words("free_mail")
_DRAWN_KINDS = tuple(_LISTS.ordered("drawn_kinds"))
_KINDS = sorted(_LISTS.words("kinds"), key=lambda kind: (-len(kind), kind))
_TOPS = ("com", "net", "org")
_SHORTEST = 3  # letters of a name; fewer are a code
_ACRONYM = 4  # letters at most
_LONGEST = 24  # letters of a name in one word

House = Callable[[str], str]
"""From the name of a house as written to its surrogate, the same in all notes of a patient."""


def host(text: str, scope: Scope, house: House, *, mail: bool) -> str:
    """A host name: its top-level domain stays, and (in `mail`) a public provider's own name."""
    text, colon, port = text.partition(":")
    labels = text.split(".")
    made: list[str] = []
    for i, label in enumerate(labels):
        key = fold(label)
        top = i == len(labels) - 1 > 0 and key in top_level_domains()
        public = key in _FREE_MAIL if mail else key in OFFICES
        if top or key in ENDINGS or (public and i < len(labels) - 1):
            made.append(label)
        else:
            made.append("".join(_piece(piece, scope.sub("host"), house) for piece in pieces(label)))
    return ".".join(made) + colon + scramble_digits(scope.sub("host"), port)


def drawn(text: str, scope: Scope) -> str:
    """A host that is drawn for `text` and keeps nothing of its form but a leading `www`."""
    own, key = scope.sub("drawn host"), fold(text)
    names = load_list("organizations_en")["single"]
    name = "".join(c for c in fold(names[own.integer(len(names), "name", key)]) if c.isalpha())
    kind = _DRAWN_KINDS[own.integer(len(_DRAWN_KINDS), "kind", key)]
    top = _TOPS[own.integer(len(_TOPS), "top", key)]
    first = "www." if key.startswith("www.") else ""
    return f"{first}{fold(unlisted(own, name))}{kind}.{top}"


def _piece(piece: str, scope: Scope, house: House) -> str:
    if not piece[0].isalpha():
        return scramble_digits(scope, piece) if piece[0].isdecimal() else piece
    key = fold(piece)
    if len(piece) < _SHORTEST or not key.isascii():
        return scramble(scope, piece)
    before, name, behind = _read(key)
    said = name.upper() if len(name) <= _ACRONYM else name.capitalize()
    made = _in_one_word(house(" ".join([*before, said, *behind])))
    if not made or name in made or len(made) > _LONGEST:
        made = "".join([*before, fold(unlisted(scope, name)), *behind])
    return like_case(piece, made)


def _read(key: str) -> tuple[list[str], str, list[str]]:
    """The name of a label, and the words before and behind it that say what the house is."""
    before: list[str] = []
    behind: list[str] = []
    while kind := next((k for k in _KINDS if _fits(key, k) and key.endswith(k)), ""):
        behind.insert(0, kind.capitalize())
        key = key.removesuffix(kind)
    while kind := next((k for k in _KINDS if _fits(key, k) and key.startswith(k)), ""):
        before.append(kind.capitalize())
        key = key.removeprefix(kind)
    return before, key, behind


def _fits(key: str, kind: str) -> bool:
    return len(key) >= len(kind) + _SHORTEST


def _in_one_word(name: str) -> str:
    return "".join(char for char in fold(name).lower() if char.isascii() and char.isalpha())
