"""RTF: the text of a document examined in place, its formatting kept.

Control words, groups and escapes by the Rich Text Format Specification 1.9.1. Destinations that
hold no text of the document (fonts, styles, pictures, information, fields' instructions, data)
are left out whole where they can hold identifiers, kept where they can't.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from stream_deid.budget import check
from stream_deid.formats.content.pieces import PartMaker, Piece, Slice

_TOKEN = re.compile(
    r"\\([a-zA-Z]{1,32})(-?\d{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+"
    r"|([^\\{}\r\n]+)"
)
_KEPT = frozenset(
    {"fonttbl", "colortbl", "stylesheet", "listtable", "listoverridetable", "rsidtbl"}
)
_LEFT_OUT = frozenset(
    {
        "info", "pict", "object", "objdata", "fldinst", "themedata", "datastore", "generator",
        "xmlnstbl", "bkmkstart", "bkmkend", "atnid", "atnauthor", "atndate", "userprops", "revtbl",
        "colorschememapping", "latentstyles", "datafield", "private", "filetbl", "mailmerge",
        "wgrffmtfilter", "docvar", "factoidname", "xe", "tc", "template", "nonshppict", "shppict",
        "sp", "sn", "sv", "shpinst", "pgdsctbl", "passwordhash", "atnref", "annotation",
    }
)  # fmt: skip
_SIGNS = {
    "par": "\n", "line": "\n", "sect": "\n", "page": "\n", "row": "\n", "cell": "\t", "tab": "\t",
    "emdash": "—", "endash": "–", "lquote": "‘", "rquote": "’", "ldblquote": "“", "rdblquote": "”",
    "bullet": "•", "emspace": " ", "enspace": " ", "softline": "\n",
}  # fmt: skip
_BREAKS = frozenset({"\n", "\t"})


@dataclass(slots=True)
class _Group:
    """What holds inside a pair of braces: how many characters stand for each Unicode escape,
    and whether text is shown, kept unread, or left out.
    """

    skip: int = 1
    state: str = "text"


@dataclass(slots=True)
class _Node:
    start: int
    text: str = field(repr=False)
    raw: str = field(repr=False)


class _Reader:
    def __init__(self) -> None:
        self.pieces: list[str | _Node] = []
        self.length = 0
        self.seams: list[int] = []
        self.left_out: list[str] = []
        self.groups = [_Group()]
        self.codec = "cp1252"
        self._fallback = 0
        self._high = 0

    def read(self, rtf: str) -> None:
        at = 0
        for token in _TOKEN.finditer(rtf):
            check()
            if token.start() != at:
                raise ValueError
            at = token.end()
            self._token(token)
        if at != len(rtf) or len(self.groups) != 1:
            raise ValueError

    def _token(self, token: re.Match[str]) -> None:
        word, number, byte, sign, brace, text = token.groups()
        raw, group = token.group(), self.groups[-1]
        if brace == "{":
            self.groups.append(_Group(group.skip, group.state))
            self._raw(raw)
        elif brace:
            if len(self.groups) == 1:
                raise ValueError
            self.groups.pop()
            self._raw(raw, state=self.groups[-1].state if group.state == "out" else group.state)
        elif word:
            self._word(word, number, raw)
        elif byte:
            self._shown(bytes.fromhex(byte).decode(self.codec, "replace"), raw)
        elif sign == "*":
            self._raw(raw)
        elif sign in ("~", "_", "\\", "{", "}"):
            self._shown({"~": "\u00a0", "_": "-"}.get(sign, sign), raw)
        elif sign in ("\n", "\r"):
            self._sign("\n", raw)
        elif text:
            self._shown(text, raw)
        else:
            self._raw(raw)

    def _word(self, word: str, number: str | None, raw: str) -> None:
        group = self.groups[-1]
        if word in _KEPT:
            group.state = "kept"
        elif word in _LEFT_OUT:
            if group.state != "out":
                self.left_out.append(word)
            group.state = "out"
            return
        if word == "ansicpg" and number:
            self.codec = f"cp{number}"
            "".encode(self.codec)
        elif word == "bin":
            raise ValueError
        elif word == "uc" and number:
            group.skip = int(number)
        if word == "u" and number:
            self._unit(int(number) % 65536, raw)
            self._fallback = group.skip
        elif word in _SIGNS:
            self._sign(_SIGNS[word], raw)
        else:
            self._raw(raw)

    def _unit(self, unit: int, raw: str) -> None:
        """A code unit of UTF-16; the halves of a pair are one character."""
        if 0xD800 <= unit < 0xDC00:
            self._high = unit
            self._shown("", raw)
        elif 0xDC00 <= unit < 0xE000:
            pair = 0x10000 + ((self._high - 0xD800) << 10) + unit - 0xDC00
            self._shown(chr(pair) if self._high else "\ufffd", raw)
            self._high = 0
        else:
            self._shown(chr(unit), raw)

    def _sign(self, sign: str, raw: str) -> None:
        if self.groups[-1].state == "text" and sign in _BREAKS:
            self.pieces.append(raw)
            self.seams.append(self.length)
            self.length += 1
        else:
            self._shown(sign, raw)

    def _raw(self, raw: str, state: str = "") -> None:
        if (state or self.groups[-1].state) != "out":
            self.pieces.append(raw)

    def _shown(self, text: str, raw: str) -> None:
        state = self.groups[-1].state
        if state != "text":
            self._raw(raw)
            return
        if self._fallback:  # the likeness of a character that \u gave already
            self._fallback -= len(text)
            text, cut = text[len(text) + self._fallback :] if self._fallback < 0 else "", raw
            self._fallback = max(self._fallback, 0)
            if text:
                self._node(text, cut)
            elif self.pieces and isinstance(self.pieces[-1], _Node):
                self.pieces[-1].raw += raw
            return
        self._node(text, raw)

    def _node(self, text: str, raw: str) -> None:
        last = self.pieces[-1] if self.pieces else None
        if isinstance(last, _Node):
            last.text += text
            last.raw += raw
        else:
            self.pieces.append(_Node(self.length, text, raw))
        self.length += len(text)


def escape(text: str) -> str:
    """Text as RTF writes it: ASCII, everything else by its code unit."""
    out: list[str] = []
    for char in text:
        if char in "\\{}":
            out.append("\\" + char)
        elif char == "\n":
            out.append("\\line ")
        elif char.isascii():
            out.append(char)
        else:
            units = char.encode("utf-16-le")
            for i in range(0, len(units), 2):
                unit = int.from_bytes(units[i : i + 2], "little")
                out.append(f"\\u{unit - 65536 if unit > 32767 else unit}?")
    return "".join(out)


def clean(rtf: str, out: PartMaker, path: str) -> tuple[list[Piece], list[str]]:
    """The pieces of a document, and the destinations that were left out of it.

    Raises `ValueError` where braces don't match or binary data stands in it.
    """
    reader = _Reader()
    try:
        reader.read(rtf)
    except LookupError:
        raise ValueError from None
    nodes = [piece for piece in reader.pieces if isinstance(piece, _Node)]
    whole: list[str] = []
    at = 0
    for node in nodes:
        whole += ["\n" * (node.start - at), node.text]
        at = node.start + len(node.text)
    text = "".join(whole)
    seams = [seam for seam in reader.seams if seam < len(text)]
    part = out.text(text, path, seams) if text.strip() else None
    made: list[Piece] = []
    for piece in reader.pieces:
        if isinstance(piece, str):
            made.append(piece)
        elif part is None:
            made.append(piece.raw)
        else:
            end = piece.start + len(piece.text)
            made.append(Slice(part, piece.start, end, piece.raw, escape))
    return made, reader.left_out
