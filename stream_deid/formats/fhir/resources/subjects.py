"""Whose each resource of a message is: by its references, across a Bundle.

A resource belongs to the patient whom it is, or names at a place that puts it into a patient's
compartment (the specification's own definition), or names anywhere, or whom a resource belongs to
that it refers to; else to the one patient whose resources refer to it. Where a message speaks
of one patient only, everything is that patient's.

A Patient resource that tells no number and no id of a server's (one that is to be created, one that
another resource contains) is somebody of this message alone.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from stream_deid.detect.record.institutions import word_of
from stream_deid.formats.fhir.definitions.specification import specification
from stream_deid.formats.identity import patient_key
from stream_deid.text.canonical import canonical

Resource = dict[str, Any]
_Found = tuple[tuple[str, ...], Mapping[str, Any]]
_NUMBER_TYPES = frozenset({"MR", "MRN", "MRT", "PI", "PT"})  # v2 table 0203
_OTHER_TYPES = frozenset({"SS", "SSN", "DL", "PPN", "MB", "MC", "HC", "NI", "MA", "TAX", "CZ"})
_REFERENCE = re.compile(r"(?:.*/)?([A-Z][A-Za-z]{2,60})/([A-Za-z0-9.\-]{1,64})(?:/_history/.*)?")
_FARTHEST = 3
_LONG = 16  # letters and digits of an id that no other id is by chance


class Subjects:
    """The patients of one message. `only`: the key of the one patient, empty for none or more, or
    where the message doesn't tell who that is. `message`: what no other message is called.
    `houses`: what its organisations and places are called, canonical.
    """

    def __init__(
        self, tree: Any, authorities: Mapping[str, str], message: str, *, by_id: bool = False
    ) -> None:
        self._authorities, self._message, self._by_id = authorities, message, by_id
        self._targets: dict[str, Resource] = {}
        self._inside: dict[int, dict[str, Resource]] = {}
        self._resources = list(self._scan(tree))
        self.long_ids = frozenset(
            one["id"] for one in self._resources
            if isinstance(one.get("id"), str) and sum(map(str.isalnum, one["id"])) >= _LONG
        )  # fmt: skip
        self.houses = frozenset(name for one in self._resources for name in _houses(one))
        self._owners: dict[int, str] = {}
        for one in self._resources:
            self._owners[id(one)] = self._owner(one, set())
        self._adopt()
        keys = {key for key in self._owners.values() if key}
        self.several = len(keys) > 1
        self.only = "" if self.several else next((k for k in keys if not self._local(k)), "")

    def of(self, resource: Resource) -> str:
        """The subject of a resource's parts: empty where the message has one patient."""
        return self._owners.get(id(resource), "") if self.several else ""

    def target(self, reference: str, holder: Resource) -> Resource | None:
        """The resource of this message that a reference in `holder` means."""
        if reference.startswith("#"):
            return self._inside.get(id(holder), {}).get(reference[1:])
        found = self._targets.get(reference)
        if found is None and (match := _REFERENCE.fullmatch(reference)):
            found = self._targets.get(f"{match[1]}/{match[2]}")
        return found

    # --- reading --------------------------------------------------------------------------------

    def _scan(self, tree: Any) -> Iterator[Resource]:
        """Every resource of the message, containers before what they hold."""
        waiting: list[tuple[Any, Resource | None]] = [(tree, None)]
        while waiting:
            value, holder = waiting.pop()
            if isinstance(value, list):
                waiting += [(one, holder) for one in reversed(value)]
                continue
            if not isinstance(value, dict):
                continue
            if isinstance(value.get("resourceType"), str):
                self._learn(value)
                yield value
                holder = value
                self._inside[id(value)] = {
                    one["id"]: one
                    for one in as_list(value.get("contained"))
                    if _is_resource(one) and isinstance(one.get("id"), str)
                }
                for one in self._inside[id(value)].values():  # they may refer to each other
                    self._inside.setdefault(id(one), {})
            elif isinstance(value.get("fullUrl"), str) and _is_resource(value.get("resource")):
                self._targets.setdefault(value["fullUrl"], value["resource"])
            waiting += [(one, holder) for one in reversed(list(value.values()))]

    def _learn(self, one: Resource) -> None:
        if isinstance(one.get("id"), str):
            self._targets.setdefault(f"{one['resourceType']}/{one['id']}", one)

    # --- owners -----------------------------------------------------------------------------------

    def _owner(self, one: Resource, seen: set[int]) -> str:
        if id(one) in self._owners:
            return self._owners[id(one)]
        if id(one) in seen or len(seen) > _FARTHEST:
            return ""
        seen = {*seen, id(one)}
        if one["resourceType"] == "Patient":
            return self.key(one)
        if one["resourceType"] == "Bundle":
            return ""
        references = list(_references(one))
        return self._named(one, references) or self._through(one, references, seen)

    def _named(self, one: Resource, references: Sequence[_Found]) -> str:
        """The patient whom a resource names, at the places that say whose it is before others."""
        for path in (*specification().patients.get(one["resourceType"], ()), None):
            for where, reference in references:
                if path is None or where == path:
                    found = self._patient(reference, one, at_patient=path is not None)
                    if found:
                        return found
        return ""

    def _through(self, one: Resource, references: Sequence[_Found], seen: set[int]) -> str:
        """The patient of something that a resource refers to."""
        for _, reference in references:
            target = self._literal(reference, one)
            if target is not None and target["resourceType"] not in _EVERYBODYS:
                found = self._owner(target, seen)
                if found:
                    return found
        return ""

    def _patient(self, reference: Mapping[str, Any], holder: Resource, *, at_patient: bool) -> str:
        """The key of the patient whom a reference names, empty where it names none."""
        target = self._literal(reference, holder)
        if target is not None:
            return self.key(target) if target["resourceType"] == "Patient" else ""
        literal = reference.get("reference")
        match = _REFERENCE.fullmatch(literal) if isinstance(literal, str) else None
        kind = match[1] if match else reference.get("type")
        identifier = reference.get("identifier")
        if kind == "Patient" or (kind is None and at_patient):
            if isinstance(identifier, dict) and isinstance(identifier.get("value"), str):
                return self._number(identifier)
            if match:
                return patient_key(match[2])
            if isinstance(literal, str) and literal[:1] not in ("#", ""):
                return patient_key(literal.removeprefix("urn:uuid:"))
        return ""

    def _literal(self, reference: Mapping[str, Any], holder: Resource) -> Resource | None:
        literal = reference.get("reference")
        return self.target(literal, holder) if isinstance(literal, str) else None

    def _adopt(self) -> None:
        """What belongs to nobody yet, to the one patient whose resources refer to it."""
        for _ in range(2):
            referrers: dict[int, set[str]] = {}
            for one in self._resources:
                owner = self._owners[id(one)]
                for target in self._mentioned(one) if owner else ():
                    referrers.setdefault(id(target), set()).add(owner)
            for one in self._resources:
                owners = referrers.get(id(one), set())
                if not self._owners[id(one)] and len(owners) == 1:
                    self._owners[id(one)] = next(iter(owners))

    def _mentioned(self, one: Resource) -> Iterator[Resource]:
        for _, reference in _references(one):
            target = self._literal(reference, one)
            if target is not None:
                yield target
        for held in as_list(one.get("contained")):
            if isinstance(held, dict) and id(held) in self._owners:
                yield held
        for url in _urls(one):
            found = self.target(url, one)
            if found is not None:
                yield found

    # --- keys -------------------------------------------------------------------------------------

    def key(self, patient: Resource) -> str:
        """The key of a Patient resource: its medical record number, else its id."""
        contained = any(patient is one for held in self._inside.values() for one in held.values())
        own = "" if contained else _text(patient.get("id"))
        number = best_identifier(patient)
        stated = self._number(number) if number is not None else ""
        key = (own or stated) if self._by_id else (stated or own)
        return patient_key(key) or self._nobody_else(patient)

    def _nobody_else(self, patient: Resource) -> str:
        """The key of a patient whom only this message knows."""
        at = next((n for n, one in enumerate(self._resources) if one is patient), -1)
        return f"{self._message}#{at}" if at >= 0 else ""

    def _local(self, key: str) -> bool:
        return key.startswith(f"{self._message}#")

    def _number(self, identifier: Mapping[str, Any]) -> str:
        system = identifier.get("system")
        system = system if isinstance(system, str) else ""
        value = str(identifier["value"]).strip()
        return patient_key(value, self._authorities.get(system, system))


_EVERYBODYS = frozenset(
    {"Practitioner", "PractitionerRole", "Organization", "Location", "HealthcareService", "Bundle"}
)


def best_identifier(patient: Resource) -> Mapping[str, Any] | None:
    """The identifier that says who a patient is, whatever the order of the others."""
    found = [
        one
        for one in as_list(patient.get("identifier"))
        if isinstance(one, dict) and isinstance(one.get("value"), str) and one["value"].strip()
    ]
    ranked = [
        [one for one in found if identifier_codes(one) & _NUMBER_TYPES],
        [one for one in found if not identifier_codes(one)],
        [one for one in found if not identifier_codes(one) & _OTHER_TYPES],
    ]
    if ranked[1] and isinstance(patient.get("id"), str):  # an id of the server's is no number
        ranked[1] = [one for one in ranked[1] if one["value"] != patient["id"]] or ranked[1]
    return next((ones[0] for ones in ranked if ones), None)


def identifier_codes(identifier: Mapping[str, Any]) -> set[str]:
    """The codes of an identifier's type."""
    kind = identifier.get("type")
    codings = as_list(kind.get("coding")) if isinstance(kind, dict) else []
    return {str(one.get("code", "")).upper() for one in codings if isinstance(one, dict)}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else ""


def _houses(one: Resource) -> Iterator[str]:
    """The canonical name of an organisation or a place, and the word that it is called by."""
    name = one.get("name")
    if one.get("resourceType") in {"Organization", "Location"} and isinstance(name, str):
        yield from filter(None, (canonical(name), word_of(name)))


def _is_resource(value: Any) -> bool:
    return isinstance(value, dict) and isinstance(value.get("resourceType"), str)


def as_list(value: Any) -> list[Any]:
    """A list, and none where there is something else."""
    return value if isinstance(value, list) else []


def _references(one: Resource) -> Iterator[tuple[tuple[str, ...], Mapping[str, Any]]]:
    """The references in a resource, not in those that it holds, with their paths."""
    waiting: list[tuple[tuple[str, ...], Any]] = [((), one)]
    while waiting:
        path, value = waiting.pop()
        if isinstance(value, list):
            waiting += [(path, inner) for inner in reversed(value)]
        elif isinstance(value, dict) and (not path or "resourceType" not in value):
            if path and ("reference" in value or "identifier" in value):
                yield path, value
            waiting += [
                ((*path, name), inner)
                for name, inner in reversed(list(value.items()))
                if isinstance(inner, (dict, list)) and name != "contained"
            ]


def _urls(one: Resource) -> Iterator[str]:
    """The addresses of a resource's attachments."""
    waiting: list[Any] = [one]
    while waiting:
        value = waiting.pop()
        if isinstance(value, list):
            waiting += value
        elif isinstance(value, dict):
            if isinstance(value.get("url"), str):
                yield value["url"]
            held = (one for name, one in value.items() if name != "contained")
            waiting += [one for one in held if isinstance(one, (dict, list))]
