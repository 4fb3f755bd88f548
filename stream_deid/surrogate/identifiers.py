"""The surrogate of a number that identifies, by what it is: a key of the message, a telephone
number, one with a check digit or a date inside, or the end of a longer one of the note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from stream_deid.labels import CALLED, PhiType
from stream_deid.note import CONTROL
from stream_deid.surrogate import descriptors
from stream_deid.surrogate.dates.reading import slashed
from stream_deid.surrogate.mention import Made, Maker, Mention
from stream_deid.surrogate.numbers import abroad, codes, mexican_ids, misread, phones, resource_ids
from stream_deid.surrogate.scramble import masked, starred, unstarred
from stream_deid.text.canonical import canonical

T = PhiType


def number(m: Mention) -> Made:
    tenant = m.note.tenant
    if m.part.role == CONTROL:
        return resource_ids.control_id(tenant, m.core), "token"
    if m.part.role == "id":
        note_only = tenant.sub("reference", m.note.note.note_id) if m.drawn is not None else None
        return resource_ids.resource_id(tenant, m.core, note_only), ""
    if m.finding.type in CALLED and (sign := abroad.sign_before(m.before(abroad.BEFORE), m.core)):
        made, how = _written_number(replace(m, core=sign + m.core))
        return made.removeprefix(sign), how
    return _written_number(m)


def _written_number(m: Mention) -> Made:
    mask, shown = masked(m.core)
    made, how = _shown_number(replace(m, core=shown) if mask else m)
    return mask + made, how


def _shown_number(m: Mention) -> Made:
    if m.language == "es" and descriptors.says(m.core):
        return descriptors.less(m.core), "generalise"
    digits = canonical(m.core)
    whole = m.note.numbers.get(digits)
    if whole is not None and m.drawn is None:
        tail = canonical(_by_kind(m, *whole))[-len(digits) :]
        made = codes.poured(m.core, tail)
        if canonical(made) != digits:
            return made, ""
    dates = slashed.dates(m.core)
    return _around_dates(m, dates) if dates else _by_kind(m, m.finding.type, m.core), ""


def _around_dates(m: Mention, dates: Sequence[tuple[int, int]]) -> str:
    """A number with whole dates inside (`8/28/25-10/26/25`): they stay dates, and move as such."""
    if len(dates) > 1 and not _holds(m.core[: dates[0][0]] + m.core[dates[-1][1] :]):
        return m.note.calendar.replace(m.core)[0]
    pieces: list[str] = []
    last = 0
    for start, end in dates:
        between = m.core[last:start]
        pieces += [_by_kind(m, m.finding.type, between) if _holds(between) else between]
        pieces += [m.note.calendar.replace(m.core[start:end])[0]]
        last = end
    rest = m.core[last:]
    return "".join([*pieces, _by_kind(m, m.finding.type, rest) if _holds(rest) else rest])


def _holds(text: str) -> bool:
    return any(map(str.isalnum, text))


def _by_kind(m: Mention, phi: PhiType, text: str) -> str:
    """A telephone number or another identifier of digits and letters."""
    scope = m.scope.sub("number")
    if phi in CALLED or abroad.is_dialled(text):
        return phones.phone(scope, text, m.language, m.scope.sub("place"))
    if phi is T.SSN and (read := misread.digits(text)) != text:
        return misread.as_written(text, codes.code(scope, read, m.language))
    shifts = m.drawn is None and m.policy.strategy_kind_of_date == "consistent"
    if shifts and mexican_ids.is_one(text):
        return mexican_ids.number(scope, text, m.people.abbreviation, m.note.calendar.born)
    if resource_ids.is_uuid(text):
        return resource_ids.uuid(scope, text)
    return codes.code(scope, text, m.language)


def behind_masks(maker: Maker, least: int = 3) -> Maker:
    """`maker`, for which letters that mask (`least` of X at once) are no letters of the value."""

    def behind(m: Mention) -> Made:
        if not masked(m.core)[1]:
            return m.core, "keep"
        hidden = starred(m.core, least)
        if hidden == m.core:
            return maker(m)
        made, how = maker(replace(m, core=hidden))
        return unstarred(m.core, hidden, made), how

    return behind
