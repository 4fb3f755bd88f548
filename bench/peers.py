"""stream_deid and what people would otherwise use, on the same notes in one run.

    make peers && .venv-training/bin/python bench/peers.py GOLD NAME=SPEC [NAME=SPEC ...]

GOLD and SPEC as for `stream-deid compare` (English). Peers know other types, so every system is
scored on one question: which tokens are identifiers, ages under 90, times, weekdays and bare years
not counted against anybody. Characters for each second of processor time, all threads together.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

from stream_deid.labels import label_type
from stream_deid.text.tokens import NEWLINE, tokenize
from stream_deid.training import recipe
from stream_deid.training.data.corpora import AnnotatedNote
from stream_deid.training.evaluate import systems
from stream_deid.training.scores.counts import Counts
from stream_deid.training.scores.progress_score import touched

ROOT = Path(__file__).parents[1]
DATA = recipe.data_folder() or Path()
DATA_MISSING = 3
PEERS = ("philter-lite", "presidio")
Spans = Sequence[tuple[int, int]]


def of_peer(peer: str, notes: Sequence[AnnotatedNote]) -> tuple[list[Spans], float] | None:
    """What a peer marks in each note, and its processor time in seconds; None where its data
    are missing.
    """
    lines = "".join(json.dumps({"text": note.text}) + "\n" for note in notes)
    command = [ROOT / ".venv-peers/bin/python", ROOT / "bench/peers_found.py", peer]
    done = subprocess.run(command, input=lines, capture_output=True, text=True, check=False)  # noqa: S603
    if done.returncode == DATA_MISSING:
        return None
    done.check_returncode()
    *found, last = (json.loads(line) for line in done.stdout.splitlines())
    return [[(a, b) for a, b in one["spans"]] for one in found], float(last["cpu_s"])


def of_system(spec: str, notes: Sequence[AnnotatedNote]) -> tuple[list[Spans], float]:
    """What one of our systems marks in each note, and its processor time in seconds."""
    systems.run_system(spec, notes[:1], DATA)  # what is loaded once
    begun = time.process_time()
    found = systems.run_system(spec, notes, DATA)
    return [[(f.start, f.end) for f in one] for one in found], time.process_time() - begun


def row(name: str, notes: Sequence[AnnotatedNote], found: Sequence[Spans], seconds: float) -> str:
    """Recall, precision, F1 of tokens, and speed."""
    counts = Counts()
    for note, spans in zip(notes, found, strict=True):
        tokens = tokenize(note.text)
        real = tokens.kinds != NEWLINE
        typed = [(a, b, label_type(label)) for a, b, label in note.spans]
        gold = touched(tokens.starts, tokens.ends, [(a, b) for a, b, t in typed if t is not None])
        free = touched(tokens.starts, tokens.ends, [(a, b) for a, b, t in typed if t is None])
        said = touched(tokens.starts, tokens.ends, sorted(spans)) & real
        counts += Counts(
            tp=int((gold & said).sum()),
            fp=int((said & ~gold & ~free).sum()),
            fn=int((gold & ~said & real).sum()),
        )
    speed = sum(len(n.text) for n in notes) / seconds / 1000
    return (
        f"| {name} | {counts.recall:.3f} | {counts.precision:.3f} | {counts.f1:.3f} | {speed:.1f} |"
    )


def main(arguments: argparse.Namespace) -> None:
    notes = recipe.load(arguments.gold, DATA)
    print(f"{len(notes)} notes of {arguments.gold}\n")
    print("| system | recall | precision | F1 | 1,000 characters a CPU second |")
    print("|---|---:|---:|---:|---:|")
    for peer in PEERS:
        found = of_peer(peer, notes)
        print(row(peer, notes, *found) if found else f"| {peer} | its data are missing |||| ")
    for name, _, spec in (one.partition("=") for one in arguments.systems):
        print(row(name, notes, *of_system(spec, notes)), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("gold")
    parser.add_argument("systems", nargs="+", metavar="NAME=SPEC")
    main(parser.parse_args())
