"""E-mail addresses, web addresses, user names and IP addresses.

User names, local parts and paths follow the names of the note (`user_names`). The top-level domain
stays, the domain of a public mail provider too, and words that name an office and nobody (`info`,
`citas`); other letters are replaced by invented words of the same shape, digits by digits.
"""

from __future__ import annotations

from stream_deid.lists.lexicon import load_list, top_level_domains
from stream_deid.lists.vocabulary import Vocabulary
from stream_deid.surrogate.contacts.user_names import OFFICES, handle, pieces, word
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.unlisted import unlisted
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.scramble import scramble, scramble_digits
from stream_deid.text.canonical import like_case
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_LISTS = Vocabulary("contacts_addresses", "surrogates")

_FREE_MAIL = _LISTS.words("free_mail")
_ENDINGS = _LISTS.words("endings")
_KINDS = tuple(_LISTS.ordered("kinds"))
_TOPS = ("com", "net", "org")
_IPV4 = linear(r"\d{1,3}(?:\.\d{1,3}){3}")


def _host(text: str, scope: Scope, *, mail: bool) -> str:
    """A host name: its top-level domain stays, and (in `mail`) a public provider's own name."""
    labels = text.split(".")
    made: list[str] = []
    for i, label in enumerate(labels):
        key = fold(label)
        top = i == len(labels) - 1 > 0 and key in top_level_domains()
        public = key in _FREE_MAIL if mail else key in OFFICES
        if top or key in _ENDINGS or (public and i < len(labels) - 1):
            made.append(label)
        else:
            made.append("".join(_host_piece(piece, scope) for piece in pieces(label)))
    return ".".join(made)


def _host_piece(piece: str, scope: Scope) -> str:
    if piece[0].isalpha():
        if len(piece) < 3 or not fold(piece).isascii():
            return scramble(scope.sub("host"), piece)
        key = fold(piece)
        kind = next((k for k in _KINDS if key.endswith(k) and len(key) >= len(k) + 4), "")
        stem = key.removesuffix(kind)
        return like_case(piece, fold(unlisted(scope.sub("host"), stem)) + kind)
    return scramble_digits(scope.sub("host"), piece) if piece[0].isdecimal() else piece


def _drawn_host(text: str, scope: Scope) -> str:
    """A host that is drawn for `text` and keeps nothing of its form but a leading `www`."""
    drawn, key = scope.sub("drawn host"), fold(text)
    names = load_list("organizations_en")["single"]
    name = "".join(c for c in fold(names[drawn.integer(len(names), "name", key)]) if c.isalpha())
    kind = _KINDS[drawn.integer(len(_KINDS), "kind", key)]
    top = _TOPS[drawn.integer(len(_TOPS), "top", key)]
    first = "www." if key.startswith("www.") else ""
    return f"{first}{fold(unlisted(drawn, name))}{kind}.{top}"


def email(people: People, text: str, scope: Scope, *, drawn: bool = False) -> str:
    """The surrogate of an e-mail address; its host keeps its form, or is `drawn`."""
    local, at, host = text.rpartition("@")
    if not at:
        return handle(people, text, scope)
    made = _drawn_host(host, scope) if drawn else _host(host, scope, mail=True)
    return handle(people, local, scope) + at + made


def url(people: People, text: str, scope: Scope, *, drawn: bool = False) -> str:
    """The surrogate of a web address: scheme and top domain kept, all else replaced; or its host
    `drawn`.
    """
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "", text
    host, slash, path = rest.partition("/")
    made: list[str] = []
    for piece in pieces(path):
        if fold(piece) in _ENDINGS or not piece[0].isalnum():
            made.append(piece)
        elif piece[0].isalpha():
            made.append(word(people, piece, scope))
        else:
            made.append(scramble_digits(scope.sub("path"), piece))
    shown = _drawn_host(host, scope) if drawn else _host(host, scope, mail=False)
    return scheme + mark + shown + slash + "".join(made)


def ip_address(_people: People, text: str, scope: Scope) -> str:
    """Octets for octets; other notations (IPv6, MAC) by pattern of hexadecimal digits."""
    match = _IPV4.search(text)
    if match is None:
        return _hexadecimal(text, scope)
    octets = match.group().split(".")
    value = 0
    for octet in octets:
        value = value * 254 + max(min(int(octet), 254), 1) - 1
    value = scope.sub("ip").cycle(254**4, value)
    made: list[str] = []
    for _ in octets:
        value, octet_value = divmod(value, 254)
        made.append(str(octet_value + 1))
    return text[: match.start()] + ".".join(made[::-1]) + text[match.end() :]


def _hexadecimal(text: str, scope: Scope) -> str:
    places = [i for i, c in enumerate(text) if c in "0123456789abcdefABCDEF"]
    if not places:
        return scramble(scope.sub("ip"), text)
    value = 0
    for i in places:
        value = value * 16 + int(text[i], 16)
    value = scope.sub("hex", len(places)).cycle(16 ** len(places), value)
    made = f"{value:0{len(places)}x}"
    letters = list(text)
    upper = any(c in "ABCDEF" for c in text)
    for i, char in zip(places, made, strict=True):
        letters[i] = char.upper() if upper else char
    return "".join(letters)
