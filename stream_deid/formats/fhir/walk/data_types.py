"""Data types whose elements explain each other: what one says decides what another is."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import replace
from types import MappingProxyType
from typing import Any

from stream_deid.formats import demographics
from stream_deid.formats.exact_json import ExactNumber
from stream_deid.formats.fhir.building.note_builder import Container, Member
from stream_deid.formats.fhir.definitions.rules import FhirRule
from stream_deid.formats.fhir.resources.place import FhirPlace
from stream_deid.formats.fhir.resources.subjects import identifier_codes
from stream_deid.formats.fhir.walk.answers import as_number, asked_at
from stream_deid.formats.fhir.walk.element_walk import FhirWalk, Method
from stream_deid.formats.hl7.maps.field_map import field_map
from stream_deid.formats.short_values import asks_for_a_weekday, counts_days
from stream_deid.labels import PhiType
from stream_deid.note import Part, Span
from stream_deid.text.canonical import canonical, words

_END_OF_ADDRESS = re.compile(
    r"([A-Z][\w.'-]{1,30}(?: [A-Z][\w.'-]{1,30}){0,2}),? +([A-Z]{2})\.?,? +(\d{5}(?:-\d{4})?)\b"
)
_ENDINGS = ((1, PhiType.CITY), (2, PhiType.STATE), (3, PhiType.ZIP))
_CONTACTS = {"phone": PhiType.PHONE, "fax": PhiType.FAX, "pager": PhiType.PHONE,
             "sms": PhiType.PHONE, "email": PhiType.EMAIL, "url": PhiType.URL}  # fmt: skip
_PHONES = frozenset({PhiType.PHONE, PhiType.FAX})


def _rest(
    walk: FhirWalk, item: dict[str, Any], inner: str, place: FhirPlace, done: set[str]
) -> None:
    """The elements that need nothing but their own rules."""
    own = {name: value for name, value in item.items() if name not in done}
    elements = walk.spec.elements(inner)
    for name, value in own.items():
        bare = name.removeprefix("_")
        element = elements.get(bare)
        if element is None:
            walk.out.withhold(item, name, f"{place.path}.???", why="unknown element")
            continue
        at = replace(place, path=f"{place.path}.{bare}", where=f"{place.where}.{bare}")
        if name != bare:
            walk.beside(item, name, value, element, at)
        else:
            walk.element(item, name, value, element, at)


def _at(place: FhirPlace, name: str) -> FhirPlace:
    return replace(place, path=f"{place.path}.{name}", where=f"{place.where}.{name}")


def identifier(
    walk: FhirWalk, _holder: Container, _key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """A number and who gave it: its type decides what kind of number it is."""
    value = item.get("value")
    done: set[str] = set()
    if isinstance(value, str) and value.strip() and not _ruled(walk, "Identifier.value", place):
        done.add("value")
        at = _at(place, "value")
        phi = _number_type(walk, item, place)
        if value.startswith("urn:"):
            walk.out.put(item, "value", *walk.links.urn(value, at.path))
        elif value in walk.subjects.long_ids:
            walk.out.put(item, "value", walk.out.identify(value, at.path))
            walk.leaves.fact(value, phi, "", at)
        else:
            walk.leaves.surrogate(item, "value", value, FhirRule("surrogate", phi), at)
    _rest(walk, item, "Identifier", place, done)


def _ruled(walk: FhirWalk, path: str, place: FhirPlace) -> bool:
    """Whether a site has a rule of its own for an element that this module would take."""
    name = path.partition(".")[2]
    found = walk.rules.paths.get(f"{place.where}.{name}") or walk.rules.paths.get(path)
    return found is not None and found.named.startswith("site")


def _number_type(walk: FhirWalk, item: Mapping[str, Any], place: FhirPlace) -> PhiType:
    kinds = field_map().id_types
    for code in sorted(identifier_codes(item)):
        if code in kinds:
            return kinds[code]
    found = walk.rules.identifier_systems.get(str(item.get("system", "")))
    if found is None and place.where.count(".") == 1:
        found = walk.rules.identifier_owners.get(place.kind)
    return found or PhiType.IDNUM


def reference(
    walk: FhirWalk, _holder: Container, _key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """A reference: its display names what it refers to."""
    display, done = item.get("display"), set()
    kind, target = _target(walk, item, place)
    shown = isinstance(display, str) and display.strip()
    if shown and not _ruled(walk, "Reference.display", place):
        assert isinstance(display, str)
        phi = walk.rules.displays.get(kind)
        done.add("display")
        at = _at(place, "display")
        if kind in walk.rules.things:
            walk.leaves.short(item, "display", display, at)
        elif phi is None:
            walk.leaves.text(item, "display", display, at)
        else:
            if target is not None:
                at = replace(at, subject=walk.subjects.of(target))
            named = _person(item, kind, at, walk)
            walk.leaves.surrogate(
                item, "display", display, FhirRule("surrogate", phi, "full"), named
            )
    _rest(walk, item, "Reference", place, done)


def _target(walk: FhirWalk, item: Mapping[str, Any], place: FhirPlace) -> tuple[str, Any]:
    literal = item.get("reference")
    target = walk.subjects.target(literal, place.resource) if isinstance(literal, str) else None
    if target is not None:
        return str(target["resourceType"]), target
    if isinstance(item.get("type"), str):
        return item["type"], None
    for piece in literal.split("/") if isinstance(literal, str) else ():
        kind = piece.partition("?")[0]
        if kind in walk.rules.displays or kind in walk.rules.things:
            return kind, None
    likely = _LIKELY.get(place.where.rpartition(".")[2], "")
    return "Organization" if likely and _is_house(item, walk) else likely, None


def _is_house(item: Mapping[str, Any], walk: FhirWalk) -> bool:
    """Whether a display names an organisation of the message, or says that it is one."""
    said = str(item.get("display", ""))
    keys = [word.key for word in words(said)]
    return canonical(said) in walk.subjects.houses or (
        len(keys) > 1 and not walk.rules.houses.isdisjoint(keys)
    )


_LIKELY = MappingProxyType(
    {
        "patient": "Patient", "subject": "Patient", "beneficiary": "Patient",
        "performer": "Practitioner", "practitioner": "Practitioner", "requester": "Practitioner",
        "recorder": "Practitioner", "asserter": "Practitioner", "author": "Practitioner",
        "generalPractitioner": "Practitioner", "individual": "Practitioner",
        "authenticator": "Practitioner", "interpreter": "Practitioner", "collector": "Practitioner",
        "attender": "Practitioner", "resultsInterpreter": "Practitioner",
        "participant": "Practitioner", "enterer": "Practitioner", "provider": "Practitioner",
        "subscriber": "Patient", "policyHolder": "Patient", "payor": "Organization",
        "assigner": "Organization", "issuer": "Organization", "owner": "Organization",
        "sender": "Practitioner", "managingOrganization": "Organization",
        "organization": "Organization",
        "custodian": "Organization", "serviceProvider": "Organization", "insurer": "Organization",
        "location": "Location", "facility": "Location",
    }
)  # fmt: skip
"""What a reference without a type most likely refers to, by the name of its element."""


def _person(item: Mapping[str, Any], kind: str, at: FhirPlace, walk: FhirWalk) -> FhirPlace:
    """The place with the person that a display names: one person by one reference."""
    literal = item.get("reference")
    label = f"{kind}:{literal}" if isinstance(literal, str) else f"{kind}:{at.path}"
    if kind == "Patient" and not walk.subjects.several:
        label = "patient"
    return replace(at, person=label, phi=walk.rules.displays.get(kind))


_TESTS = frozenset({"Observation", "DiagnosticReport", "ServiceRequest"})


def coding(
    walk: FhirWalk, _holder: Container, _key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """A code of a vocabulary. The display of a public one is the vocabulary's word, and so is the
    name of a laboratory's own test; beside another, or without a code, it is words that may hold a
    name, and so is a code with blanks in it.
    """
    done: set[str] = set()
    system = item.get("system")
    public = isinstance(system, str) and walk.rules.is_public(system)
    named = place.kind in _TESTS and place.where == f"{place.kind}.code.coding"
    for name in ("code", "display"):
        value = item.get(name)
        if not isinstance(value, str) or not value.strip():
            continue
        if _ruled(walk, f"Coding.{name}", place):
            continue
        done.add(name)
        at = _answering(_at(place, name))
        own = isinstance(item.get("code"), str) and isinstance(system, str) and (public or named)
        if own or (name == "code" and " " not in value.strip()):
            walk.leaves.keep(item, name, at, public=public)
        else:
            walk.leaves.short(item, name, value, at)
    _rest(walk, item, "Coding", place, done)


def _answering(place: FhirPlace) -> FhirPlace:
    """The place with what its words answer; the code that asks is no answer to what it asks."""
    if what := asked_at(place.where):
        return replace(place, asked=what)
    return replace(place, asked="") if ".code." in place.where else place


def concept(
    walk: FhirWalk, _holder: Container, _key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """A concept: its text is a vocabulary's word where a public code says the same, else words that
    may hold a name, among which most are none where they are few or a public code stands beside.
    """
    text, done = item.get("text"), set()
    listed = item.get("coding")
    codings = [one for one in listed if isinstance(one, dict)] if isinstance(listed, list) else []
    known = any(
        isinstance(one.get("code"), str) and isinstance(one.get("system"), str)
        and walk.rules.is_public(one["system"])
        for one in codings
    )  # fmt: skip
    free = place.rule is None and not _ruled(walk, "CodeableConcept.text", place)
    if isinstance(text, str) and text.strip() and free:
        done.add("text")
        at = _at(place, "text")
        if known and any(_words(text) <= _words(str(one.get("display", ""))) for one in codings):
            walk.leaves.keep(item, "text", at, public=True)
        else:
            walk.leaves.short(item, "text", text, _answering(at))
    _rest(walk, item, "CodeableConcept", place, done)


def _words(text: str) -> set[str]:
    """The words and numbers of a text; the letter of `'s` is none."""
    return set(re.findall(r"\w{2,}|\d", text.casefold()))


def contact(
    walk: FhirWalk, _holder: Container, _key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """A telephone number or an address, by its system, else by its form."""
    value, done = item.get("value"), set()
    if isinstance(value, str) and value.strip() and not _ruled(walk, "ContactPoint.value", place):
        done.add("value")
        at = _at(place, "value")
        phi = _CONTACTS.get(str(item.get("system", "")))
        if "@" in value and (phi is None or phi in _PHONES):
            phi = PhiType.EMAIL
        elif phi is None and ("://" in value or value.lower().startswith("www.")):
            phi = PhiType.URL
        if (phi is None or phi in _PHONES) and not any(c.isdecimal() for c in value):
            walk.leaves.text(item, "value", value, at)
        else:
            walk.leaves.surrogate(
                item, "value", value, FhirRule("surrogate", phi or PhiType.PHONE), at
            )
    _rest(walk, item, "ContactPoint", place, done)


def address(
    walk: FhirWalk, _holder: Container, _key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """An address: of its text, the town, state and postal code that end it are known as such."""
    text, done = item.get("text"), set()
    if isinstance(text, str) and text.strip() and not _ruled(walk, "Address.text", place):
        done.add("text")
        at = _at(place, "text")
        spans: list[Span] = []
        if found := _END_OF_ADDRESS.search(text):
            spans += [Span(*found.span(n), phi) for n, phi in _ENDINGS if found[n]]
        part = Part(text, at.path, declared=tuple(spans), subject=at.subject)
        walk.out.put(item, "text", walk.out.whole(walk.out.add(part)))
        for span in spans:
            walk.leaves.fact(text[span.start : span.end], span.type, "", at)
    _rest(walk, item, "Address", place, done)


def age(
    walk: FhirWalk, _holder: Container, _key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """An age: one of 90 or more says no more than that."""
    done: set[str] = set()
    value = item.get("value")
    if isinstance(value, ExactNumber) and demographics.identifies(value.text, _unit(item)):
        done.add("value")
        at = _at(place, "value")
        if demographics.years("1", _unit(item)) == 1:
            text = str(int(float(value.text)))
            piece = walk.out.declare(text, at.path, PhiType.AGE, subject=at.subject)
            walk.out.put(item, "value", piece, write=as_number)
        else:
            walk.out.withhold(item, "value", at.path, why="age of 90 or more")
    _rest(walk, item, "Quantity", replace(place, asks=None), done)


def _unit(item: Mapping[str, Any]) -> str:
    return str(item.get("code") or item.get("unit") or "a")


def extension(
    walk: FhirWalk, holder: Container, key: str | int, item: dict[str, Any], place: FhirPlace
) -> None:
    """An extension: its url may have a rule, else its value goes by its type."""
    url = item.get("url")
    rule = walk.rules.extensions.get(url) if isinstance(url, str) else None
    if rule is not None and rule.action == "drop":
        walk.out.withhold(holder, key, place.path, why="by its url")
        return
    if rule is not None:
        place = replace(place, rule=rule)
        known = walk.spec.elements("Extension")
        said = {n: v for n, v in item.items() if isinstance(v, str) and n.startswith("value")}
        said = {name: value for name, value in said.items() if name in known}  # else withheld
        for name in said:
            walk.leaves.string(Member(item, name), known[name], rule, _at(place, name))
        _rest(walk, item, "Extension", place, set(said))
    else:
        asked = f"{place.path} {url.rpartition('/')[2]}" if isinstance(url, str) else ""
        days = asks_for_a_weekday(asked) or counts_days(asked)
        _rest(walk, item, "Extension", replace(place, asked=asked) if days else place, set())


METHODS: Mapping[str, Method] = MappingProxyType(
    {
        "Identifier": identifier, "Reference": reference, "Coding": coding,
        "CodeableConcept": concept, "ContactPoint": contact,
        "Address": address, "Age": age, "Extension": extension,
    }
)  # fmt: skip
"""The types that this module takes; `FhirWalk` has the others."""
