"""Readers of annotated notes: brat standoff, i2b2 2014 and 2006 XML, PhysioNet's gold standard,
marked text, JSON lines.

All give `AnnotatedNote`s with exact code-point spans in the labels of their own guideline. Of i2b2
and PhysioNet ages under 90, which i2b2 2014 marks as well, are neutral (`AGE_U90`): no paper here
counts them. People edit these files, so a byte order mark before them is none of their first line.
"""

from __future__ import annotations

import csv
import json
import re
from collections.abc import Callable, Collection, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from stream_deid.errors import Halt
from stream_deid.labels import label_type
from stream_deid.text.age import age_label

PROJECT = Path(__file__).resolve().parents[3]
"""The checkout, in which `corpora/...` lies."""

_NOT_THAT = (OSError, ValueError, LookupError, TypeError, AttributeError, ET.ParseError)
"""What readers raise of a file that is not what they read."""

LabelSpan = tuple[int, int, str]
"""start, end (code points, half-open), label"""

MARK = re.compile(r"\[\[([A-Z0-9_]+)\|(.*?)\]\]", re.DOTALL)
WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]{2,})?")
"""A word of a value: letters, with an apostrophe inside."""
HEAD = re.compile(r"^=== (\S+) \| ([\w-]+)(?: \| (.*))?$")


@dataclass(frozen=True, slots=True)
class AnnotatedNote:
    """A note with its gold spans, ordered by start."""

    id: str
    text: str = field(repr=False)
    spans: tuple[LabelSpan, ...] = field(repr=False)
    language: str
    note_type: str = ""

    def __post_init__(self) -> None:
        for start, end, label in self.spans:
            if not 0 <= start < end <= len(self.text):
                raise _Outside(f"a span of {label}, [{start}, {end}), is outside its text")


def _note(
    name: str, text: str, spans: list[LabelSpan], language: str, kind: str = ""
) -> AnnotatedNote:
    return AnnotatedNote(name, text, tuple(sorted(set(spans))), language, kind)


def brat(folder: Path, language: str = "es") -> list[AnnotatedNote]:
    """`*.txt` with `*.ann` beside each (brat standoff, text-bound annotations "T").

    The text is read without stripping a byte order mark: it counts as a character there. A
    discontinuous annotation becomes the stretch from its first to its last character.
    """
    notes = []
    for path in sorted(folder.glob("*.txt")):
        spans: list[LabelSpan] = []
        for line in path.with_suffix(".ann").read_text("utf-8-sig").splitlines():
            if not line.startswith("T"):
                continue
            label, bounds = line.split("\t")[1].split(" ", 1)
            numbers = [int(n) for n in re.findall(r"\d+", bounds)]
            spans.append((numbers[0], numbers[-1], label))
        with path.open(encoding="utf-8", newline="") as handle:
            notes.append(_note(path.stem, handle.read(), spans, language))
    return notes


def i2b2(path: Path) -> list[AnnotatedNote]:
    """i2b2/UTHealth 2014 de-identification XML: one file, or a folder of them.

    `<deIdi2b2><TEXT>..</TEXT><TAGS><NAME id start end text TYPE comment/>..`: offsets count
    code points of TEXT; the fine type is `TYPE`.
    """
    files = sorted(path.rglob("*.xml")) if path.is_dir() else [path]
    notes = []
    for file in files:
        root = ET.parse(file).getroot()  # noqa: S314 - a licensed corpus, not note input
        text = root.findtext("TEXT") or ""
        spans = [
            (start, end, age_label(_i2b2_label(tag.attrib["TYPE"]), text[start:end]))
            for tag in root.iterfind("TAGS/*")
            if "TYPE" in tag.attrib
            for start, end in [(int(tag.attrib["start"]), int(tag.attrib["end"]))]
        ]
        notes.append(_note(file.stem, text, spans, "en"))
    return notes


def _i2b2_label(label: str) -> str:
    return {"LOCATION-OTHER": "LOCATION_OTHER", "OTHER": "LOCATION_OTHER"}.get(label, label)


def i2b2_2006(path: Path) -> list[AnnotatedNote]:
    """The 2006 challenge (Uzuner et al. 2007): `<RECORD ID><TEXT>` with `<PHI TYPE>` around values.

    Types are PATIENT, DOCTOR, HOSPITAL, ID, DATE, LOCATION, PHONE, AGE.
    """
    notes = []
    for record in ET.parse(path).getroot().iter("RECORD"):  # noqa: S314 - as above
        pieces: list[str] = []
        spans: list[LabelSpan] = []
        for body in record.iterfind("TEXT"):
            pieces.append(body.text or "")
            for phi in body.iter("PHI"):
                start = sum(map(len, pieces))
                pieces.append(phi.text or "")
                if phi.text:
                    label = _I2B2_2006.get(phi.attrib["TYPE"], phi.attrib["TYPE"])
                    spans.append((start, start + len(phi.text), age_label(label, phi.text)))
                pieces.append(phi.tail or "")
        notes.append(_note(record.attrib["ID"], "".join(pieces), spans, "en"))
    return notes


_I2B2_2006 = {"ID": "IDNUM", "LOCATION": "LOCATION_OTHER"}
_PHYSIONET = {
    "ptname": "PATIENT", "ptnameinitial": "PATIENT", "relativeproxyname": "PATIENT",
    "hcpname": "DOCTOR", "date": "DATE", "dateyear": "DATE", "phone": "PHONE",
    "location": "LOCATION_OTHER", "age": "AGE", "other": "IDNUM",
}  # fmt: skip


def physionet(folder: Path) -> list[AnnotatedNote]:
    """The gold standard of nursing notes (Neamatullah et al. 2008): `id.text`, `id-phi.phrase`.

    Records stand between `START_OF_RECORD=<patient>||||<note>||||` and `||||END_OF_RECORD`; a line
    of `id-phi.phrase` is patient, note, start, end, type, words. The words decide where the offsets
    are one off; raises `ValueError` where they stand nowhere near.
    """
    lines: dict[str, list[list[str]]] = {}
    for line in (folder / "id-phi.phrase").read_text("utf-8-sig").splitlines():
        fields = line.split(" ", 5)
        lines.setdefault("-".join(fields[:2]), []).append(fields[2:])
    text = (folder / "id.text").read_text("utf-8-sig")
    records = [(f"{m[1]}-{m[2]}", m[3]) for m in _PHYSIONET_RECORD.finditer(text)]
    return [
        _note(name, body, [_phrase(name, body, line) for line in lines.get(name, [])], "en")
        for name, body in records
    ]


def _phrase(name: str, body: str, line: list[str]) -> LabelSpan:
    start, kind, words = int(line[0]), line[2], line[3]
    at = body.find(words, max(0, start - 2), start + len(words) + 2)
    if at < 0:
        raise ValueError(f"{name}: a phrase of type {kind} is not at {start}")
    return at, at + len(words), age_label(_PHYSIONET.get(kind.lower(), "IDNUM"), words)


_PHYSIONET_RECORD = re.compile(
    r"START_OF_RECORD=(\d+)\|\|\|\|(\d+)\|\|\|\|\r?\n(.*?)\|\|\|\|END_OF_RECORD", re.DOTALL
)


def marked(path: Path, language: str) -> list[AnnotatedNote]:
    """Marked text: `=== ID | note_type | setting` heads, `[[TYPE|exact text]]` marks.

    One file, or every `*.txt` of a folder in order.
    """
    files = sorted(path.glob("*.txt")) if path.is_dir() else [path]
    notes = []
    for file in files:
        for name, kind, body in _marked_notes(file.read_text("utf-8-sig")):
            text, spans = unmark(body)
            notes.append(_note(name, text, spans, language, kind))
    return notes


def _marked_notes(text: str) -> Iterator[tuple[str, str, str]]:
    head: re.Match[str] | None = None
    lines: list[str] = []
    for line in [*text.split("\n"), "=== end | end"]:
        match = HEAD.match(line)
        if match is None:
            lines.append(line)
            continue
        if head is not None:
            yield head[1], head[2], "\n".join(lines).strip("\n")
        head, lines = match, []


def unmark(body: str) -> tuple[str, list[LabelSpan]]:
    """Text without its marks, and the spans that they stood for."""
    out: list[str] = []
    spans: list[LabelSpan] = []
    at = length = 0
    for match in MARK.finditer(body):
        out += [body[at : match.start()], match[2]]
        length += match.start() - at
        spans.append((length, length + len(match[2]), match[1]))
        length += len(match[2])
        at = match.end()
    out.append(body[at:])
    return "".join(out), spans


def jsonl(path: Path, language: str = "en") -> list[AnnotatedNote]:
    """JSON lines: `{"id", "text", "spans": [{"start", "end", "type"}], "note_type"?}`.

    `language` holds unless a line has its own.
    """
    notes = []
    with path.open(encoding="utf-8-sig") as handle:
        for number, line in enumerate(handle, 1):
            if not line.strip():
                continue
            try:
                notes.append(_row(json.loads(line), language))
            except _NOT_THAT as error:
                raise _Line(number, error) from None
    return notes


def _row(row: dict[str, Any], language: str) -> AnnotatedNote:
    spans = [(s["start"], s["end"], s["type"]) for s in row.get("spans", ())]
    said, kind = row.get("language", language), row.get("note_type", "")
    return _note(str(row["id"]), row["text"], spans, said, kind)


class _Line(ValueError):
    """What is wrong with a line, in words that are none of the note's: keys are those asked for."""

    def __init__(self, number: int, error: Exception) -> None:
        lacks = isinstance(error, KeyError)
        super().__init__(f"line {number}: {f'no {error}' if lacks else _kind(error)}")


def _kind(error: Exception) -> str:
    """What kind of error it is: its words may be of a note."""
    return str(error) if isinstance(error, _Line | _Outside) else type(error).__name__


class _Outside(ValueError):
    """A span that does not lie in its text."""


def plain(source: str, root: Path) -> Iterator[tuple[str, str]]:
    """Unlabelled texts by name: `"<path>:<column>"` under `root`, the column of a CSV or JSON-lines
    file, or the key in each JSON file of a folder.
    """
    where, _, column = source.partition(":")
    if (root / where).is_dir():
        for path in sorted((root / where).glob("*.json")):
            yield f"{where}/{path.stem}", json.loads(path.read_text("utf-8-sig"))[column or "text"]
        return
    with (root / where).open(encoding="utf-8-sig", newline="") as handle:
        rows: Iterable[dict[str, str]] = (
            csv.DictReader(handle)
            if where.endswith(".csv")
            else (json.loads(line) for line in handle if line.strip())
        )
        for number, row in enumerate(rows):
            yield f"{where}-{number}", row[column or "text"]


_LOST_BREAK = re.compile(r"(?<=[.:])\s*,\s*(?=[A-Z0-9])|(?<=\.)\s{3,}")


def with_breaks(text: str) -> str:
    """A text of MTSamples, whose line breaks were lost as `.,` and `:,`, with them."""
    return _LOST_BREAK.sub("\n", text)


READERS: dict[str, Callable[[Path, str], list[AnnotatedNote]]] = {
    "brat": brat,
    "i2b2": lambda path, _: i2b2(path),
    "i2b2-2006": lambda path, _: i2b2_2006(path),
    "physionet": lambda path, _: physionet(path),
    "marked": marked,
    "jsonl": jsonl,
}


def is_marked(source: str) -> bool:
    """Whether a source names a reader of `load`, not a plain file."""
    return source.split(":", maxsplit=1)[0] in READERS


def load(source: str, root: Path, beside: Collection[str] = ()) -> list[AnnotatedNote]:
    """One source of a recipe, `"<reader>:<language>:<path>"`, with the path under `root`.

    Readers: `READERS`. Raises `Halt("recipe.data")` for another, where the path does not exist, is
    not what the reader reads, or holds no notes or a type that is none of the guidelines' and not
    `beside` them.
    """
    reader, language, where = [*source.split(":", 2), "", ""][:3]
    path = root / where
    if not path.exists():
        raise Halt("recipe.data", f"no such corpus, here or in STREAM_DEID_DATA: {where or source}")
    if reader not in READERS:
        raise Halt("recipe.data", f"unknown reader {reader!r} in {source!r}: {', '.join(READERS)}")
    try:
        notes = READERS[reader](path, language)
    except _NOT_THAT as error:
        why = _kind(error)
    else:
        why = "" if notes else "no notes in it"
    if why:
        raise Halt(
            "recipe.data",
            f"{path} is not what {reader!r} reads ({why}); other readers: {', '.join(READERS)}",
        )
    marks = {label for n in notes for *_, label in n.spans} - set(beside)
    if strange := sorted(mark for mark in marks if not _is_type(mark)):
        raise Halt(
            "recipe.data",
            f"{path} marks {', '.join(strange[:5])}: types are those of corpora/dev/README.md "
            "(PATIENT, DOCTOR, DATE, ...), or MEDDOCAN's",
        )
    return notes


def _is_type(label: str) -> bool:
    try:
        label_type(label)
    except KeyError:
        return False
    return True
