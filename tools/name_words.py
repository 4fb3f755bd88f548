"""Write what clinical notes write in small letters: `lists/data/name_words.tsv`, `small_words.txt`.

Counted in the marked notes of `corpora/train`: how often each listed name stands there as a word
and how often as an identifier; and all words that are nearly always words. `make name-words`,
whenever names or training notes have changed.
"""

from __future__ import annotations

import re
import textwrap
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stream_deid.lists.people import is_listed_name
from stream_deid.text.folding import folded
from stream_deid.training import recipe
from stream_deid.training.data.corpora import AnnotatedNote

ROOT = Path(__file__).parents[1]
DATA = ROOT / "stream_deid/lists/data"
HEAD = """# name_words 1
# Source: counted in the marked notes of corpora/train (tools/name_words.py).
# word	times as a word	as an identifier, in small letters
"""
SMALL = """# Words of clinical notes in small letters that are hardly ever identifiers, unaccented.
# Source: counted in the marked notes of corpora/train (tools/name_words.py).
"""
_OFTEN, _MOSTLY, _WIDTH = 8, 9, 120
_WORD = re.compile(r"(?<![A-Za-z])[a-z]{3,}(?![A-Za-z])")
_NO_IDENTIFIER = frozenset({"TIME", "WEEKDAY", "YEAR", "AGE_U90"})


def notes() -> Iterator[AnnotatedNote]:
    """All marked training notes."""
    for language in ("en", "es"):
        for path in sorted((ROOT / "corpora/train" / language).rglob("*.txt")):
            yield from recipe.load(f"marked:{language}:{path}", ROOT)


def main() -> None:
    """Count and write."""
    words: Counter[str] = Counter()
    names: Counter[str] = Counter()
    for note in notes():
        hidden = {
            at for start, end, label in note.spans if label not in _NO_IDENTIFIER
            for at in range(start, end)
        }  # fmt: skip
        for found in _WORD.finditer(folded(note.text)):
            (names if found.start() in hidden else words)[found[0]] += 1
    rows = [f"{w}\t{n}\t{names[w]}\n" for w, n in sorted(words.items()) if is_listed_name(w)]
    (DATA / "name_words.tsv").write_text(HEAD + "".join(rows), "utf-8")
    small = sorted(w for w, n in words.items() if n >= _OFTEN and n >= _MOSTLY * names[w])
    lines = textwrap.wrap(" ".join(small), _WIDTH)
    (DATA / "small_words.txt").write_text(SMALL + "\n".join(lines) + "\n", "utf-8")


if __name__ == "__main__":
    main()
