"""What a reviewer accepted, as the files that serve: nothing else is ever read by the pipeline.

`stream-deid lists compile` and `templates compile` write these files from a review; the first line
seals the entries, so that a line which no review accepted stops the service instead of serving;
remarks behind it say what the file holds:

    # stream-deid inclusion en entries=2 sha256=0f3c...
    # Sentences that hold no identifier, ...
    alert and oriented
    no acute distress
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from importlib.resources import files
from typing import Self

from stream_deid.errors import Halt

INCLUSION, TEMPLATES = "inclusion", "templates"
KINDS = (INCLUSION, TEMPLATES)
_HEAD = "# stream-deid"
_REMARKS = {
    INCLUSION: "# Sentences that hold no identifier, one a line, folded.\n",
    TEMPLATES: "# Lines of fixed form, one a line; {TYPE:shape} stands for an identifier.\n",
}
_SOURCE = (
    "# Source: compiled from what reviewers accepted, not to be edited; of the shipped ones\n"
    "# corpora/reviews, with the licences of NOTICE.\n"
)


@dataclass(frozen=True, slots=True)
class Reviewed:
    """The accepted entries of one kind and language, sorted; `digest`: SHA-256 of them."""

    kind: str
    language: str
    entries: tuple[str, ...] = ()

    @property
    def digest(self) -> str:
        body = "".join(f"{entry}\n" for entry in (self.kind, self.language, *self.entries))
        return hashlib.sha256(body.encode()).hexdigest()

    @property
    def version(self) -> str:
        """What the audit calls it: the first eight digits of the digest."""
        return self.digest[:8]

    @classmethod
    def of(cls, kind: str, language: str, entries: Iterable[str]) -> Self:
        """Accepted entries, each once, in order."""
        return cls(kind, language, tuple(sorted(set(entries))))

    def render(self) -> str:
        """The file that serves."""
        head = f"{_HEAD} {self.kind} {self.language} entries={len(self.entries)}"
        lines = "".join(f"{line}\n" for line in self.entries)
        return f"{head} sha256={self.digest}\n{_remarks(self.kind)}{lines}"


def _remarks(kind: str) -> str:
    return _REMARKS[kind] + _SOURCE


def parse(text: str, kind: str, language: str) -> Reviewed:
    """A file that serves. Raises `Halt("fast.unreviewed")` where its entries are not those that
    were compiled, `Halt("fast.file")` where it is another kind of file.
    """
    head, _, body = text.partition("\n")
    if not head.startswith(f"{_HEAD} {kind} {language} "):
        raise Halt("fast.file", f"no compiled file of {kind} for {language!r}")
    body = body.removeprefix(_remarks(kind))  # those compiled before had none
    found = Reviewed(kind, language, tuple(body.splitlines()))
    if found.render() != f"{head}\n{_remarks(kind)}{body}":
        raise Halt(
            "fast.unreviewed",
            f"{kind}_{language}.txt is not as it was compiled; change the review and compile again",
        )
    return found


def file_name(kind: str, language: str) -> str:
    """`inclusion_en.txt`."""
    return f"{kind}_{language}.txt"


def shipped(kind: str, language: str) -> Reviewed:
    """The project's own file; empty for a language that it has none for."""
    file = files("stream_deid.detect.fast").joinpath("data", file_name(kind, language))
    if not file.is_file():
        return Reviewed(kind, language)
    return parse(file.read_text("utf-8"), kind, language)


def among(texts: Mapping[str, str], kind: str, language: str) -> Reviewed:
    """The file of that kind and language among `texts` (name to content); empty where none is."""
    name = file_name(kind, language)
    return parse(texts[name], kind, language) if name in texts else Reviewed(kind, language)
