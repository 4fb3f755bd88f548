"""Walks the fields of a segment by the field map and tells the builder what each one is.

A rule for a data type splits the value and goes on with its components, then subcomponents.
What the map does not name is withheld. `""` (HL7's explicit null) and blanks always stay.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from stream_deid.formats import demographics
from stream_deid.formats.hl7.builder import Builder
from stream_deid.formats.hl7.documents import Documents
from stream_deid.formats.hl7.field_map import FieldMap, Rule
from stream_deid.formats.hl7.kept import Kept
from stream_deid.formats.hl7.syntax import Message, pieces
from stream_deid.formats.people import Fact
from stream_deid.formats.placeholders import is_nameless, is_no_name, is_placeholder
from stream_deid.labels import PERSONS, PhiType
from stream_deid.note import CONTROL, SHARED
from stream_deid.text.age import ninety_or_over

# All of these are matched whole against single fields or pieces of one, and none can match one
# text in two ways, so that they take linear time.
_CODE = re.compile(r"[^\s]{1,40}")
_NUMBER = r"(?:\d{1,7}(?:[.,]\d{0,7})?|[.,]\d{1,7}) ?"
_NUMERIC = re.compile(rf"[<>=~ ]{{0,3}}(?:{_NUMBER})?(?:[-/:^] ?(?:{_NUMBER})?){{0,3}}%?")
_DTM = re.compile(r"(\d{4})(\d\d)?(\d\d)?(?:\d\d(?:\d\d(?:\d\d(?:\.\d{1,6})?)?)?)?(?:[+-]\d{4})?")
_ISO = re.compile(r"(\d{4})-(\d\d)-(\d\d)(?:[T ][\d:.+\-Z]{0,32})?")
_AUTHORITY = re.compile(r"[A-Z0-9_.\-]{1,16}")
_COUNTRY_CODE = re.compile(r"\+?\d{1,3}")
_SYSTEM = re.compile(  # coding systems of table 0396 that are in wide use, and local ones
    r"L|LN|LOINC|SCT2?|SNM\d?|SNOMED(?:[ -]?CT)?|I9C?M?|I10[CP]?M?S?|ICD[A-Z0-9-]{0,8}|C4|C5|CPT4?|"
    r"HCPCS|HL7\w{0,6}|99\w{1,10}|UCUM|ISO[\w+]{0,10}|ANSI\+|NDC|CVX|MVX|RXNORM|RxNorm|CDCREC|"
    r"CDCPHINVS|CDCA|NIP\d{0,3}|NCI\w{0,8}|UB\d{0,4}|IHE\w{0,6}|DCM|AS4E?|ACR|E5|MDC|NUBC|FDK|ATC|"
    r"PHIN\w{0,6}|USPS|FIPS\w{0,6}|NUCC\w{0,6}|PHINVADS|MEDCIN|ICPC2?P?|DRG\w{0,6}|ART|ICDO3?"
)
_LOCAL = re.compile(r"L|99\w{1,10}")
_REGISTERED_OIDS = tuple(f"2.16.840.1.113883.{arc}." for arc in (4, 5, 6, 12, 18))
_SEXES = {"F": "F", "M": "M", "FEMALE": "F", "MALE": "M"}
_EQUIPMENT = {"FX": PhiType.FAX, "FAX": PhiType.FAX}
_FAMILY = {"XPN": 1, "XCN": 2, "CNN": 2}
"""Where the family name stands, with the given name behind it."""
_FIRST_YEAR, _LAST_YEAR = 1850, 2150
_SENTINELS = frozenset(
    {
        "0",
        "00",
        "0000",
        "000000",
        "00000000",
        "0001",
        "00010101",
        "9999",
        "999912",
        "99991231",
        "99999999",
        "19000101",
        "1900-01-",
        "9999-12-",
        "0001-01-",
        "17530101",
        "18000101",
    }
)
PRIOR = "prior"
"""The person whose record is merged into the patient's."""
_DROP = Rule("drop")
_INDIFFERENT = frozenset({"keep", "code", "coded", "text", "drop"})  # to whom and what it is about
_LEVELS = 2  # components and subcomponents


@dataclass(frozen=True, slots=True)
class Place:
    """A value in the message; `level` 0: one repetition, 1: a component, 2: a subcomponent."""

    start: int
    end: int
    path: str
    level: int = 0


class Walk:
    """Applies rules of the field map to places of one message; `kept`: what they let stay.

    `prior`: the key of the patient whose record is merged into this one, for what is said of him.
    """

    def __init__(self, builder: Builder, fields: FieldMap, prior: str = "") -> None:
        self._prior = prior
        self._out = builder
        self._map = fields
        self._text = builder.message.text
        marks = builder.message.delimiters
        self._separators = (marks.component, marks.subcomponent)
        self._repetition = marks.repetition
        self.kept: list[Kept] = []
        self.documents = Documents(builder)

    @property
    def message(self) -> Message:
        """What is walked over."""
        return self._out.message

    def withhold(self, start: int, end: int, path: str) -> None:
        """Cut a stretch out of the message."""
        self._out.withhold(start, end, path)

    def field(self, start: int, end: int, path: str, rule: Rule) -> None:
        """Apply `rule` to a whole field; `rule.person` is who the field is about."""
        if rule.kind == "keep":
            self.kept.append(Kept(start, end, path))
            return
        if rule.kind == "control":  # one value, whatever stands in it
            self.apply(Place(start, end, path), rule)
            return
        repetitions = list(pieces(self._text, start, end, self._repetition))
        if rule.kind == "text":
            if not self._is_null(start, end):
                self._out.examine(repetitions, path)
            return
        if rule.kind == "drop":
            if not self._is_null(start, end):
                self._out.withhold(start, end, path)
            return
        for number, (a, b) in enumerate(repetitions, 1):
            suffix = f"({number})" if number > 1 else ""
            about = rule
            if suffix and rule.phi is PhiType.DOCTOR:
                about = replace(rule, person=rule.person + suffix)
            self.apply(Place(a, b, path + suffix), about)

    def apply(self, place: Place, rule: Rule) -> None:
        """Apply `rule` to one repetition or a piece of one."""
        if self._is_null(place.start, place.end):
            return
        if rule.kind in self._map.types:
            self._compound(place, rule)
        elif rule.kind in ("code", "coded"):
            self._code(place, examine_text=rule.kind == "coded")
        elif not self._whole(place, rule):
            for leaf in self._leaves(place):
                if not self._is_null(leaf.start, leaf.end):
                    self._leaf(leaf, rule)

    def _whole(self, place: Place, rule: Rule) -> bool:
        """Apply a rule that doesn't ask what a value is made of; False: it is none of these."""
        at = place.start, place.end, place.path
        match rule.kind:
            case "text":
                self._out.examine([at[:2]], place.path)
            case "drop":
                self._out.withhold(*at)
            case "encapsulated":
                self.documents.take(*at)
            case "control":
                self._out.declare(*at, PhiType.IDNUM, CONTROL, subject=SHARED)
            case "keep":
                self.kept.append(Kept(*at))
            case _:
                return False
        return True

    def answer(self, place: Place, rule: Rule, unit: str) -> None:
        """A value that says who somebody is (`rule.phi`), whatever its type; ages in `unit`."""
        for start, end in pieces(self._text, place.start, place.end, self._repetition):
            for leaf in self._leaves(Place(start, end, place.path)):
                value = self._out.decoded(leaf.start, leaf.end).text
                if self._is_null(leaf.start, leaf.end) or not any(map(str.isalnum, value)):
                    continue
                if rule.phi is PhiType.AGE:
                    self._age(leaf, value, unit)
                elif rule.phi is PhiType.LOCATION_OTHER:
                    self.withhold(leaf.start, leaf.end, leaf.path)
                elif rule.phi is PhiType.DATE:
                    self._date(leaf, value, Rule("date", role="birth_date", person=rule.person))
                else:
                    self._identifier(leaf, rule.phi or PhiType.OTHER, rule)

    def _age(self, leaf: Place, value: str, unit: str) -> None:
        if not any(map(str.isdecimal, value)) and not ninety_or_over(value):
            self._out.examine([(leaf.start, leaf.end)], leaf.path)
        elif not demographics.identifies(value, unit):
            self.kept.append(Kept(leaf.start, leaf.end, leaf.path))
        elif demographics.years("1", unit) == 1 or any(map(str.isalpha, value)):
            self._out.declare(leaf.start, leaf.end, leaf.path, PhiType.AGE, "")
        else:
            self._out.withhold(leaf.start, leaf.end, leaf.path)

    # --- compound values ---------------------------------------------------------------------

    def _compound(self, place: Place, rule: Rule) -> None:
        rules = self._map.types[rule.kind]
        if place.level >= _LEVELS:
            self._inherit(place, rules[1], rule)
            return
        inner = self._split(place)
        values = [self._text[p.start : p.end] for p in inner]
        special = self._exceptions(rule, values)
        if special is None:
            self._compound(place, replace(rule, kind="XCN"))
            return
        missing = self._missing(rule.kind, values)
        for number, piece in enumerate(inner, 1):
            if piece.start == piece.end:
                continue
            if number in missing:
                self.kept.append(Kept(piece.start, piece.end, piece.path))
                continue
            self._inherit(piece, special.get(number) or rules.get(number, _DROP), rule)
        if rule.kind == "XTN" and len(values) > 6 and values[5] and values[6]:
            number_in_one = f"{values[5]}-{values[6]}"
            self._out.facts.append(Fact(rule.person, PhiType.PHONE, "", number_in_one))

    def _inherit(self, place: Place, rule: Rule, outer: Rule) -> None:
        if rule.kind not in _INDIFFERENT:
            phi = rule.phi or outer.phi
            rule = Rule(rule.kind, phi, rule.role or outer.role, rule.person or outer.person)
        self.apply(place, rule)

    def _exceptions(self, rule: Rule, values: list[str]) -> Mapping[int, Rule] | None:
        """Rules that depend on the neighbouring components; None: read it as an XCN."""
        if rule.kind == "CX":
            kind = _at(values, 5) or _at(values, 4).split(self._separators[1])[0]
            phi = self._map.id_types.get(kind.upper())
            return {1: Rule("as", phi)} if phi else {}
        if rule.kind == "XPN" and not _at(values, 2) and re.search("[, ]", _at(values, 1)):
            return {1: Rule("as", role="full")}
        if rule.kind == "XCN":
            return self._person_id(rule, values)
        if rule.kind == "NDL" and _at(values, 2) and not _DTM.fullmatch(_at(values, 2)):
            return None
        if rule.kind == "XTN":
            phi = _EQUIPMENT.get(_at(values, 3).upper()) or _EQUIPMENT.get(_at(values, 2).upper())
            return {n: Rule("phone", phi) for n in (1, 12)} if phi else {}
        return {}

    def _missing(self, kind: str, values: list[str]) -> frozenset[int]:
        """The components of a name that say that there is none."""
        at = _FAMILY.get(kind)
        if at is None:
            return frozenset()
        family = _at(values, at).split(self._separators[1])[0]
        given = _at(values, at + 1)
        if family and is_nameless(family, given):
            return frozenset({at, at + 1})
        if given and is_no_name(given):
            return frozenset({at + 1})
        alone = _at(values, 1) if at > 1 and not family else ""
        return frozenset({1}) if alone and is_placeholder(alone) else frozenset()

    def _person_id(self, rule: Rule, values: list[str]) -> Mapping[int, Rule]:
        first = _at(values, 1)
        if first and not any(c.isdecimal() for c in first):
            if not _at(values, 2) and not _at(values, 3):
                return {1: Rule("as", rule.phi, "full")}
            return {1: Rule("as", PhiType.USERNAME)}
        kinds = (_at(values, 13), _at(values, 8), _at(values, 9).split(self._separators[1])[0])
        phis = (self._map.id_types.get(kind.upper()) for kind in kinds)
        phi = next((phi for phi in phis if phi is PhiType.LICENSE), None)
        return {1: Rule("as", phi)} if phi else {}

    def _code(self, place: Place, *, examine_text: bool) -> None:
        """Codes, numbers and coded elements (id, text, system; twice; versions; original text).

        The text of an element is trusted where an id and a known coding system stand beside it,
        except under `examine_text`. A lone token is a code; words beside others are text.
        """
        single = place.level >= _LEVELS or (
            self._text.find(self._separators[place.level], place.start, place.end) < 0
        )
        inner = [place] if single else self._split(place)
        values = [self._text[p.start : p.end].strip() for p in inner]
        lone = sum(map(bool, values)) == 1
        for number, (piece, value) in enumerate(zip(inner, values, strict=True)):
            if not value or self._is_null(piece.start, piece.end):
                continue
            group = 3 * (number // 3)
            coded = number < 6 and bool(
                _at(values, group + 1) and _SYSTEM.fullmatch(_at(values, group + 3))
            )
            is_text = number in (1, 4, 8)
            if coded and not (examine_text and is_text):
                public = not _LOCAL.fullmatch(_at(values, group + 3))
                self.kept.append(Kept(piece.start, piece.end, piece.path, vocabulary=public))
                continue
            if self._is_date(value):
                self._leaf(piece, Rule("date"))
            elif (examine_text and (is_text or lone)) or not _looks_like_code(value, lone=lone):
                self._out.examine([(piece.start, piece.end)], piece.path, coded=True)
            else:
                self.kept.append(Kept(piece.start, piece.end, piece.path))

    def _is_date(self, value: str) -> bool:
        """A calendar date of at least day precision, where nobody expected one."""
        found = _DTM.fullmatch(value)
        if found is None or found[3] is None:
            return False
        year, month, day = (int(found[n]) for n in (1, 2, 3))
        return 1880 <= year <= 2100 and 1 <= month <= 12 and 1 <= day <= 31

    # --- single values -----------------------------------------------------------------------

    def _leaf(self, leaf: Place, rule: Rule) -> None:
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
            case "sex":
                if sex := _SEXES.get(value.strip().upper()):
                    self._out.sexes[rule.person] = sex
                self._code(leaf, examine_text=False)

    def _identifier(self, leaf: Place, phi: PhiType, rule: Rule) -> None:
        if phi not in PERSONS and self._is_generic(leaf, phi):
            self.kept.append(Kept(leaf.start, leaf.end, leaf.path))
            return
        subject = self._prior if rule.person == PRIOR else ""
        value = self._out.declare(leaf.start, leaf.end, leaf.path, phi, rule.role, subject=subject)
        self._out.facts.append(Fact(rule.person, phi, rule.role, value.strip(), subject))

    def _is_generic(self, leaf: Place, phi: PhiType) -> bool:
        """Whether a value says that there is none, or names a ward that every hospital has."""
        value = self._out.decoded(leaf.start, leaf.end).text
        unit = phi is PhiType.LOCATION_OTHER and value.strip().casefold() in self._map.units
        return unit or is_placeholder(value)

    def _institution(self, leaf: Place, value: str, rule: Rule) -> None:
        acronym = bool(_AUTHORITY.fullmatch(value))
        if rule.kind == "oid":
            if not value.startswith(_REGISTERED_OIDS):
                self._identifier(leaf, PhiType.IDNUM, replace(rule, role="oid"))
        elif rule.kind == "facility" and acronym and any(c.isdecimal() for c in value):
            self._identifier(leaf, PhiType.IDNUM, replace(rule, role=""))
        elif rule.kind == "facility" or not acronym:
            self._identifier(leaf, PhiType.HOSPITAL, replace(rule, role=""))
        else:
            self.kept.append(Kept(leaf.start, leaf.end, leaf.path))

    def _title(self, leaf: Place, value: str, rule: Rule) -> None:
        words = re.split(r"[\s,/]+", value.casefold().replace(".", "").replace("'", "").strip())
        if all(word in self._map.titles for word in words if word):
            return
        if rule.role:
            self._identifier(leaf, rule.phi or PhiType.OTHER, rule)
        else:
            self._out.examine([(leaf.start, leaf.end)], leaf.path, coded=True)

    def _date(self, leaf: Place, value: str, rule: Rule) -> None:
        found = _DTM.fullmatch(value) or _ISO.fullmatch(value)
        if rule.kind == "stamp" and (found is None or found[3] is None):
            self._code(leaf, examine_text=False)
            return
        if found is not None and _is_sentinel(found):
            return
        if found is None or not _FIRST_YEAR <= int(found[1]) <= _LAST_YEAR:
            self._out.withhold(leaf.start, leaf.end, leaf.path)
            return
        length = max(found.end(n) for n in (1, 2, 3))
        role = rule.role if rule.role == "birth_date" else ""
        self._out.declare(leaf.start, leaf.end, leaf.path, PhiType.DATE, role, length)
        if role:
            known = Fact(rule.person, PhiType.DATE, role, value[:length])
            self._out.facts.append(known)

    def _phone(self, leaf: Place, value: str, rule: Rule) -> None:
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

    # --- splitting ---------------------------------------------------------------------------

    def _split(self, place: Place) -> list[Place]:
        found = pieces(self._text, place.start, place.end, self._separators[place.level])
        inner = place.level + 1
        return [Place(a, b, f"{place.path}.{n}", inner) for n, (a, b) in enumerate(found, 1)]

    def _leaves(self, place: Place) -> Iterator[Place]:
        if place.level >= _LEVELS:
            yield place
            return
        separator = self._separators[place.level]
        if self._text.find(separator, place.start, place.end) < 0:
            inner = place.level + 1
            yield from self._leaves(Place(place.start, place.end, place.path, inner))
            return
        for piece in self._split(place):
            yield from self._leaves(piece)

    def _is_null(self, start: int, end: int) -> bool:
        if start >= end:
            return True
        if self._text[start].isalnum():
            return False
        value = self._text[start:end].strip()
        return not value.strip("".join(self._separators) + self._repetition) or value == '""'


def _is_sentinel(found: re.Match[str]) -> bool:
    """Whether a date stands for no date (`00000000`, `99991231`)."""
    return found[0][:8] in _SENTINELS


def _looks_like_code(value: str, *, lone: bool) -> bool:
    if _NUMERIC.fullmatch(value):
        return True
    if not _CODE.fullmatch(value):
        return False
    return lone or len(value) <= 3 or any(c.isdecimal() for c in value)


def _at(values: list[str], number: int) -> str:
    """Component `number`, counted from 1, or the empty string."""
    return values[number - 1].strip() if number <= len(values) else ""
