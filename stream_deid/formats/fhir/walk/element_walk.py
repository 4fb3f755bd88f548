"""Walks the resources of a message and tells the builder what each element is.

Every element goes by its rule (`rules`); types whose parts explain each other (identifiers,
references, codes, attachments) have a method of their own in `data_types`, primitive values are
in `primitives`. What the specification does not name, and what is not of the type that it says, is
withheld.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any

from stream_deid.budget import check
from stream_deid.formats.fhir.building.note_builder import Container, FhirBuilder, Member
from stream_deid.formats.fhir.definitions.rules import WALK, FhirRule, Rules
from stream_deid.formats.fhir.definitions.specification import Element, specification
from stream_deid.formats.fhir.resources.links import Links
from stream_deid.formats.fhir.resources.place import FhirPlace
from stream_deid.formats.fhir.resources.subjects import Resource, Subjects
from stream_deid.formats.fhir.values.primitives import NOT_TEXTS, FhirLeaves
from stream_deid.formats.fhir.walk import answers
from stream_deid.labels import PhiType

Method = Callable[["FhirWalk", Container, str | int, dict[str, Any], FhirPlace], None]
Methods = Mapping[str, Method]


class FhirWalk:
    """Applies the rules to one message."""

    def __init__(
        self, out: FhirBuilder, rules: Rules, subjects: Subjects, methods: Methods, *, reject: bool
    ) -> None:
        self.out, self.rules, self.subjects = out, rules, subjects
        self._methods = methods
        self.links = Links(out, rules)
        self.leaves = FhirLeaves(out, self.links, rules, reject=reject)
        self.spec = specification()
        self.labelled: list[Resource] = []

    def resource(self, holder: Container | None, key: str | int, value: Any, path: str,
                 *, contained: bool = False) -> None:  # fmt: skip
        """A resource, wherever it stands; one of no known type is withheld."""
        kind = value.get("resourceType") if isinstance(value, dict) else None
        if not isinstance(kind, str) or kind not in self.spec.resources:
            assert holder is not None
            self.out.withhold(holder, key, path, why="unknown resource")
            return
        if not contained:
            self.labelled.append(value)
        subject = self.subjects.of(value)
        place = FhirPlace(path, kind, value, subject, contained=contained)
        self.object(value, kind, self._about(place, kind))

    def object(self, value: dict[str, Any], inner: str, place: FhirPlace) -> None:
        """The elements of a resource, a data type or an element with children (`inner`)."""
        elements = self.spec.elements(inner)
        if inner in answers.ASKING:
            place = replace(place, asks=answers.asks(value), asked=answers.asked(value))
        for name, item in value.items():
            check()
            if name == "resourceType" and value is place.resource:
                continue
            bare = name.removeprefix("_")
            element = elements.get(bare)
            if element is None:
                shown = bare if bare == "fhir_comments" else "???"
                self.out.withhold(value, name, f"{place.path}.{shown}", why="unknown element")
                continue
            at = replace(place, path=f"{place.path}.{bare}", where=f"{place.where}.{bare}")
            if name != bare:
                self.beside(value, name, item, element, at)
            else:
                self.element(value, name, item, element, at)

    def element(
        self, holder: dict[str, Any], name: str, item: Any, element: Element, place: FhirPlace
    ) -> None:
        """One element, by its rule."""
        rule = self._rule(element, place)
        malformed = element.type == "Meta" and not isinstance(item, dict)
        if rule.action == "drop" or malformed:
            self.out.withhold(holder, name, place.path, required=element.required)
            return
        if isinstance(item, list):
            for number in range(len(item)):
                at = self._about(replace(place, path=f"{place.path}[{number}]"), element.path)
                self._item(Member(item, number), element, rule, at)
        else:
            self._item(Member(holder, name), element, rule, self._about(place, element.path))

    def _rule(self, element: Element, place: FhirPlace) -> FhirRule:
        own = self.rules.rule(place.where, element)
        above = place.rule
        if above is None or own.action == "drop" or own.named.startswith("site"):
            return own
        if above.action == "surrogate" and element.type not in NOT_TEXTS:
            if own.action in ("surrogate", "text", "short"):
                return replace(own, action="surrogate", phi=own.phi or above.phi)
            return own
        return above if above.action in ("keep", "text", "short") and _is_text(element) else own

    def _about(self, place: FhirPlace, path: str) -> FhirPlace:
        """The place with the person whose element this is."""
        found = self.rules.persons.get(path)
        if found is None:
            return place
        base, phi = found
        person = "patient" if base == "patient" and not self.subjects.several else (
            f"{base}:{place.subject}" if base == "patient" else f"{base}:{place.path}"
        )  # fmt: skip
        return replace(place, person=person, phi=phi)

    def _item(self, member: Member, element: Element, rule: FhirRule, place: FhirPlace) -> None:
        holder, key, item = member.holder, member.key, member.value
        if element.path in self.spec.ages:
            place = replace(place, asks=PhiType.AGE)
        if item is None or answers.take(self, member, element, place):
            return
        if element.type == "Resource":
            self.resource(holder, key, item, place.path, contained=place.path.endswith("]")
                          and place.where.endswith(".contained"))  # fmt: skip
        elif element.type[:1].islower():
            self.leaves.leaf(member, element, rule, place)
        elif isinstance(item, str) and element.type == "CodeableConcept":  # a code in STU3
            self.leaves.leaf(member, *self._as_code(element, place), place)
        elif not isinstance(item, dict):
            self.out.withhold(holder, key, place.path, why="wrong type", required=element.required)
        else:
            self._complex(member, element, rule, place)

    def _as_code(self, element: Element, place: FhirPlace) -> tuple[Element, FhirRule]:
        code = replace(element, type="code")
        return code, self.rules.rule("", code) if place.rule is None else place.rule

    def _complex(self, member: Member, element: Element, rule: FhirRule, place: FhirPlace) -> None:
        item = member.value
        if "resource" in item and isinstance(item["resource"], dict):
            place = replace(place, subject=self.subjects.of(item["resource"]))
        if rule is not WALK:
            place = replace(place, rule=rule)
        if rule.action in ("keep", "text", "short") or not self.typed(
            element.type, member.holder, member.key, item, place
        ):
            self.object(item, element.inner, place)

    def typed(
        self, kind: str, holder: Container, key: str | int, item: dict[str, Any], place: FhirPlace
    ) -> bool:
        """A data type that has a method of its own; False for others."""
        method = self._methods.get(kind)
        if method is not None:
            method(self, holder, key, item, place)
        return method is not None

    def beside(
        self, holder: dict[str, Any], name: str, item: Any, element: Element, place: FhirPlace
    ) -> None:
        """`_name`: ids and extensions of a primitive or of a list of them."""
        if not element.type[:1].islower() or self._rule(element, place).action == "drop":
            self.out.withhold(holder, name, place.path)
            return
        for number, one in enumerate(item) if isinstance(item, list) else [(None, item)]:
            if isinstance(one, dict):
                self.object(one, "Element", place)
            elif one is not None:
                self.out.withhold(item if number is not None else holder,
                                  name if number is None else number, place.path)  # fmt: skip


def _is_text(element: Element) -> bool:
    return element.type[:1].isupper() or element.type in (
        "string", "markdown", "code", "uri", "url", "canonical", "id", "oid", "uuid"
    )  # fmt: skip
