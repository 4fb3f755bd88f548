"""Hosts of mail and web addresses: named as the houses are whose they are.

A label that words of a house's name of the note spell ("bayouregional", "mercy-west") becomes what
they become in the text. Any other is a person's of the note ("ellisonfamily"), else it is read as
the name of a house that is written in one word: what the house is stays, its name changes. The
top-level domain and the kind of body before a country's ("nhs.uk", "gob.mx") stay, the domains of
public mail and web hosts too, and words that name an office or a kind of house and nobody.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from stream_deid.lists.lexicon import load_list, load_places, top_level_domains
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.contacts.spellings import KINDS, Spellings, plain
from stream_deid.surrogate.contacts.user_names import OFFICES, of_person, pieces
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.unlisted import unlisted
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.scramble import scramble, scramble_digits
from stream_deid.text.canonical import like_case
from stream_deid.text.folding import fold

_LISTS = Vocabulary("contacts_addresses", "surrogates")

ENDINGS = _LISTS.words("endings")
"""Parts of addresses that name nobody: schemes, top-level domains, kinds of file."""

_FREE_MAIL = _LISTS.words("free_mail")
_WEB_HOSTS = _LISTS.words("web_hosts")
_SECOND_LEVEL = _LISTS.words("second_level")
_LOCALITIES = _LISTS.words("localities")
_US = "US"
_DRAWN_KINDS = tuple(_LISTS.ordered("drawn_kinds"))
_KINDS = sorted(KINDS, key=lambda kind: (-len(kind), kind))
_TOPS = ("com", "net", "org")
_COUNTRY = 2  # letters of a country's top-level domain
_SHORTEST = 3  # letters of a name; fewer are a code
_SPELT = 4  # letters of a label that words of a house's name spell
_ACRONYM = 4  # letters at most
_LONGEST = 24  # letters of a name in one word that is read in a label
_LONGEST_LABEL = 63  # of the net's names
_HOST = re.compile(
    r"(?:[a-z][a-z+.-]*://|www\.)?[^\s/@:]+\.([^\s/@:.]+)(?::\d+)?(?:/.*)?", re.DOTALL
)


@dataclass(frozen=True, slots=True)
class Houses:
    """The houses of a note: `renamed`, from the name of one as written to its surrogate, the same
    in all notes of a patient; `named`, what words of the names spell that the note and its record
    write.
    """

    renamed: Callable[[str], str]
    named: Spellings = field(default_factory=Spellings, repr=False)

    def spelt(self, key: str) -> str:
        """What the words of a house's name become whose letters are `key`, or nothing: within the
        whole name, where what stands around them stays.
        """
        name, said = self.named.of(key)
        if not said:
            return ""
        before, _, behind = name.partition(said)
        made = self.renamed(name)
        stays = made.startswith(before) and made.endswith(behind)
        core = made[len(before) : len(made) - len(behind)] if stays else ""
        return core or self.renamed(said)


def is_host(text: str) -> bool:
    """Whether a text is the address of a host, with or without a path."""
    found = _HOST.fullmatch(text.strip().lower())
    return found is not None and fold(found[1]) in top_level_domains()


def host(text: str, people: People, scope: Scope, houses: Houses, *, mail: bool) -> str:
    """A host name: what names nobody stays, and a public provider's own name (of `mail`, or of
    sites).
    """
    text, colon, port = text.partition(":")
    labels = text.split(".")
    keys = [fold(label) for label in labels]
    own = _own_label(keys)
    made: list[str] = []
    for i, (label, key) in enumerate(zip(labels, keys, strict=True)):
        public = i < len(labels) - 1 and (
            key in _FREE_MAIL if mail else key in OFFICES or (i == own and key in _WEB_HOSTS)
        )
        if i > own or key in ENDINGS or public or (i < own and key in _KINDS):
            made.append(label)
        else:
            made.append(_label(label, people, scope.sub("host"), houses))
    return ".".join(made) + colon + scramble_digits(scope.sub("host"), port)


def _own_label(keys: list[str]) -> int:
    """The place of the label that somebody has registered; under a state of ".us" of the body that
    has it ("hays.k12.ky.us", RFC 1480).
    """
    last = len(keys) - 1
    if not last or keys[last] not in top_level_domains():
        return last
    if (
        last > 1
        and keys[last] == "us"
        and (_US, keys[last - 1].upper()) in load_places().state_names
    ):
        return max(last - 2 - (keys[last - 2] in _LOCALITIES), 0)
    in_country = len(keys[last]) == _COUNTRY and last > 1
    return last - 1 - (in_country and keys[last - 1] in _SECOND_LEVEL)


def drawn(text: str, scope: Scope) -> str:
    """A host that is drawn for `text` and keeps nothing of its form but a leading `www`."""
    own, key = scope.sub("drawn host"), fold(text)
    names = load_list("organizations_en")["single"]
    name = "".join(c for c in fold(names[own.integer(len(names), "name", key)]) if c.isalpha())
    kind = _DRAWN_KINDS[own.integer(len(_DRAWN_KINDS), "kind", key)]
    top = _TOPS[own.integer(len(_TOPS), "top", key)]
    first = "www." if key.startswith("www.") else ""
    return f"{first}{fold(unlisted(own, name))}{kind}.{top}"


def _label(label: str, people: People, scope: Scope, houses: Houses) -> str:
    """A label that words of a house of the note spell, whole, or else its pieces one by one."""
    label = _decoded(label)
    hyphens = label.count("-")
    key = plain(label)
    if hyphens and not any(map(str.isdecimal, label)) and (shown := houses.spelt(key)):
        tied = [plain(word) for word in shown.replace("-", " ").split()]
        made = "-".join(["".join(tied[:-hyphens]), *tied[-hyphens:]]).strip("-")
        if _is_another(made.replace("-", ""), key):
            return like_case(label, made)
    found = pieces(label)
    alone = sum(piece[0].isalpha() for piece in found) == 1
    return "".join(_piece(piece, people, scope, houses, alone=alone) for piece in found)


def _decoded(label: str) -> str:
    """A label with the letters that `xn--` writes in plain ones."""
    try:
        return label.encode("ascii").decode("idna") if label[:4].lower() == "xn--" else label
    except UnicodeError:
        return label


def _piece(piece: str, people: People, scope: Scope, houses: Houses, *, alone: bool) -> str:
    key = fold(piece)
    if not piece[0].isalpha():
        return scramble_digits(scope, piece) if piece[0].isdecimal() else piece
    if key in _KINDS and not alone:
        return piece
    if len(piece) < _SHORTEST or not key.isascii():
        return scramble(scope, piece)
    made = plain(houses.spelt(key)) if len(key) >= _SPELT else ""
    if _is_another(made, key):
        return like_case(piece, made)
    return of_person(people, piece) or like_case(piece, _as_house(key, scope, houses))


def _as_house(key: str, scope: Scope, houses: Houses) -> str:
    """A label that is read as the name of a house."""
    before, name, behind = _read(key)
    said = name.upper() if len(name) <= _ACRONYM else name.capitalize()
    made = plain(houses.renamed(" ".join([*before, said, *behind])))
    if not _is_another(made, name, _LONGEST):
        return "".join([*before, fold(unlisted(scope, name)), *behind])
    return made


def _is_another(made: str, name: str, longest: int = _LONGEST_LABEL) -> bool:
    return 0 < len(made) <= longest and name not in made


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
