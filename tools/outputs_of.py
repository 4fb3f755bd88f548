"""What one code makes of messages, patterns alone: started by `outputs.py`, with the code before
its own on `sys.path`. Reads lines `{"form", "raw"}`, writes `[policy, out, audit]` of each.
"""

from __future__ import annotations

import asyncio
import json
import sys
from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from stream_deid.config import Settings
from stream_deid.detect.examination import Language
from stream_deid.detect.patterns import Patterns
from stream_deid.detect.record.known import KnownIdentifiers
from stream_deid.errors import NoteRejected
from stream_deid.note import Window
from stream_deid.pipeline import Pipeline
from stream_deid.processor import Processor
from stream_deid.rig.fuzz.drawn_scores import tagger
from stream_deid.surrogate.engine import Surrogates
from stream_deid.surrogate.policy import POLICIES, Policy

MODELS = {code: tagger(code) for code in ("en", "es")}


class Silent:
    """A model whose windows are real, and which finds nothing in them."""

    async def score(self, windows: Sequence[Window], deadline: float) -> list[NDArray[np.float32]]:
        del deadline
        tags = {model.name: len(model.labels) for model in MODELS.values()}
        return [np.zeros((len(one), tags[one.model]), np.float32) for one in windows]


def processor(policy: str, key: bytes) -> Processor:
    """The path of one message, with patterns and what the message itself states."""
    setups = {
        code: Language((Patterns(code), KnownIdentifiers()), (model,))
        for code, model in MODELS.items()
    }
    pipeline = Pipeline(setups, Surrogates(Policy.named(policy), key), "release")
    return Processor(pipeline, Silent(), Settings(), key)


async def main(key: bytes) -> None:
    """All messages of standard input under every policy."""
    inputs = [json.loads(line) for line in sys.stdin]
    for policy in POLICIES:
        made = processor(policy, key)
        for one in inputs:
            try:
                done = await made.handle(one["raw"].encode(), {}, one["form"])
                told = [policy, done.note.decode(), done.audit.decode()]
            except NoteRejected as error:
                told = [policy, error.code, error.detail]
            print(json.dumps(told))


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1].encode()))
