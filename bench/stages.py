"""Where the time goes for a note: seconds by stage, one note at a time, then many at once.

    python bench/stages.py [--chars 3000] [--notes 60] [--config FILE]

Notes are those of the synthetic feed, joined to about the size asked for. Stages: parse, begin
(patterns, known identifiers, windows), score (Triton), finish (decode, vote, surrogates, rewrite,
coverage; of it "replace", what the surrogates take), render.
"""

from __future__ import annotations

import argparse
import asyncio
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import orjson

from stream_deid import config
from stream_deid.processor import Processor
from stream_deid.rig.synthetic import feed
from stream_deid.surrogate import Surrogates


def notes(count: int, chars: int) -> Iterator[bytes]:
    """English notes of about `chars` characters, each for another patient."""
    text, made = "", 0
    for message in feed(100_000, 17):
        if message.format != "json" or message.language != "en":
            continue
        text += orjson.loads(message.value)["text"] + "\n\n"
        if len(text) >= chars:
            made += 1
            yield orjson.dumps(
                {"note_id": f"n{made}", "patient_id": f"p{made}", "text": text[:chars]}
            )
            text = ""
        if made == count:
            return


def time_replacing(laps: list[float]) -> None:
    """Have every call of the surrogates' engine add its milliseconds to `laps`."""
    edits = Surrogates.edits

    def measured(*arguments: Any) -> Any:
        begun = time.perf_counter()
        made = edits(*arguments)
        laps.append((time.perf_counter() - begun) * 1000)
        return made

    Surrogates.edits = measured  # type: ignore[method-assign]


async def main(arguments: argparse.Namespace) -> None:
    settings = config.with_a_key(config.load(arguments.config))
    processor = await Processor.open(settings)
    try:
        batch = list(notes(arguments.notes, arguments.chars))
        for raw in batch[:5]:
            await processor.handle(raw, {})
        stages: dict[str, list[float]] = defaultdict(list)
        time_replacing(stages["replace"])
        begun = time.perf_counter()
        for raw in batch:
            for stage, seconds in (await processor.handle(raw, {})).stats.seconds.items():
                stages[stage].append(seconds * 1000)
        alone = time.perf_counter() - begun
        print(f"{len(batch)} notes of {arguments.chars} characters, one at a time")
        for stage, values in stages.items():
            share = sum(values) / (alone * 10)
            print(f"  {stage:8} median {statistics.median(values):7.2f} ms, {share:4.1f} % in all")
        print(f"  {len(batch) / alone:.1f} notes/s")
        begun = time.perf_counter()
        await asyncio.gather(*(processor.handle(raw, {}) for raw in batch))
        print(f"all at once: {len(batch) / (time.perf_counter() - begun):.1f} notes/s")
    finally:
        await processor.close()


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--chars", type=int, default=3000)
    parser.add_argument("--notes", type=int, default=60)
    parser.add_argument("--config", type=Path)
    asyncio.run(main(parser.parse_args()))
