"""Documents inside messages: what they say of their character set never hides what they hold."""

import codecs
from dataclasses import dataclass, field

import pytest

from stream_deid.formats.content import markup
from stream_deid.formats.content.document import take
from stream_deid.formats.fhir.building.note_builder import FhirBuilder, SubjectParts

SAID = "Wilhelmina Muñoz, MRN 4417782, seen 3/5/2024. Hgb 9.8 g/dL."
WRITTEN = {
    "utf-8": "utf-8",
    "utf-8 with a mark": "utf-8-sig",
    "latin-1": "latin-1",
    "cp1252": "cp1252",
    "utf-16 little endian": "utf-16-le",
    "utf-16 big endian": "utf-16-be",
}
MARKS = {"utf-16-le": codecs.BOM_UTF16_LE, "utf-16-be": codecs.BOM_UTF16_BE}
DECLARED = ["", "utf-8", "UTF-16", "utf-16le", "ISO-8859-1", "windows-1252", "us-ascii", "klingon"]
FORMS = {
    "text/plain": "{said}{pad}",
    "text/xml": '<?xml version="1.0"{declared}?><n>{said}</n>{pad}',
    "text/html": "<html><body><p>{said}</p></body></html>{pad}",
}


@dataclass
class Parts:
    """Takes what is examined."""

    texts: list[str] = field(default_factory=list)

    def text(self, text, path, seams=()):  # noqa: ARG002 - the signature that is asked for
        self.texts.append(text)
        return len(self.texts) - 1

    def declared(self, text, path, phi, length=None):  # noqa: ARG002
        return self.text(text, path)


def documents(codec, mark, kind, declared):
    """A document of both parities of bytes."""
    inside = f' encoding="{declared}"' if declared else ""
    for pad in ("", " "):
        text = FORMS[kind].format(said=SAID, declared=inside, pad=pad)
        yield (MARKS.get(codec, b"") if mark else b"") + text.encode(codec)


@pytest.mark.parametrize("kind", FORMS)
@pytest.mark.parametrize("declared", DECLARED)
@pytest.mark.parametrize("mark", [False, True], ids=["bare", "marked"])
@pytest.mark.parametrize("codec", WRITTEN.values(), ids=WRITTEN)
def test_a_document_is_read_as_it_is_written_or_withheld(codec, mark, declared, kind):
    for content_type in (kind, f"{kind}; charset={declared}") if declared else (kind,):
        for data in documents(codec, mark, kind, declared):
            parts = Parts()
            document = take(data, content_type, parts, "p")
            read = "\n".join(parts.texts)
            assert document.reason or SAID.replace("ñ", "") == read_without(read)
            if not document.reason:
                whole = "".join(
                    piece if isinstance(piece, str) else piece.raw for piece in document.pieces
                )
                assert document.encoded(whole) == data


def read_without(read):
    """What was read, without the one letter that character sets differ in."""
    stripped = read.replace("\ufeff", "").strip()
    at = SAID.index("ñ")
    end = len(SAID) - at - 1
    return stripped[:at] + stripped[-end:]


@pytest.mark.parametrize("codec", ["utf-8", "utf-16-le", "utf-16-be"])
@pytest.mark.parametrize("declared", DECLARED)
def test_what_is_utf_8_or_utf_16_is_read_to_the_letter(codec, declared):
    content_type = f"text/plain; charset={declared}"
    for data in documents(codec, True, "text/plain", declared):
        parts = Parts()
        assert take(data, content_type, parts, "p").reason == ""
        assert parts.texts[0].strip("\ufeff ") == SAID


def test_a_text_that_begins_with_bmi_is_no_bitmap():
    parts = Parts()
    assert take(b"BMI 31.2, seen by Dr. Okonjo", "", parts, "p").reason == ""
    assert parts.texts == ["BMI 31.2, seen by Dr. Okonjo"]
    bitmap = b"BM\x36\x84\x03\x00\x00\x00\x00\x00\x36\x00\x00\x00"
    assert take(bitmap, "", Parts(), "p").reason == "image"


def test_the_cells_of_a_row_are_one_line():
    out = FhirBuilder()
    table = "<table><tr><td>Pain</td><td>4/10</td></tr><tr><td>BP</td></tr></table><p>a&nbsp;b</p>"
    pieces, _ = markup.clean(table, SubjectParts(out, ""), "x")
    assert out.parts[0].text == "Pain\t4/10\nBP\na\xa0b"
    assert "".join(one if isinstance(one, str) else one.raw for one in pieces) == table
    assert markup.escape("a\xa0b<") == "a&#160;b&lt;"
