"""What the filters know of words: names by gazetteer, and diseases and drugs by dictionary.

Nearly every word is somebody's surname, so a name of the gazetteers counts as one only where the
corpus itself does not use it as a word: `Usage` counts how often each stands in small letters.
Diseases: the words of the ICD-10-CM (US government, public domain) as the package
`simple-icd-10-cm` ships it. Drugs: the vocabulary of `drug-named-entity-recognition` (MIT). Both
are read where they are installed (`stream-deid[training]`), besides `lists/data/terms.txt`.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import io
import pickle
import re
from collections import Counter
from functools import cache
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree as ET

from stream_deid.lists.lexicon import load_names, load_places
from stream_deid.lists.terms import is_term
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import fold

_WORD = re.compile(r"[^\W\d_]+")
_LEAST_NAME, _LEAST_DRUG, _LEAST_DISEASE = 3, 5, 5
_OFTEN, _SMALL = 5, 0.8
_GAZETTEERS = (("us_surnames_2020.csv.gz", "name"), ("us_first_names_2020.csv.gz", "name"),
               ("cities.csv.gz", "name"))  # fmt: skip
_OTHER_CHAPTERS = "UVWXYZ"
"""Chapters of the ICD that name no diseases: external causes, contacts with services."""
_COMMON = 0.02
"""A word in a larger share of the ICD's titles ("right", "initial") names no disease."""


def words(text: str) -> list[str]:
    """The words of a text, folded."""
    return [fold(word) for word in _WORD.findall(text)]


class Usage:
    """How a corpus writes its words where they don't open a sentence."""

    def __init__(self) -> None:
        self._inside: Counter[str] = Counter()
        self._small: Counter[str] = Counter()

    def add(self, sentence: str) -> None:
        """Count the words of one sentence but the first; capitals throughout tell nothing."""
        for word in _WORD.findall(sentence)[1:]:
            if not word.isupper() or len(word) == 1:
                self._inside[fold(word)] += 1
                self._small[fold(word)] += word.islower()

    def is_word(self, word: str) -> bool:
        """Whether the corpus uses a folded word as a word: often, and mostly in small letters."""
        return self._small[word] >= max(_OFTEN, _SMALL * self._inside[word])


@cache
def gazetteer(folder: Path) -> frozenset[str]:
    """Names of people and places: the project's own lists, and those of `folder` where it is."""
    places = load_places()
    found = {*load_names().place, *load_names().base}
    found |= {word for name in places.named for word in words(name)}
    found |= {word for forms in places.state_names.values() for f in forms for word in words(f)}
    for name, column in _GAZETTEERS:
        if (folder / name).is_file():
            with gzip.open(folder / name, "rt", encoding="utf-8", newline="") as handle:
                for row in csv.DictReader(handle):
                    found.update(words(row[column]))
    return frozenset(canonical(one) for one in found if len(one) >= _LEAST_NAME)


def names(text: str, known: frozenset[str], usage: Usage) -> list[str]:
    """The words of `text` that may name somebody or some place."""
    return [w for w in words(text) if w in known and not usage.is_word(w) and not is_term(w)]


@cache
def clinical_words() -> frozenset[str]:
    """Words of diseases and drugs; those of `lists/data/terms.txt` are asked for apart."""
    return _diseases() | _drugs()


def is_clinical(text: str) -> bool:
    """Whether a sentence names a disease or a drug."""
    return any(word in clinical_words() or is_term(word) for word in words(text))


def _diseases() -> frozenset[str]:
    try:
        file = files("simple_icd_10_cm").joinpath("data", "icd10c-tabular-April-1-2026.xml")
    except ModuleNotFoundError:
        return frozenset()
    root = ET.fromstring(file.read_bytes())  # noqa: S314 - a package's data, not a note's
    titles = [
        one.findtext("desc") or ""
        for one in root.iter("diag")
        if (one.findtext("name") or "U")[0] not in _OTHER_CHAPTERS
    ]
    counts = Counter(word for title in titles for word in set(words(title)))
    most = len(titles) * _COMMON
    return frozenset(w for w, n in counts.items() if len(w) >= _LEAST_DISEASE and n <= most)


class _Plain(pickle.Unpickler):
    """Reads containers, strings and numbers; a pickle that names any class is refused."""

    def find_class(self, module: str, name: str) -> Any:  # noqa: ARG002 (the protocol)
        raise pickle.UnpicklingError


def _drugs() -> frozenset[str]:
    try:
        file = files("drug_named_entity_recognition").joinpath("drug_ner_dictionary.pkl.bz2")
    except ModuleNotFoundError:
        return frozenset()
    body = _Plain(io.BytesIO(bz2.decompress(file.read_bytes()))).load()
    found = (fold(name) for name in body["drug_variant_to_canonical"])
    return frozenset(n for n in found if n.isalpha() and len(n) >= _LEAST_DRUG)
