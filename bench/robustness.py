"""Recall and precision when notes suffer on their way: capitals, OCR, lost lines, merged words.

    python bench/robustness.py GOLD SPEC [--seed 1]

GOLD and SPEC as for `stream-deid compare`; STREAM_DEID_DATA names the folder of corpora that the
project lacks, if GOLD is one. Every note of GOLD suffers each kind of noise once; binary tokens
(English: group B) against the notes as written, in one run.
"""

from __future__ import annotations

import argparse
import random
from pathlib import Path

from stream_deid.training import recipe
from stream_deid.training.data import noise
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import systems
from stream_deid.training.scores.counts import total

DATA = recipe.data_folder() or Path()
KINDS: dict[str, noise.Noise] = {
    "as written": lambda note, _: note,
    "capitals": noise.capitals,
    "lower case": noise.lower,
    "OCR": noise.ocr,
    "lost lines": noise.lost_lines,
    "merged words": noise.merged_words,
    "lost punctuation": noise.lost_punctuation,
    "lost accents": noise.lost_accents,
    "typing errors": noise.typos,
}


def scored(notes: list[AnnotatedNote], kind: str, spec: str, seed: int) -> str:
    """One row of the table."""
    rng = random.Random(f"{seed}|{kind}")
    spoilt = [KINDS[kind](note, rng) for note in notes]
    found = systems.run_system(spec, spoilt, DATA)
    group = "token.all" if notes[0].language == "es" else "token.B"
    counts = total(systems.score_system(spoilt, found))[group]
    return f"| {kind} | {counts.recall:.3f} | {counts.precision:.3f} | {counts.f1:.3f} |"


def main(arguments: argparse.Namespace) -> None:
    notes = recipe.load(arguments.gold, DATA)
    print(f"{len(notes)} notes of {arguments.gold}; {arguments.spec}\n")
    print("| noise | recall | precision | F1 |\n|---|---:|---:|---:|")
    for kind in KINDS:
        print(scored(notes, kind, arguments.spec, arguments.seed), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold")
    parser.add_argument("spec")
    parser.add_argument("--seed", type=int, default=1)
    main(parser.parse_args())
