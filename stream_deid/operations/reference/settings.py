"""Every setting by section, from its declaration."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import fields
from itertools import groupby
from typing import get_type_hints

from stream_deid.config.declare import Declared, declared, is_section, written
from stream_deid.config.environment import NOT_SETTINGS
from stream_deid.config.settings import Settings
from stream_deid.config.showing import toml
from stream_deid.operations.reference.markdown import code, table
from stream_deid.streaming.kafka.security import UNDERSTOOD


def part() -> str:
    """The settings, and the variables that are none."""
    hints = get_type_hints(Settings)
    told = {item.name: hints[item.name].__doc__ for item in fields(Settings)
            if is_section(hints[item.name])}  # fmt: skip
    head = ("setting", "type", "default", "meaning", "environment")
    pieces = []
    for section, items in groupby(declared(Settings), key=lambda item: _section(item.path)):
        title = f"### `[{section}]`" if section else "### At the top of the file"
        first = (told.get(section) or "").split("\n\n")[0]
        about = f"{' '.join(first.split())}\n\n" if first else ""
        pieces.append(f"{title}\n\n{about}{table(head, map(_row, items))}")
        if section == "kafka":
            options = ", ".join(code(name) for name in sorted(UNDERSTOOD))
            pieces.append(f"Options of `[kafka.security]`: {options}.\n")
    others = table(("variable", "meaning"), ((code(n), t) for n, t in NOT_SETTINGS.items()))
    pieces.append(f"### Variables that are no settings\n\n{others}")
    return "\n".join(pieces)


def _section(path: str) -> str:
    return path.rpartition(".")[0]


def _row(item: Declared) -> tuple[str, ...]:
    said = " ".join([item.meta.meaning, *_bounds(item)])
    name = item.path.rpartition(".")[2]
    return code(name), item.type, code(toml(item.default)), said, code(item.environment)


def _bounds(item: Declared) -> Iterator[str]:
    meta = item.meta
    if meta.choices:
        yield f"One of {', '.join(code(choice) for choice in meta.choices)}."
    if meta.least is not None:
        least, most = meta.bounds
        yield f"{'0, or f' if meta.zero else 'F'}rom {written(least)} to {written(most)}."
    if meta.secret:
        yield "Never shown."
