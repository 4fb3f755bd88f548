"""Short HL7 results: clinical values that are altered, beside identifiers that must be.

`corpora/dev/harm/hl7_values.tsv`, each value as OBX-5 of a message of its own, through the served
path (patterns, record, models on a Triton server that this starts):

    .venv/bin/python bench/hl7_values.py [--show] [--table corpora/dev/harm/hl7_values_3.tsv]

A table of six columns has language and test (OBX-3) of each value as well.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from pathlib import Path

from stream_deid import config
from stream_deid.processor import Processor

TABLE = Path(__file__).parents[1] / "corpora/dev/harm/hl7_values.tsv"
HEAD = (
    "MSH|^~\\&|LAB|MAPLE|EHR|050|20240315||ORU^R01|M1|P|2.5\rPID|1||4711^^^H^MR||Quackenbush^Zeb\r"
)


def read(table: Path) -> list[tuple[str, str, str, str]]:
    """(kind, data type, OBX-3, value) of each row."""
    rows = [line.split("\t") for line in table.read_text("utf-8").splitlines()[1:]]
    return [
        (row[0], row[1], "T^Test^L", row[2]) if len(row) == 3 else (row[0], row[2], row[4], row[5])
        for row in rows
    ]


async def main(table: Path, *, show: bool) -> None:
    """Print the share of each type that comes out otherwise."""
    rows = read(table)
    processor = await Processor.open(config.with_a_key(config.load(None)))
    every: Counter[tuple[str, str]] = Counter()
    altered: Counter[tuple[str, str]] = Counter()
    for kind, data_type, test, value in rows:
        raw = f"{HEAD}OBX|1|{data_type}|{test}||{value}||||||F\r"
        out = (await processor.handle(raw.encode(), {}, "hl7v2")).note.decode()
        shown = out.split("OBX|", 1)[1].split("|")[4]
        every[kind, data_type] += 1
        if shown != value:
            altered[kind, data_type] += 1
        if show and (shown != value) == (kind == "clinical"):
            print(f"{kind:<11}{data_type:<4}{value} -> {shown}")
    await processor.close()
    for key, count in every.items():
        print(f"{key[0]:<11}{key[1]:<4}{altered[key]:>4} of {count} altered")
    for kind in ("clinical", "identifier"):
        total = sum(n for key, n in every.items() if key[0] == kind)
        changed = sum(n for key, n in altered.items() if key[0] == kind)
        print(f"{kind}: {changed} of {total} altered ({100 * changed / total:.1f} %)")


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", action="store_true", help="what is altered and shouldn't be")
    parser.add_argument("--table", type=Path, default=TABLE, help="other values")
    arguments = parser.parse_args()
    asyncio.run(main(arguments.table, show=arguments.show))
