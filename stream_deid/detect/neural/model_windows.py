"""Model detectors: what is known of a model, and a text as the windows that it reads.

The arrays of a window (`Window.inputs`), by kind of model:

* "subword": `input_ids` [n] int32, `attention_mask` [n] int32: the vocabulary's first special
  piece, the pieces of the tokens, its last special piece. The token's offsets stand at its
  first piece; everywhere else `starts == ends`.
* "wordchar": `words` [n] int32, `chars` [n, 24] int32 (`text.wordchar` says what they hold).

Scores of a window are float32 [n, number of tags], raw logits (CRF: emissions); `detect.decoding`
makes detections of them.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

import numpy as np
import orjson
from numpy.typing import NDArray

from stream_deid.detect.neural.stacking import Stacking
from stream_deid.errors import Halt
from stream_deid.labels import PhiType
from stream_deid.note import Hearing, Window
from stream_deid.text import bio
from stream_deid.text.case import capitalised, caseless, normalised
from stream_deid.text.subword import SubwordEncoder
from stream_deid.text.tokens import NEWLINE, Tokens, tokenize, without
from stream_deid.text.windows import plan
from stream_deid.text.wordchar import WordCharEncoder

KINDS = ("subword", "wordchar")


@dataclass(frozen=True, slots=True)
class Crf:
    """Transition scores of a linear-chain CRF: [L, L] from row to column, start and end [L]."""

    transitions: NDArray[np.float32]
    start: NDArray[np.float32]
    end: NDArray[np.float32]


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """What the core knows of one model; `from_manifest` builds it from `manifest.json`.

    `window`: longest sequence that the model is given (pieces, or words), special pieces
    included; `overlap`: what two windows share, in the same unit. `o_bias` is taken from the
    logits of "O" and of neutral labels: more of it, more recall; `type_bias` is added to those of a
    type's tags. `weight`: how much it counts where models are pooled. `line_spans`: spans may
    cross line breaks. `stacking`: a second opinion
    on the pool that this model leads. `heads`: tags by head, where the scores are those of several
    heads side by side; each has a vote of its own (`labels` are the tags of all of them).
    `normalised`: texts are heard once more with words in capitals normalised (`ensemble`).
    """

    name: str
    version: str
    kind: str
    languages: tuple[str, ...]
    labels: tuple[str, ...]
    window: int
    overlap: int
    o_bias: float = 0.0
    weight: float = 1.0
    line_spans: bool = True
    subword: SubwordEncoder | None = field(default=None, repr=False)
    wordchar: WordCharEncoder | None = field(default=None, repr=False)
    crf: Crf | None = field(default=None, repr=False)
    stacking: Stacking | None = field(default=None, repr=False)
    type_bias: Mapping[PhiType, float] = field(default_factory=dict)
    heads: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    normalised: bool = False

    def __post_init__(self) -> None:
        encoder = {"subword": self.subword, "wordchar": self.wordchar}.get(self.kind)
        if encoder is None:
            raise Halt("model.kind", f"{self.name}: kind {self.kind} without its vocabulary")
        if bio.tag_names(label_names(self.labels)) != self.labels:
            raise Halt("model.labels", f"{self.name}: tags must be O, B-X, I-X, ... in pairs")
        if any(tag not in self.labels for head in self.heads.values() for tag in head):
            raise Halt("model.heads", f"{self.name}: a head has tags that the model lacks")
        if self.crf is not None and self.crf.transitions.shape != (len(self.labels),) * 2:
            raise Halt("model.crf", f"{self.name}: transitions do not fit the tags")
        if not self.weight > 0:
            raise Halt("model.weight", f"{self.name}: the weight must be above 0")
        if not 0 <= self.overlap * 2 <= self.window - 2:
            raise Halt("model.window", f"{self.name}: overlap must be under half of the window")

    @property
    def width(self) -> int:
        """So many scores has each token."""
        return sum(map(len, self.heads.values())) or len(self.labels)

    @property
    def detector(self) -> str:
        """`name@version`, as detections carry it."""
        return f"{self.name}@{self.version}"

    @classmethod
    def from_manifest(cls, manifest: Mapping[str, Any], files: Mapping[str, str]) -> ModelSpec:
        """From a parsed `manifest.json` and the text of the files that it names.

        Keys: name, version, kind, languages, labels, window, overlap, o_bias, weight, line_spans,
        and for "subword" `tokenizer` (a file name), optionally `titled` (see `SubwordEncoder`),
        for "wordchar" `vocabulary` (a file name: JSON with `words`, a list, and `alphabet`, a
        string), optionally `crf` with transitions, start and end. Optionally `stacking` (a file
        name: see `detect.stacking`).
        Raises `Halt("manifest...")` where one is missing or malformed.
        """
        try:
            kind = str(manifest["kind"])
            crf = manifest.get("crf")
            stacking = manifest.get("stacking")
            return cls(
                name=str(manifest["name"]),
                version=str(manifest["version"]),
                kind=kind,
                languages=tuple(manifest["languages"]),
                labels=tuple(manifest["labels"]),
                window=int(manifest["window"]),
                overlap=int(manifest["overlap"]),
                o_bias=float(manifest.get("o_bias", 0.0)),
                weight=float(manifest.get("weight", 1.0)),
                line_spans=bool(manifest.get("line_spans", True)),
                subword=SubwordEncoder(
                    files[manifest["tokenizer"]], titled=bool(manifest.get("titled", False))
                )
                if kind == "subword"
                else None,
                wordchar=WordCharEncoder.from_json(files[manifest["vocabulary"]])
                if kind == "wordchar"
                else None,
                crf=_crf(crf) if crf else None,
                stacking=Stacking.from_json(orjson.loads(files[stacking])) if stacking else None,
                heads={str(k): tuple(v) for k, v in manifest.get("heads", {}).items()},
            )
        except (KeyError, TypeError, ValueError) as error:
            raise Halt("manifest.field", f"missing or malformed: {type(error).__name__}") from None


def _crf(crf: Mapping[str, Any]) -> Crf:
    return Crf(
        np.asarray(crf["transitions"], dtype=np.float32),
        np.asarray(crf["start"], dtype=np.float32),
        np.asarray(crf["end"], dtype=np.float32),
    )


def label_names(tags: Sequence[str]) -> tuple[str, ...]:
    """The labels behind BIO tags, in their order: each "B-X" gives X."""
    return tuple(tag[2:] for tag in tags if tag.startswith("B-"))


def windows(
    spec: ModelSpec, part_index: int, text: str, unread: Sequence[tuple[int, int]] = ()
) -> list[Window]:
    """The windows of one part for one model; together they own every character once.

    A text without case has them twice, the second time with capitalised words; for a `normalised`
    model any other text with words in capitals as well. The tokens of `unread` stretches
    (`detect.fast`) are left out, as if they were not written. An empty text, one of white space
    alone, or one wholly unread has no windows.
    """
    tokens = without(tokenize(text), unread)
    if len(tokens) == 0:
        return []
    found = _windows(spec, part_index, tokens, len(text))
    hearing, again = _again(spec, text, tokens)
    if again is not None:
        cut = _windows(spec, part_index, again, len(text))
        found += [replace(window, hearing=hearing) for window in cut]
    return found


def _again(spec: ModelSpec, text: str, tokens: Tokens) -> tuple[Hearing, Tokens | None]:
    """How a text is heard a second time, if it is."""
    if caseless(text):
        return Hearing.CAPITALISED, capitalised(tokens)
    words = normalised(tokens.words) if spec.normalised else tokens.words
    changed = words != list(tokens.words)
    return Hearing.NORMALISED, replace(tokens, words=words) if changed else None


def _windows(spec: ModelSpec, part: int, tokens: Tokens, length: int) -> list[Window]:
    if spec.subword is not None:
        return _subword_windows(spec, spec.subword, part, tokens, length)
    assert spec.wordchar is not None
    return _word_windows(spec, spec.wordchar, part, tokens, length)


def line_starts(tokens: Tokens) -> NDArray[np.bool_]:
    """Which tokens open a line."""
    breaks: NDArray[np.bool_] = np.concatenate([[True], tokens.kinds[:-1] == NEWLINE])
    return breaks


def _subword_windows(
    spec: ModelSpec, encoder: SubwordEncoder, part: int, tokens: Tokens, length: int
) -> list[Window]:
    pieces = encoder.pieces(tokens.words, tokens.spaced.tolist())
    costs = np.fromiter((len(p) for p in pieces), dtype=np.int32, count=len(pieces))
    out = []
    for s in plan(
        costs, tokens.starts, line_starts(tokens),
        length=length, size=spec.window - 2, overlap=spec.overlap,
    ):  # fmt: skip
        ids = [encoder.first, *(i for p in pieces[s.first : s.last] for i in p), encoder.last]
        at = 1 + np.concatenate([[0], np.cumsum(costs[s.first : s.last])])[:-1]
        starts, ends = np.zeros((2, len(ids)), dtype=np.int32)
        starts[at] = tokens.starts[s.first : s.last]
        ends[at] = tokens.ends[s.first : s.last]
        inputs: dict[str, NDArray[Any]] = {
            "input_ids": np.array(ids, dtype=np.int32),
            "attention_mask": np.ones(len(ids), dtype=np.int32),
        }
        out.append(Window(spec.name, part, inputs, starts, ends, s.own_start, s.own_end))
    return out


def _word_windows(
    spec: ModelSpec, encoder: WordCharEncoder, part: int, tokens: Tokens, length: int
) -> list[Window]:
    words, chars = encoder.encode(tokens.words, tokens.spaced.tolist())
    ones = np.ones(len(tokens), dtype=np.int32)
    stretches = plan(
        ones, tokens.starts, line_starts(tokens),
        length=length, size=spec.window, overlap=spec.overlap,
    )  # fmt: skip
    return [
        Window(
            spec.name,
            part,
            {"words": words[s.first : s.last], "chars": chars[s.first : s.last]},
            tokens.starts[s.first : s.last],
            tokens.ends[s.first : s.last],
            s.own_start,
            s.own_end,
        )
        for s in stretches
    ]
