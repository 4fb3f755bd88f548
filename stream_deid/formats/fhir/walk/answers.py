"""Values that say who somebody is, by what is asked beside them (`formats.demographics`).

An Observation or a component of one asks by its `code`, an item of a QuestionnaireResponse by its
`text`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, Any

from stream_deid.formats import demographics
from stream_deid.formats.content.pieces import Piece
from stream_deid.formats.exact_json import ExactNumber
from stream_deid.formats.fhir.building.note_builder import Container, Member
from stream_deid.formats.fhir.definitions.rules import FhirRule
from stream_deid.formats.fhir.definitions.specification import Element
from stream_deid.formats.fhir.resources.subjects import as_list
from stream_deid.formats.fhir.values import dates
from stream_deid.labels import PhiType
from stream_deid.text.age import ninety_or_over

if TYPE_CHECKING:
    from stream_deid.formats.fhir.resources.place import FhirPlace
    from stream_deid.formats.fhir.walk.element_walk import FhirWalk

ASKING = frozenset({"Observation", "Observation.component", "QuestionnaireResponse.item"})
"""The elements that say what their values mean."""

_ENDS = ("Range.low", "Range.high")
_CONCEPTS = {
    "AllergyIntolerance.code": "allergen",
    "AllergyIntolerance.reaction.substance": "allergen",
}
"""What the concepts of other elements answer."""


def asked_at(where: str) -> str:
    """What a concept answers by its place in the specification."""
    return next(
        (what for path, what in _CONCEPTS.items() if f"{where}.".startswith(f"{path}.")), ""
    )


def asks(value: Mapping[str, Any]) -> PhiType | None:
    """What an element of `ASKING` asks for."""
    codes = [one.get("code") for one in _codings(value)]
    return demographics.meaning(_texts(codes), _words(value))


def asked(value: Mapping[str, Any]) -> str:
    """The names of what it asks for."""
    return "; ".join(_words(value))


def _words(value: Mapping[str, Any]) -> Iterator[str]:
    said = [value.get("text"), _dict(value.get("code")).get("text")]
    return _texts([*said, *(one.get("display") for one in _codings(value)), value.get("linkId")])


def _codings(value: Mapping[str, Any]) -> list[dict[str, Any]]:
    listed = as_list(_dict(value.get("code")).get("coding"))
    return [one for one in listed if isinstance(one, dict)]


def take(walk: FhirWalk, member: Member, element: Element, place: FhirPlace) -> bool:
    """Take a value as what `place.asks` says; False: it is one that other rules are right for."""
    if place.asks is None:
        return False
    holder, key, item = member.holder, member.key, member.value
    if element.path in walk.spec.ages and isinstance(item, str):
        return _told(walk, holder, key, item, place)
    if not element.path.startswith(_ENDS) and not element.path.rpartition(".")[2].startswith(
        "value"
    ):
        return False
    if isinstance(item, dict):
        return element.type == "Quantity" and _quantity(walk, holder, key, item, place)
    if isinstance(item, ExactNumber):
        return _number(walk, holder, key, item, place)
    return isinstance(item, str) and element.type == "string" and _text(
        walk, holder, key, item, place
    )  # fmt: skip


def _told(walk: FhirWalk, holder: Container, key: str | int, value: str, place: FhirPlace) -> bool:
    """Take what a string where an age may stand says of one: of `died at 97` the number alone."""
    if not any(map(str.isdecimal, value)):
        return _text(walk, holder, key, value, place)
    pieces: list[Piece] = []
    at = 0
    for start, end in demographics.old_ages(value):
        age = walk.out.declare(value[start:end], place.path, PhiType.AGE, subject=place.subject)
        pieces += [*_beside(walk, value[at:start], place), age]
        at = end
    if pieces:
        walk.out.put(holder, key, *pieces, *_beside(walk, value[at:], place))
    return bool(pieces)


def _beside(walk: FhirWalk, text: str, place: FhirPlace) -> list[Piece]:
    said = any(map(str.isalnum, text))
    return [walk.out.examine(text, place.path, place.subject) if said else text]


def _quantity(
    walk: FhirWalk, holder: Container, key: str | int, item: dict[str, Any], place: FhirPlace
) -> bool:
    if place.asks is PhiType.AGE:
        walk.typed("Age", holder, key, item, place)
    else:
        walk.out.withhold(holder, key, place.path, why="a person's number")
    return True


def _number(
    walk: FhirWalk, holder: Container, key: str | int, item: ExactNumber, place: FhirPlace
) -> bool:
    phi, text = place.asks, item.text
    if phi is PhiType.AGE:
        if not demographics.identifies(text):
            return False
        text = str(int(float(text)))
    elif phi is None or phi is PhiType.LOCATION_OTHER:
        walk.out.withhold(holder, key, place.path, why="a person's place")
        return True
    role = "birth_date" if phi is PhiType.DATE else ""
    piece = walk.out.declare(text, place.path, phi, role=role, subject=place.subject)
    walk.out.put(holder, key, piece, write=as_number)
    return True


def _text(walk: FhirWalk, holder: Container, key: str | int, value: str, place: FhirPlace) -> bool:
    phi = place.asks
    if not any(map(str.isalnum, value)):
        return False
    if phi is PhiType.AGE:
        said = any(map(str.isdecimal, value))
        old = demographics.identifies(value) if said else ninety_or_over(value)
        if old:
            piece = walk.out.declare(value, place.path, phi, subject=place.subject)
            walk.out.put(holder, key, piece)
        return old
    if phi is PhiType.DATE:
        length = dates.day_length(value)
        if length is None:
            return False
        piece = walk.out.declare(
            value, place.path, phi, role="birth_date", subject=place.subject, length=length
        )
        walk.out.put(holder, key, piece)
    else:
        walk.leaves.surrogate(holder, key, value, FhirRule("surrogate", phi), place)
    return True


def as_number(text: str) -> str | None:
    """A surrogate where a number stands: `90+` is 90."""
    digits = text.removesuffix("+")
    return digits if digits.isdecimal() and not (len(digits) > 1 and digits[0] == "0") else None


def _texts(values: list[Any]) -> Iterator[str]:
    return (value for value in values if isinstance(value, str))


def _dict(value: object) -> dict[str, Any]:
    return value if isinstance(value, dict) else {}
