"""A last look at what a message keeps: codes, numbers and control fields that may hold a person.

The field map trusts a field by its place. Senders put an SSN beside its field, a record number
into an order's code, a time stamp into a counter, and a broken text joins the field before it. So
whatever stays is searched for what the message itself says of its people, for identifiers of
fixed form and for dates (beside a shifted date they would tell the shift). A hit is declared like
any other identifier; prose is examined as free text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace

from stream_deid.detect.record.lots import is_lot
from stream_deid.detect.words.terms import is_called_after
from stream_deid.formats import fixed_forms
from stream_deid.formats.hl7.er7.components import Hl7Place
from stream_deid.formats.hl7.er7.syntax import CHARSETS
from stream_deid.formats.hl7.kept import own_days, told_numbers
from stream_deid.formats.hl7.kept.identities import Identities, bare, identities, without_zeros
from stream_deid.formats.hl7.maps.field_map import Closed
from stream_deid.formats.hl7.note_builder import Hl7Builder
from stream_deid.formats.hl7.values import lone_codes, numeric_values, timestamps
from stream_deid.formats.short_values import tells_weekday
from stream_deid.labels import PhiType
from stream_deid.note import OF_MANY, WEEKDAY, Span, disjoint
from stream_deid.text import days
from stream_deid.text.canonical import Word, words
from stream_deid.text.view import View

_WORDS_OF_A_CODE = 4
_LONGEST_CODE = 120
_LEAST_LONE = 6
"""A value in OBX-5 that is as long, and the record's own number, is no value."""
_MEASURED = ("OBX", "RXA", "RXC", "RXD", "RXE", "RXG", "RXO", "RXR", "TQ1", "FT1")
"""Segments whose numbers are values, doses and amounts."""

_TEN_DIGITS = re.compile(r"(?<![\w.-])\d{10}(?![\w.-])")
_HYPHENS = frozenset("-‐‑–")


@dataclass(frozen=True, slots=True)
class KeptLeaf:
    """A leaf that stays: `[start, end)` of the message; `vocabulary`: of a public coding system,
    `number`: the code itself of one whose codes are long numbers. `issuer`: who gives numbers, to
    `subject` where they aren't the patient's. `unit`: of a number in OBX-5, None for all else.
    `listed`: it is on the closed list of its field. `beside`: the two components behind a code.
    `asked`: what it answers.
    """

    start: int
    end: int
    path: str
    vocabulary: bool = False
    number: bool = False
    issuer: bool = False
    subject: str = field(default="", repr=False)
    unit: str | None = None
    listed: bool = False
    beside: tuple[str, ...] = field(default=(), repr=False)
    asked: str = field(default="", repr=False)


def look_again(out: Hl7Builder, kept: Sequence[KeptLeaf], listed: Mapping[str, Closed]) -> None:
    """Declare or examine whatever identifies in the leaves that stay. `listed`: what may stand,
    codes (`values/lone_codes.py`) and issuers among it.
    """
    told = identities(out, (listed["issuer"], listed["application"]))
    codes = listed["code"]
    units = numeric_values.units(out.message)
    days = numeric_values.counted_days(out.message)
    for leaf in kept:
        text = out.decoded(leaf.start, leaf.end).text
        if leaf.path.startswith("MSH[1]-18") and text.strip().upper() in CHARSETS:
            continue  # how the message is to be read, whatever else is called so
        if _is_prose(text):
            out.examine(list(_lines(out.message.text, leaf)), leaf.path, coded=leaf.vocabulary)
        elif any(c.isalnum() for c in text):
            spans = _of_value(text, leaf, told, units, days)
            if not leaf.vocabulary and told.is_person(leaf.beside):
                out.name_beside(leaf.path, PhiType.DOCTOR)
            coded, alone = leaf.vocabulary or leaf.listed, not spans
            if not coded and not lone_codes.is_test(text, leaf.path, leaf.beside):
                spans = disjoint([*spans, *lone_codes.names(text, leaf.path, codes, leaf.asked)])
            if spans:
                out.declare_within(
                    Hl7Place(leaf.start, leaf.end, leaf.path),
                    spans,
                    subject=leaf.subject,
                    coded=alone,
                )
            elif role := _role(text, leaf):
                out.state(Hl7Place(leaf.start, leaf.end, leaf.path), role)
            elif not (coded or leaf.issuer) and lone_codes.is_unknown(text, leaf.path, codes):
                out.examine([(leaf.start, leaf.end)], leaf.path, coded=True, asked=leaf.asked)


def _of_value(
    text: str, leaf: KeptLeaf, told: Identities, units: Mapping[str, str], days: frozenset[str]
) -> list[Span]:
    """What identifies in a leaf; a number whose test asks for a day as machines count it does, and
    so does the code of a day of the week that says when something was.
    """
    value = numeric_values.value_of(leaf.path)
    lettered = any(tells_weekday(one, leaf.asked) for one in leaf.beside)
    if lettered and not tells_weekday(text, leaf.asked):
        return [Span(0, len(text), PhiType.IDNUM)]
    if value in days and numeric_values.is_number(text):
        return [Span(0, len(text), PhiType.IDNUM)]
    return _found(text, replace(leaf, unit=units.get(value)), told)


def _role(text: str, leaf: KeptLeaf) -> str:
    """What a leaf is of which its role says all that there is to say, if it is one."""
    if leaf.asked == OF_MANY and is_lot(text):
        return OF_MANY
    return WEEKDAY if tells_weekday(text, leaf.asked) else ""


def _is_prose(text: str) -> bool:
    """No code and no name of a program: a text that lost its place."""
    return (
        any(char < " " for char in text)
        or len(text) > _LONGEST_CODE
        or len(text.split()) > _WORDS_OF_A_CODE
    )


def _lines(text: str, leaf: KeptLeaf) -> Iterator[tuple[int, int]]:
    """The places of the leaf's lines."""
    for match in re.finditer(r"[^\r\n]+", text[leaf.start : leaf.end]):
        yield leaf.start + match.start(), leaf.start + match.end()


def _found(text: str, leaf: KeptLeaf, told: Identities) -> list[Span]:
    """What identifies in a leaf, however it is written: `text.folding` says what a letter is."""
    view = View(text)
    spans = [
        Span(*view.origin(span.start, span.end), span.type)
        for span in _spans(view.text, leaf, told)
    ]
    if not leaf.vocabulary:
        spans += (span for span in _named(text, told) if not _is_thing(text, span, leaf, told))
    return disjoint(spans)


def _is_thing(text: str, span: Span, leaf: KeptLeaf, told: Identities) -> bool:
    """Whether the only name in a test's name is a word of it (`Kidney stone analysis`)."""
    named = sum(word.key in told.names for word in words(text))
    return named == 1 and lone_codes.is_thing(text, span.start, span.end, leaf.path)


def _named(text: str, told: Identities) -> Iterator[Span]:
    """Words of the people's names, with short ones that a hyphen joins to them."""
    run: list[Word] = []
    for word in words(text):
        if run and text[run[-1].end : word.start] not in _HYPHENS:
            yield from _of_a_name(text, run, told)
            run = []
        run.append(word)
    yield from _of_a_name(text, run, told)


def _of_a_name(text: str, run: Sequence[Word], told: Identities) -> Iterator[Span]:
    found = [told.names.get(word.key) for word in run]
    if not all(found) or len(run) == 1:  # who is called Martin-Hopkins is no equation
        found = [
            None if is_called_after(text, word.start, word.end) else phi
            for word, phi in zip(run, found, strict=True)
        ]
    borne = next((phi for phi in found if phi is not None), None)
    if borne is None:
        return
    for word, phi in zip(run, found, strict=True):
        if phi is not None or word.key in told.short:
            yield Span(word.start, word.end, phi or borne)


def _spans(text: str, leaf: KeptLeaf, told: Identities) -> list[Span]:
    value = text.strip()
    if not leaf.vocabulary and told.is_person(leaf.beside):
        return [Span(0, len(text), PhiType.IDNUM)]
    if leaf.unit is not None and (phi := numeric_values.no_measure(value, leaf.unit)) is not None:
        known = told.numbers.get(without_zeros(value))
        return [Span(0, len(text), known or phi)]
    if leaf.issuer and (phi := told.issuer(value)) is not None:
        return [Span(0, len(text), phi)]
    own_day = own_days.tells(text, told.days)
    if own_day and not timestamps.dtm(value):
        return [Span(0, len(text), PhiType.IDNUM)]
    found = list(fixed_forms.found(text))
    found += (span for span in _told_numbers(text, told) if _is_hers(span, text, leaf))
    trusted = leaf.number or leaf.unit
    if own_day or not trusted:
        found += own_days.unexpected(text)
    if not trusted:
        found += (
            Span(*match.span(), PhiType.PHONE)
            for match in _TEN_DIGITS.finditer(text)
            if numeric_values.is_telephone(match.group())
        )
    found += (Span(start, end, PhiType.DATE) for start, end in days.named(text))
    return found


def _told_numbers(text: str, told: Identities) -> list[Span]:
    return disjoint(
        Span(start, end, told.type_of(text[start:end]))
        for start, end in told_numbers.places(text, told.sought)
    )


def _is_hers(span: Span, text: str, leaf: KeptLeaf) -> bool:
    """Whether a value that equals a number of the record is it, and no value by chance."""
    number = text[span.start : span.end]
    digits = len(without_zeros(bare(number)))
    alone = leaf.unit is not None and number.strip() == text.strip() and digits >= _LEAST_LONE
    return alone or digits >= told_numbers.LONG or not _may_be_clinical(text, leaf)


def _may_be_clinical(text: str, leaf: KeptLeaf) -> bool:
    return leaf.vocabulary or (leaf.path.startswith(_MEASURED) and not any(map(str.isalpha, text)))
