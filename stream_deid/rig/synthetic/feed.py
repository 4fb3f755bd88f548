"""The feed: who appears, in which order, in which format."""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date, timedelta

import orjson

from stream_deid.rig.synthetic import hl7
from stream_deid.rig.synthetic.layouts import Filled, fill, format_date, layouts
from stream_deid.rig.synthetic.people import FeedPerson, Scene, person, scene, values

_FIRST_DAY = date(2024, 1, 8)
_DAYS = 700
_MESSAGES_PER_PATIENT = 6
_DOCTORS = 8
_SAME_FAMILY = 0.5
_SPANISH_SHARE = 0.3
_FORMS = ("json", "json", "json", "oru", "mdm", "results", "adt")
_COMMENTS = {
    "en": "Critical value called to Dr. {doctor} on {day}.\nRead back by {kin}, callback {phone}.",
    "es": "Valor crítico comunicado al Dr. {doctor} el {day}.\nAvisada {kin}, tel. {phone}.",
}


@dataclass(frozen=True, slots=True)
class FeedMessage:
    """One message of the feed.

    `expected`: identifier strings (names, numbers, places, institutions; none under four
    characters) that were put in, none of which may be in the output. `dates` are apart, because
    a shifted date may well be some other date of the note.
    """

    key: bytes = field(repr=False)
    value: bytes = field(repr=False)
    format: str
    language: str
    expected: tuple[str, ...] = field(default=(), repr=False)
    dates: tuple[str, ...] = field(default=(), repr=False)


@dataclass(frozen=True, slots=True)
class _House:
    doctors: list[FeedPerson]
    families: list[str]


@dataclass(frozen=True, slots=True)
class _Case:
    patient: FeedPerson
    kin: FeedPerson


def feed(count: int, seed: int = 7) -> Iterator[FeedMessage]:
    """`count` messages; the same seed gives the same bytes, and a longer feed begins alike."""
    rng = random.Random(seed)
    houses = {language: _house(rng, language) for language in ("en", "es")}
    cases: list[_Case] = []
    for number in range(count):
        if not cases or rng.random() < 1 / _MESSAGES_PER_PATIENT:
            language = "es" if rng.random() < _SPANISH_SHARE else "en"
            cases.append(_case(rng, language, houses[language]))
        case = rng.choice(cases[-40:])
        day = _FIRST_DAY + timedelta(rng.randrange(_DAYS))
        cast = scene(rng, case.patient, case.kin, houses[case.patient.language].doctors, day)
        yield _message(rng, cast, rng.choice(_FORMS), number)


def _house(rng: random.Random, language: str) -> _House:
    """Doctors have family names of their own, so that nobody is taken for somebody else."""
    families = values(language)["family"].copy()
    rng.shuffle(families)
    doctors = [person(rng, language, [family]) for family in families[:_DOCTORS]]
    return _House(doctors, families[_DOCTORS:])


def _case(rng: random.Random, language: str, house: _House) -> _Case:
    patient = person(rng, language, house.families)
    families = [patient.family] if rng.random() < _SAME_FAMILY else house.families
    return _Case(patient, person(rng, language, families))


def _message(rng: random.Random, cast: Scene, form: str, number: int) -> FeedMessage:
    language = cast.patient.language
    layout = rng.choice(layouts(language))
    control = hl7.control_id(rng)
    if form == "adt":
        value = hl7.visit(rng.choice(("A01", "A03", "A08")), cast, control)
        filled = Filled("", [cast.kin.given, cast.kin.phone])
    elif form == "results":
        filled = _comment(cast)
        value = hl7.results(cast, filled.text, control, rng)
    else:
        filled = fill(layout, cast, rng)
        if form == "json":
            value = _json(cast, filled, layout.note_type, number)
        else:
            kind = "ORU^R01" if form == "oru" else "MDM^T02"
            value = hl7.report(kind, cast, filled.text, control, rng)
    known = [] if form == "json" else hl7.identifiers(cast)
    return FeedMessage(
        key=cast.patient.mrn.encode(),
        value=value,
        format="json" if form == "json" else "hl7v2",
        language=language,
        expected=tuple(dict.fromkeys(v for v in (*filled.identifiers, *known) if len(v) >= 4)),
        dates=tuple(dict.fromkeys(filled.dates)),
    )


def _comment(cast: Scene) -> Filled:
    language = cast.patient.language
    day = format_date(cast.day, "%m/%d/%Y" if language == "en" else "%d/%m/%Y", language)
    text = _COMMENTS[language].format(
        doctor=cast.doctor.family, day=day, kin=cast.kin.given, phone=cast.kin.phone
    )
    return Filled(text, [cast.doctor.family, cast.kin.given, cast.kin.phone], [day])


def _json(cast: Scene, filled: Filled, note_type: str, number: int) -> bytes:
    patient = cast.patient
    return orjson.dumps(
        {
            "note_id": f"N{number:06}-{cast.numbers['pager']}",
            "patient_id": patient.mrn,
            "note_type": note_type,
            "language": patient.language,
            "timestamp": f"{cast.day.isoformat()}T09:30:00",
            "patient": {
                "name": {"family": patient.family, "given": patient.given},
                "birth_date": patient.born.isoformat(),
                "sex": patient.sex,
                "ids": [{"type": "mrn", "value": patient.mrn}],
                "address": {"street": patient.street, "city": patient.city, "zip": patient.zip},
                "phones": [patient.phone],
                "relatives": [{"name": cast.kin.name, "phone": cast.kin.phone}],
            },
            "text": filled.text,
        }
    )
