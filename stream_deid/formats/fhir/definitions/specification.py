"""The elements of FHIR: what may stand where, of which type (`data/elements.tsv`)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from types import MappingProxyType

_NO_CODES: frozenset[str] = frozenset()
_OWN = frozenset({"BackboneElement", "Element"})  # children stand under the element's own path


@dataclass(frozen=True, slots=True)
class Element:
    """One element: `path` from its type, its `type`, and what must or may stand in it.

    `codes`: those that the specification requires, empty where any may stand.
    """

    path: str
    type: str
    required: bool = False
    codes: frozenset[str] = _NO_CODES

    @property
    def inner(self) -> str:
        """The path under which its own elements stand."""
        if self.type in _OWN:
            return self.path
        return self.type.removeprefix("#")


@dataclass(frozen=True, slots=True)
class Specification:
    """All elements by the path of their parent, and all types."""

    children: Mapping[str, Mapping[str, Element]]
    resources: frozenset[str]
    patients: Mapping[str, tuple[tuple[str, ...], ...]]
    """By resource, the paths that put it into a patient's compartment, best first."""
    parts: frozenset[str]
    """What the specification's extensions call their parts."""
    ages: frozenset[str]
    """Paths of strings and ranges that may stand for an age: `Condition.onsetString`."""

    def elements(self, path: str) -> Mapping[str, Element]:
        """The elements of a type or of an element with children, by name; empty for primitives."""
        return self.children.get(path, {})


@cache
def specification() -> Specification:
    """Read the tables, once."""
    codes = {name: frozenset(listed.split(" ")) for name, listed in _lines("codes.tsv")}
    bases: dict[str, str] = {}
    own: dict[str, dict[str, Element]] = {}
    for path, *rest in _lines("elements.tsv"):
        kind, required, bound = (*rest, "", "", "")[:3]
        parent, _, name = path.rpartition(".")
        if not parent:
            bases[path] = kind
            own.setdefault(path, {})
            continue
        element = Element(path, kind, bool(required), codes.get(bound, _NO_CODES))
        own.setdefault(parent, {})[name] = element
    children = {path: _with_inherited(path, own, bases) for path in own}
    resources = frozenset(name for name in bases if "Resource" in _line(name, bases))
    patients = {
        name: tuple(tuple(path.split(".")) for path in paths.split(" "))
        for name, paths in _lines("patients.tsv")
    }
    return Specification(
        MappingProxyType(children),
        resources - {"Resource", "DomainResource", "MetadataResource"},
        MappingProxyType(patients),
        frozenset(name for (name,) in _lines("parts.tsv")),
        frozenset(path for elements in own.values() for path in _beside_ages(elements)),
    )


def _beside_ages(elements: Mapping[str, Element]) -> list[str]:
    """What may stand where an age may (`onset[x]`); where anything may (`value[x]`), nothing."""
    ages = (name.removesuffix("Age") for name, one in elements.items() if one.type == "Age")
    choices = (choice for choice in ages if f"{choice}Base64Binary" not in elements)
    names = (f"{choice}{kind}" for choice in choices for kind in ("Range", "String"))
    return [elements[name].path for name in names if name in elements]


def _with_inherited(
    path: str, own: Mapping[str, dict[str, Element]], bases: Mapping[str, str]
) -> Mapping[str, Element]:
    line = _line(path, bases) if path in bases else (path, "BackboneElement", "Element")
    found: dict[str, Element] = {}
    for name in reversed(line):
        found |= own.get(name, {})
    return MappingProxyType(found)


def _line(name: str, bases: Mapping[str, str]) -> tuple[str, ...]:
    """A type and all that it is derived from."""
    line = [name]
    while bases.get(line[-1]):
        line.append(bases[line[-1]])
    return tuple(line)


def _lines(name: str) -> list[list[str]]:
    text = files(__package__).joinpath(f"data/{name}").read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines() if not line.startswith("#")]
