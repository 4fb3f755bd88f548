"""Word and character vocabularies, and word vectors made from a pretrained trunk's pieces."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from safetensors import safe_open

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.text.subword import SubwordEncoder
from stream_deid.text.tokens import tokenize
from stream_deid.text.wordchar import FIRST_WORD, WordCharEncoder, word_key
from stream_deid.training.data.corpora import AnnotatedNote

TABLE = "embeddings.word_embeddings.weight"
"""The table of pieces among the tensors of a trunk."""

_PRINTABLE = "".join(chr(c) for c in range(33, 127))


@dataclass(frozen=True, slots=True)
class Inventory:
    """The words of a run: the encoder, and how often each form occurs in training."""

    encoder: WordCharEncoder
    counts: Mapping[str, int] = field(repr=False)

    def once(self) -> NDArray[np.bool_]:
        """By word id: it occurs once."""
        mask = np.zeros(FIRST_WORD + len(self.encoder.words), dtype=bool)
        mask[[self.encoder.words[w] for w, n in self.counts.items() if n == 1]] = True
        return mask

    def save(self, folder: Path) -> None:
        """`vocabulary.json` and `counts.json`."""
        atomic.write(folder / "vocabulary.json", to_json(self.encoder))
        counts = json.dumps(self.counts, ensure_ascii=False, separators=(",", ":"))
        atomic.write(folder / "counts.json", counts)

    @classmethod
    def saved(cls, folder: Path) -> Inventory | None:
        """What `save` wrote, if it did."""
        files = folder / "vocabulary.json", folder / "counts.json"
        if not all(f.exists() for f in files):
            return None
        words, counts = (f.read_text("utf-8") for f in files)
        return cls(WordCharEncoder.from_json(words), json.loads(counts))


def count_words(notes: Iterable[AnnotatedNote]) -> Counter[str]:
    """How often each word form (digits as 0) occurs in the notes."""
    counts: Counter[str] = Counter()
    for note in notes:
        counts.update(word_key(w) for w in tokenize(note.text).words if w != "\n")
    return counts


def build(counts: Counter[str], extra: Iterable[str] = ()) -> WordCharEncoder:
    """Vocabulary of the counted words (most frequent first), then `extra` ones in their order."""
    ordered = [w for w, _ in sorted(counts.items(), key=lambda item: (-item[1], item[0]))]
    words = list(dict.fromkeys([*ordered, *extra]))
    rare = sorted({c for word in ordered for c in word} - set(_PRINTABLE))
    return WordCharEncoder(words, _PRINTABLE + "".join(rare))


def to_json(encoder: WordCharEncoder) -> str:
    """What `WordCharEncoder.from_json` reads."""
    parsed = {"words": list(encoder.words), "alphabet": "".join(encoder.alphabet)}
    return json.dumps(parsed, ensure_ascii=False, separators=(",", ":"))


class TrunkPieces:
    """Tokenizer and piece embeddings of a pretrained model's folder."""

    def __init__(self, folder: Path) -> None:
        if not (folder / "tokenizer.json").is_file():
            raise Halt("trunk.missing", f"no tokenizer.json in the trunk {folder.name}")
        self._definition = (folder / "tokenizer.json").read_text("utf-8")
        with safe_open(folder / "model.safetensors", "pt") as tensors:
            table: torch.Tensor = tensors.get_tensor(TABLE)
        self._table = table.float().numpy()

    def whole_words(self) -> list[str]:
        """Words that are one piece, digits as 0, by frequency."""
        vocabulary = json.loads(self._definition)["model"]["vocab"]
        pieces = [entry[0] for entry in vocabulary]
        words = [p[1:] for p in pieces if p.startswith("▁") and p[1:].isalpha()]
        return [w for w in words if len(tokenize(w)) == 1]

    def vectors(self, words: Iterable[str]) -> NDArray[np.float32]:
        """Mean of each word's piece embeddings, standardised by dimension: [n, width]."""
        listed = list(words)
        pieces = SubwordEncoder(self._definition).pieces(listed, [True] * len(listed))
        means = np.stack([self._table[list(p)].mean(0) for p in pieces])
        out: NDArray[np.float32] = ((means - means.mean(0)) / (means.std(0) + 1e-6)).astype(
            np.float32
        )
        return out
