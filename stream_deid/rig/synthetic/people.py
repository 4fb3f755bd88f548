"""Invented people for the demo feed, with the facts that notes tell about them."""

from __future__ import annotations

import random
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from functools import cache
from typing import Any

from stream_deid.lists.vocabulary import toml

_FIRST_BIRTH = date(1938, 1, 1)
_BIRTH_DAYS = 24_000
_PLATE_LETTERS = "BCDFGHJKLMNPRSTVWXYZ"


@dataclass(frozen=True, slots=True)
class FeedPerson:
    """Someone in the feed; every identifier is already in the form that notes use."""

    given: str
    family: str
    sex: str
    language: str
    born: date
    mrn: str
    ssn: str
    national_id: str
    phone: str
    email: str
    username: str
    street: str
    city: str
    state: str
    zip: str
    occupation: str
    employer: str
    country: str

    @property
    def name(self) -> str:
        return f"{self.given} {self.family}"


@dataclass(frozen=True, slots=True)
class Scene:
    """Everybody and every number of one note; `day` is the day that it was written."""

    patient: FeedPerson
    kin: FeedPerson
    relation: str
    doctor: FeedPerson
    doctor2: FeedPerson
    hospital: str
    clinic: str
    day: date
    numbers: Mapping[str, str]


@cache
def values(language: str) -> Mapping[str, Any]:
    """The word lists of a language (`data/values.toml`)."""
    lists: Mapping[str, Any] = toml("values", __package__)[language]
    return lists


def digits(rng: random.Random, pattern: str) -> str:
    """`pattern` with `#` replaced by a digit, `?` by one from 2 to 9, `@` by a consonant."""
    choices = {"#": "0123456789", "?": "23456789", "@": _PLATE_LETTERS}
    return "".join(rng.choice(choices[c]) if c in choices else c for c in pattern)


def ascii_lower(text: str) -> str:
    plain = unicodedata.normalize("NFKD", text.lower())
    return "".join(c for c in plain if c.isascii() and c.isalnum())


def person(rng: random.Random, language: str, families: Sequence[str]) -> FeedPerson:
    """Draw somebody; telephone numbers and social security numbers are never issued ones."""
    lists = values(language)
    sex = rng.choice("FM")
    given = rng.choice(lists["female" if sex == "F" else "male"])
    family = rng.choice(families)
    city, state, code = rng.choice(lists["city"])
    short = f"{ascii_lower(given)[:1]}{ascii_lower(family.split()[0])}"
    return FeedPerson(
        given=given,
        family=family,
        sex=sex,
        language=language,
        born=_FIRST_BIRTH + timedelta(days=rng.randrange(_BIRTH_DAYS)),
        mrn=digits(rng, "4#######"),
        ssn=digits(rng, "9##-7#-####"),
        national_id=digits(rng, "########@"),
        phone=digits(rng, "(?##) 555-01##" if language == "en" else "6## ### ###"),
        email=f"{ascii_lower(given)}.{ascii_lower(family.split()[0])}@{rng.choice(lists['domain'])}",
        username=f"{short}{digits(rng, '##')}",
        street=rng.choice(lists["street"]),
        city=city,
        state=state,
        zip=code,
        occupation=rng.choice(lists["occupation"]),
        employer=rng.choice(lists["employer"]),
        country=rng.choice(lists["country"]),
    )


def scene(
    rng: random.Random, patient: FeedPerson, kin: FeedPerson, doctors: list[FeedPerson], day: date
) -> Scene:
    """A note's cast: the patient and kin are given, doctors drawn from those of the house."""
    lists = values(patient.language)
    doctor, doctor2 = rng.sample(doctors, 2)
    fax = "?##-555-01##" if patient.language == "en" else "9## ## ## ##"
    return Scene(
        patient=patient,
        kin=kin,
        relation=rng.choice(lists["relation_f" if kin.sex == "F" else "relation_m"]),
        doctor=doctor,
        doctor2=doctor2,
        hospital=rng.choice(lists["hospital"]),
        clinic=rng.choice(lists["clinic"]),
        day=day,
        numbers={
            "account": digits(rng, "70########"),
            "accession": digits(rng, "S26-#####"),
            "serial": digits(rng, "@@#-######"),
            "plan": digits(rng, "@@@########"),
            "license": digits(rng, "@######" if patient.language == "en" else "28########"),
            "plate": digits(rng, "@@@-####" if patient.language == "en" else "####@@@"),
            "pager": digits(rng, "#####"),
            "clinic_phone": digits(rng, fax),
            "clinic_fax": digits(rng, fax),
            "street": rng.choice(lists["street"]),
            "zip": patient.zip,
        },
    )
