"""Walks the resources of a message and tells the builder what each element is.

Every element goes by its rule (`rules`); types whose parts explain each other (identifiers,
references, codes, attachments) have a method of their own in `types`. What the specification does
not name, and what is not of the type that it says, is withheld.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from stream_deid.errors import NoteRejected
from stream_deid.formats.fhir import answers, dates, documents
from stream_deid.formats.fhir.builder import Builder, Container, Kept
from stream_deid.formats.fhir.links import Links
from stream_deid.formats.fhir.rules import WALK, Rule, Rules
from stream_deid.formats.fhir.specification import Element, specification
from stream_deid.formats.fhir.subjects import Resource, Subjects
from stream_deid.formats.fhir.tree import Number
from stream_deid.formats.people import Fact
from stream_deid.formats.placeholders import is_nameless, is_no_name, is_placeholder
from stream_deid.labels import PhiType
from stream_deid.lists.titles import nothing_but

_CODE = re.compile(r"[^\s]{1,64}")
_PERSONS_IDS = frozenset({"Patient.id", "RelatedPerson.id", "Person.id", "Practitioner.id"})
_LEAST_DIGITS = 5
_SCORE = re.compile(
    r"[<>=~≤≥+ ]{0,3}\d{1,5}(?:[.,]\d{1,4})?"
    r"(?: ?(?:[-/+–] ?\d{1,3}|: ?\d{1,5})(?:[.,]\d{1,4})?)? ?%?"
)
_SEXES = {"female": "F", "male": "M"}
_NUMERIC = frozenset({"integer", "integer64", "decimal", "unsignedInt", "positiveInt"})
_NOT_TEXTS = frozenset({"boolean", *_NUMERIC})


@dataclass(frozen=True, slots=True)
class Place:
    """Where the walk is.

    `path`: in the message, with numbers (`Bundle.entry[2].resource.name[0]`); `where`: in the
    specification, from the resource (`Patient.name`); `person`, `phi`: whose facts stand here;
    `rule`: the rule of an element above that holds for all below; `asks`: see `answers`.
    """

    path: str
    where: str
    resource: Resource = field(repr=False)
    subject: str = field(default="", repr=False)
    person: str = field(default="", repr=False)
    phi: PhiType | None = None
    rule: Rule | None = None
    contained: bool = False
    asks: PhiType | None = None

    @property
    def kind(self) -> str:
        """The type of the resource."""
        return str(self.resource["resourceType"])


Method = Callable[["Walk", Container, str | int, dict[str, Any], Place], None]
Methods = Mapping[str, Method]


class Walk:
    """Applies the rules to one message."""

    def __init__(
        self, out: Builder, rules: Rules, subjects: Subjects, methods: Methods, *, reject: bool
    ) -> None:
        self.out, self.rules, self.subjects = out, rules, subjects
        self._methods, self._reject = methods, reject
        self.links = Links(out, rules)
        self.spec = specification()
        self.sexes: dict[str, str] = {}
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
        place = Place(path, kind, value, subject, contained=contained)
        self.object(value, kind, self._about(place, kind))

    def object(self, value: dict[str, Any], inner: str, place: Place) -> None:
        """The elements of a resource, a data type or an element with children (`inner`)."""
        elements = self.spec.elements(inner)
        if inner in answers.ASKING:
            place = replace(place, asks=answers.asks(value))
        for name, item in value.items():
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
        self, holder: dict[str, Any], name: str, item: Any, element: Element, place: Place
    ) -> None:
        """One element, by its rule."""
        rule = self._rule(element, place)
        malformed = element.type == "Meta" and not isinstance(item, dict)
        if rule.action == "drop" or malformed:
            self.out.withhold(holder, name, place.path, required=element.required)
            return
        if isinstance(item, list):
            for number, one in enumerate(item):
                at = self._about(replace(place, path=f"{place.path}[{number}]"), element.path)
                self._item(item, number, one, element, rule, at)
        else:
            self._item(holder, name, item, element, rule, self._about(place, element.path))

    def _rule(self, element: Element, place: Place) -> Rule:
        own = self.rules.rule(place.where, element)
        above = place.rule
        if above is None or own.action == "drop" or own.named.startswith("site"):
            return own
        if above.action == "surrogate" and element.type not in _NOT_TEXTS:
            if own.action in ("surrogate", "text"):
                return replace(own, action="surrogate", phi=own.phi or above.phi)
            return own
        return above if above.action in ("keep", "text") and _is_text(element) else own

    def _about(self, place: Place, path: str) -> Place:
        """The place with the person whose element this is."""
        found = self.rules.persons.get(path)
        if found is None:
            return place
        base, phi = found
        person = "patient" if base == "patient" and not self.subjects.several else (
            f"{base}:{place.subject}" if base == "patient" else f"{base}:{place.path}"
        )  # fmt: skip
        return replace(place, person=person, phi=phi)

    def _item(  # noqa: PLR0917 - a value, where it stands and its rule
        self, holder: Container, key: str | int, item: Any, element: Element, rule: Rule,
        place: Place,
    ) -> None:  # fmt: skip
        if item is None or answers.take(self, holder, key, item, element, place):
            return
        if element.type == "Resource":
            self.resource(holder, key, item, place.path, contained=place.path.endswith("]")
                          and place.where.endswith(".contained"))  # fmt: skip
        elif element.type[:1].islower():
            self.leaf(holder, key, item, element, rule, place)
        elif not isinstance(item, dict):
            self.out.withhold(holder, key, place.path, why="wrong type", required=element.required)
        else:
            self._complex(holder, key, item, element, rule, place)

    def _complex(  # noqa: PLR0917 - a value, where it stands and its rule
        self, holder: Container, key: str | int, item: dict[str, Any], element: Element,
        rule: Rule, place: Place,
    ) -> None:  # fmt: skip
        if "resource" in item and isinstance(item["resource"], dict):
            place = replace(place, subject=self.subjects.of(item["resource"]))
        if rule is not WALK:
            place = replace(place, rule=rule)
        if rule.action in ("keep", "text") or not self.typed(
            element.type, holder, key, item, place
        ):
            self.object(item, element.inner, place)

    def typed(
        self, kind: str, holder: Container, key: str | int, item: dict[str, Any], place: Place
    ) -> bool:
        """A data type that has a method of its own; False for others."""
        method = self._methods.get(kind)
        if method is not None:
            method(self, holder, key, item, place)
        return method is not None

    def beside(
        self, holder: dict[str, Any], name: str, item: Any, element: Element, place: Place
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

    # --- leaves ----------------------------------------------------------------------------------

    def leaf(  # noqa: PLR0917 - a value, where it stands and its rule
        self, holder: Container, key: str | int, value: Any, element: Element, rule: Rule,
        place: Place,
    ) -> None:  # fmt: skip
        """One primitive value."""
        if isinstance(value, bool):
            fits = element.type == "boolean"
        elif isinstance(value, Number):
            fits = element.type in _NUMERIC and rule.action == "keep"
            if fits:
                self.out.kept.append(Kept(holder, key, place.path, place.subject))
        else:
            fits = isinstance(value, str) and (
                element.type not in _NOT_TEXTS or _SCORE.fullmatch(value) is not None
            )
            if fits and value.strip():
                self.string(holder, key, value, element, rule, place)
        if not fits:
            self.out.withhold(holder, key, place.path, why="wrong type", required=element.required)

    def string(  # noqa: C901, PLR0912, PLR0917 - one case for each action
        self, holder: Container, key: str | int, value: str, element: Element, rule: Rule,
        place: Place,
    ) -> None:  # fmt: skip
        """One string, by its rule."""
        out, path = self.out, place.path
        match rule.action:
            case "keep":
                self.keep(holder, key, place)
                if place.where.endswith(".gender") and place.person:
                    self.sexes.setdefault(place.person, _SEXES.get(value, ""))
            case "code":
                self._code(holder, key, value, element, place)
            case "text" | "walk" | "generalise":
                self.text(holder, key, value, place)
            case "surrogate":
                self.surrogate(holder, key, value, rule, place)
            case "shift":
                self._date(holder, key, value, element, rule, place)
            case "id":
                out.put(holder, key, out.identify(value, path), required=element.required)
                if place.where in _PERSONS_IDS and sum(map(str.isdecimal, value)) >= _LEAST_DIGITS:
                    self.fact(value, PhiType.IDNUM, "", place)
            case "uri":
                out.put(holder, key, *self.links.uri(value, path, place.subject))
            case "version":
                out.put(holder, key, *self.links.version(value, path), required=element.required)
            case "reference":
                out.put(holder, key, *self.links.reference(value, path, place.subject))
            case "query":
                out.put(holder, key, *self.links.query(value, path, place.subject))
            case "narrative":
                documents.narrative(out, holder, key, value, path, place.subject)
            case "document":
                self._document(holder, key, value, place)
            case _:
                out.withhold(holder, key, path, required=element.required)

    def keep(
        self, holder: Container, key: str | int, place: Place, *, public: bool = False
    ) -> None:
        """A string that goes out as it came, but for known values in it."""
        self.out.kept.append(Kept(holder, key, place.path, place.subject, public))

    def text(self, holder: Container, key: str | int, value: str, place: Place) -> None:
        """Free text; a lone score, ratio, titre or count is none."""
        if _SCORE.fullmatch(value.strip()):
            self.keep(holder, key, place)
        else:
            self.out.put(holder, key, self.out.examine(value, place.path, place.subject))

    def surrogate(
        self, holder: Container, key: str | int, value: str, rule: Rule, place: Place
    ) -> None:
        """An identifier; one that stands for a missing one stays."""
        if _says_nobody(holder, value, rule):
            self.keep(holder, key, place)
            return
        phi = rule.phi or place.phi or PhiType.PATIENT
        if rule.role in ("prefix", "suffix") and nothing_but(value, "hl7", "fhir"):
            self.keep(holder, key, place)
            return
        self.out.put(
            holder, key,
            self.out.declare(value, place.path, phi, role=rule.role, subject=place.subject),
        )  # fmt: skip
        self.fact(value, phi, rule.role, place)

    def fact(self, value: str, phi: PhiType, role: str, place: Place) -> None:
        """Remember an identifier, to search for it."""
        staff = place.phi is PhiType.DOCTOR or phi is PhiType.DOCTOR
        person = place.person or f"other:{place.path.rpartition('.')[0]}"
        subject = "" if staff else place.subject
        self.out.facts.append(Fact(person, phi, role, value.strip(), subject))

    def _code(
        self, holder: Container, key: str | int, value: str, element: Element, place: Place
    ) -> None:
        if value in element.codes:
            if place.where.endswith(".gender") and place.person:
                self.sexes.setdefault(place.person, _SEXES.get(value, ""))
        elif _CODE.fullmatch(value) and not element.codes:
            self.keep(holder, key, place)
        else:
            self.out.put(holder, key, self.out.examine(value, place.path, place.subject))

    def _date(  # noqa: PLR0917 - a value, where it stands and its rule
        self, holder: Container, key: str | int, value: str, element: Element, rule: Rule,
        place: Place,
    ) -> None:  # fmt: skip
        length = dates.day_length(value)
        if length is None:
            self.out.withhold(holder, key, place.path, why="no date", required=element.required)
            return
        if dates.is_sentinel(value):
            return
        role = rule.role
        piece = self.out.declare(
            value, place.path, PhiType.DATE, role=role, subject=place.subject, length=length
        )
        kind = element.type
        self.out.put(
            holder, key, piece, write=lambda text: dates.written(text, kind),
            required=element.required,
        )  # fmt: skip
        if role == "birth_date":
            self.fact(value[:length], PhiType.DATE, role, place)

    def _document(self, holder: Container, key: str | int, value: str, place: Place) -> None:
        reason = documents.document(self.out, holder, key, value, place.path, place.subject)
        if reason and self._reject:
            raise NoteRejected("fhir.unreadable", f"a document ({reason}) can't be examined")


def _is_text(element: Element) -> bool:
    return element.type[:1].isupper() or element.type in (
        "string", "markdown", "code", "uri", "url", "canonical", "id", "oid", "uuid"
    )  # fmt: skip


def _says_nobody(holder: Container, value: str, rule: Rule) -> bool:
    """Whether an identifier stands where one is missing."""
    if rule.role in ("given", "full"):
        return is_no_name(value)
    if rule.role == "family" and isinstance(holder, dict):
        given = holder.get("given")
        first = given[0] if isinstance(given, list) and given else ""
        return is_nameless(value, first if isinstance(first, str) else "")
    return is_placeholder(value)
