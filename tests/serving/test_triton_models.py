"""The models of `triton_models` on a real server: what replays stand on, with real notes."""

import asyncio
import json
import time
from pathlib import Path

import pytest

from stream_deid.config import Triton
from stream_deid.detect.neural.model_windows import windows
from stream_deid.serving import manifest
from stream_deid.serving.build import cpu as build
from stream_deid.serving.service import serving

REPO = manifest.repository()
CORPORA = REPO.parent / "corpora" / "dev"
MODELS = manifest.names(REPO)


def texts(language: str, count: int) -> list[str]:
    lines = (CORPORA / f"{language}_dev.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line)["text"] for line in lines[:count]]


def note_windows(repo: Path, name: str, notes: int):
    model = manifest.load(repo, name)
    known = manifest.model_spec(model)
    return [w for text in texts(model.languages[0], notes) for w in windows(known, 0, text)]


@pytest.mark.parametrize("name", MODELS)
def test_scores_of_real_notes_are_the_same_bytes_in_any_company(name):
    build.build(REPO, name)
    check_independence(REPO, name)


def check_independence(repo: Path, name: str) -> None:
    """Alone, all together, and in other batches: the same bytes; the engine is no constant."""
    work = note_windows(repo, name, 4)

    async def main():
        settings = Triton(repository=str(repo), request_timeout_s=60.0)
        async with serving(settings, [name]) as service:
            score, deadline = service.scorer.score, time.monotonic() + 300
            together = await score(work, deadline)
            alone = [(await score([w], deadline))[0] for w in work]
            backwards = (await score(work[::-1], deadline))[::-1]
            assert await service.client.independent(name, deadline)
        return together, alone, backwards

    together, alone, backwards = asyncio.run(main())
    assert [len(s) for s in together] == [len(w) for w in work]
    assert [a.tobytes() for a in alone] == [t.tobytes() for t in together]
    assert [b.tobytes() for b in backwards] == [t.tobytes() for t in together]
    assert len({t.tobytes() for t in together}) > 1
