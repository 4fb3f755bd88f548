"""The trunk of the recipes: multilingual-e5-small, cut to the pieces that some languages use.

Four fifths of that encoder are a table of 250,000 pieces, of which English and Spanish need a
fifth. The cut one keeps the rows of the pieces that the served models know (their `tokenizer.json`
is the trunk's), or of those that texts use; a text of these pieces comes out of it as out of the
whole one. What the pooler held is left out: token classifiers have no use for it.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from safetensors import safe_open
from safetensors.numpy import load_file, save_file

from stream_deid import atomic
from stream_deid.errors import Halt
from stream_deid.serving import manifest as manifests
from stream_deid.serving.build.packing import unpack
from stream_deid.text.subword import SubwordEncoder
from stream_deid.text.tokens import tokenize
from stream_deid.training.data import four_bit
from stream_deid.training.data.vocabulary import TABLE
from stream_deid.training.models import trunks

WEIGHTS, TOKENIZER, CONFIG = "model.safetensors", "tokenizer.json", "config.json"


@dataclass(frozen=True, slots=True)
class Uncut:
    """An encoder before it is cut; `pieces` with their scores, in the order of its rows."""

    pieces: tuple[tuple[str, float], ...]
    tensors: dict[str, NDArray[Any]]
    config: dict[str, Any]


def cut(source: Path, like: Path, out: Path, texts: Iterable[str] = ()) -> str:
    """Write the trunk that is left of `source` to the folder `out`; tells what it is.

    `source`: a folder of Hugging Face (`config.json`, `tokenizer.json`, `model.safetensors`), or
    the file of `four_bit`. `like`: a `tokenizer.json` whose pieces stay; where there are `texts`,
    those that they use do, and it says how to read them. Raises `Halt("trunk....")`.
    """
    whole = _read(source)
    definition = json.loads(like.read_text("utf-8"))
    if definition["model"]["type"] != "Unigram":
        raise Halt("trunk.tokenizer", f"{like}: only vocabularies of SentencePiece are cut")
    row_of = {piece: row for row, (piece, _) in enumerate(whole.pieces)}
    words = list(texts)
    if words:
        definition = _of_texts(definition, whole, words)
    kept = [piece for piece, _ in definition["model"]["vocab"]]
    if missing := [piece for piece in kept if piece not in row_of]:
        raise Halt("trunk.pieces", f"{source} lacks {len(missing)} of the pieces: another encoder")
    tensors = dict(whole.tensors)
    tensors[TABLE] = tensors[TABLE][[row_of[piece] for piece in kept]]
    out.mkdir(parents=True, exist_ok=True)
    with atomic.beside(out / WEIGHTS) as part:
        save_file(
            {k: np.ascontiguousarray(v, dtype=np.float16) for k, v in tensors.items()},
            part,
            metadata={"format": "pt"},
        )
        part.chmod(0o644)
    changed = json.dumps(definition, ensure_ascii=False) if words else like.read_text("utf-8")
    atomic.write(out / TOKENIZER, changed)
    config = whole.config | {"vocab_size": len(kept), "pad_token_id": kept.index("<pad>")}
    atomic.write(out / CONFIG, json.dumps(config, indent=1, sort_keys=True) + "\n")
    return f"{len(kept)} of {len(whole.pieces)} pieces, {len(tensors)} tensors"


def main(source: str, model: str, out: Path, texts: list[Path]) -> int:
    """`stream-deid trunk`: cut `source` to the pieces of a `model` of the repository, or to those
    of `texts`, a text a line; the exit status, 0.
    """
    like = trunks.repository() / model
    lines = [line for path in texts for line in path.read_text("utf-8-sig").splitlines()]
    told = cut(Path(trunks.find(source, Path())), like / TOKENIZER, out, lines)
    same = not lines and as_served(out, like)
    told += f"; embeddings as {model} has them" if same else f"; other embeddings than {model}'s"
    sys.stdout.write(f"{out}: {told}\n")
    return 0


def as_served(folder: Path, model: Path) -> bool:
    """Whether a trunk's embeddings are those of a model of the repository."""
    body = json.loads((model / manifests.FILE).read_text("utf-8"))
    shared = load_file(model.parent / body["build"]["embeddings"]["file"])
    served = {k.removeprefix("trunk."): v for k, v in unpack(shared).items()}
    trunk = load_file(folder / WEIGHTS)
    return all(k in trunk and np.array_equal(v, trunk[k]) for k, v in served.items())


def _read(source: Path) -> Uncut:
    if source.is_dir():
        return _of_folder(source)
    try:
        found = four_bit.read(source.read_bytes())
    except (OSError, ValueError) as error:
        raise Halt("trunk.source", f"{source} is no encoder that is known: {error}") from None
    layers = {name.split(".")[2] for name in found.tensors if name.startswith("encoder.layer.")}
    width = found.tensors[TABLE].shape[1]
    inner = found.tensors["encoder.layer.0.intermediate.dense.bias"].shape[0]
    config = {
        "architectures": ["BertModel"],
        "hidden_act": "gelu",
        "hidden_size": width,
        "intermediate_size": inner,
        "layer_norm_eps": found.epsilon,
        "max_position_embeddings": len(found.tensors["embeddings.position_embeddings.weight"]),
        "model_type": "bert",
        "num_attention_heads": found.heads,
        "num_hidden_layers": len(layers),
        "type_vocab_size": len(found.tensors["embeddings.token_type_embeddings.weight"]),
    }
    return Uncut(tuple(zip(found.pieces, found.scores, strict=True)), found.tensors, config)


def _of_folder(folder: Path) -> Uncut:
    try:
        config = json.loads((folder / CONFIG).read_text("utf-8"))
        vocabulary = json.loads((folder / TOKENIZER).read_text("utf-8"))["model"]["vocab"]
        with safe_open(folder / WEIGHTS, "np") as file:
            tensors = {
                name.removeprefix("bert."): file.get_tensor(name)
                for name in file.keys()  # noqa: SIM118 - no mapping
                if "pooler." not in name and not name.endswith("position_ids")
            }
    except (OSError, ValueError, LookupError) as error:
        raise Halt("trunk.source", f"{folder} is no encoder that is known: {error}") from None
    if TABLE not in tensors or not isinstance(vocabulary, list):
        raise Halt("trunk.source", f"{folder} is no BERT with a vocabulary of SentencePiece")
    return Uncut(tuple((piece, score) for piece, score in vocabulary), tensors, config)


def _of_texts(definition: dict[str, Any], whole: Uncut, texts: list[str]) -> dict[str, Any]:
    """The tokenizer with the pieces alone that the words of `texts` use, however they are written,
    and the special ones.
    """
    full = _with(definition, [list(entry) for entry in whole.pieces])
    encoder = SubwordEncoder(json.dumps(full))
    used = {token["id"] for token in full["added_tokens"]}
    words = {word for text in texts for word in tokenize(text).words}
    forms = sorted({f for w in words for f in (w, w.lower(), w.upper(), w.capitalize())})
    for spaced in (True, False):
        found = encoder.pieces(forms, [spaced] * len(forms))
        used.update(number for pieces in found for number in pieces)
    return _with(definition, [list(whole.pieces[number]) for number in sorted(used)])


def _with(definition: dict[str, Any], vocabulary: list[list[Any]]) -> dict[str, Any]:
    """The tokenizer over another vocabulary; special pieces have their numbers in it."""
    number = {piece: n for n, (piece, _) in enumerate(vocabulary)}
    tokens = [t | {"id": number[t["content"]]} for t in definition["added_tokens"]]
    model = definition["model"] | {"vocab": vocabulary}
    return definition | {"added_tokens": tokens, "model": model}
