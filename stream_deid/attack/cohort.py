"""Invented patients whose notes mention the same people, days and numbers in several ways.

The values of a mention are drawn; which keys a mention has says what must agree: two mentions
with one key mean the same thing, wherever and however they are written.
"""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path

from stream_deid.labels import PhiType
from stream_deid.lists.lexicon import load_names
from stream_deid.note import Finding, Note, Part
from stream_deid.rig.synthetic import people as values
from stream_deid.training.data.gazetteers import Gazetteers

T = PhiType
DETECTOR = "attack@1"
FIRST_DAY = date(2016, 1, 1)
_DAYS = 2900
_OLDEST_BIRTH = date(1915, 1, 1)
_BIRTH_DAYS = 37_000
_LISTED = 0.5  # of the names, where census names are there too
_SAME_FAMILY = 0.5
_BETWEEN = " ; "
DATE_FORMATS = ("%m/%d/%Y", "%Y-%m-%d", "%B %d, %Y", "%d %b %Y", "%m/%d/%y")
_NAME_FORMS = ("{g} {f}", "{F}, {G}", "Mr. {f}", "{f}", "{g}")
_MENTIONS_OF_PATIENT = (1, 1, 2, 2, 3, 3, 4, 5, 6)  # as in the project's hand-written notes
_STAFF = 5
_STAFF_IN_A_NOTE = 3


@dataclass(frozen=True, slots=True)
class Human:
    """A person of a patient's notes."""

    given: str = field(repr=False)
    family: str = field(repr=False)

    def written(self, form: str) -> str:
        """The name in one of the forms of notes; capitals in the field are capitals here."""
        given, family = self.given, self.family
        return form.format(g=given, f=family, G=given.upper(), F=family.upper())


@dataclass(frozen=True, slots=True)
class CohortMention:
    """One identifier of a note: `kind` groups figures, `key` says which thing is meant.

    `form`: the format of a date; empty otherwise.
    """

    type: PhiType
    value: str = field(repr=False)
    kind: str
    key: str
    form: str = ""


@dataclass(frozen=True, slots=True)
class Written:
    """A note of identifiers only, each found; `mentions[i]` answers `findings[i]`."""

    note: Note = field(repr=False)
    findings: tuple[Finding, ...]
    mentions: tuple[CohortMention, ...]


class NameSource:
    """Draws people: the project's own names and, with `census`, US Census names as well.

    `census` is a folder as `training.gazetteers` reads it. Raises `OSError` where it lacks files.
    """

    def __init__(self, census: Path | None = None) -> None:
        names = load_names()
        labels = [(group.label, group.names[at]) for group, at in names.place.values()]
        self._given = sorted(name for label, name in labels if label.startswith("given"))
        self._family = sorted(name for label, name in labels if label.startswith("family"))
        lists = Gazetteers(census) if census else None
        self._census_given = [lists.given[key] for key in sorted(lists.given)] if lists else []
        self._census_family = (
            [lists.surnames[key] for key in sorted(lists.surnames)] if lists else []
        )

    def human(self, rng: random.Random, family: str = "") -> Human:
        """A person; of a given family if one is named."""
        if self._census_given and rng.random() >= _LISTED:
            given = rng.choice(self._census_given).draw(rng).capitalize()
            drawn = rng.choice(self._census_family).draw(rng).capitalize()
        else:
            given, drawn = rng.choice(self._given), rng.choice(self._family)
        return Human(given, family or drawn)


@dataclass(frozen=True, slots=True)
class Patient:
    """Somebody with people, days and numbers; `staff[0]` stands in both chart notes."""

    id: str = field(repr=False)
    human: Human
    kin: Human
    staff: tuple[Human, ...]
    born: date = field(repr=False)
    days: tuple[date, ...] = field(repr=False)
    facts: values.FeedPerson = field(repr=False)


def patient(number: int, seed: int, names: NameSource) -> Patient:
    """The patient of a number: the same for the same seed and names, whatever was drawn before."""
    rng = random.Random(f"{seed}:{number}")
    human = names.human(rng)
    kin = names.human(rng, human.family if rng.random() < _SAME_FAMILY else "")
    first = FIRST_DAY + timedelta(rng.randrange(_DAYS))
    steps = sorted(rng.sample(range(1, 400), 3))
    return Patient(
        id=f"{seed}-{number}",
        human=human,
        kin=kin,
        staff=tuple(names.human(rng) for _ in range(_STAFF)),
        born=_OLDEST_BIRTH + timedelta(rng.randrange(_BIRTH_DAYS)),
        days=(first, *(first + timedelta(step) for step in steps)),
        facts=values.person(rng, "en", ["-"]),
    )


def chart_note(who: Patient, side: int) -> Written:
    """One of two notes (`side` 0 or 1) that share people and numbers but not words or order."""
    rng = random.Random(f"{who.id}:note:{side}")
    humans = [("patient", who.human), ("kin", who.kin), ("staff0", who.staff[0]),
              (f"staff{1 + side}", who.staff[1 + side])]  # fmt: skip
    form = _NAME_FORMS[side]
    found = [
        CohortMention(
            T.DOCTOR if key.startswith("staff") else T.PATIENT, human.written(form), "name", key
        )
        for key, human in humans
    ]
    found += _dates(who, side, rng) + _facts(who.facts, side)
    rng.shuffle(found)
    return write(found, f"{who.id}/{side}", who.id, max(who.days))


def _dates(who: Patient, side: int, rng: random.Random) -> list[CohortMention]:
    days = [(f"day{i}", who.days[i]) for i in (2 * side, 2 * side + 1)]
    found = []
    for key, day in days:
        form = rng.choice(DATE_FORMATS)
        found.append(CohortMention(T.DATE, day.strftime(form), "date", key, form))
    born = who.born.strftime("%m/%d/%Y")
    return [*found, CohortMention(T.DATE, born, "date", "born", "%m/%d/%Y")]


def _facts(facts: values.FeedPerson, side: int) -> list[CohortMention]:
    """The same numbers and places, with and without separators and capitals."""
    ssn = facts.ssn.replace("-", "") if side else facts.ssn
    return [
        CohortMention(T.MEDICALRECORD, facts.mrn, "number", "mrn"),
        CohortMention(T.SSN, ssn, "number", "ssn"),
        CohortMention(T.CITY, facts.city.upper() if side else facts.city, "place", "city"),
        CohortMention(T.STREET, facts.street, "place", "street"),
        CohortMention(T.ORGANIZATION, facts.employer, "organisation", "employer"),
    ]


def file_note(who: Patient, number: int) -> Written:
    """Note `number` of a patient's file: the people of the case, in the forms of names."""
    rng = random.Random(f"{who.id}:file:{number}")
    found = [_name(rng, T.PATIENT, "patient", who.human)
             for _ in range(rng.choice(_MENTIONS_OF_PATIENT))]  # fmt: skip
    if rng.random() < 0.5:
        found.append(_name(rng, T.PATIENT, "kin", who.kin))
    doctors = rng.sample(range(_STAFF), rng.randint(1, _STAFF_IN_A_NOTE))
    found += [_name(rng, T.DOCTOR, f"staff{k}", who.staff[k]) for k in doctors]
    return write(found, f"{who.id}/file/{number}", who.id, who.days[0] + timedelta(30 * number))


def _name(rng: random.Random, phi: PhiType, key: str, human: Human) -> CohortMention:
    return CohortMention(phi, human.written(rng.choice(_NAME_FORMS)), "name", key)


def write(mentions: Sequence[CohortMention], note_id: str, patient_id: str, day: date) -> Written:
    """A note whose text is the values of `mentions`, each with its finding."""
    text, found = "", []
    for mention in mentions:
        end = len(text) + len(mention.value)
        found.append(Finding(len(text), end, mention.type, (DETECTOR,)))
        text += mention.value + _BETWEEN
    note = Note(note_id, patient_id, (Part(text),), "en", written_on=day)
    return Written(note, tuple(found), tuple(mentions))
