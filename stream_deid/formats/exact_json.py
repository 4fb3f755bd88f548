"""JSON that comes back as it was: numbers keep their text, members their order.

FHIR says that `1.0` is not `1.00`, and no float holds an order number of twenty digits: a number
here is the text that stands in the message.
"""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import Any, Never

DEEPEST = 60
_BOM = "\ufeff"


class Malformed(Exception):
    """No JSON that can be read exactly; `kind` is `syntax`, `duplicate` or `depth`."""

    def __init__(self, kind: str, detail: str) -> None:
        super().__init__(detail)
        self.kind = kind
        self.detail = detail


@dataclass(frozen=True, slots=True)
class ExactNumber:
    """A JSON number, by its text; no string, so that nothing takes it for one."""

    text: str = field(repr=False)

    def __str__(self) -> str:
        return self.text

    def __float__(self) -> float:
        return float(self.text)


def load(text: str) -> Any:
    """The value of a JSON text.

    Raises `Malformed`: `syntax` (no JSON), `duplicate` (an object names a member twice: one of
    them would go unseen), `depth` (nested too deeply).
    """
    try:
        value = _DECODER.decode(text.removeprefix(_BOM))
        text.encode("utf-8")
    except (ValueError, RecursionError):
        raise Malformed("syntax", "the message is not well-formed JSON") from None
    check(value)
    return value


def check(value: Any) -> None:
    """Refuse values nested deeper than any resource is, and strings that are no text."""
    level = [value]
    for _ in range(DEEPEST):
        inner: list[Any] = []
        for one in level:
            if type(one) is dict:
                inner += one.values()
                _sound("".join(one))
            elif type(one) is list:
                inner += one
            elif type(one) is str:
                _sound(one)
        level = inner
        if not level:
            return
    raise Malformed("depth", f"the message is nested more than {DEEPEST} deep")


def dump(value: Any) -> str:
    """The compact JSON text of a value, with numbers as they were."""
    out: list[str] = []
    _write(value, out)
    return "".join(out)


def _sound(text: str) -> None:
    if not text.isascii():
        try:
            text.encode("utf-8")
        except UnicodeEncodeError:
            raise Malformed("syntax", "the message holds half a character") from None


def _write(value: Any, out: list[str]) -> None:
    if isinstance(value, ExactNumber):
        out.append(value.text)
    elif isinstance(value, str):
        out.append(_quoted(value))
    elif isinstance(value, dict):
        mark = "{"
        for key, one in value.items():
            out += (mark, _quoted(key), ":")
            _write(one, out)
            mark = ","
        out.append("{}" if mark == "{" else "}")
    elif isinstance(value, list):
        mark = "["
        for one in value:
            out.append(mark)
            _write(one, out)
            mark = ","
        out.append("[]" if mark == "[" else "]")
    else:
        out.append({True: "true", False: "false", None: "null"}[value])


_quoted = json.encoder.encode_basestring


def _members(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    made = dict(pairs)
    if len(made) != len(pairs):
        raise Malformed("duplicate", "an object names one member twice")
    return made


def _no_number(_: str) -> Never:
    raise ValueError


_DECODER = json.JSONDecoder(
    object_pairs_hook=_members,
    parse_float=ExactNumber,
    parse_int=ExactNumber,
    parse_constant=_no_number,
)


def plain(value: Any) -> Any:
    """The value with its numbers as strings of what they are written as."""
    if isinstance(value, dict):
        return {key: plain(one) for key, one in value.items()}
    if isinstance(value, list):
        return [plain(one) for one in value]
    return value.text if isinstance(value, ExactNumber) else value
