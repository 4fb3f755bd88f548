"""Recall and precision of the patterns on marked notes: by type and by pattern; their speed.

    python bench/patterns.py corpora/train [--language en|es] [--show TYPE] [--false PATTERN]
    STREAM_DEID_DATA=... python bench/patterns.py --meddocan train

Recall: marked spans whose letters and digits are all covered by detections of that type (or ones
that count as it). Precision: detections of a pattern that lie, by half or more, in a marked span
of its type, or touch one of any type (`any`): a wrong type still hides an identifier.
"""

from __future__ import annotations

import argparse
import json
import os
import re
import time
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stream_deid.detect.patterns import Patterns
from stream_deid.labels import AUTHORED, MEDDOCAN, NUMBERS, PERSONS, PLACES, PhiType
from stream_deid.training.data.corpora import MARK

NEUTRAL = ("YEAR", "TIME", "WEEKDAY", "AGE_U90")
Marked = tuple[str, str, list[tuple[int, int, str]]]
FAMILIES = (NUMBERS | {PhiType.USERNAME}, PERSONS | {PhiType.RELATIVE}, PLACES)


def read_marked(path: Path) -> Iterator[Marked]:
    for chunk in re.split(r"(?m)^(?==== )", path.read_text(encoding="utf-8")):
        head, _, body = chunk.partition("\n")
        if not head.startswith("=== "):
            continue
        text, spans, at = "", [], 0
        body = body.strip("\n")
        for m in MARK.finditer(body):
            text += body[at : m.start()]
            spans.append((len(text), len(text) + len(m[2]), m[1]))
            text += m[2]
            at = m.end()
        yield head.split()[1], text + body[at:], spans


def read_jsonl(path: Path) -> Iterator[Marked]:
    for line in path.read_text(encoding="utf-8").splitlines():
        note = json.loads(line)
        spans = [(s["start"], s["end"], s["type"]) for s in note["spans"]]
        yield note.get("id") or note.get("note_id"), note["text"], spans


def read_brat(folder: Path) -> Iterator[Marked]:
    for ann in sorted(folder.glob("*.ann")):
        spans = []
        for line in ann.read_text(encoding="utf-8").splitlines():
            if line.startswith("T"):
                label, start, end = line.split("\t")[1].split()
                spans.append((int(start), int(end), label))
        yield ann.stem, ann.with_suffix(".txt").read_text(encoding="utf-8"), spans


def notes(args: argparse.Namespace) -> Iterator[Marked]:
    if args.meddocan:
        yield from read_brat(Path(os.environ["STREAM_DEID_DATA"]) / "meddocan" / args.meddocan)
        return
    root = Path(args.corpus)
    if list(root.glob("*.jsonl")):
        yield from read_jsonl(root / f"{args.language}_dev.jsonl")
        return
    for path in sorted((root / args.language).glob("*.txt")):
        yield from read_marked(path)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("corpus", nargs="?", default="corpora/train")
    parser.add_argument("--language", default="en")
    parser.add_argument("--meddocan", default="")
    parser.add_argument("--show", default="", help="print the missed spans of this label")
    parser.add_argument("--false", default="", help="print the false detections of this pattern")
    args = parser.parse_args()
    patterns = Patterns("es" if args.meddocan else args.language)
    gold, found, right, near, votes = Counter(), Counter(), Counter(), Counter(), Counter()
    chars, spent = 0, 0.0
    for note, text, spans in notes(args):
        start = time.process_time()
        detections = patterns.detect(text)
        spent += time.process_time() - start
        chars += len(text)
        for s, e, label in spans:
            gold[label] += 1
            kind = AUTHORED.get(label, MEDDOCAN.get(label))
            cover = {i for d in detections if counts(d.type, kind) for i in range(d.start, d.end)}
            if all(i in cover or not text[i].isalnum() for i in range(s, e)):
                found[label] += 1
            elif label == args.show:
                print(
                    "MISS",
                    note,
                    repr(text[max(0, s - 30) : s]),
                    repr(text[s:e]),
                    repr(text[e : e + 20]),
                )
        for d in detections:
            votes[d.detector] += 1
            inside = [
                y for s, e, y in spans if 2 * (min(e, d.end) - max(s, d.start)) >= d.end - d.start
            ]
            kinds = [AUTHORED.get(y, MEDDOCAN.get(y)) for y in inside]
            right[d.detector] += any(counts(d.type, k) for k in kinds)
            over = [y for s, e, y in spans if s < d.end and d.start < e and y not in NEUTRAL]
            near[d.detector] += bool(over)
            if args.false in (d.detector, "all") and not any(counts(d.type, k) for k in kinds):
                context = (
                    text[max(0, d.start - 30) : d.start],
                    text[d.start : d.end],
                    text[d.end : d.end + 20],
                )
                print("FALSE", d.detector, note, *map(repr, context), inside or over)
    for label, n in gold.most_common():
        print(f"{label:36} {found[label]:5} / {n:5}  recall {found[label] / n:.3f}")
    for name, n in sorted(votes.items()):
        print(
            f"{name:28} {n:6} votes  precision {right[name] / n:.3f}  any PHI {near[name] / n:.3f}"
        )
    total = sum(votes.values())
    own, touched = sum(right.values()) / total, sum(near.values()) / total
    print(f"all: {total} votes, precision {own:.4f}, any {touched:.4f}")
    print(f"{1e3 * spent / chars * 3000:.2f} ms for 3,000 characters")


def counts(found: PhiType, gold: PhiType | None) -> bool:
    return found == gold or any(found in f and gold in f for f in FAMILIES)


main()
