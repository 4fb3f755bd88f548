"""Layouts of notes with slots, and how the slots are filled.

`[[slot]]` takes a fact of the scene, `[[date+14:%d/%m]]` a day counted from the note's own,
`{{a|b}}` is a free choice of clinical wording.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, timedelta
from functools import cache
from importlib.resources import files

from stream_deid.lists.calendar import MONTHS, WEEKDAYS
from stream_deid.rig.synthetic.people import FeedPerson, Scene
from stream_deid.text.age import age_on

_SLOT = re.compile(r"\[\[([a-z0-9_.]{1,40}|(?:date|patient\.dob)[^\]]{0,40})\]\]", re.IGNORECASE)
_CHOICE = re.compile(r"\{\{([^{}]{0,400})\}\}")
_DATE = re.compile(r"(date|patient\.dob)([+-]\d{1,4})?:(.{1,30})")

_MONTHS = {"en": tuple(map(str.capitalize, MONTHS["en"])), "es": MONTHS["es"]}
_DAYS = {"en": tuple(map(str.capitalize, WEEKDAYS["en"])), "es": WEEKDAYS["es"]}
_PRONOUNS = {
    "F": {"he": "she", "his": "her", "him": "her", "He": "She", "title": "Ms."},
    "M": {"he": "he", "his": "his", "him": "him", "He": "He", "title": "Mr."},
}
_SEXES = {
    ("en", "F"): ("female", "F", "woman"),
    ("en", "M"): ("male", "M", "man"),
    ("es", "F"): ("mujer", "M", "Mujer"),
    ("es", "M"): ("varón", "H", "Varón"),
}
_NOT_EXPECTED = frozenset(  # no identifiers, or kept by some policies
    {
        "he", "his", "him", "He", "title", "age", "relation", "sex", "sex_letter", "sex_noun",
        "occupation", "country", "state",
    }
)  # fmt: skip
_SHORT = 4


@dataclass(frozen=True, slots=True)
class Layout:
    """One kind of note in one author's manner."""

    note_type: str
    language: str
    text: str


@dataclass(slots=True)
class Filled:
    """A note, the identifiers that it holds, and the dates."""

    text: str
    identifiers: list[str] = field(default_factory=list)
    dates: list[str] = field(default_factory=list)


@cache
def layouts(language: str) -> tuple[Layout, ...]:
    """The layouts of a language, from `data/notes_<language>.txt`."""
    name = f"data/notes_{language}.txt"
    source = files(__package__).joinpath(name).read_text(encoding="utf-8")
    found = []
    for block in source.split("=== ")[1:]:
        note_type, _, text = block.partition("\n")
        found.append(Layout(note_type.strip(), language, text.strip("\n")))
    return tuple(found)


def fill(layout: Layout, scene: Scene, rng: random.Random) -> Filled:
    """Fill a layout; raises `KeyError` for a slot that no scene has."""
    text = layout.text
    while "{{" in text:
        text = _CHOICE.sub(lambda found: rng.choice(found[1].split("|")), text)
    out = Filled("")

    def value(found: re.Match[str]) -> str:
        slot = found[1]
        if dated := _DATE.fullmatch(slot):
            day = scene.patient.born if dated[1] == "patient.dob" else scene.day
            written = format_date(day + timedelta(int(dated[2] or 0)), dated[3], layout.language)
            out.dates.append(written)
            return written
        written = fact(slot, scene)
        if slot.rpartition(".")[2] not in _NOT_EXPECTED and len(written) >= _SHORT:
            out.identifiers.append(written)
        return written

    out.text = _SLOT.sub(value, text)
    return out


def fact(slot: str, scene: Scene) -> str:
    """What a slot stands for."""
    owner, _, name = slot.rpartition(".")
    if not owner:
        named = {
            "hospital": scene.hospital,
            "clinic": scene.clinic,
            "employer": scene.patient.employer,
        }
        return named.get(name) or scene.numbers[name]
    people = {
        "patient": scene.patient,
        "kin": scene.kin,
        "doctor": scene.doctor,
        "doctor2": scene.doctor2,
    }
    if slot == "kin.relation":
        return scene.relation
    return _person_fact(people[owner], name, scene)


def _person_fact(person: FeedPerson, name: str, scene: Scene) -> str:
    if person.language == "en" and name in _PRONOUNS[person.sex]:
        return _PRONOUNS[person.sex][name]
    sex, letter, noun = _SEXES[person.language, person.sex]
    derived: Mapping[str, Callable[[], str]] = {
        "title": lambda: "Doña" if person.sex == "F" else "Don",
        "sex": lambda: sex,
        "sex_letter": lambda: letter,
        "sex_noun": lambda: noun,
        "age": lambda: str(age_on(person.born, scene.day)),
        "last_first": lambda: f"{person.family.upper()}, {person.given.upper()}",
        "upper": person.name.upper,
        "lower": person.name.lower,
        "initials": lambda: f"{person.given[0]}{person.family[0]}",
        "address": lambda: ", ".join(
            piece for piece in (person.street, person.city, f"{person.state} {person.zip}".strip())
        ),
    }
    if name in derived:
        return derived[name]()
    value = getattr(person, name)
    assert isinstance(value, str)
    return value


def format_date(day: date, pattern: str, language: str) -> str:
    """`strftime` for the few codes in use, with month and day names of the language."""
    month = _MONTHS[language][day.month - 1]
    weekday = _DAYS[language][day.weekday()]
    codes = {
        "%-d": str(day.day), "%-m": str(day.month), "%d": f"{day.day:02}", "%m": f"{day.month:02}",
        "%Y": str(day.year), "%y": f"{day.year % 100:02}", "%B": month, "%b": month[:3],
        "%A": weekday, "%a": weekday[:3],
    }  # fmt: skip
    return re.sub("%-?[dmyYBbAa]", lambda found: codes[found[0]], pattern)
