"""Pieces of a pretrained model's vocabulary for tokens, one token at a time.

A Unigram (SentencePiece) vocabulary gets its word-start mark only where white space goes
before the token; a line break is the vocabulary's separator. Piece ids of a token depend on
nothing but the token, so they are cached by its text in a cache of bounded size.
"""

from __future__ import annotations

from collections.abc import Sequence

import orjson
from tokenizers import Tokenizer

from stream_deid.text.case import normalised


class SubwordEncoder:
    """Encodes tokens for one `tokenizer.json` (Hugging Face tokenizers, Unigram or WordPiece).

    `titled`: words in capitals are read with a capital first letter alone ("SMITH" as "Smith").
    """

    def __init__(self, definition: str, *, titled: bool = False) -> None:
        self.titled = titled
        parsed = orjson.loads(definition)
        self.unigram = parsed["model"]["type"] == "Unigram"
        special = {t["content"]: int(t["id"]) for t in parsed["added_tokens"]}
        self.first = special.get("<s>", special.get("[CLS]", 0))
        self.last = special.get("</s>", special.get("[SEP]", 0))
        self.pad = special.get("<pad>", special.get("[PAD]", 0))
        self.mask = special.get("<mask>", special.get("[MASK]", 0))
        self.unknown = special.get("<unk>", special.get("[UNK]", 0))
        parsed.update(post_processor=None, truncation=None, padding=None)
        if self.unigram:
            parsed["pre_tokenizer"] = {
                "type": "Metaspace", "replacement": "▁", "prepend_scheme": "never", "split": True
            }  # fmt: skip
        self._tokenizer = Tokenizer.from_str(orjson.dumps(parsed).decode())
        if self.unigram:
            # else it keeps the words of former notes
            self._tokenizer.model._resize_cache(0)  # noqa: SLF001 - the only way

    def pieces(self, words: Sequence[str], spaced: Sequence[bool]) -> list[tuple[int, ...]]:
        r"""Piece ids of each token, at least one; "\\n" gives the separator."""
        if self.titled:
            words = normalised(words)
        if self.unigram:
            keys = [" " + w if s else w for w, s in zip(words, spaced, strict=True)]
        else:
            keys = list(words)
        found = self._encode(list(dict.fromkeys(keys)))
        return [found[key] for key in keys]

    def _encode(self, keys: list[str]) -> dict[str, tuple[int, ...]]:
        encodings = self._tokenizer.encode_batch(keys, add_special_tokens=False)
        return {
            key: (self.last,) if key.endswith("\n") else tuple(e.ids) or (self.unknown,)
            for key, e in zip(keys, encodings, strict=True)
        }
