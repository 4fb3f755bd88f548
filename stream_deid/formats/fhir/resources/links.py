"""Addresses of resources: references, request URLs, searches, URIs, cut into what they are made of.

A reference keeps its form (`Patient/1`, `http://server/fhir/Patient/1/_history/2`, `urn:uuid:...`,
`#held`, `Patient?identifier=system|1`); ids and the server's address become their surrogates.
"""

from __future__ import annotations

import re

from stream_deid.formats.content.pieces import Piece, Slice
from stream_deid.formats.fhir.building.note_builder import FhirBuilder
from stream_deid.formats.fhir.definitions.rules import Rules
from stream_deid.formats.fhir.definitions.specification import specification
from stream_deid.labels import PhiType
from stream_deid.note import SHARED

_TYPED = re.compile(
    r"(?P<base>.*/)?(?P<type>[A-Z][A-Za-z]{2,60})(?:/(?P<id>[^/?#|$]{1,200}))?"
    r"(?P<operation>(?:/\$[a-z][a-z-]{0,60})?)(?:(?P<history>/_history)(?:/(?P<version>[^/?#|]{1,100}))?)?"
    r"(?P<canonical>\|[\w.-]{1,20})?(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?"
)
_PLAIN_VALUE = re.compile(r"[a-z]{1,30}|[a-z]{0,2}\d{1,4}|-?_[a-zA-Z]{1,30}")
_TAG = re.compile(r'((?:W/)?"?)(.*?)("?)', re.DOTALL)
_COUNTED = 4
_QUERY_MARK = re.compile(r"\?|%(?:25)*3[Ff]")
_MOST_QUERIES = 8
_ESCAPED = re.compile(r"(?:%[0-9A-Fa-f]{2})+")
_UNSAFE = re.compile(r"[^A-Za-z0-9_.~:/,@|$-]")
_SEARCH = re.compile(r"[A-Za-z_][A-Za-z0-9_.:-]{0,60}")
_IDS = frozenset({"_id", "_list", "_page_token", "_getpages", "page", "ct", "_cursor"})
_DATE = re.compile(r"((?:eq|ne|gt|lt|ge|le|sa|eb|ap)?)(\d{4}-\d\d(?:-\d\d)?)(T.*)?")
_ADDRESS = re.compile(
    r"(?P<address>[A-Za-z][A-Za-z0-9+.-]{1,20}://[^?#$]*[^?#$/])/?(?P<operation>/\$[a-z][a-z-]{0,60})?"
    r"(?:\?(?P<query>[^#]*))?(?:#(?P<fragment>.*))?"
)


class Links:
    """Makes parts of the addresses of one message."""

    def __init__(self, out: FhirBuilder, rules: Rules) -> None:
        self._out, self._rules = out, rules
        self._types = specification().resources

    def reference(self, text: str, path: str, subject: str) -> list[Piece]:
        """The pieces of a literal reference or a request's URL; one that holds others inside of
        others is one address as a whole.
        """
        if sum(1 for _ in _QUERY_MARK.finditer(text)) > _MOST_QUERIES:
            return [self._out.declare(text, path, PhiType.URL, subject=SHARED)]
        if text.startswith("#"):
            return ["#", self._out.identify(text[1:], path)] if text[1:].strip() else [text]
        if text.startswith("urn:"):
            return self.urn(text, path)
        found = _TYPED.fullmatch(text)
        if found is None or found["type"] not in self._types:
            return self._other(text, path, subject)
        pieces: list[Piece] = [*self.base(found["base"] or "", path), found["type"]]
        if found["id"]:
            pieces += ["/", self._out.identify(found["id"], path)]
        pieces += [found["operation"], found["history"] or ""]
        if found["version"]:
            pieces += ["/", *self.version(found["version"], path)]
        pieces.append(found["canonical"] or "")
        if found["query"] is not None:
            pieces += ["?", *self.query(found["query"], path, subject)]
        if found["fragment"]:
            pieces += ["#", self._out.identify(found["fragment"], path)]
        return pieces

    def base(self, base: str, path: str) -> list[Piece]:
        """The address of a server, the same wherever it stands."""
        if not base.strip("/") or self._rules.is_public(base):
            return [base]
        return [self._out.declare(base.rstrip("/"), path, PhiType.URL, subject=SHARED), "/"]

    def urn(self, text: str, path: str) -> list[Piece]:
        """A name of the form `urn:...`."""
        if self._rules.is_public(text):
            return [text]
        scheme, _, rest = text.removeprefix("urn:").partition(":")
        if not rest.strip() or not scheme.isalnum() or len(scheme) > 12:
            return [self._out.identify(text, path)]
        if scheme.lower() not in self._rules.namespaces:
            named = self._out.identify(scheme, path)
            return ["urn:", named, ":", self._out.identify(rest, path)]
        return [f"urn:{scheme}:", self._out.identify(rest, path)]

    def uri(self, text: str, path: str, subject: str) -> list[Piece]:
        """A URI of any kind."""
        if text.startswith("urn:"):
            return self.urn(text, path)
        if self._rules.is_public(text):
            return [text]
        return self.reference(text, path, subject)

    def query(self, text: str, path: str, subject: str) -> list[Piece]:
        """The parameters of a search: names stay, values by what they are."""
        pieces: list[Piece] = []
        for number, pair in enumerate(text.lstrip("?").split("&")):
            name, mark, value = pair.partition("=")
            pieces.append("&" if number else "")
            if not _SEARCH.fullmatch(name):
                pieces.append(self._value(pair, path, subject))
                continue
            pieces += [name, mark]
            for nth, one in enumerate(value.split(",")):
                pieces += ["," if nth else "", *self._search(name, one, path, subject)]
        return pieces

    def _search(self, name: str, value: str, path: str, subject: str) -> list[Piece]:
        plain = unquoted(value)
        code = name.partition(":")[0].rpartition(".")[2]
        if not plain.strip() or (code.startswith("_") and code not in _IDS):
            return [value] if _PLAIN_VALUE.fullmatch(plain) or not plain else [
                self._value(value, path, subject)
            ]  # fmt: skip
        if code in _IDS:
            return [_escaped(self._out.identify(plain, path), value)]
        if "|" in plain:
            system, _, token = plain.partition("|")
            found = self.uri(system, path, subject) if system else []
            made = [one if isinstance(one, str) else _escaped(one) for one in found]
            return [*made, "|", *self._token(code, token, path, subject, system)]
        typed = _TYPED.fullmatch(plain)
        if typed and typed["type"] in self._types and typed["id"]:
            found = self.reference(plain, path, subject)
            return [piece if isinstance(piece, str) else _escaped(piece) for piece in found]
        if dated := _DATE.fullmatch(plain):
            part = self._out.declare(dated[2], path, PhiType.DATE, subject=subject)
            return [dated[1], part, quoted(dated[3] or "")]
        return self._token(code, plain, path, subject)

    def _token(
        self, code: str, token: str, path: str, subject: str, system: str = ""
    ) -> list[Piece]:
        if not token.strip():
            return [quoted(token)]
        if code in ("patient", "subject", "encounter"):
            return [_escaped(self._out.identify(token, path), quoted(token))]
        if code in ("identifier", "value"):
            part = self._out.declare(token, path, PhiType.IDNUM, subject=subject)
            return [_escaped(part, quoted(token))]
        if _PLAIN_VALUE.fullmatch(token) and code not in ("name", "family", "given"):
            return [token]
        if self._rules.is_vocabulary(code, system, token):
            return [quoted(token)]
        return [_escaped(self._out.examine(token, path, subject), quoted(token))]

    def _value(self, value: str, path: str, subject: str) -> Slice:
        return _escaped(self._out.examine(unquoted(value) or value, path, subject), value)

    def version(self, text: str, path: str) -> list[Piece]:
        """A version, or an entity tag that holds one (RFC 9110, 8.8.3): clocks and names serve as
        versions too, and a time there tells a date's shift.
        """
        tag = _TAG.fullmatch(text)
        opening, version, closing = tag.groups() if tag else ("", text, "")
        if (version.isdecimal() and len(version) <= _COUNTED) or not any(map(str.isalnum, version)):
            return [text]
        return [opening, self._out.identify(version, path), closing]

    def _other(self, text: str, path: str, subject: str) -> list[Piece]:
        scheme, mark, rest = text.partition(":")
        phi = {"mailto": PhiType.EMAIL, "tel": PhiType.PHONE, "sms": PhiType.PHONE}.get(scheme)
        if mark and phi and rest.strip():
            return [scheme + ":", self._out.declare(rest, path, phi, subject=subject)]
        if found := _ADDRESS.fullmatch(text):
            part = self._out.declare(found["address"], path, PhiType.URL, subject=SHARED)
            pieces: list[Piece] = [part, found["operation"] or ""]
            if found["query"] is not None:
                pieces += ["?", *self.query(found["query"], path, subject)]
            if found["fragment"]:
                pieces += ["#", self._out.identify(found["fragment"], path)]
            return pieces
        if "/" in text or "?" in text or "@" in text or "#" in text:
            return [self._out.declare(text, path, PhiType.URL, subject=SHARED)]
        if not text.strip():
            return [text]
        return [self._out.identify(text, path)]


def unquoted(text: str) -> str:
    """A piece of a query with its escapes (RFC 3986) read."""
    plain = text.replace("+", " ")
    return _ESCAPED.sub(
        lambda m: bytes.fromhex(m[0].replace("%", "")).decode("utf-8", "replace"), plain
    )


def quoted(text: str) -> str:
    """Text as a query holds it."""
    return _UNSAFE.sub(lambda m: "".join(f"%{b:02X}" for b in m[0].encode()), text)


def _escaped(piece: Slice, raw: str | None = None) -> Slice:
    shown = quoted(piece.raw) if raw is None else raw
    return Slice(piece.part, piece.start, piece.end, shown, quoted)
