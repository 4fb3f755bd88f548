"""How a reader of clean text would judge the surrogates: a table over marked development notes.

The marked spans are replaced under the default policy, each note a patient of its own; "alone" is
the same value in another note of the same patient that shows nothing else.

    STREAM_DEID_DATA=DATA PYTHONPATH=. .venv/bin/python bench/surrogates.py

DATA holds `gazetteers/` (US census names of 2020, GeoNames cities), to judge by what the lists of
this project do not know.
"""

from __future__ import annotations

import csv
import gzip
import json
import os
import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

from stream_deid.labels import ORGANIZATIONS, PERSONS, PhiType, label_type
from stream_deid.lists.kinds_of_organizations import SPANISH_KIND_WORDS
from stream_deid.lists.lexicon import load_names, load_places
from stream_deid.note import Edit, Finding, Note, Part
from stream_deid.surrogate import Policy, Surrogates
from stream_deid.text.canonical import words
from stream_deid.text.folding import fold

ROOT = Path(__file__).parents[1]
DATA = Path(os.environ["STREAM_DEID_DATA"]) / "gazetteers"
KEY = bytes(range(32))
AREA = re.compile(r"^\(?(?:\+?1[-. ]?)?\(?(\d{3})\)?[-. ]\d{3}[-. ]\d{4}")
SPANISH = re.compile(r"(?:\+34)?(?!80|90[0-2])[6-9]\d{8}")
TITLE = re.compile(r"(?i)\b(?:(mrs|ms|miss|sra|srta|dña|doña)|(?:mr|sr|don))\.?\s+$")
TOLL_FREE = {"800", "833", "844", "855", "866", "877", "888"}
SURE = 90.0  # per cent of those who bear a name
PERSONAL = PERSONS | {PhiType.RELATIVE}


def table(name: str) -> Iterator[dict[str, str]]:
    with gzip.open(DATA / name, "rt", encoding="utf-8") as file:
        yield from csv.DictReader(file)


def share(text: str) -> float:
    return float(text) if text and text[0].isdigit() else 0.0


class Reference:
    """What exists: names with their sex, towns, area codes."""

    def __init__(self) -> None:
        own = load_names()
        self.sex = {key: sex for key, sex in own.sex.items() if sex in {"F", "M"}}
        self.names = {*own.place, *own.base, *(fold(n) for s in own.short.values() for n in s)}
        for row in table("us_first_names_2020.csv.gz"):
            key = fold(row["name"])
            self.names.add(key)
            sex = "F" if share(row["pctfemale"]) >= SURE else "M"
            if sex == "F" or share(row["pctmale"]) >= SURE:
                self.sex.setdefault(key, sex)
        self.names |= {fold(row["name"]) for row in table("us_surnames_2020.csv.gz")}
        self.towns = {fold(row["name"]) for row in table("cities.csv.gz")}
        self.towns |= set(load_places().named) | set(load_places().state_keys)
        self.towns |= {fold(row["city"]) for row in table("us_addresses.csv.gz")}
        path = ROOT / "stream_deid/lists/data/areas_us.tsv"
        lines = path.read_text("utf-8").splitlines()[2:]
        path = path.with_name("areas_es.tsv")
        rows = path.read_text("utf-8").splitlines()[2:]
        self.provinces = {code for row in rows for code in row.split("\t")[1].split("|")}
        self.areas = {code for line in lines for code in line.split("\t")[1].split("|")}

    def spanish(self, made: str) -> bool:
        """Whether nine digits are a Spanish mobile or a landline of a province."""
        digits = "".join(c for c in made if c.isdecimal())[-9:]
        mobile = digits[0] == "6" or "710" <= digits[:3] <= "749"
        return mobile or "9" + digits[1:3] in self.provinces


def notes() -> Iterator[Note]:
    for language in ("en", "es"):
        path = ROOT / f"corpora/dev/{language}_dev.jsonl"
        for line in path.read_text("utf-8").splitlines():
            yield _note(json.loads(line), language)


def _note(row: dict[str, object], language: str) -> Note:
    part = Part(str(row["text"]))
    FOUND[str(row["id"])] = sorted(
        (
            Finding(int(s["start"]), int(s["end"]), phi, ("gold@1",))
            for s in row["spans"]  # type: ignore[attr-defined]
            if (phi := label_type(s["type"])) is not None
        ),
        key=lambda f: f.start,
    )
    return Note(str(row["id"]), str(row["id"]), (part,), language)


FOUND: dict[str, list[Finding]] = {}


def alone(maker: Surrogates, note: Note, phi: PhiType, value: str) -> str:
    other = Note(f"{note.note_id}-2", note.patient_id, (Part(value),), note.language)
    ((edit,),) = maker.edits(other, [[Finding(0, len(value), phi, ("gold@1",))]])
    return edit.replacement


class Count:
    """Hits of a kind among how many; and what was hit, for a look at them."""

    def __init__(self) -> None:
        self.all = self.hit = 0
        self.seen: list[str] = []

    def add(self, wrong: bool, what: str) -> None:
        self.all += 1
        self.hit += wrong
        if wrong:
            self.seen.append(what)


class Judge:
    """Counts over the edits of one language."""

    def __init__(self, reference: Reference, maker: Surrogates) -> None:
        self.reference, self.maker = reference, maker
        self.counts: dict[str, Count] = {}
        self.nouns: Counter[str] = Counter()

    def count(self, name: str, wrong: bool, what: str) -> None:
        self.counts.setdefault(name, Count()).add(wrong, what)

    def judge(self, note: Note, edit: Edit, core: str) -> None:
        made, phi = edit.replacement, edit.finding.type
        if phi in PERSONAL:
            self._person(note, phi, core, made, edit.finding.start)
        elif phi is PhiType.CITY and made.replace(" ", "").isalpha():
            self.count("towns that do not exist", fold(made) not in self.reference.towns, made)
        elif phi in {PhiType.PHONE, PhiType.FAX} and note.language == "en":
            area = AREA.match(made)
            if area and area[1] not in TOLL_FREE:
                wrong = area[1] not in self.reference.areas
                self.count("area codes that are not assigned", wrong, made)
        elif phi in {PhiType.PHONE, PhiType.FAX} and SPANISH.fullmatch(core.replace(" ", "")):
            wrong = not self.reference.spanish(made)
            self.count("codes that Spain has not given out", wrong, made)
        elif phi in ORGANIZATIONS:
            told = set(fold(core).split()) | SPANISH_KIND_WORDS
            new = [w.key for w in words(made) if w.key not in told and len(w.key) > 2]
            self.nouns.update(new)

    def _person(self, note: Note, phi: PhiType, core: str, made: str, start: int) -> None:
        before, after = words(core), words(made)
        title = TITLE.search(note.parts[0].text[max(start - 8, 0) : start])
        sex = self.reference.sex.get(after[0].key) if after else None
        if title and sex and (len(after) > 1 or "on" in title[0].lower()):
            wrong = sex != ("F" if title[1] else "M")
            self.count("given names against their title", wrong, f"{title[0]}{made}")
        if len(before) != len(after):
            return
        for old, new in zip(before, after, strict=True):
            if len(old.key) < 3 or old.key == new.key or not old.text.isalpha():
                continue
            if old.text.isupper() and len(old.key) < 4 and old.key not in self.reference.names:
                continue
            self.count("coined name words", new.key not in self.reference.names, new.text)
            was, now = (self.reference.sex.get(w.key) for w in (old, new))
            if was and load_names().label(old.key).startswith("given"):
                wrong = now is not None and now != was
                self.count("given names of the other sex", wrong, f"{old.text} {new.text}")
        full = [(o, n) for o, n in zip(before, after, strict=True) if o.key != n.key]
        if len(full) == 2 and all(len(o.key) > 2 for o, _ in full):
            for form in ("{}{}", "{}. {}."):
                value = form.format(*(o.text[0].upper() for o, _ in full))
                short = alone(self.maker, note, phi, value)
                want = form.format(*(fold(n.text)[0].upper() for _, n in full))
                self.count("initials that contradict the name", short != want, f"{value} {short}")


def measure(reference: Reference, maker: Surrogates, language: str) -> Judge:
    judge = Judge(reference, maker)
    for note in notes():
        if note.language != language:
            continue
        text, found = note.parts[0].text, FOUND[note.note_id]
        (edits,) = maker.edits(note, [found])
        shown: set[tuple[PhiType, str]] = set()
        for edit in edits:
            core = text[edit.finding.start : edit.finding.end]
            judge.judge(note, edit, core)
            phi = edit.finding.type
            if phi in PERSONAL | {PhiType.CITY, PhiType.PHONE} and (phi, core) not in shown:
                shown.add((phi, core))
                other = alone(maker, note, phi, core)
                judge.count("values that split over notes", other != edit.replacement, core)
    return judge


def main() -> None:
    reference = Reference()
    maker = Surrogates(Policy.named(), KEY)
    for language in ("en", "es"):
        judge = measure(reference, maker, language)
        print(f"\n{language}")
        for name, count in sorted(judge.counts.items()):
            print(f"  {name:36} {count.hit:4} of {count.all:4}  {count.hit / count.all:6.1%}")
            if os.environ.get("SHOW"):
                print("     ", ", ".join(count.seen[:40]))
        total = sum(judge.nouns.values())
        common = judge.nouns.most_common(3)
        share = common[0][1] / total if common else 0.0
        print(f"  words of organisations: {len(judge.nouns)} different of {total}; {common}")
        print(f"  share of the commonest: {share:.1%}")


if __name__ == "__main__":
    main()
