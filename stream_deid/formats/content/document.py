"""What the bytes of a document are, and how they are examined.

Text, HTML, XML (C-CDA) and RTF come back in their own form, with their own character set; all else
(PDF, images, archives) is named, so that whoever holds the document can say why it is withheld.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from stream_deid.formats.content import markup, rtf
from stream_deid.formats.content.pieces import PartMaker, Piece, Slice

_MAGIC = (
    (b"%PDF", "pdf"), (b"\x89PNG", "image"), (b"\xff\xd8\xff", "image"), (b"GIF8", "image"),
    (b"II*\x00", "image"), (b"MM\x00*", "image"), (b"PK\x03\x04", "archive"),
    (b"\x1f\x8b", "archive"), (b"\xd0\xcf\x11\xe0", "office"), (b"RIFF", "media"),
    (b"OggS", "media"), (b"ID3", "media"), (b"\x00\x00\x00", "media"),
)  # fmt: skip
_CHARSET = re.compile(r"charset=[\"']?([\w.:-]{1,40})", re.IGNORECASE)
_DECLARED = re.compile(rb"encoding=[\"']([\w.:-]{1,40})[\"']")
_BINARY = re.compile("[\x00-\x06\x0e-\x1a\x1c-\x1f]")
_UTF8 = re.compile(rb"[\xc3-\xdf][\x80-\xbf]|[\xe1-\xf4][\x80-\xbf]{2}")
_HTML = re.compile(r"\s*(?:<!doctype\s+html|<html|<body|<div|<p\b|<table|<span|<br)", re.IGNORECASE)
_CODECS = frozenset(
    {
        "utf-8", "utf8", "us-ascii", "ascii", "iso-8859-1", "iso-8859-15", "latin1", "latin-1",
        "windows-1252", "cp1252",
    }
)  # fmt: skip
_UTF16 = (("utf-16-le", slice(1, None, 2)), ("utf-16-be", slice(0, None, 2)))
"""Codec, and where the high bytes stand, which are 0 in letters of the West."""


@dataclass(frozen=True, slots=True)
class Document:
    """A document as it was taken apart; `encoded` writes it again.

    `reason`: why it can't be examined (`pdf`, `image`, `binary`, ...), empty where it was.
    """

    pieces: tuple[Piece, ...] = field(default=(), repr=False)
    charset: str = "utf-8"
    left_out: tuple[str, ...] = ()
    reason: str = ""

    def encoded(self, text: str) -> bytes:
        """The bytes of the document; what its character set lacks becomes a question mark."""
        return text.encode(self.charset, "xmlcharrefreplace" if self._marked else "replace")

    @property
    def _marked(self) -> bool:
        return any(isinstance(p, Slice) and p.escape is markup.escape for p in self.pieces)


def take(data: bytes, content_type: str, out: PartMaker, path: str) -> Document:
    """Take a document apart; its text becomes parts of `out`."""
    kind = content_type.partition(";")[0].strip().lower()
    if _is_bitmap(data):
        return Document(reason="image")
    for magic, name in _MAGIC:
        if data.startswith(magic):
            return Document(reason=name)
    if kind.startswith(("image/", "video/", "audio/")) or kind == "application/pdf":
        return Document(reason=kind.partition("/")[0] if "/pdf" not in kind else "pdf")
    decoded = _decoded(data, content_type)
    if decoded is None:
        return Document(reason="binary")
    text, charset = decoded
    cleaner = _cleaner(text, kind)
    try:
        pieces, left_out = cleaner(text, out, path)
    except ValueError:
        return Document(reason="malformed")
    return Document(tuple(pieces), charset, tuple(dict.fromkeys(left_out)))


def _is_bitmap(data: bytes) -> bool:
    """Whether a picture begins here: a text may begin with BMI."""
    return data.startswith(b"BM") and data[6:10] == b"\0\0\0\0"


def _utf16(data: bytes) -> str:
    """The codec of what is UTF-16 by its bytes; empty for all else, whatever it says of itself: an
    XML of one byte a letter that declares UTF-16 would be read as Chinese, and pass.
    """
    for codec, high in _UTF16:
        zeros = data[high].count(0)
        if 2 * zeros > len(data[high]) and 4 * zeros > 3 * data.count(0):
            return codec
    return ""


def _charsets(data: bytes, content_type: str) -> tuple[str, ...]:
    """What a text may be in, the likeliest first."""
    if wide := _utf16(data):
        return (wide,)
    named = _CHARSET.search(content_type)
    declared = _DECLARED.search(data[:200])
    wanted = (named[1] if named else declared[1].decode("ascii") if declared else "").lower()
    if wanted not in _CODECS:
        return ("utf-8",)
    # letters of two bytes that are valid UTF-8 are that, whatever is declared
    return ("utf-8", wanted) if _UTF8.search(data) else (wanted, "utf-8")


def _decoded(data: bytes, content_type: str) -> tuple[str, str] | None:
    """Text and character set; a mark of the order of bytes stays in the text."""
    charsets = _charsets(data, content_type)
    for charset in charsets:
        try:
            text = data.decode(charset)
        except UnicodeDecodeError:
            continue
        return None if _BINARY.search(text) else (text, charset)
    if charsets[0].startswith("utf-16") or _UTF8.search(data):
        return None  # neither one nor the other
    text = data.decode("latin-1")
    return None if _BINARY.search(text) else (text, "latin-1")


def _cleaner(
    text: str, kind: str
) -> Callable[[str, PartMaker, str], tuple[list[Piece], list[str]]]:
    start = text.lstrip("\ufeff \t\r\n")
    if start.startswith("{\\rtf"):
        return rtf.clean
    if start.startswith("<"):
        return _html if _HTML.match(start) or "html" in kind else _xml
    return _plain


def _html(text: str, out: PartMaker, path: str) -> tuple[list[Piece], list[str]]:
    return markup.clean(text, out, path)


def _xml(text: str, out: PartMaker, path: str) -> tuple[list[Piece], list[str]]:
    return markup.clean(text, out, path, xml=True)


def _plain(text: str, out: PartMaker, path: str) -> tuple[list[Piece], list[str]]:
    if not text.strip():
        return [text], []
    return [Slice(out.text(text, path), 0, len(text), text)], []
