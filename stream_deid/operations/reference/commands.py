"""Every command with its arguments, from the parser."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from stream_deid.cli.argument_types import Commands
from stream_deid.operations.reference.markdown import code, table

_NOTHING: tuple[Any, ...] = (None, "", False, [], (), argparse.SUPPRESS)


def part(parser: argparse.ArgumentParser) -> str:
    """The commands of a parser, each with a table of its arguments."""
    pieces = ["Before any command, or behind it: `--config FILE`, settings in TOML.\n"]
    for name, told, command in leaves(parser, parser.prog):
        rows = [_row(action) for action in _arguments(command)]
        about = f"{told[:1].upper()}{told[1:]}.\n" if told else ""
        arguments = f"\n{table(('argument', 'default', 'meaning'), rows)}" if rows else ""
        pieces.append(f"### `{name}`\n\n{about}{arguments}")
    return "\n".join(pieces)


def leaves(
    parser: argparse.ArgumentParser, name: str, told: str = ""
) -> Iterator[tuple[str, str, argparse.ArgumentParser]]:
    """(whole name, help, parser) of each command that does something."""
    inner = [action for action in parser._actions if isinstance(action, Commands)]  # noqa: SLF001
    if not inner:
        yield name, told, parser
    for actions in inner:
        helps = {a.dest: a.help or "" for a in actions._choices_actions}  # noqa: SLF001
        for word, command in actions.choices.items():
            yield from leaves(command, f"{name} {word}", helps.get(word, ""))


def _arguments(command: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    for action in command._actions:  # noqa: SLF001
        if action.dest not in ("help", "config"):
            yield action


def _row(action: argparse.Action) -> tuple[str, str, str]:
    value = action.metavar if isinstance(action.metavar, str) else action.dest.upper()
    many = {"*": f"[{value} ...]", "+": f"{value} ...", "?": f"[{value}]"}
    shown = many.get(str(action.nargs), value)
    if action.option_strings:
        name = action.option_strings[-1] + ("" if action.nargs == 0 else f" {shown}")
    else:
        name = shown
    more = []
    if action.choices is not None and not isinstance(action, Commands):
        more.append(f"One of {', '.join(code(str(choice)) for choice in action.choices)}.")
    if action.required and action.option_strings:
        more.append("Required.")
    told = action.help or ""
    return (
        code(name),
        code(_default(action)),
        " ".join([f"{told}." if told and more else told, *more]),
    )


def _default(action: argparse.Action) -> str:
    value = action.default
    if any(value is one or value == one for one in _NOTHING) or "default" in (action.help or ""):
        return ""
    if isinstance(value, Path) and value.is_absolute():
        return ""
    return str(value)
