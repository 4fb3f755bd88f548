"""A trunk is cut without a change to what it says of texts of its pieces, and the cut of the
recipes' trunk is that trunk.
"""

import hashlib
import json
import os
import struct
from pathlib import Path

import numpy as np
import pytest

torch = pytest.importorskip("torch")

from safetensors.numpy import load_file, save_file  # noqa: E402
from transformers import AutoModel, BertConfig, BertModel  # noqa: E402

from stream_deid.cli import main  # noqa: E402
from stream_deid.errors import Halt  # noqa: E402
from stream_deid.serving.build.packing import CODES, pack  # noqa: E402
from stream_deid.text.subword import SubwordEncoder  # noqa: E402
from stream_deid.training.data import four_bit  # noqa: E402
from stream_deid.training.models import cutting  # noqa: E402

ROOT = Path(__file__).parents[2]
PIECES = ["<s>", "<pad>", "</s>", "<unk>", "▁", "a", "▁d", "ж", "▁ana", "n", "ó", "▁ж", "<mask>"]
FOREIGN = {"ж", "▁ж"}
TABLE = "embeddings.word_embeddings.weight"


def _definition(pieces: list[str]) -> dict:
    special = [one for one in pieces if one.startswith("<")]
    return {
        "version": "1.0",
        "truncation": None,
        "padding": None,
        "added_tokens": [
            {
                "id": pieces.index(one), "content": one, "special": True, "normalized": False,
                "single_word": False, "lstrip": False, "rstrip": False,
            }
            for one in special
        ],
        "normalizer": None,
        "pre_tokenizer": {
            "type": "Metaspace", "replacement": "▁", "prepend_scheme": "always", "split": True
        },
        "post_processor": None,
        "decoder": None,
        "model": {
            "type": "Unigram", "unk_id": 3, "byte_fallback": False,
            "vocab": [[one, -float(n)] for n, one in enumerate(pieces)],
        },
    }  # fmt: skip


def _encoder(folder: Path) -> Path:
    """A small encoder, as Hugging Face keeps one."""
    torch.manual_seed(3)
    config = BertConfig(
        vocab_size=len(PIECES), hidden_size=32, num_hidden_layers=2, num_attention_heads=4,
        intermediate_size=64, max_position_embeddings=20, pad_token_id=1,
    )  # fmt: skip
    BertModel(config).half().save_pretrained(folder)
    (folder / "tokenizer.json").write_text(json.dumps(_definition(PIECES)), "utf-8")
    return folder


def _like(folder: Path) -> Path:
    """The tokenizer of a served model, which knows no foreign piece."""
    whole = _definition(PIECES)
    kept = [entry for entry in whole["model"]["vocab"] if entry[0] not in FOREIGN]
    out = _definition([piece for piece, _ in kept])
    out["model"]["vocab"] = kept
    path = folder / "like.json"
    path.write_text(json.dumps(out, ensure_ascii=False), "utf-8")
    return path


def _said(folder: Path, words: list[str]) -> np.ndarray:
    encoder = SubwordEncoder((folder / "tokenizer.json").read_text("utf-8"))
    ids = [i for pieces in encoder.pieces(words, [True] * len(words)) for i in pieces]
    model = AutoModel.from_pretrained(folder, dtype=torch.float32).eval()
    with torch.inference_mode():
        return model(torch.tensor([ids])).last_hidden_state.numpy()


def test_what_is_left_says_the_same_of_texts_of_its_pieces(tmp_path):
    whole = _encoder(tmp_path / "whole")
    like = _like(tmp_path)
    told = cutting.cut(whole, like, tmp_path / "cut")
    assert told.startswith(f"{len(PIECES) - 2} of {len(PIECES)} pieces")
    assert (tmp_path / "cut/tokenizer.json").read_text("utf-8") == like.read_text("utf-8")
    tensors = load_file(tmp_path / "cut/model.safetensors")
    assert tensors[TABLE].shape == (len(PIECES) - 2, 32)
    assert not [name for name in tensors if "pooler" in name]
    config = json.loads((tmp_path / "cut/config.json").read_text("utf-8"))
    assert (config["vocab_size"], config["pad_token_id"]) == (len(PIECES) - 2, 1)
    words = ["ana", "anda", "danó"]
    np.testing.assert_array_equal(_said(whole, words), _said(tmp_path / "cut", words))


def test_texts_choose_the_pieces_that_stay(tmp_path):
    whole = _encoder(tmp_path / "whole")
    cutting.cut(whole, _like(tmp_path), tmp_path / "cut", ["жa da"])
    vocabulary = json.loads((tmp_path / "cut/tokenizer.json").read_text("utf-8"))
    left = [piece for piece, _ in vocabulary["model"]["vocab"]]
    assert left == [one for one in PIECES if one not in {"▁ana", "n", "ó"}]
    assert vocabulary["added_tokens"] == _definition(left)["added_tokens"]
    np.testing.assert_array_equal(_said(whole, ["жa", "da"]), _said(tmp_path / "cut", ["жa", "da"]))


def test_another_encoder_is_refused(tmp_path):
    whole = _encoder(tmp_path / "whole")
    like = _like(tmp_path)
    other = json.loads(like.read_text("utf-8"))
    other["model"]["vocab"].append(["ß", -20.0])
    like.write_text(json.dumps(other), "utf-8")
    with pytest.raises(Halt, match=r"trunk\.pieces.*1 of the pieces"):
        cutting.cut(whole, like, tmp_path / "cut")
    (tmp_path / "none.bin").write_bytes(b"E5S1 and no more")
    for source in (tmp_path, tmp_path / "none.bin", tmp_path / "away.bin"):
        with pytest.raises(Halt, match=r"trunk\.source"):
            cutting.cut(source, like, tmp_path / "cut")


_SHORT = {
    "attention.self.query": "q", "attention.self.key": "k", "attention.self.value": "v",
    "attention.output.dense": "ao", "attention.output.LayerNorm": "aln",
    "intermediate.dense": "fi", "output.dense": "fo", "output.LayerNorm": "oln",
}  # fmt: skip
_ROOT = {
    TABLE: "emb.word", "embeddings.position_embeddings.weight": "emb.pos",
    "embeddings.token_type_embeddings.weight": "emb.type",
    "embeddings.LayerNorm.weight": "emb.ln.w", "embeddings.LayerNorm.bias": "emb.ln.b",
}  # fmt: skip


def _short(name: str) -> str:
    if name in _ROOT:
        return _ROOT[name]
    _, _, layer, rest = name.split(".", 3)
    part, _, kind = rest.rpartition(".")
    return f"l{layer}.{_SHORT[part]}.{kind[0]}"


def _four_bit_file(tensors: dict[str, np.ndarray]) -> bytes:
    """The encoder in one file of 4 bits, where a tensor is a matrix of these."""
    letters = [piece.encode() for piece in PIECES]
    bounds = np.cumsum([0, *map(len, letters)]).astype("<u4")
    body = struct.pack("<4si7ifi", b"E5S1", 1, 32, 2, 4, 64, len(PIECES), 20, 2, 1e-12, 32)
    body += struct.pack("<5iQ", len(PIECES), 0, 2, 1, 3, int(bounds[-1])) + bounds.tobytes()
    body += (-np.arange(len(PIECES), dtype="<f4")).tobytes() + b"".join(letters)
    body += struct.pack("<iI", 1, 9) + struct.pack("<IBI", 0x2F00, 1, 0x61)
    blobs = {}
    for name, table in tensors.items():
        packed = pack("t", table)
        matrix = table.ndim == 2 and f"t{CODES}" in packed and "position" not in name
        blobs[_short(name)] = (
            int(matrix), table.size,
            _blocks(packed) if matrix else table.astype("<f4").tobytes(),
        )  # fmt: skip
    at = len(body) + 4 + sum(2 + len(name) + 21 for name in blobs)
    body += struct.pack("<i", len(blobs))
    for name, (kind, count, blob) in blobs.items():
        body += struct.pack("<H", len(name)) + name.encode()
        body += struct.pack("<BIQQ", kind, count, at, len(blob))
        at += len(blob)
    return body + b"".join(blob for _, _, blob in blobs.values())


def _blocks(packed: dict[str, np.ndarray]) -> bytes:
    pairs, scales = packed[f"t{CODES}"], packed["t.scales4"].reshape(-1)
    codes = np.stack([pairs & 15, pairs >> 4], axis=-1).reshape(-1, 32)
    blocks = np.zeros(len(codes), np.dtype([("d", "<f2"), ("q", "u1", 16)]))
    blocks["d"], blocks["q"] = scales, codes[:, :16] | (codes[:, 16:] << 4)
    return blocks.tobytes()


def test_the_file_of_four_bits_is_read_as_it_was_written(tmp_path):
    whole = _encoder(tmp_path / "whole")
    rng = np.random.default_rng(5)
    tensors = {
        name: (rng.integers(-8, 8, table.shape) * 0.125).astype(np.float16)
        if table.ndim == 2 and "position" not in name and "token_type" not in name
        else table
        for name, table in load_file(whole / "model.safetensors").items()
        if "pooler" not in name
    }
    save_file(tensors, whole / "model.safetensors", metadata={"format": "pt"})
    packed = tmp_path / "small-q4.bin"
    packed.write_bytes(_four_bit_file(tensors))
    found = four_bit.read(packed.read_bytes())
    assert found.pieces == tuple(PIECES)
    assert (found.heads, found.scores[2]) == (4, -2.0)
    for name, table in tensors.items():
        np.testing.assert_array_equal(found.tensors[name].astype(np.float16), table)
    like = _like(tmp_path)
    for source, out in ((whole, "one"), (packed, "other")):
        cutting.cut(source, like, tmp_path / out)
    one, other = (load_file(tmp_path / out / "model.safetensors") for out in ("one", "other"))
    assert one.keys() == other.keys()
    assert all(np.array_equal(one[name], other[name]) for name in one)
    words = ["ana", "danó"]
    np.testing.assert_array_equal(_said(tmp_path / "one", words), _said(tmp_path / "other", words))


DATA = os.environ.get("STREAM_DEID_DATA", "")


@pytest.mark.skipif(not DATA, reason="STREAM_DEID_DATA names no folder")
def test_the_cut_of_the_recipes_trunk_is_that_trunk(tmp_path, capsys):
    """The trunk with strange pieces among its own, cut by the command, to the last bit; the hash
    that the documents tell is its own.
    """
    trunk = cutting.trunks.find("me5s-en-es", Path(DATA))
    tensors = load_file(trunk / "model.safetensors")
    assert tensors[TABLE].shape == (48_559, 384)
    whole = tmp_path / "whole"
    whole.mkdir()
    definition = json.loads((trunk / "tokenizer.json").read_text("utf-8"))
    vocabulary = definition["model"]["vocab"]
    places = range(7, len(vocabulary), 4_000)
    for place in reversed(places):
        vocabulary.insert(place, [f"ж{place}", -15.0])
    tensors[TABLE] = np.insert(tensors[TABLE], list(places), np.float16(1), axis=0)
    tensors["pooler.dense.bias"] = np.zeros(384, np.float16)
    save_file(tensors, whole / "model.safetensors", metadata={"format": "pt"})
    (whole / "tokenizer.json").write_text(json.dumps(definition), "utf-8")
    (whole / "config.json").write_text((trunk / "config.json").read_text("utf-8"), "utf-8")
    assert main(["trunk", str(whole), "--out", str(tmp_path / "cut")]) == 0
    assert "48559 of" in (said := capsys.readouterr().out)
    assert "embeddings as bert_en has them" in said
    files = [folder / "model.safetensors" for folder in (tmp_path / "cut", trunk)]
    cut, own = (hashlib.sha256(file.read_bytes()).hexdigest() for file in files)
    assert cut == own
    assert own in (ROOT / "docs/models.md").read_text("utf-8")
    for file in ("tokenizer.json", "config.json"):
        there, then = (
            json.loads((folder / file).read_text("utf-8")) for folder in (tmp_path / "cut", trunk)
        )
        assert there == then
