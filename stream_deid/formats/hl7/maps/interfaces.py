"""A site's own maps: for the messages of one interface, rules before the project's own.

A file in TOML each (docs/interfaces.md): `[match]` says which messages are meant, `[segments.*]`
and `[types.*]` hold rules in the language of the field map (`hl7/data`), `[authorities]` names
for who gives numbers; `applications` names programs that MSH-3 and MSH-5 may tell, beside that of
`[match]`; `unreadable` and `withheld` say whether such content is left
out (`withheld`: with a tag in its place) or rejects the message.
"""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from stream_deid.errors import Halt
from stream_deid.formats.hl7.er7.syntax import Hl7Message
from stream_deid.formats.hl7.maps.checks import check_match, check_names, check_rules
from stream_deid.formats.hl7.maps.field_map import FieldMap, field_map, with_rules
from stream_deid.formats.identity import wrong_authority

_PARTS = frozenset(
    {"match", "segments", "types", "applications", "authorities", "unreadable", "withheld"}
)
_CRITERIA = frozenset({"application", "facility", "types"})
_ANSWERS = {"unreadable": ("blank", "reject"), "withheld": ("blank", "tag", "reject")}


@dataclass(frozen=True, slots=True)
class Interface:
    """What holds for the messages of one sender; an empty criterion takes every message.

    `application`, `facility`: MSH-3.1 and MSH-4.1. `types`: of MSH-9, as `ORU^R01` or `ORU`.
    `reject_unreadable`, `reject_withheld`: whether such content rejects the message.
    `tag_withheld`: whether a tag stands where something was left out.
    """

    fields: FieldMap = field(default_factory=field_map, repr=False)
    authorities: Mapping[str, str] = field(default_factory=dict)
    reject_unreadable: bool = False
    reject_withheld: bool = False
    tag_withheld: bool = False
    application: str = ""
    facility: str = ""
    types: tuple[str, ...] = ()

    def takes(self, message: Hl7Message) -> bool:
        """Whether a message is one of this interface."""
        mark = message.delimiters.component
        application, facility = (message.value("MSH", n).split(mark)[0].strip() for n in (3, 4))
        kinds = message.value("MSH", 9).split(mark)
        named = {kinds[0], "^".join(kinds[:2])}
        return (
            self.application in ("", application)
            and self.facility in ("", facility)
            and (not self.types or not named.isdisjoint(self.types))
        )


def read(maps: Mapping[str, str], default: Interface) -> tuple[Interface, ...]:
    """The interfaces of some maps (name and text), then `default`, which takes every message.

    Raises `Halt("hl7.map")` for whatever means nothing in one.
    """
    made = tuple(_interface(name, text, default) for name, text in maps.items())
    check_names(tuple(maps), made)
    return (*made, default)


def interface_of(message: Hl7Message, interfaces: Sequence[Interface]) -> Interface:
    """The first interface that takes a message."""
    return next(one for one in interfaces if one.takes(message))


def _interface(name: str, text: str, default: Interface) -> Interface:
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise Halt("hl7.map", f"{name}: {error}") from None
    _known(name, data, _PARTS)
    match, authorities = data.get("match", {}), data.get("authorities", {})
    for part, value in (("match", match), ("authorities", authorities)):
        if not isinstance(value, dict):
            raise Halt("hl7.map", f"{name}: {part}: a table is wanted")
    _known(name, match, _CRITERIA)
    if wrong := wrong_authority({**default.authorities, **authorities}):
        raise Halt("hl7.map", f"{name}: authorities.{wrong}")
    try:
        check_match(match)
        check_rules(default.fields, data.get("segments", {}), data.get("types", {}))
        return replace(
            default,
            fields=with_rules(
                default.fields,
                data.get("segments", {}),
                data.get("types", {}),
                (*_names(data.get("applications", [])), match.get("application", "")),
            ),
            authorities={**default.authorities, **authorities},
            reject_unreadable=_answers(
                name, data, "unreadable", "reject", default=default.reject_unreadable
            ),
            reject_withheld=_answers(name, data, "withheld", "reject"),
            tag_withheld=_answers(name, data, "withheld", "tag"),
            application=match.get("application", ""),
            facility=match.get("facility", ""),
            types=tuple(match.get("types", ())),
        )
    except (ValueError, TypeError, AttributeError) as error:
        raise Halt("hl7.map", f"{name}: {error}") from None
    except Halt as error:
        raise Halt("hl7.map", f"{name}: {error.detail}") from None


def _names(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(one, str) for one in value):
        raise TypeError("applications is a list of names")
    return value


def _known(name: str, found: Mapping[str, Any], names: frozenset[str]) -> None:
    unknown = sorted(set(found) - names)
    if unknown:
        expected = ", ".join(sorted(names))
        raise Halt("hl7.map", f"{name}: {unknown[0]!r} means nothing; there are {expected}")


def _answers(
    name: str, data: Mapping[str, Any], key: str, answer: str, *, default: bool = False
) -> bool:
    """Whether a map says `answer` to a question, or nothing where that is the `default`."""
    if key not in data:
        return default
    if data[key] not in _ANSWERS[key]:
        raise Halt("hl7.map", f"{name}: {key} is one of {', '.join(_ANSWERS[key])}")
    return bool(data[key] == answer)
