"""Messages about one made-up world, run through the pipeline: what became of each mention.

A sentence is told by its number, so that the surrogate of what it holds is read from the output.
`marks` stand for the models: each says where a value stands and what it took it for. The rest is
found by patterns and by what the message states.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.formats.hl7 import message as hl7v2
from stream_deid.labels import PhiType
from stream_deid.note import Deidentified, Detection, Note, Part
from stream_deid.pipeline import Pipeline
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import Policy

KEY = b"one world's key!"
CHARSET = "latin-1"


@dataclass(frozen=True)
class Mention:
    """A value in a sentence: `before` and `after` it, and what a model would take it for."""

    name: str
    value: str
    kind: str = ""
    before: str = "Seen at "
    after: str = " today."


class Marks:
    """A detector that has read the sentences: it finds each mention where it stands."""

    name, version = "marks", "1"

    def __init__(self, mentions: Iterable[Mention]) -> None:
        self._mentions = [m for m in mentions if m.kind]

    def detect(self, text: str, _note: Note) -> list[Detection]:
        found = []
        for one in self._mentions:
            whole = one.before + one.value + one.after
            for hit in re.finditer(re.escape(whole), text):
                start = hit.start() + len(one.before)
                end = start + len(one.value)
                found.append(Detection(start, end, PhiType[one.kind], "model:en", 0.95))
        return found


def clean(note: Note, mentions: Sequence[Mention]) -> Deidentified:
    """The note after the whole pipeline, with `mentions` marked."""
    code = note.language or "en"
    setup = Language((Patterns(code), KnownIdentifiers(), Marks(mentions)), ())
    pipeline = Pipeline({code: setup}, Surrogates(Policy.named(), KEY), release="test")
    pending = pipeline.begin(replace(note, language=code))
    return pipeline.finish(pending, ())[0]


def sentences(mentions: Sequence[Mention]) -> list[str]:
    return [f"{m.before}{m.value}{m.after}" for m in mentions]


def read_back(texts: Iterable[str], mentions: Sequence[Mention]) -> dict[str, list[str]]:
    """What stands for each mention, by name, in the order of the mentions."""
    lines = [line for text in texts for line in text.split("\n")]
    shown: dict[str, list[str]] = {}
    for one, line in zip(mentions, lines, strict=True):
        start = len(one.before) if line.startswith(one.before) else 0
        end = len(line) - len(one.after) if line.endswith(one.after) else len(line)
        shown.setdefault(one.name, []).append(line[start:end])
    return shown


def in_text(
    mentions: Sequence[Mention], *, language: str = "en", patient: str = "p1", **record: object
) -> dict[str, list[str]]:
    """What stands for the mentions of a note of one text; `record`: more fields of `Note`."""
    text = "\n".join(sentences(mentions))
    note = Note("n1", patient, (Part(text, "text"),), language, **record)  # type: ignore[arg-type]
    return read_back([clean(note, mentions).parts[0].text], mentions)


def in_message(
    segments: Sequence[str], mentions: Sequence[Mention]
) -> tuple[list[str], dict[str, list[str]]]:
    """An HL7 message of `segments` with a mention in each OBX behind them: the segments as they
    come out, and what stands for each mention.
    """
    lines = [
        f"OBX|{i}|TX|NOTE^Note^L||{said}||||||F" for i, said in enumerate(sentences(mentions), 1)
    ]
    raw = "\r".join([*segments, *lines]).encode(CHARSET)
    note = hl7v2.parse(raw)
    out = hl7v2.render(note, clean(note, mentions)).decode(CHARSET).split("\r")
    head, tail = out[: len(segments)], out[len(segments) : len(segments) + len(lines)]
    return head, read_back([line.split("|")[5] for line in tail], mentions)
