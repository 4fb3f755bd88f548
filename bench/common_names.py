"""Whether surrogates are as common as real names: names drawn by those who bear them, and theirs.

Given names and surnames of the 2020 census, each as likely as people bear it (English: those who
are not Hispanic; Spanish: Hispanics' names that most bearers of are), each of a patient of its own.
`distance`: the greatest between the two shares of names that at most so many bear
(Kolmogorov-Smirnov); `letters`: half the sum of differences between shares of first letters.

    STREAM_DEID_DATA=DATA PYTHONPATH=. .venv/bin/python bench/common_names.py

DATA holds `gazetteers/` (US census names of 2020).
"""

from __future__ import annotations

import csv
import gzip
import random
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from statistics import quantiles

from surrogates import DATA, share

from stream_deid.surrogate.keys import Scope
from stream_deid.surrogate.names.choosing.parts import surrogate
from stream_deid.text.canonical import canonical
from stream_deid.text.memo import for_one_note

TABLES = {"given": "us_first_names_2020.csv.gz", "family": "us_surnames_2020.csv.gz"}
HOMES = {"en": "anglo", "es": "spanish"}
DRAWS, HALF = 3000, 0.5
COMMON, RARE = 32768, 1024  # bearers


def table(kind: str) -> Iterator[tuple[str, float, float, str]]:
    """(canonical name, bearers, share of Hispanics, sex) of the census."""
    with gzip.open(DATA / TABLES[kind], "rt", encoding="utf-8") as file:
        for row in csv.DictReader(file):
            if row["name"].isalpha():
                sex = "F" if share(row.get("pctfemale", "")) > 100 * HALF else "M"
                hispanic = share(row["pcthispanic"]) / 100
                yield canonical(row["name"]), share(row["count"]), hispanic, sex


def pairs(kind: str, language: str) -> Iterator[tuple[str, str]]:
    """Names and what they become."""
    rows = list(table(kind))
    weights = [
        count * (1 - share if language == "en" else share * (share > HALF))
        for _, count, share, _ in rows
    ]
    drawn = random.Random(7).choices(rows, weights, k=DRAWS)
    for number, (key, _, _, sex) in enumerate(drawn):
        scope = Scope(number.to_bytes(32))
        given = kind == "given"
        with for_one_note():
            new = surrogate(scope, key, home=HOMES[language], given=given, sex=sex if given else "")
        yield key, canonical(new)


def distance(one: Sequence[float], other: Sequence[float]) -> float:
    def share(values: Sequence[float], most: float) -> float:
        return sum(value <= most for value in values) / len(values)

    return max(abs(share(one, x) - share(other, x)) for x in {*one, *other})


def letters(one: Sequence[str], other: Sequence[str]) -> float:
    first, second = (Counter(name[0] for name in names) for names in (one, other))
    return sum(abs(first[c] - second[c]) for c in {*first, *second}) / 2 / len(one)


def show(kind: str, language: str, borne: Mapping[str, float]) -> None:
    old, new = zip(*pairs(kind, language), strict=True)
    before, after = ([borne.get(name, 0.0) for name in names] for names in (old, new))
    common = [now for was, now in zip(before, after, strict=True) if was >= COMMON]
    rare = sum(now < RARE for now in common) / len(common)
    quarters = [
        " ".join(f"{value:,.0f}" for value in quantiles(values, n=4)) for values in (before, after)
    ]
    print(f"{language} {kind:6} distance {distance(before, after):.3f}", end="  ")
    print(f"letters {letters(old, new):.3f}  common ones made rare {rare:.1%}", end="  ")
    print(f"quarters {quarters[0]} -> {quarters[1]}")


def main() -> None:
    for kind in TABLES:
        borne = {key: count for key, count, _, _ in table(kind)}
        for language in HOMES:
            show(kind, language, borne)


if __name__ == "__main__":
    main()
