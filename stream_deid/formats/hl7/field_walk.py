"""Walks the fields of a segment by the field map and tells the builder what each one is.

A rule for a data type splits the value and goes on with its components, then subcomponents.
What the map does not name is withheld. `""` (HL7's explicit null) and blanks always stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import replace

from stream_deid.budget import check
from stream_deid.formats.hl7.er7.components import LEVELS, Hl7Place, Hl7Places, at
from stream_deid.formats.hl7.er7.syntax import Hl7Message, Segment
from stream_deid.formats.hl7.kept.last_look import KeptLeaf
from stream_deid.formats.hl7.maps.field_map import FieldMap, FieldRule
from stream_deid.formats.hl7.note_builder import Hl7Builder
from stream_deid.formats.hl7.single_values import PRIOR, Hl7Leaves
from stream_deid.formats.hl7.texts.documents import Documents
from stream_deid.formats.hl7.values import timestamps
from stream_deid.formats.people import Fact
from stream_deid.formats.placeholders import is_nameless, is_no_name, is_placeholder
from stream_deid.labels import PhiType

_EQUIPMENT = {"FX": PhiType.FAX, "FAX": PhiType.FAX}
_FAMILY = {"XPN": 1, "XCN": 2, "CNN": 2}
"""Where the family name stands, with the given name behind it."""
_DROP = FieldRule("drop")
_WHOLE = frozenset({"keep", "control", "drop"})  # a field is one value, whatever stands in it
_INDIFFERENT = frozenset({"keep", "code", "coded", "text", "drop"})  # to whom and what it is about


class Hl7Walk:
    """Applies rules of the field map to places of one message; `kept`: what they let stay."""

    def __init__(self, builder: Hl7Builder, fields: FieldMap) -> None:
        self._out = builder
        self._map = fields
        self._places = Hl7Places(builder.message)
        self._leaves = Hl7Leaves(builder, self._places, fields)
        self.documents = Documents(builder)

    @property
    def kept(self) -> list[KeptLeaf]:
        """What stays."""
        return self._leaves.kept

    @property
    def message(self) -> Hl7Message:
        """What is walked over."""
        return self._out.message

    def withhold(self, start: int, end: int, path: str, *, shown: bool) -> None:
        """Cut a stretch out of the message; `shown`: a tag may stand there instead."""
        self._out.withhold(start, end, path, shown=shown)

    def about(self, rule: FieldRule, segment: Segment, number: int) -> FieldRule:
        """A rule with the person whom a field of a segment speaks of."""
        if rule.phi is PhiType.DOCTOR:
            return replace(rule, person=f"doctor:{segment.name}[{segment.number}]-{number}")
        base = rule.person or self._map.persons.get(segment.name, "other")
        if base == PRIOR:
            return replace(rule, person=base)
        if base in ("patient", "mother"):
            whose = self._out.owners.of(segment.start)
            return replace(rule, person=f"{base}@{whose}" if whose else base)
        return replace(rule, person=f"{base}:{segment.number}")

    def field(self, start: int, end: int, path: str, rule: FieldRule) -> None:
        """Apply `rule` to a whole field; `rule.person` is who the field is about."""
        if rule.kind in _WHOLE:
            self.apply(Hl7Place(start, end, path, LEVELS), rule)
            return
        repetitions = self._places.repetitions(start, end)
        if rule.kind == "text":
            if not self._places.is_null(start, end):
                self._out.examine(repetitions, path)
            return
        for number, (a, b) in enumerate(repetitions, 1):
            suffix = f"({number})" if number > 1 else ""
            about = rule
            if suffix and rule.phi is PhiType.DOCTOR:
                about = replace(rule, person=rule.person + suffix)
            self.apply(Hl7Place(a, b, path + suffix), about)

    def apply(self, place: Hl7Place, rule: FieldRule) -> None:
        """Apply `rule` to one repetition or a piece of one."""
        check()
        if self._places.is_null(place.start, place.end):
            return
        if rule.kind in self._map.types:
            self._compound(place, rule)
            return
        match rule.kind:
            case "code" | "coded":
                self._leaves.code(place, examine_text=rule.kind == "coded", asked=rule.role)
            case "text":
                self._out.examine([(place.start, place.end)], place.path)
            case "drop":
                self._out.withhold(place.start, place.end, place.path)
            case "encapsulated":
                self.documents.take(place.start, place.end, place.path)
            case "keep":
                self._leaves.keep(place)
            case _:
                take = self._leaves.listed if rule.kind == "listed" else self._leaves.take
                for leaf in self._filled(place):
                    take(leaf, rule)

    def _filled(self, place: Hl7Place) -> Iterator[Hl7Place]:
        """The innermost pieces of a value that hold anything."""
        leaves = self._places.leaves(place)
        return (leaf for leaf in leaves if not self._places.is_null(leaf.start, leaf.end))

    def answer(self, place: Hl7Place, rule: FieldRule, unit: str) -> None:
        """A value that says who somebody is (`rule.phi`), whatever its type; ages in `unit`."""
        for start, end in self._places.repetitions(place.start, place.end):
            for leaf in self._filled(Hl7Place(start, end, place.path)):
                self._leaves.answer(leaf, rule, unit)

    # --- compound values ---------------------------------------------------------------------

    def _compound(self, place: Hl7Place, rule: FieldRule) -> None:
        rules = self._map.types[rule.kind]
        if place.level >= LEVELS:
            self._inherit(place, rules.get(1, _DROP), rule)
            return
        inner = self._places.split(place)
        values = [self._places.text[p.start : p.end] for p in inner]
        if self._is_telephone(rule, values):
            self._compound(place, replace(rule, kind="XTN"))
            return
        special = self._exceptions(rule, values)
        if special is None:
            self._compound(place, replace(rule, kind="XCN"))
            return
        missing = self._missing(rule.kind, values)
        for number, piece in enumerate(inner, 1):
            if piece.start == piece.end:
                continue
            if number in missing:
                self._leaves.keep(piece)
                continue
            self._inherit(piece, special.get(number) or rules.get(number, _DROP), rule)
        if rule.kind == "XTN" and len(values) > 6 and values[5] and values[6]:
            number_in_one = f"{values[5]}-{values[6]}"
            told = Fact(rule.person, PhiType.PHONE, "", number_in_one)
            self._out.learn(place.start, told)

    def _inherit(self, place: Hl7Place, rule: FieldRule, outer: FieldRule) -> None:
        if rule.kind not in _INDIFFERENT:
            phi = rule.phi or outer.phi
            rule = FieldRule(rule.kind, phi, rule.role or outer.role, rule.person or outer.person)
        self.apply(place, rule)

    def _exceptions(self, rule: FieldRule, values: list[str]) -> Mapping[int, FieldRule] | None:
        """Rules that depend on the neighbouring components; None: read it as an XCN."""
        if rule.kind == "CX":
            kind = at(values, 5) or at(values, 4).split(self._places.subcomponent)[0]
            phi = self._map.id_types.get(kind.upper())
            return {1: FieldRule("as", phi)} if phi else {}
        if rule.kind == "XPN" and not at(values, 2) and re.search("[, ]", at(values, 1)):
            return {1: FieldRule("as", role="full")}
        if rule.kind == "XCN":
            return self._person_id(rule, values)
        if rule.kind == "NDL" and at(values, 2) and not timestamps.dtm(at(values, 2)):
            return None
        if rule.kind == "XTN":
            phi = _EQUIPMENT.get(at(values, 3).upper()) or _EQUIPMENT.get(at(values, 2).upper())
            return {n: FieldRule("phone", phi) for n in (1, 12)} if phi else {}
        return {}

    def _is_telephone(self, rule: FieldRule, values: list[str]) -> bool:
        """Whether a telephone number stands where a person belongs (`^WPN^PH^^1^512^5550190`), in
        a segment that is moved by a field.
        """
        use, equipment = at(values, 2).upper(), at(values, 3).upper()
        return rule.kind in _FAMILY and {use, equipment} <= self._map.telephones and use != ""

    def _missing(self, kind: str, values: list[str]) -> frozenset[int]:
        """The components of a name that say that there is none."""
        place = _FAMILY.get(kind)
        if place is None:
            return frozenset()
        family = at(values, place).split(self._places.subcomponent)[0]
        given = at(values, place + 1)
        if family and is_nameless(family, given):
            return frozenset({place, place + 1})
        if given and is_no_name(given):
            return frozenset({place + 1})
        alone = at(values, 1) if place > 1 and not family else ""
        return frozenset({1}) if alone and is_placeholder(alone) else frozenset()

    def _person_id(self, rule: FieldRule, values: list[str]) -> Mapping[int, FieldRule]:
        first = at(values, 1)
        if first and not any(c.isdecimal() for c in first):
            if not at(values, 2) and not at(values, 3):
                return {1: FieldRule("as", rule.phi, "full")}
            return {1: FieldRule("as", PhiType.USERNAME)}
        kinds = (at(values, 13), at(values, 8), at(values, 9).split(self._places.subcomponent)[0])
        phis = (self._map.id_types.get(kind.upper()) for kind in kinds)
        phi = next((phi for phi in phis if phi is PhiType.LICENSE), None)
        return {1: FieldRule("as", phi)} if phi else {}
