"""E-mail addresses, web addresses, user names and IP addresses.

Pieces that spell a name of the note (whole, or an initial and a name) follow the surrogate of
that name. The top-level domain stays, the domain of a public mail provider too, and words that
name an office and nobody (`info`, `citas`); other letters are replaced by invented words of the
same shape, digits by digits.
"""

from __future__ import annotations

import re

import re2

from stream_deid.surrogate.canonical import fold, like_case, listed
from stream_deid.surrogate.derive import Scope
from stream_deid.surrogate.names import surrogate
from stream_deid.surrogate.numbers import scramble, scramble_digits
from stream_deid.surrogate.people import People
from stream_deid.surrogate.unlisted import unlisted

_PIECE = re2.compile(r"\pL+|\d+|[^\pL\d]+")
_ASCII_PIECE = re.compile("[A-Za-z]+|[0-9]+|[^A-Za-z0-9]+")
_FREE_MAIL = frozenset(
    listed(
        """
    gmail googlemail yahoo ymail hotmail outlook icloud me aol msn live comcast verizon protonmail
    proton gmx att sbcglobal bellsouth cox terra telefonica wanadoo movistar ono orange"""
    )
)
_ENDINGS = frozenset(
    listed(
        """
    com org net edu gov mil int info biz us uk es mx ar cl co pe ve ec gt bo cu ca au ie nz de fr
    it pt cat eus gal gob www http https ftp mailto html htm php asp aspx pdf index"""
    )
)
_OFFICES = frozenset(
    listed(
        """
    info contact admin office billing appointments scheduling support help helpdesk noreply reply
    no records results intake referrals claims portal patient patients login forms orders research
    view share visit mail mychart contacto citas cita consulta consultas secretaria recepcion
    urgencias unidad laboratorio lab archivo correo resultados paciente pacientes servicio
    administracion atencion autorizaciones reclamos farmacia nurse clinic"""
    )
)
_TOP_LEVEL = 12
_IPV4 = re2.compile(r"\d{1,3}(?:\.\d{1,3}){3}")


def _pieces(text: str) -> list[str]:
    """Runs of letters, of digits and of all else."""
    if text.isascii():
        return _ASCII_PIECE.findall(text)
    return [match.group() for match in _PIECE.finditer(text)]


def _spelled(people: People, piece: str) -> str | None:
    """`piece` as surrogates where it spells names of the note: smith, jsmith, smithj, johnsmith."""
    key = fold(piece)
    if key in people.seen:
        return _plain(people.part(key))
    for name in people.order:
        if len(name) < 3 or name not in key:
            continue
        before, _, after = key.partition(name)
        if len(before) <= 2 and len(after) <= 2:
            made = _plain(people.part(name))
            return _few(people, before, name) + made + _few(people, after, name)
        for rest, first in ((before, False), (after, True)):
            if rest in people.seen and rest + name in {key, rest + name} and not (before and after):
                pair = (_plain(people.part(name)), _plain(people.part(rest)))
                return "".join(pair if first else pair[::-1])
    for size in (5, 4, 3):
        for name in people.order:
            if len(name) > size and key.startswith(name[:size]) and len(key) - size <= 2:
                return _plain(people.part(name))[:size] + _few(people, key[size:], name)
    return None


def _few(people: People, letters: str, beside: str) -> str:
    return "".join(people.initial(c, [beside]) for c in letters)


def _plain(value: str) -> str:
    return "".join(c for c in fold(value) if c.isalnum())


def _word(people: People, piece: str, scope: Scope) -> str:
    made = _spelled(people, piece)
    if made is None and fold(piece) in _OFFICES:
        return piece
    if made is None:
        key = fold(piece)
        short = len(key) < 4 or not key.isascii()
        if short:
            return scramble(scope.sub("handle"), piece)
        made = _plain(surrogate(people.scope, key, 0, people.home))
    return like_case(piece, made) if piece.isupper() or piece.islower() else made.capitalize()


def handle(people: People, text: str, scope: Scope) -> str:
    """The surrogate of a user name or the local part of an address."""
    pieces: list[str] = []
    for piece in _pieces(text):
        if piece[0].isalpha():
            pieces.append(_word(people, piece, scope))
        elif piece[0].isdecimal():
            pieces.append(scramble_digits(scope.sub("handle"), piece))
        else:
            pieces.append(piece)
    return "".join(pieces)


def _host(text: str, scope: Scope, *, mail: bool) -> str:
    """A host name: its top-level domain stays, and (in `mail`) a public provider's own name."""
    labels = text.split(".")
    made: list[str] = []
    for i, label in enumerate(labels):
        key = fold(label)
        top = i == len(labels) - 1 > 0 and label.isalpha() and len(label) <= _TOP_LEVEL
        public = key in _FREE_MAIL if mail else key in _OFFICES
        if top or key in _ENDINGS or (public and i < len(labels) - 1):
            made.append(label)
        else:
            made.append("".join(_host_piece(piece, scope) for piece in _pieces(label)))
    return ".".join(made)


def _host_piece(piece: str, scope: Scope) -> str:
    if piece[0].isalpha():
        if len(piece) < 3 or not fold(piece).isascii():
            return scramble(scope.sub("host"), piece)
        return like_case(piece, fold(unlisted(scope.sub("host"), fold(piece))))
    return scramble_digits(scope.sub("host"), piece) if piece[0].isdecimal() else piece


def email(people: People, text: str, scope: Scope) -> str:
    """The surrogate of an e-mail address."""
    local, at, host = text.rpartition("@")
    if not at:
        return handle(people, text, scope)
    return handle(people, local, scope) + at + _host(host, scope, mail=True)


def url(people: People, text: str, scope: Scope) -> str:
    """The surrogate of a web address: scheme and top domain kept, all else replaced."""
    scheme, mark, rest = text.partition("://")
    if not mark:
        scheme, rest = "", text
    host, slash, path = rest.partition("/")
    made: list[str] = []
    for piece in _pieces(path):
        if fold(piece) in _ENDINGS or not piece[0].isalnum():
            made.append(piece)
        elif piece[0].isalpha():
            made.append(_word(people, piece, scope))
        else:
            made.append(scramble_digits(scope.sub("path"), piece))
    return scheme + mark + _host(host, scope, mail=False) + slash + "".join(made)


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
