"""Names and numbers put alone into every leaf of the specification: none goes out unexamined."""

from __future__ import annotations

import json
from collections.abc import Iterator
from functools import cache

import pytest
from fhir_helpers import SAMPLES, pipeline, through

from stream_deid.formats.fhir import message
from stream_deid.formats.fhir.building import lone_words
from stream_deid.formats.fhir.building.lone_words import Lone
from stream_deid.formats.fhir.definitions.rules import rules
from stream_deid.formats.fhir.definitions.specification import Element, specification

PATIENT = {
    "resourceType": "Patient", "id": "p1",
    "name": [{"family": "Thornquist", "given": ["Zebulon"]}],
    "identifier": [{"type": {"coding": [{"code": "MR"}]}, "value": "40071193"}],
}  # fmt: skip
NOT_STRINGS = frozenset(
    ["boolean", "integer", "integer64", "decimal", "unsignedInt", "positiveInt", "base64Binary",
     "xhtml", "date", "dateTime", "instant", "time"]
)  # fmt: skip
PIPELINE = pipeline()
SPECIFICATION = specification()


Place = tuple[str, list[str], Element]
"""A resource, the names from it down to a string, and the element."""


def places(
    kind: str, path: str, seen: frozenset[str], had: set[object]
) -> Iterator[tuple[list[str], Element]]:
    """Names from a resource down to each string, and the element; no type within itself, and
    nothing of a data type that was gone through from as deep, within the same ones.
    """
    for name, element in SPECIFICATION.elements(path).items():
        if name == "contained" or element.type == "Resource" or element.type in NOT_STRINGS:
            continue
        inner = element.inner
        if element.type[:1].islower():
            yield [name], element
        elif inner not in seen and len(seen) <= 5:
            if not inner.startswith(kind):
                types = frozenset(one for one in seen if not one.startswith(kind))
                if (inner, types, len(seen)) in had:
                    continue
                had.add((inner, types, len(seen)))
            for below, leaf in places(kind, inner, seen | {inner}, had):
                yield [name, *below], leaf


@cache
def leaves() -> list[Place]:
    """Each leaf once, those of data types in the first resource that has them."""
    found: dict[object, Place] = {}
    had: set[object] = set()
    for kind in sorted(SPECIFICATION.resources - {"Bundle", "Patient", "Parameters"}):
        for names, element in places(kind, kind, frozenset({kind}), had):
            key = (kind, *names) if element.path.startswith(kind) else element.path
            found.setdefault(key, (kind, names, element))
    return list(found.values())


def unexamined(kind: str, names: list[str], value: str) -> bool:
    """Whether a value goes out of its leaf, neither examined nor declared."""
    held: object = value
    for name in reversed(names):
        held = {name: held}
    assert isinstance(held, dict)
    entries = [{"resource": PATIENT}, {"resource": {"resourceType": kind, **held}}]
    body = {"resourceType": "Bundle", "type": "collection", "entry": entries}
    note = message.parse(json.dumps(body).encode(), language_default="en")
    if any(value in part.text and (part.examine or part.declared) for part in note.parts):
        return False
    clean, _ = PIPELINE.finish(PIPELINE.begin(note), [])
    return value.casefold() in message.render(note, clean).decode().casefold()


def said_of(element: Element, kind: str, names: list[str]) -> str:
    return rules().rule(".".join((kind, *names)), element).role


@pytest.mark.parametrize("value", ["GUTIERREZ", "thornquist", "Brzovskaja", "6175550199"])
def test_what_stands_alone_goes_out_of_no_leaf_unexamined(value):
    found, looked_at = [], 0
    for kind, names, element in leaves():
        if kind in rules().definitions:
            continue  # they define, and speak of nobody
        looked_at += 1
        product = value.isdecimal() and said_of(element, kind, names) in ("words", "lot")
        if not product and unexamined(kind, names, value):
            found.append(".".join((kind, *names)))
    assert looked_at > 1400
    assert found == []


def test_no_code_of_the_specification_is_taken_for_a_name():
    codes = {
        code
        for elements in SPECIFICATION.children.values()
        for element in elements.values()
        for code in element.codes
    } | SPECIFICATION.parts  # fmt: skip
    assert len(codes) > 1200
    touched = [one for one in codes if lone_words.found(one, Lone.REPLACED)]
    assert touched == []
    assert [one for one in codes if lone_words.is_doubtful(one, Lone.REPLACED)] == []


@pytest.mark.parametrize("path", SAMPLES, ids=lambda p: p.stem)
def test_no_coded_leaf_of_the_samples_is_touched(path, monkeypatch):
    before = through(path.read_bytes())[1]
    monkeypatch.setattr(lone_words, "found", lambda _text, _lone: [])
    monkeypatch.setattr(lone_words, "is_doubtful", lambda _text, _lone: False)
    assert through(path.read_bytes())[1] == before


@pytest.mark.parametrize(
    ("text", "about", "replaced", "examined"),
    [
        ("GUTIERREZ", Lone.REPLACED, True, True),
        ("x-gutierrez-7", Lone.REPLACED, True, True),
        ("Gutierrez", Lone.EXAMINED, False, True),
        ("Gutierrez", Lone.KEPT, False, False),
        ("Brzovskaja", Lone.REPLACED, False, True),
        ("ombCategory", Lone.REPLACED, False, False),
        ("http://mercy.example/gutierrez", Lone.REPLACED, False, False),
        ("text/plain", Lone.REPLACED, False, False),
        ("6175550199", Lone.REPLACED, True, False),
        ("0175550199", Lone.REPLACED, False, False),
        ("Gutierrez Hodgkin", Lone.REPLACED, False, False),
    ],
)
def test_words_that_stand_alone(text, about, replaced, examined):
    assert bool(lone_words.found(text, about)) is replaced
    assert lone_words.is_doubtful(text, about) is examined


@pytest.mark.parametrize(
    "value",
    [
        {"valueInteger": 1615803330}, {"valueQuantity": {"value": 1615803330123}},
        {"valueQuantity": {"value": 1615803330.25, "unit": "s"}},
        {"extension": [{"url": "http://x/at", "valueDecimal": 1615803330.123}]},
    ],
)  # fmt: skip
def test_seconds_of_a_clock_are_no_value(value: dict[str, object]) -> None:
    result = {"resourceType": "Observation", "status": "final", "code": {"text": "x"}, **value}
    _, out, _ = through(json.dumps(result).encode())
    assert b"16158033" not in out


@pytest.mark.parametrize(
    "value",
    [{"value": 1615803330, "unit": "{copies}/mL"}, {"value": 1500000000}, {"value": 161580333}],
)
def test_large_amounts_stay(value: dict[str, object]) -> None:
    result = {"resourceType": "Observation", "status": "final", "code": {"text": "x"}}
    _, out, _ = through(json.dumps(result | {"valueQuantity": value}).encode())
    assert str(value["value"]).encode() in out
