"""Documents in ED values: cleaned in their own form, or withheld with the reason.

Components (HL7 v2.5.1, 2.A.24): source application, type, subtype, encoding (`A`, `Hex`,
`Base64`), data. What the data are shows in themselves first, then in type and subtype.
"""

from __future__ import annotations

import base64
import binascii
from collections.abc import Sequence
from dataclasses import dataclass, field

from stream_deid.formats.content.document import Document, take
from stream_deid.formats.hl7.er7.escapes import encode
from stream_deid.formats.hl7.er7.syntax import Delimiters, pieces
from stream_deid.formats.hl7.note_builder import Hl7Builder
from stream_deid.labels import PhiType

_DATA = 5
_MARKUP = ("{\\rtf", "<")


@dataclass(frozen=True, slots=True)
class Embedded:
    """A document in the message's `[start, end)`; `coding`: `A`, `HEX` or `BASE64`."""

    start: int
    end: int
    document: Document = field(repr=False)
    coding: str
    raw: bytes = field(repr=False)

    def written(self, text: str, delimiters: Delimiters) -> str | None:
        """The value that holds the document with this text; None where it stays as it is."""
        data = self.document.encoded(text)
        if data == self.raw:
            return None
        if self.coding == "A":
            return encode(data.decode("utf-8"), delimiters)
        if self.coding == "HEX":
            return data.hex().upper()
        return base64.b64encode(data).decode("ascii")


@dataclass(frozen=True, slots=True)
class EmbeddedParts:
    """Makes the parts of a document at `start`; see `content.pieces.PartMaker`."""

    out: Hl7Builder
    start: int

    def text(self, text: str, path: str, seams: Sequence[int] = ()) -> int:
        """A part of free text."""
        return self.out.embed(text, path, seams, start=self.start)

    def declared(self, text: str, path: str, phi: PhiType, length: int | None = None) -> int:
        """A part of known meaning."""
        return self.out.embed_declared(text, path, phi, length, start=self.start)


_KINDS = frozenset(
    (
        "", "AP", "APPLICATION", "AU", "AUDIO", "FT", "IM", "IMAGE", "MODEL", "MULTIPART", "NS",
        "SD", "SI", "TEXT", "TX", "VIDEO",
    )
)  # fmt: skip
_SUBTYPES = frozenset(
    (
        "", "BASIC", "CCD", "CDA", "DICOM", "FAX", "GIF", "HL7", "HTML", "JOT", "JPEG", "JPG",
        "JSON", "MP4", "MPEG", "MSWORD", "OCTET-STREAM", "PDF", "PICT", "PLAIN", "PNG",
        "POSTSCRIPT", "RTF", "SGML", "TIFF", "X-HL7-CDA-LEVEL-ONE", "X-RTF",
        "XHTML", "XHTML+XML", "XML",
    )
)  # fmt: skip
_CODINGS = frozenset(("", "A", "HEX", "BASE64"))
"""Words of HL7 tables 0191, 0291, 0299 and of media types: a document's fields hold no others."""


class Documents:
    """The documents of one message; `withheld`: why, for each that could not be examined."""

    def __init__(self, out: Hl7Builder) -> None:
        self._out = out
        self.found: list[Embedded] = []
        self.withheld: list[str] = []

    def take(self, start: int, end: int, path: str) -> None:
        """One repetition of an ED value."""
        out, message = self._out, self._out.message
        places = list(pieces(message.text, start, end, message.delimiters.component))
        if len(places) < _DATA:
            self._withhold(start, end, path, "incomplete")
            return
        kind, subtype, coding = (message.text[slice(*at)].strip().upper() for at in places[1:4])
        if kind not in _KINDS or subtype not in _SUBTYPES or coding not in _CODINGS:
            self._withhold(start, end, path, "no word of its tables")  # text may stand anywhere
            return
        if places[0][1] > places[0][0]:
            out.withhold(*places[0], f"{path}.1")
        data = (places[_DATA - 1][0], end)
        if data[0] == data[1]:
            return
        text = out.decoded(*data).text
        if coding == "A" and not text.lstrip("\ufeff \r\n\t").startswith(_MARKUP):
            out.examine([data], f"{path}.5")
            return
        raw = _bytes(text, coding)
        if raw is None:
            self._withhold(*data, f"{path}.5", f"no {coding.lower() or 'encoding'}")
            return
        content = f"{kind}/{subtype}".lower() + ("; charset=utf-8" if coding == "A" else "")
        document = take(raw, content, EmbeddedParts(out, start), f"{path}.5")
        if document.reason:
            self._withhold(*data, f"{path}.5", document.reason)
            return
        out.withheld += [f"{path}.5/{what}" for what in document.left_out]
        self.found.append(Embedded(*data, document, coding, raw))

    def _withhold(self, start: int, end: int, path: str, reason: str) -> None:
        self._out.withhold(start, end, f"{path} ({reason})", shown=False)
        self.withheld.append(reason)


def _bytes(text: str, coding: str) -> bytes | None:
    compact = "".join(text.split())
    try:
        if coding == "A":
            return text.encode("utf-8")
        if coding == "HEX":
            return bytes.fromhex(compact)
        if coding == "BASE64":
            return base64.b64decode(compact.encode("ascii"), validate=True)
    except (ValueError, binascii.Error):
        pass
    return None
