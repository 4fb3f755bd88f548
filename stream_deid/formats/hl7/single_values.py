"""Single values of a message: what each one is by its rule, told to the builder."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace

from stream_deid.formats import demographics, payers
from stream_deid.formats.hl7.er7.components import Hl7Place, Hl7Places, at
from stream_deid.formats.hl7.kept.last_look import KeptLeaf
from stream_deid.formats.hl7.maps.field_map import FieldMap, FieldRule
from stream_deid.formats.hl7.note_builder import Hl7Builder
from stream_deid.formats.hl7.values import coded_elements, timestamps
from stream_deid.formats.hl7.values.coded_elements import Piece
from stream_deid.formats.hl7.values.lone_codes import (
    is_test,
    names,
    persons,
    shortens,
    staff,
)
from stream_deid.formats.hl7.values.numeric_values import lone
from stream_deid.formats.people import Fact
from stream_deid.formats.placeholders import is_no_state, is_placeholder
from stream_deid.formats.short_values import asks_for_a_person, tells_weekday
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.sexes import sex_of
from stream_deid.lists.titles import nothing_but
from stream_deid.note import CONTROL, SHARED, WEEKDAY
from stream_deid.text.age import ninety_or_over

PRIOR = "prior"
"""The person whose record is merged into the patient's."""
_INSURANCE = "IN1["
_CODES = (0, 3)
"""Components of a coded element that hold its codes."""
_AUTHORITY = re.compile(r"[A-Z0-9_.\-]{1,16}")
_COUNTRY_CODE = re.compile(r"\+?\d{1,3}")
_REGISTERED_OIDS = tuple(f"2.16.840.1.113883.{arc}." for arc in (4, 5, 6, 12, 18))


class Hl7Leaves:
    """Takes single values of one message; `kept`: those that stay."""

    def __init__(self, builder: Hl7Builder, places: Hl7Places, fields: FieldMap) -> None:
        self._out = builder
        self._places = places
        self._map = fields
        self.kept: list[KeptLeaf] = []

    def keep(self, place: Hl7Place) -> None:
        """Let a value stay."""
        self.kept.append(KeptLeaf(place.start, place.end, place.path))

    def code(self, place: Hl7Place, *, examine_text: bool, asked: str = "") -> None:
        """A code, a number or a coded element (`coded_elements`); `asked`: what it answers."""
        places = self._places
        inner = [place] if places.is_single(place) else places.split(place)
        values = [places.text[p.start : p.end].strip() for p in inner]
        found = coded_elements.read(values, examine_text=examine_text)
        for number, (piece, what) in enumerate(zip(inner, found, strict=True)):
            beside = tuple(_beside(values, number))
            if what is Piece.EMPTY or places.is_null(piece.start, piece.end):
                continue
            if _is_public(values, number, piece.path):
                self.kept.append(KeptLeaf(piece.start, piece.end, piece.path, listed=True))
            elif phi := self._somebody(values, number, piece.path, asked):
                self.take(piece, FieldRule("as", phi))
            elif what is Piece.DATE:
                self.take(piece, FieldRule("date"))
            elif what is Piece.WORDS:
                if coded_elements.is_prose(values, number):
                    self._out.examine([(piece.start, piece.end)], piece.path)
                else:
                    unnamed = is_test(values[number], piece.path, beside) or _is_told(
                        values, number, piece.path
                    )
                    self._words(piece, unnamed=unnamed, asked=asked)
            else:
                public = what is not Piece.CODE
                long = what is Piece.NUMBER
                where = (piece.start, piece.end, piece.path)
                self.kept.append(KeptLeaf(*where, public, long, beside=beside, asked=asked))

    def _somebody(
        self, values: Sequence[str], number: int, path: str, asked: str
    ) -> PhiType | None:
        """What a component is of a person who stands where codes belong."""
        codes = self._map.listed["code"]
        if not values[number]:
            return None
        told = persons(values, path, codes).get(number)
        return told or (staff(values, number, codes) if asks_for_a_person(asked) else None)

    def take(self, leaf: Hl7Place, rule: FieldRule) -> None:
        """Apply a rule for single values."""
        value = self._out.decoded(leaf.start, leaf.end).text
        if not value.strip():  # nothing but escapes without text
            return
        match rule.kind:
            case "as":
                self._identifier(leaf, rule.phi or PhiType.OTHER, rule)
            case "title":
                self._title(leaf, value, rule)
            case "date" | "stamp":
                self._date(leaf, value, rule)
            case "authority" | "facility" | "oid":
                self._institution(leaf, value, rule)
            case "phone" | "country":
                self._phone(leaf, value, rule)
            case "control":
                self._out.declare(leaf, PhiType.IDNUM, role=CONTROL, subject=SHARED)
            case "sex":
                if sex := sex_of(value):
                    self._out.sexes[rule.person] = sex
                self.code(leaf, examine_text=False)

    def listed(self, leaf: Hl7Place, rule: FieldRule) -> None:
        """A value of a closed list; any other is replaced, where a word is strange to it, or
        examined: words of an interface, the same for everybody.
        """
        text, closed = self._out.decoded(leaf.start, leaf.end).text, self._map.listed[rule.role]
        if closed.holds(text):
            self.kept.append(KeptLeaf(leaf.start, leaf.end, leaf.path, listed=True))
        elif closed.is_strange(text):
            named = text.replace(" ", "").isalpha()
            phi = PhiType.ORGANIZATION if named else PhiType.IDNUM
            self._out.declare(leaf, phi, subject=SHARED)
            sender = Fact(rule.person, PhiType.ORGANIZATION, "", text.strip(), SHARED)
            self._out.learn(leaf.start, sender)
        else:
            self._words(leaf, SHARED)

    def answer(self, leaf: Hl7Place, rule: FieldRule, unit: str) -> None:
        """A value that says who somebody is (`rule.phi`), whatever its type; an age in `unit`."""
        value = self._out.decoded(leaf.start, leaf.end).text
        if not any(map(str.isalnum, value)):
            return
        if rule.phi is PhiType.AGE:
            self._age(leaf, value, unit)
        elif rule.phi is PhiType.LOCATION_OTHER:
            self._out.withhold(leaf.start, leaf.end, leaf.path, shown=False)
        elif rule.phi is PhiType.DATE:
            self._date(leaf, value, FieldRule("date", role="birth_date", person=rule.person))
        else:
            self._identifier(leaf, rule.phi or PhiType.OTHER, rule)

    def _age(self, leaf: Hl7Place, value: str, unit: str) -> None:
        if not any(map(str.isdecimal, value)) and not ninety_or_over(value):
            self._out.examine([(leaf.start, leaf.end)], leaf.path)
        elif not demographics.identifies(value, unit):
            self.keep(leaf)
        elif demographics.years("1", unit) == 1 or any(map(str.isalpha, value)):
            self._out.declare(leaf, PhiType.AGE)
        else:
            self._out.withhold(leaf.start, leaf.end, leaf.path, shown=False)

    def _identifier(self, leaf: Hl7Place, phi: PhiType, rule: FieldRule) -> None:
        if phi not in PERSONS and self._is_generic(leaf, phi):
            self.keep(leaf)
            return
        if phi is PhiType.ORGANIZATION and leaf.path.startswith(_INSURANCE):
            text = self._out.decoded(leaf.start, leaf.end).text
            if (states := payers.places_beside(text)) is not None:
                if states:
                    self._out.declare_within(leaf, states)
                return
        subject = self._subject(leaf, rule)
        value = self._out.declare(leaf, phi, role=rule.role, subject=subject)
        self._out.learn(leaf.start, Fact(rule.person, phi, rule.role, value.strip(), subject))

    def _subject(self, leaf: Hl7Place, rule: FieldRule) -> str:
        """Whose a value is that isn't the patient's: his whose record is merged into it."""
        return self._out.owners.prior(leaf.start) if rule.person == PRIOR else ""

    def _is_generic(self, leaf: Hl7Place, phi: PhiType) -> bool:
        """Whether a value says that there is none, or names a ward that every hospital has."""
        value = self._out.decoded(leaf.start, leaf.end).text
        unit = phi is PhiType.LOCATION_OTHER and value.strip().casefold() in self._map.units
        missing = is_no_state if phi is PhiType.STATE else is_placeholder
        return unit or missing(value)

    def _institution(self, leaf: Hl7Place, value: str, rule: FieldRule) -> None:
        acronym = bool(_AUTHORITY.fullmatch(value))
        if rule.kind == "oid":
            if not value.startswith(_REGISTERED_OIDS):
                self._identifier(leaf, PhiType.IDNUM, replace(rule, role="oid"))
        elif rule.kind == "facility" and acronym and any(c.isdecimal() for c in value):
            self._identifier(leaf, PhiType.IDNUM, replace(rule, role=""))
        elif rule.kind == "facility" or not acronym:
            self._identifier(leaf, PhiType.HOSPITAL, replace(rule, role=""))
        else:
            subject = self._subject(leaf, rule)
            one = KeptLeaf(leaf.start, leaf.end, leaf.path, issuer=True, subject=subject)
            self.kept.append(one)

    def _title(self, leaf: Hl7Place, value: str, rule: FieldRule) -> None:
        if nothing_but(value, "hl7"):
            return
        if rule.role:
            self._identifier(leaf, rule.phi or PhiType.OTHER, rule)
        else:
            self._words(leaf)

    def _words(
        self, place: Hl7Place, subject: str = "", *, unnamed: bool = False, asked: str = ""
    ) -> None:
        """Words beside codes, but for pieces that say alone what they are; `subject`: whose.
        `unnamed`: no list of names says what they are.
        """
        leaves = [
            (leaf, self._out.decoded(leaf.start, leaf.end).text)
            for leaf in self._places.leaves(place)
        ]
        codes = self._map.listed["code"]
        named = [
            [] if subject or unnamed else list(names(text, leaf.path, codes, asked))
            for leaf, text in leaves
        ]
        if len(leaves) == 1 and tells_weekday(leaves[0][1], asked):
            self._out.state(leaves[0][0], WEEKDAY)
            return
        meant = [lone(text) for _, text in leaves]
        if not any(meant) and not any(named):
            places = [(place.start, place.end)]
            self._out.examine(places, place.path, coded=True, asked=asked, subject=subject)
            return
        for (leaf, _), phi, spans in zip(leaves, meant, named, strict=True):
            if phi is not None:
                self.take(leaf, FieldRule("date") if phi is PhiType.DATE else FieldRule("as", phi))
            elif spans:
                self._out.declare_within(leaf, spans)
            else:
                self._out.examine([(leaf.start, leaf.end)], leaf.path, coded=True, asked=asked)

    def _date(self, leaf: Hl7Place, value: str, rule: FieldRule) -> None:
        found = timestamps.read(value)
        if rule.kind == "stamp" and (found is None or found[3] is None):
            self.code(leaf, examine_text=False)
            return
        if found is not None and timestamps.is_none(found):
            return
        if found is None or not timestamps.is_possible(found):
            self._out.withhold(leaf.start, leaf.end, leaf.path, shown=False)
            return
        length = max(found.end(n) for n in (1, 2, 3))
        role = rule.role if rule.role == "birth_date" else ""
        self._out.declare(leaf, PhiType.DATE, role=role, length=length)
        if role:
            known = Fact(rule.person, PhiType.DATE, role, value[:length])
            self._out.learn(leaf.start, known)

    def _phone(self, leaf: Hl7Place, value: str, rule: FieldRule) -> None:
        if rule.kind == "country" and _COUNTRY_CODE.fullmatch(value):
            return
        if "@" in value:
            phi = PhiType.EMAIL
        elif "://" in value or value.lower().startswith("www."):
            phi = PhiType.URL
        elif any(c.isdecimal() for c in value):
            phi = PhiType.FAX if rule.phi is PhiType.FAX else PhiType.PHONE
        else:
            self._out.examine([(leaf.start, leaf.end)], leaf.path)
            return
        self._identifier(leaf, phi, rule)


def _is_public(values: Sequence[str], number: int, path: str) -> bool:
    """Whether a component is the code that shortens a test's text, or the name of a local system
    (`99PHIL`).
    """
    if number in _CODES:
        return shortens(values[number], at(values, number + 2), path)
    code = at(values, number - 1) if number - 2 in _CODES else ""
    return bool(code) and coded_elements.is_local(values[number])


def _is_told(values: Sequence[str], number: int, path: str) -> bool:
    """Whether the code before a text shortens it: it is a test's, whoever is called so."""
    return number - 1 in _CODES and shortens(values[number - 1], values[number], path)


def _beside(values: Sequence[str], number: int) -> Sequence[str]:
    """What a code is the code of; of its text the code itself, where it is the same word."""
    if number in _CODES:
        return values[number + 1 : number + 3]
    code = values[number - 1] if number - 1 in _CODES else ""
    return [code] if code.lower() == values[number].lower() else ()
