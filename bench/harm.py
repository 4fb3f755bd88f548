"""Do no harm: clinical statements that are altered, beside twins whose identifiers must be found.

`corpora/dev/harm`: statements without anything to hide in every notation that looks like an
identifier, and lines in which the same form is one. Reads the served models in this process:

    STREAM_DEID_DATA=... .venv-training/bin/python bench/harm.py [--show N] [--en SPEC] [--es SPEC]
"""

from __future__ import annotations

import argparse
import random
from collections import Counter
from collections.abc import Sequence
from pathlib import Path

from stream_deid.cli.fast import SERVED
from stream_deid.note import Finding
from stream_deid.surrogate.demographics.kinship import is_kin_phrase
from stream_deid.training.data.corpora import AnnotatedNote, unmark
from stream_deid.training.evaluate import systems

_YEAR = 4
FOLDER = Path(__file__).parents[1] / "corpora/dev/harm"


def lines(name: str, language: str) -> list[AnnotatedNote]:
    """The lines of one language; the category stands in `note_type`."""
    found = []
    for number, line in enumerate((FOLDER / name).read_text("utf-8").splitlines(), 1):
        if line.strip() and line.split("|", 1)[0] == language:
            _, category, text = line.split("|", 2)
            plain, spans = unmark(text)
            note = AnnotatedNote(f"{language}{number}", plain, tuple(spans), language, category)
            found.append(note)
    return found


def altered(note: AnnotatedNote, found: Sequence[Finding]) -> list[Finding]:
    """What would be replaced: all but a year alone and nouns of kinship, which stay."""
    return [f for f in found if not _stays(f.type, note.text[f.start : f.end].strip())]


def _stays(phi_type: str, value: str) -> bool:
    year = phi_type == "DATE" and value.isdecimal() and len(value) == _YEAR
    return year or (phi_type == "RELATIVE" and is_kin_phrase(value))


def harm(language: str, spec: str, data: Path, show: int, set_: str) -> None:
    """Statements that change, by category and by who voted; then the twins."""
    notes = lines(f"statements{set_}.txt", language)
    found = systems.run_system(spec, notes, data)
    wrong = [(n, a) for n, f in zip(notes, found, strict=True) if (a := altered(n, f))]
    print(f"{language}: {len(wrong)} of {len(notes)} statements altered "
          f"({100 * len(wrong) / len(notes):.1f} %)")  # fmt: skip
    print("  by category:", dict(Counter(n.note_type for n, _ in wrong).most_common()))
    votes = Counter(d.split("@")[0] for _, a in wrong for f in a for d in f.detectors)
    print("  by detector:", dict(votes.most_common(12)))
    for note, spans in random.Random(1).sample(wrong, min(show, len(wrong))):
        shown = [f"{note.text[f.start : f.end]}={f.type}({f.score:.2f})" for f in spans]
        print(f"    {note.note_type}: {note.text.strip()[:90]} | {'; '.join(shown)}")
    twins = lines(f"twins{set_}.txt", language)
    read = systems.run_system(spec, twins, data)
    spans = [(n, s, f) for n, f in zip(twins, read, strict=True) for s in n.spans
             if s[2] not in ("TIME", "WEEKDAY", "YEAR", "AGE_U90")]  # fmt: skip
    missed = [(n, s) for n, s, f in spans if not any(x.start < s[1] and s[0] < x.end for x in f)]
    print(f"{language}: {len(spans) - len(missed)} of {len(spans)} twins found "
          f"({100 - 100 * len(missed) / len(spans):.1f} %)")  # fmt: skip
    for note, (start, end, label) in random.Random(2).sample(missed, min(show, len(missed))):
        print(f"    missed {label} {note.text[start:end]!r} in {note.text.strip()[:90]}")


def main() -> None:
    """Run from the command line; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--show", type=int, default=0, help="examples of each kind")
    parser.add_argument(
        "--set",
        default="",
        choices=["", "_2", "_3", "_4", "_5"],
        help="which tables; _2 to _5 by other hands",
    )
    for language, spec in SERVED.items():
        parser.add_argument(f"--{language}", default=spec, help="a system, as in `compare`")
    arguments = parser.parse_args()
    for language in SERVED:
        harm(language, getattr(arguments, language), Path(), arguments.show, arguments.set)


if __name__ == "__main__":
    main()
