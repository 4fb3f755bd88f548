"""A sheet for human readers: identifiers in context, half of them leaks; the key lies apart."""

from __future__ import annotations

import csv
import random
from collections.abc import Sequence
from pathlib import Path

from stream_deid.atomic import beside
from stream_deid.attack.outcome import Outcome
from stream_deid.attack.release import ReleasedNote
from stream_deid.errors import Halt

SHEET, KEY = "blinded.csv", "blinded_key.csv"
_CONTEXT = 80
_OPEN, _CLOSE = "⟦", "⟧"
_YES = frozenset({"y", "yes", "1", "leak"})


def write(released: Sequence[ReleasedNote], folder: Path, count: int, seed: int) -> int:
    """`count` snippets, half leaks (fewer if there are fewer); returns how many there are.

    `folder` gets the sheet (`item`, `type`, `snippet`, an empty column `leak`) and the key
    (`item`, `leak`). The identifier asked about stands in white brackets.
    """
    rng = random.Random(f"sheet:{seed}")
    rows = {
        leaked: [(n, s) for n in released for s in n.shown if s.leaked is leaked]
        for leaked in (True, False)
    }
    half = min(count // 2, *(len(some) for some in rows.values()))
    chosen = [row for some in rows.values() for row in rng.sample(some, half)]
    rng.shuffle(chosen)
    with beside(folder / SHEET) as part, part.open("w", encoding="utf-8", newline="") as sheet:
        table = csv.writer(sheet)
        table.writerow(["item", "type", "snippet", "leak"])
        for item, (note, shown) in enumerate(chosen, 1):
            table.writerow([item, str(shown.type), snippet(note, shown.start, shown.end), ""])
    with beside(folder / KEY) as part, part.open("w", encoding="utf-8", newline="") as key:
        table = csv.writer(key)
        table.writerow(["item", "leak"])
        table.writerows((i, "y" if s.leaked else "n") for i, (_, s) in enumerate(chosen, 1))
    return len(chosen)


def snippet(note: ReleasedNote, start: int, end: int) -> str:
    """A stretch of the released text in its context, on one line."""
    before, after = note.text[max(start - _CONTEXT, 0) : start], note.text[end : end + _CONTEXT]
    marked = f"{before}{_OPEN}{note.text[start:end]}{_CLOSE}{after}"
    return " ".join(marked.split())


def score(sheet: Path, key: Path) -> Outcome:
    """What a reader found, from a filled sheet: `y` in the column `leak` flags an item.

    Raises `Halt("attack.sheet")` where sheet and key don't have the same items.
    """
    answers, truth = _column(sheet), _column(key)
    if answers.keys() != truth.keys():
        raise Halt("attack.sheet", f"{sheet.name} and {key.name} have different items")
    return Outcome.of((truth[i] in _YES, answers[i] in _YES) for i in truth)


def _column(path: Path) -> dict[str, str]:
    try:
        with path.open(encoding="utf-8-sig", newline="") as handle:
            return {row["item"]: row["leak"].strip().lower() for row in csv.DictReader(handle)}
    except OSError as error:
        raise Halt("attack.sheet", f"{path}: {error.strerror}") from None
    except (ValueError, LookupError, AttributeError, csv.Error):
        told = "no table in UTF-8 with the columns item and leak; `attack --only sheet` makes one"
        raise Halt("attack.sheet", f"{path}: {told}") from None
