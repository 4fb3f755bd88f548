"""Primitive values: what becomes of a string, a date, a code, a number, by its rule."""

from __future__ import annotations

import re

from stream_deid.errors import NoteRejected
from stream_deid.formats import payers
from stream_deid.formats.content.pieces import Piece
from stream_deid.formats.exact_json import ExactNumber
from stream_deid.formats.fhir.building.lone_words import Lone
from stream_deid.formats.fhir.building.note_builder import (
    Container,
    FhirBuilder,
    KeptString,
    Member,
)
from stream_deid.formats.fhir.definitions.rules import FhirRule, Rules
from stream_deid.formats.fhir.definitions.specification import Element
from stream_deid.formats.fhir.resources.links import Links
from stream_deid.formats.fhir.resources.place import FhirPlace
from stream_deid.formats.fhir.values import dates, documents
from stream_deid.formats.hl7.values.numeric_values import is_number, lone
from stream_deid.formats.people import Fact
from stream_deid.formats.placeholders import is_nameless, is_no_name, is_no_state, is_placeholder
from stream_deid.formats.short_values import (
    asks_for_a_date,
    asks_for_more,
    counts_days,
    few_words,
    is_user_name,
    tells_weekday,
)
from stream_deid.formats.whole_names import name_within
from stream_deid.labels import PERSONS, PhiType
from stream_deid.lists.sexes import sex_of
from stream_deid.lists.titles import nothing_but
from stream_deid.note import WEEKDAY

_CODE = re.compile(r"[^\s]{1,64}")
_MEDIA_TYPE = re.compile(
    r"[\w.+-]{1,40}/[\w.+-]{1,80}(?: ?; ?[\w-]{1,20}=\"?[\w.:+-]{1,40}\"?){0,4}"
)
_PERSONS_IDS = frozenset({"Patient.id", "RelatedPerson.id", "Person.id", "Practitioner.id"})
_LEAST_DIGITS = 5
_SCORE = re.compile(
    r"[<>=~≤≥+ ]{0,3}\d{1,5}(?:[.,]\d{1,4})?"
    r"(?: ?(?:[-/+–] ?\d{1,3}|: ?\d{1,5})(?:[.,]\d{1,4})?)? ?%?"
)
NUMERIC = frozenset({"integer", "integer64", "decimal", "unsignedInt", "positiveInt"})
NOT_TEXTS = frozenset({"boolean", *NUMERIC})


class FhirLeaves:
    """The primitive values of one message. `sexes`: what it says of its persons, by their label."""

    def __init__(self, out: FhirBuilder, links: Links, rules: Rules, *, reject: bool) -> None:
        self.out, self.links, self._rules, self._reject = out, links, rules, reject
        self.sexes: dict[str, str] = {}

    def leaf(self, member: Member, element: Element, rule: FhirRule, place: FhirPlace) -> None:
        """One primitive value."""
        holder, key, value = member.holder, member.key, member.value
        if isinstance(value, bool):
            fits = element.type == "boolean"
        elif isinstance(value, ExactNumber):
            fits = element.type in NUMERIC and rule.action == "keep"
            if fits:
                self.out.kept.append(
                    KeptString(holder, key, place.path, place.subject, asked=place.asked)
                )
        else:
            fits = isinstance(value, str) and (
                element.type not in NOT_TEXTS or _SCORE.fullmatch(value) is not None
            )
            if fits and value.strip():
                self.string(member, element, rule, place)
        if not fits:
            self.out.withhold(holder, key, place.path, why="wrong type", required=element.required)

    def string(  # noqa: C901, PLR0912 - one case for each action
        self, member: Member, element: Element, rule: FhirRule, place: FhirPlace
    ) -> None:
        """One string, by its rule."""
        out, path = self.out, place.path
        holder, key, value = member.holder, member.key, member.value
        match rule.action:
            case "keep":
                about = Lone.EXAMINED if rule.role else Lone.REPLACED
                self.keep(holder, key, place, lone=about, role=rule.role)
                if place.where.endswith(".gender") and place.person:
                    self.sexes.setdefault(place.person, sex_of(value))
            case "code":
                self._code(holder, key, value, element, place)
            case "file":
                self._file(holder, key, value, place)
            case "short":
                self.short(holder, key, value, place)
            case "text" | "walk" | "generalise":
                self.text(holder, key, value, place)
            case "surrogate":
                self.surrogate(holder, key, value, rule, place)
            case "shift":
                self._date(member, element, rule, place)
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
                documents.narrative(out, member, place)
            case "document":
                self._document(member, place)
            case _:
                out.withhold(holder, key, path, required=element.required)

    def keep(
        self, holder: Container, key: str | int, place: FhirPlace, *, public: bool = False,
        lone: Lone = Lone.REPLACED, role: str = "",
    ) -> None:  # fmt: skip
        """A string that goes out as it came, but for known values in it."""
        if self._weekday(holder, key, place):
            return
        about = Lone.KEPT if place.kind in self._rules.definitions else lone
        at = (holder, key, place.path, place.subject)
        self.out.kept.append(KeptString(*at, public, about, role))

    def _weekday(self, holder: Container, key: str | int, place: FhirPlace) -> bool:
        """Take a day of the week that answers when something was; False for all else."""
        value = str(holder[key])  # type: ignore[index]
        if not tells_weekday(value, place.asked):
            return False
        self.out.put(holder, key, self.out.state(value, place.path, WEEKDAY, place.subject))
        return True

    def text(self, holder: Container, key: str | int, value: str, place: FhirPlace) -> None:
        """Free text; a lone score, ratio, titre or count is none."""
        if not self._weekday(holder, key, place):
            self._examine(holder, key, value, place)

    def _file(self, holder: Container, key: str | int, value: str, place: FhirPlace) -> None:
        """What may be the name of a file: its ending is no part of anybody's name."""
        stem, mark, ending = value.rpartition(".")
        if not stem.strip() or ending.lower() not in self._rules.endings:
            self.text(holder, key, value, place)
        else:
            piece = self.out.examine(stem, place.path, place.subject)
            self.out.put(holder, key, piece, mark + ending)

    def short(self, holder: Container, key: str | int, value: str, place: FhirPlace) -> None:
        """Words of a concept, or a result; many of them are a text."""
        if is_user_name(value.strip(), place.asked):
            self.out.put(
                holder, key,
                self.out.declare(value, place.path, PhiType.USERNAME, subject=place.subject),
            )  # fmt: skip
        elif not self._weekday(holder, key, place):
            coded = few_words(value) and not asks_for_more(place.asked)
            self._examine(holder, key, value, place, coded=coded)

    def _examine(
        self,
        holder: Container,
        key: str | int,
        value: str,
        place: FhirPlace,
        *,
        coded: bool = False,
    ) -> None:
        if counts_days(place.asked) and is_number(value):
            piece = self.out.declare(value, place.path, PhiType.IDNUM, subject=place.subject)
            self.out.put(holder, key, piece)
        elif _SCORE.fullmatch(value.strip()) and not asks_for_a_date(place.asked):
            self.keep(holder, key, place)
        elif lone(value) is PhiType.DATE and value == value.strip():
            piece = self.out.declare(
                value, place.path, PhiType.DATE, subject=place.subject, length=len("20000101")
            )
            self.out.put(holder, key, piece)
        else:
            piece = self.out.examine(
                value, place.path, place.subject, coded=coded, asked=place.asked
            )
            self.out.put(holder, key, piece)

    def surrogate(
        self, holder: Container, key: str | int, value: str, rule: FhirRule, place: FhirPlace
    ) -> None:
        """An identifier; one that stands for a missing one stays."""
        if _says_nobody(holder, value, rule):
            self.keep(holder, key, place)
            return
        phi = rule.phi or place.phi or PhiType.PATIENT
        if rule.role in ("prefix", "suffix") and nothing_but(value, "hl7", "fhir"):
            self.keep(holder, key, place)
            return
        if phi is PhiType.HOSPITAL and self._public_payer(holder, key, value, place):
            return
        start, end = 0, len(value)
        if rule.role == "full" and phi in PERSONS:
            start, end = name_within(value)
            if start == end:
                self.keep(holder, key, place)
                return
        name = value[start:end]
        piece = self.out.declare(name, place.path, phi, role=rule.role, subject=place.subject)
        self.out.put(holder, key, value[:start], piece, value[end:])
        self.fact(name, phi, rule.role, place)

    def _public_payer(
        self, holder: Container, key: str | int, value: str, place: FhirPlace
    ) -> bool:
        """Let a public payer's name stay, but for a state in it; whether it is one."""
        states = payers.places_beside(value)
        if states is None:
            return False
        pieces: list[Piece] = []
        at = 0
        for one in states:
            state = value[one.start : one.end]
            part = self.out.declare(state, place.path, one.type, subject=place.subject)
            pieces += [value[at : one.start], part]
            at = one.end
        self.out.put(holder, key, *pieces, value[at:])
        return True

    def fact(self, value: str, phi: PhiType, role: str, place: FhirPlace) -> None:
        """Remember an identifier, to search for it."""
        staff = place.phi is PhiType.DOCTOR or phi is PhiType.DOCTOR
        person = place.person or f"other:{place.path.rpartition('.')[0]}"
        subject = "" if staff else place.subject
        self.out.facts.append(Fact(person, phi, role, value.strip(), subject))

    def _code(
        self, holder: Container, key: str | int, value: str, element: Element, place: FhirPlace
    ) -> None:
        if value in element.codes:
            if place.where.endswith(".gender") and place.person:
                self.sexes.setdefault(place.person, sex_of(value))
        elif not element.codes and (_CODE.fullmatch(value) or _MEDIA_TYPE.fullmatch(value)):
            self.keep(holder, key, place)
        else:
            self.out.put(holder, key, self.out.examine(value, place.path, place.subject))

    def _date(self, member: Member, element: Element, rule: FhirRule, place: FhirPlace) -> None:
        holder, key, value = member.holder, member.key, member.value
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

    def _document(self, member: Member, place: FhirPlace) -> None:
        reason = documents.document(self.out, member, place)
        if reason and self._reject:
            raise NoteRejected("fhir.unreadable", f"a document ({reason}) can't be examined")


def _says_nobody(holder: Container, value: str, rule: FhirRule) -> bool:
    """Whether an identifier stands where one is missing."""
    if rule.role in ("given", "full"):
        return is_no_name(value)
    if rule.role == "family" and isinstance(holder, dict):
        given = holder.get("given")
        first = given[0] if isinstance(given, list) and given else ""
        return is_nameless(value, first if isinstance(first, str) else "")
    return is_no_state(value) if rule.phi is PhiType.STATE else is_placeholder(value)
