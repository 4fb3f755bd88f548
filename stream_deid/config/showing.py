"""Every setting with its value and its origin, for a person; secrets are masked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import orjson

from stream_deid.config.declare import declared, value_of
from stream_deid.config.loading import DEFAULT, Examined
from stream_deid.config.problems import MASK, Problem
from stream_deid.config.settings import Settings

_LONGEST_PATH = 4096
_OPEN_OPTIONS = frozenset(
    {
        *("security.protocol", "sasl.mechanism", "sasl.mechanisms", "sasl.username"),
        *("ssl.ca.location", "ssl.certificate.location", "ssl.key.location"),
        "ssl.endpoint.identification.algorithm",
    }
)
"""Entries of secret tables that may be shown; any other is masked."""


@dataclass(frozen=True, slots=True)
class ShownSetting:
    """One setting, or one entry of a table; `value` as TOML writes it, or the mask."""

    path: str
    value: str
    origin: str


def shown(found: Examined) -> Iterator[ShownSetting]:
    """Every setting in order. `found.settings` must be there."""
    assert found.settings is not None
    for item in declared(Settings):
        value = value_of(found.settings, item.path)
        if isinstance(value, Mapping) and value:
            for key, inner in value.items():
                path = f"{item.path}.{key}"
                masked = item.meta.secret and key not in _OPEN_OPTIONS
                yield ShownSetting(path, MASK if masked else toml(inner), found.origin(path))
        else:
            masked = item.meta.secret and bool(value)
            yield ShownSetting(item.path, MASK if masked else toml(value), found.origin(item.path))


def toml(value: Any) -> str:
    """A value as TOML writes it."""
    if isinstance(value, Mapping):
        return "{" + ", ".join(f"{_key(k)} = {toml(v)}" for k, v in value.items()) + "}"
    if isinstance(value, list | tuple):
        return "[" + ", ".join(toml(item) for item in value) + "]"
    if isinstance(value, str | bool):
        return orjson.dumps(value).decode()
    return str(value)


def _key(key: str) -> str:
    bare = key.isascii() and key.replace("_", "").replace("-", "").isalnum()
    return key if bare else toml(key)


def as_text(found: Examined, *, changed: bool = False) -> str:
    """One line a setting: path, value, origin."""
    rows = [row for row in shown(found) if not changed or row.origin != DEFAULT]
    wide = max((len(row.path) + len(row.value) for row in rows), default=0)
    wide = min(wide + 3, 64)
    lines = (f"{f'{row.path} = {row.value}':<{wide}}  # {row.origin}" for row in rows)
    return "".join(f"{line}\n" for line in lines)


def as_json(found: Examined, *, changed: bool = False) -> bytes:
    """`{path: {"value": ..., "origin": ...}}`."""
    rows = {
        row.path: {"value": row.value, "origin": row.origin}
        for row in shown(found)
        if not changed or row.origin != DEFAULT
    }
    return orjson.dumps(rows, option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE)


def mistakes(problems: Iterable[Problem]) -> str:
    """Each mistake with its place and its remedy; nothing where there are none."""
    lines = []
    for problem in problems:
        lines.append(f"{problem.what}\n")
        lines += [f"    set by {problem.where}\n"] if problem.where else []
        lines += [f"    {problem.remedy}\n"] if problem.remedy else []
    return "".join(lines)


def mistakes_as_json(problems: Iterable[Problem]) -> bytes:
    """A list of objects with `path`, `what`, `remedy`, `where`."""
    return orjson.dumps(
        [asdict(problem) for problem in problems],
        option=orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE,
    )


def files_named(settings: Settings) -> list[Path]:
    """The files that settings name and that are there: keys, certificates, maps, lists."""
    texts = (text for text in _texts(asdict(settings)) if 0 < len(text) < _LONGEST_PATH)
    return [path for path in map(Path, texts) if path.is_file()]


def _texts(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, Mapping):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _texts(one)
