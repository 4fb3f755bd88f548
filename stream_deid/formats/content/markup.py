"""XHTML, HTML and XML: text examined in place, tags kept, attributes by an allow-list.

All text between two block elements is one run, whatever inline tags stand in it, so that detectors
read sentences; the runs of a document are one part with a seam between each two. Comments,
processing instructions, scripts, style sheets and DOCTYPEs are left out: nobody reads them,
anything may stand in them.
"""

from __future__ import annotations

import html
import re
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from types import MappingProxyType

from stream_deid.budget import check
from stream_deid.formats.content.pieces import PartMaker, Piece, Slice
from stream_deid.labels import PhiType
from stream_deid.text.years import is_possible

INLINE = frozenset(
    {
        "a", "abbr", "acronym", "b", "bdo", "big", "cite", "code", "content", "dfn", "em", "font",
        "i", "kbd", "mark", "q", "s", "samp", "small", "span", "strike", "strong", "sub", "sup",
        "tt", "u", "var", "wbr", "linkhtml",
    }
)  # fmt: skip
_SILENT = frozenset({"script", "style", "noscript", "object", "embed", "applet", "iframe"})
_LAYOUT = frozenset(
    {
        "align", "valign", "border", "cellpadding", "cellspacing", "class", "colspan", "dir",
        "headers", "height", "lang", "xml:lang", "rowspan", "rules", "scope", "span", "start",
        "type", "width", "stylecode", "listtype", "charset", "media", "nowrap", "color", "bgcolor",
    }
)  # fmt: skip
_CODED = frozenset(
    {
        "code", "codesystem", "codesystemname", "codesystemversion", "displayname", "classcode",
        "moodcode", "typecode", "nullflavor", "use", "unit", "xsi:type", "inversionind",
        "negationind", "determinercode", "contextcontrolcode", "operator", "inclusive",
        "institutionspecified", "mediatype", "representation", "assigningauthorityname",
        "xsi:schemalocation", "independentind", "contextconductionind", "typeid", "qualifier",
    }
)  # fmt: skip
_SHAPE = re.compile(r"[\w.:#%;,()/+*@\[\] -]{0,80}")  # of values of layout: no sentence fits in it
_STYLE = re.compile(r"[a-zA-Z0-9:;,.#%() -]{0,300}")
_DTM = re.compile(r"(\d{4}(?:\d{2}){1,2})(?:\d{2,6}(?:\.\d{1,6})?)?(?:[+-]\d{4})?")
_NUMBER = re.compile(r"[<>=~+-]?\d{0,6}(?:[.,]\d{1,6})?")
_OID = re.compile(r"[0-2](?:\.\d+){2,}")
_TEXTS = frozenset({"alt", "title", "summary", "label", "abbr", "placeholder", "content"})
_CDA_TEXTS = MappingProxyType(
    {
        "given": PhiType.PATIENT, "family": PhiType.PATIENT, "streetaddressline": PhiType.STREET,
        "city": PhiType.CITY, "county": PhiType.CITY, "postalcode": PhiType.ZIP,
        "state": PhiType.STATE, "country": PhiType.COUNTRY,
    }
)  # fmt: skip
_UNREAD = MappingProxyType({"<!--": "-->", "<![CDATA[": "]]>", "<?": "?>", "<!": ">"})
_TAG = re.compile(r"<(/?)([A-Za-z_][^\s/<>]{0,60})((?:[^<>\"']|\"[^\"<]*\"|'[^'<]*')*?)(/?)>")
_STRAY = re.compile(r"&(?!(?:#\d{1,7}|#[xX][0-9a-fA-F]{1,6}|[A-Za-z][A-Za-z0-9]{1,31});)")
_NAME = re.compile(r"[A-Za-z_][\w:.-]*")
_ATTRIBUTE = re.compile(
    r"([A-Za-z_][\w:.-]*)(?:\s*=\s*(?:\"([^\"]*)\"|'([^']*)'|([^\s\"'=<>`]+)))?"
)
_PROLOGUE = re.compile(r"xml version=[\"']1\.[01][\"'](?: encoding=[\"'][\w.-]{1,20}[\"'])?"
                       r"(?: standalone=[\"']\w{2,3}[\"'])?\s*")  # fmt: skip


_CELLS = frozenset({"td", "th"})


@dataclass(slots=True)
class _Node:
    """A stretch of text between tags: its place in the run, as it reads, as it stands."""

    start: int
    text: str = field(repr=False)
    raw: str = field(repr=False)


def escape(text: str) -> str:
    """Text as markup writes it; what no eye tells from a blank is an entity of all its dialects."""
    return html.escape(text, quote=False).replace("\xa0", "&#160;")


def quoted(text: str) -> str:
    """Text as an attribute in double quotes writes it."""
    return html.escape(text, quote=True)


class _Reader:
    """Cuts a document into pieces; the text nodes among them are filled in when it is read."""

    def __init__(self, out: PartMaker, path: str, *, xml: bool) -> None:
        self._out, self._path, self._xml = out, path, xml
        self.pieces: list[Piece | _Node] = []
        self.nodes: list[_Node] = []
        self.length = 0
        self.seams: list[int] = []
        self.cells: set[int] = set()
        self.left_out: list[str] = []
        self._silent = ""
        self._open = ""

    def read(self, text: str) -> None:
        """Cut `text`; in linear time, whatever it holds."""
        at = 0
        while at < len(text):
            check()
            unread = next((n for n in _UNREAD if text.startswith(n, at)), None)
            if unread is not None:
                at = self._unread(text, at, unread)
            elif tag := _TAG.match(text, at):
                at = tag.end()
                self._tag(tag)
            else:
                end = text.find("<", at + 1)
                end = len(text) if end < 0 else end
                self._stretch(text[at:end])
                at = end

    def _stretch(self, raw: str) -> None:
        """Text between tags. A stray `<` or `&` is escaped: beside what is left out (`<<!---->b>`)
        it would begin a tag or an entity that nobody examined.
        """
        text = html.unescape(raw)
        self._text(text, escape(text) if raw[0] == "<" or _STRAY.search(raw) else raw)

    def _unread(self, text: str, at: int, mark: str) -> int:
        """A comment or the like; one without an end takes the rest of the document with it."""
        close = _UNREAD[mark]
        found = text.find(close, at + len(mark))
        inner = text[at + len(mark) : found if found >= 0 else len(text)]
        if mark == "<![CDATA[" and found >= 0:
            self._text(inner, escape(inner))
        elif mark == "<?" and inner.startswith("xml ") and _PROLOGUE.fullmatch(inner):
            self.pieces.append(f"<?{inner}?>")
        else:
            self._leave_out("comment" if mark == "<!--" else "declaration")
        return len(text) if found < 0 else found + len(close)

    def _tag(self, tag: re.Match[str]) -> None:
        slash, name, attributes, end = tag.groups()
        low = name.lower()
        if self._silent:
            self._silent = "" if slash and low == self._silent else self._silent
            return
        if low in _SILENT:
            self._leave_out(low)
            self._silent = "" if slash or end else low
            return
        self._border(low)
        self._open = "" if slash or end else low.rpartition(":")[2]
        if not _NAME.fullmatch(name):
            self._leave_out("?")
        elif slash:
            self.pieces.append(f"</{name}>")
        else:
            self.pieces.append("<" + name)
            found = [
                (m[1], next((html.unescape(v) for v in m.groups()[1:] if v is not None), None))
                for m in _ATTRIBUTE.finditer(attributes)
            ]
            values = {key.lower(): value for key, value in found}
            for key, value in found:
                self._attribute(low, key.lower(), key, value, values)
            self.pieces.append("/>" if end else ">")

    def _border(self, tag: str) -> None:
        """A block element ends the run: what stands on its two sides is not one sentence."""
        bare = tag.rpartition(":")[2]
        if bare in INLINE or not self.nodes:
            return
        last = self.nodes[-1]
        end = last.start + len(last.text)
        if bare not in _CELLS:
            self.cells.discard(end)
        elif end == self.length:
            self.cells.add(end)
        if end == self.length:
            self.seams.append(self.length)
            self.length += 1

    # --- attributes ----------------------------------------------------------------------------

    def _attribute(
        self, tag: str, name: str, shown: str, value: str | None, attrs: dict[str, str | None]
    ) -> None:
        if value is None:
            self.pieces.append(f" {shown}" if name in ("nowrap", "checked", "disabled") else "")
            return
        made = self._value(tag, name, value, attrs)
        if made is None:
            self._leave_out(f"{tag}@")
        else:
            self.pieces += (f' {shown}="', *made, '"')

    def _value(  # noqa: PLR0911 - one answer for each kind of attribute
        self, tag: str, name: str, value: str, attrs: dict[str, str | None]
    ) -> list[Piece] | None:
        """The pieces of an attribute's value, None where it is left out."""
        path = f"{self._path}/{tag if tag.isalnum() and len(tag) < 20 else '?'}@{name}"
        if name == "xmlns" or name.startswith("xmlns:") or name == "xsi:schemalocation":
            return [quoted(value)] if _SHAPE.fullmatch(value) else None
        if name in ("id", "name", "idref", "ref", "for"):
            return self._local(value, path)
        if name in ("href", "src"):
            return ["#", *self._local(value[1:], path)] if value[:1] == "#" and value[1:] else None
        if name == "style":
            return [quoted(value)] if _STYLE.fullmatch(value) and "url" not in value else None
        if name in _TEXTS:
            return self._examined(value, path)
        if name in _LAYOUT:
            return [quoted(value)] if _SHAPE.fullmatch(value) else None
        return self._coded(tag, name, value, attrs, path) if self._xml else None

    def _coded(  # noqa: PLR0911 - one answer for each kind of attribute
        self, tag: str, name: str, value: str, attrs: dict[str, str | None], path: str
    ) -> list[Piece] | None:
        """Attributes of clinical documents (CDA R2), whose values stand in attributes."""
        if name in _CODED:
            if name == "displayname" and not attrs.get("code"):
                return self._examined(value, path)
            return [quoted(value)]
        if name == "root":
            registered = tag == "templateid" or _OID.fullmatch(value) is not None
            return [quoted(value)] if registered else self._made(value, path, PhiType.IDNUM)
        if name == "extension":
            if tag in ("templateid", "typeid"):
                return [quoted(value)] if _SHAPE.fullmatch(value) else None
            return self._made(value, path, PhiType.IDNUM)
        if name == "value":
            return self._cda_value(value, path)
        return None

    def _cda_value(self, value: str, path: str) -> list[Piece] | None:
        found = _DTM.fullmatch(value)
        if found and is_possible(int(value[:4])):
            return self._made(value, path, PhiType.DATE, len(found[1]))
        if _NUMBER.fullmatch(value) or value in ("true", "false"):
            return [quoted(value)]
        scheme, mark, rest = value.partition(":")
        phi = {"tel": PhiType.PHONE, "fax": PhiType.FAX, "mailto": PhiType.EMAIL}.get(scheme)
        if mark and phi:
            return [scheme + ":", *self._made(rest, path, phi)]
        return self._examined(value, path)

    def _local(self, value: str, path: str) -> list[Piece]:
        return self._made(value, path, PhiType.IDNUM) if value.strip() else [""]

    def _made(self, value: str, path: str, phi: PhiType, length: int | None = None) -> list[Piece]:
        if not value.strip():
            return [quoted(value)]
        part = self._out.declared(value, path, phi, length)
        return [Slice(part, 0, len(value), quoted(value), quoted)]

    def _examined(self, value: str, path: str) -> list[Piece]:
        if not value.strip():
            return [quoted(value)]
        part = self._out.text(value, path)
        return [Slice(part, 0, len(value), quoted(value), quoted)]

    def _leave_out(self, what: str) -> None:
        name = what.rstrip("@")
        shown = name if name.isalnum() and len(name) < 20 else "?"
        self.left_out.append(shown + ("@" if what.endswith("@") else ""))

    # --- text ----------------------------------------------------------------------------------

    def _text(self, text: str, raw: str) -> None:
        if self._silent or not text:
            return
        phi = _CDA_TEXTS.get(self._open) if self._xml else None
        if phi is not None and text.strip():
            part = self._out.declared(text, f"{self._path}/{self._open}", phi)
            self.pieces.append(Slice(part, 0, len(text), raw, escape))
            return
        node = _Node(self.length, text, raw)
        self.nodes.append(node)
        self.pieces.append(node)
        self.length += len(text)


def clean(
    text: str, out: PartMaker, path: str, *, xml: bool = False
) -> tuple[list[Piece], list[str]]:
    """The pieces of a document, and the names of what was left out of it.

    `xml`: names keep their case and CDA's attributes are known; else the document is (X)HTML.
    """
    reader = _Reader(out, path, xml=xml)
    reader.read(text)
    joined = _joined(reader.nodes, reader.cells)
    seams = [seam for seam in reader.seams if seam < len(joined)]
    part = out.text(joined, path, seams) if joined.strip() else None
    pieces = [_filled(piece, part) for piece in reader.pieces]
    return pieces, reader.left_out


def _joined(nodes: list[_Node], cells: AbstractSet[int]) -> str:
    """The text of a run, with a line break for each seam between its nodes, a tabulator between
    the cells of a row.
    """
    whole: list[str] = []
    at = 0
    for node in nodes:
        whole += [("\t" if at in cells else "\n") * (node.start - at), node.text]
        at = node.start + len(node.text)
    return "".join(whole)


def _filled(piece: Piece | _Node, part: int | None) -> Piece:
    if not isinstance(piece, _Node):
        return piece
    if part is None:
        return piece.raw
    return Slice(part, piece.start, piece.start + len(piece.text), piece.raw, escape)
