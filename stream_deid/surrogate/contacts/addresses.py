"""E-mail addresses, web addresses, user names and IP addresses.

User names, local parts and paths follow the names of the note (`user_names`), hosts the names of
houses (`hosts`). Words that name an office and nobody stay (`info`, `citas`), digits become digits.
"""

from __future__ import annotations

from stream_deid.surrogate.contacts import hosts
from stream_deid.surrogate.contacts.user_names import handle, pieces, word
from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.people import People
from stream_deid.surrogate.scramble import scramble, scramble_digits
from stream_deid.text.folding import fold
from stream_deid.text.linear import linear

_MAIL = linear(r"[^\s/@]+@[^\s/@]+")
_IPV4 = linear(r"\d{1,3}(?:\.\d{1,3}){3}")


def email(
    people: People, text: str, scope: Scope, houses: hosts.Houses, *, drawn: bool = False
) -> str:
    """The surrogate of an e-mail address; its host keeps its form, or is `drawn`."""
    local, at, host = text.rpartition("@")
    if not at and hosts.is_host(text):
        return url(people, text, scope, houses, drawn=drawn)  # whatever a model takes it for
    if not at:
        return handle(people, text, scope)
    made = hosts.drawn(host, scope) if drawn else hosts.host(host, people, scope, houses, mail=True)
    return handle(people, local, scope) + at + made


def url(
    people: People, text: str, scope: Scope, houses: hosts.Houses, *, drawn: bool = False
) -> str:
    """The surrogate of a web address: scheme and top domain kept, all else replaced; or its host
    `drawn`.
    """
    if "@" in text and _MAIL.fullmatch(text):
        return email(people, text, scope, houses, drawn=drawn)
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "", text
    host, slash, path = rest.partition("/")
    made: list[str] = []
    for piece in pieces(path):
        if fold(piece) in hosts.ENDINGS or not piece[0].isalnum():
            made.append(piece)
        elif piece[0].isalpha():
            made.append(word(people, piece, scope))
        else:
            made.append(scramble_digits(scope.sub("path"), piece))
    shown = (
        hosts.drawn(host, scope) if drawn else hosts.host(host, people, scope, houses, mail=False)
    )
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
