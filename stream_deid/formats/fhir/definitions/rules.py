"""The rules (`data/rules.toml`, and a site's own) and which of them holds for an element."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from types import MappingProxyType
from typing import Any

from stream_deid.errors import Halt
from stream_deid.formats import fixed_forms
from stream_deid.formats.fhir.definitions.specification import Element, specification
from stream_deid.formats.vocabulary_codes import proves_itself
from stream_deid.labels import PhiType
from stream_deid.lists.vocabulary import toml

ACTIONS = frozenset(
    {
        "keep", "code", "text", "short", "surrogate", "shift", "id", "uri", "reference", "query",
        "narrative", "document", "drop", "generalise", "version", "walk", "file",
    }
)  # fmt: skip
_EXTENSION = re.compile(r"Extension\('([^']+)'\)")
_CODED = re.compile(r"(?=[^\d]*\d)[A-Za-z0-9.-]{1,20}")
_BY_TYPE = re.compile(r"nodesByType\('(\w+)'\)")


@dataclass(frozen=True, slots=True)
class FhirRule:
    """What to do with an element: `ACTION[:PHI][=role]`; `named` says which line of the rules."""

    action: str
    phi: PhiType | None = None
    role: str = ""
    named: str = ""


WALK = FhirRule("walk")


@dataclass(frozen=True, slots=True)
class Rules:
    """All rules, and the lists that they go by."""

    paths: Mapping[str, FhirRule]
    types: Mapping[str, FhirRule]
    extensions: Mapping[str, FhirRule]
    persons: Mapping[str, tuple[str, PhiType]]
    displays: Mapping[str, PhiType]
    things: frozenset[str]
    """Resources that are nobody and no house, whatever names them: a pump that sends is a pump."""
    houses: frozenset[str]
    coded_searches: frozenset[str]
    endings: frozenset[str]
    identifier_systems: Mapping[str, PhiType]
    identifier_owners: Mapping[str, PhiType]
    hosts: tuple[str, ...]
    urns: tuple[str, ...]
    namespaces: frozenset[str]
    """Those of `urn:...` that aren't called after anybody."""
    oids: tuple[str, ...]
    definitions: frozenset[str]
    """Resources that define and speak of nobody."""

    def rule(self, where: str, element: Element) -> FhirRule:
        """The rule of an element at `where` (its path from the resource, `Patient.name.family`)."""
        return (
            self.paths.get(where)
            or self.paths.get(element.path)
            or self.paths.get(element.type)
            or self.types.get(element.type)
            or WALK
        )

    def is_public(self, uri: str) -> bool:
        """Whether a URI names a vocabulary or a definition that everybody uses."""
        if uri.startswith(self.urns):
            return True
        oid = uri.removeprefix("urn:oid:")
        if oid[:1].isdecimal():
            return any(oid == arc or oid.startswith(arc + ".") for arc in self.oids)
        host = uri.partition("://")[2].partition("/")[0].partition(":")[0].lower()
        return any(host == one or host.endswith("." + one) for one in self.hosts)

    def is_vocabulary(self, parameter: str, system: str, token: str) -> bool:
        """Whether a search asks for a code that is a vocabulary's, by its system or by itself."""
        if parameter not in self.coded_searches:
            return False
        if any(fixed_forms.found(token)):
            return False
        stated = bool(system) and self.is_public(system) and _CODED.fullmatch(token) is not None
        return stated or proves_itself(token)


@cache
def rules(site: tuple[tuple[str, str], ...] = ()) -> Rules:
    """The rules, with those of `site` (path and rule of each) before the project's own.

    Raises `Halt("fhir.rules")` for a rule that means nothing or a path that is none.
    """
    data = toml("rules", __package__)
    paths, types = _table(data["paths"], "default"), _table(data["types"], "default")
    extensions = _table(data["extensions"], "default")
    for key, value in site:
        made = _rule(value, f"site {key}")
        if found := _EXTENSION.fullmatch(key):
            extensions[found[1]] = made
        elif found := _BY_TYPE.fullmatch(key):
            paths[found[1]] = made
        else:
            paths[key] = made
    if strange := [key for key in paths if not _is_path(key)]:
        raise Halt("fhir.rules", f"no elements of FHIR: {', '.join(strange)}")
    identifiers, vocabularies = data["identifiers"], data["vocabularies"]
    return Rules(
        paths=MappingProxyType(paths),
        types=MappingProxyType(types),
        extensions=MappingProxyType(extensions),
        persons=MappingProxyType({k: _person(v) for k, v in data["persons"].items()}),
        displays=_phis(data["displays"]),
        things=frozenset(data["things"]["types"].split()),
        houses=frozenset(data["houses"]["words"].split()),
        coded_searches=frozenset(data["searches"]["coded"].split()),
        endings=frozenset(data["files"]["endings"].split()),
        identifier_systems=_phis(identifiers["systems"]),
        identifier_owners=_phis(identifiers["owners"]),
        hosts=tuple(vocabularies["hosts"]),
        urns=tuple(vocabularies["urns"]),
        namespaces=frozenset(vocabularies["namespaces"]),
        oids=tuple(vocabularies["oids"]),
        definitions=frozenset(data["definitions"]["kinds"]),
    )


def _table(entries: Mapping[str, str], name: str) -> dict[str, FhirRule]:
    return {key: _rule(value, f"{name} {key}") for key, value in entries.items()}


def _rule(text: Any, named: str) -> FhirRule:
    rest, _, role = str(text).partition("=")
    action, _, phi = rest.partition(":")
    if action not in ACTIONS or (phi and phi not in PhiType.__members__):
        raise Halt("fhir.rules", f"{named}: {text!r} is no rule")
    return FhirRule(action, PhiType[phi] if phi else None, role, named)


def _is_path(path: str) -> bool:
    spec = specification()
    head, *names = path.split(".")
    at = head
    for name in names:
        element = spec.elements(at).get(name)
        if element is None:
            return False
        at = element.inner
    return head in spec.children or not names


def _person(text: str) -> tuple[str, PhiType]:
    base, _, phi = text.partition(":")
    return base, PhiType[phi]


def _phis(entries: Mapping[str, str]) -> Mapping[str, PhiType]:
    return MappingProxyType({key: PhiType[value] for key, value in entries.items()})
