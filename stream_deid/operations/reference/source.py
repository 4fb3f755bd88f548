"""What stands in the source: codes of errors, and events of the log."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

import stream_deid
from stream_deid.errors import Halt
from stream_deid.exits import status_of
from stream_deid.operations.reference.markdown import code, table
from stream_deid.outcome import FAILED

ROOT = Path(stream_deid.__file__).parent
OFFLINE = ("attack", "training")  # what only training and attacks meet is not for operators
_CODE = re.compile(r"[a-z0-9]+\.[a-z0-9_-]+")
_EVENT = re.compile(r"[a-z]+(_[a-z]+)*")
_LEVELS = ("debug", "info", "warning", "error", "critical")
_FAMILIES = {
    "Dead": "dead letter",
    "NoteRejected": "dead letter",
    "Unavailable": "waited for, then status 75",
    "ModelFailed": "waited for, then status 75",
}


OF_ONE_NOTE = (
    "coverage.", "edit.", "fhir.edits", "hl7.edits", "part.", "pool.tokens", "scores.", "span.",
    "surrogate.parts", "window.",
)  # fmt: skip
"""Codes of what breaks while a note is processed: the note is at fault, not the installation."""


@dataclass(slots=True)
class LogEvent:
    """A line of the log: its levels, its fields, where it is written."""

    levels: set[str] = field(default_factory=set)
    fields: set[str] = field(default_factory=set)
    places: set[str] = field(default_factory=set)


def codes_part() -> str:
    """Every code, what follows from it, and which modules give it."""
    found: dict[str, tuple[set[str], set[str]]] = {}
    for module, tree in trees():
        for family, name in codes_of(tree):
            reactions, places = found.setdefault(name, (set(), set()))
            reactions.add(reaction(family, name))
            places.add(module)
    rows = (
        (code(name), "; ".join(sorted(reactions)), ", ".join(code(p) for p in sorted(places)))
        for name, (reactions, places) in sorted(found.items())
    )
    return table(("code", "reaction", "given by"), rows)


def dead_letter_codes() -> frozenset[str]:
    """Every code that a dead letter can bear."""
    found = (one for _, tree in trees() for one in codes_of(tree))
    return frozenset(name for family, name in found if _FAMILIES.get(family) == "dead letter")


def codes_of(tree: ast.AST) -> Iterator[tuple[str, str]]:
    """(family, code) of each literal code that is handed to a family of errors."""
    named = dict(_constants(tree))
    for node in ast.walk(tree):
        if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args):
            continue
        if node.func.id in (*_FAMILIES, "Halt"):
            for name in _texts(node.args[0], named):
                if _CODE.fullmatch(name):
                    yield node.func.id, name


def _constants(tree: ast.AST) -> Iterator[tuple[str, ast.expr]]:
    """What the names of a module stand for, those of the vocabulary included."""
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
            yield node.targets[0].id, node.value
        elif isinstance(node, ast.ImportFrom) and node.module == "stream_deid.outcome":
            yield from _constants(dict(trees())["outcome.py"])


def _texts(node: ast.expr, named: Mapping[str, ast.expr]) -> Iterator[str]:
    """The texts that an expression can be: a literal, a constant, an entry of a constant table."""
    if isinstance(node, ast.Constant):
        yield str(node.value)
    elif isinstance(node, ast.Name) and node.id in named:
        yield from _texts(named[node.id], {})
    elif isinstance(node, ast.Subscript) and isinstance(node.value, ast.Name):
        table_ = named.get(node.value.id)
        for value in table_.values if isinstance(table_, ast.Dict) else ():
            yield from _texts(value, named)


def reaction(family: str, name: str) -> str:
    """What an error of this family and code leads to."""
    if family == "Halt" and name.startswith(OF_ONE_NOTE):
        return f"dead letter `{FAILED}`"
    if family == "Halt":
        return f"ends the process, status {status_of(Halt(name, ''))}"
    return _FAMILIES[family]


def events_part() -> str:
    """Every event that is logged, with its fields."""
    rows = (
        (code(name), ", ".join(sorted(e.levels)), ", ".join(code(f) for f in sorted(e.fields)),
         ", ".join(code(p) for p in sorted(e.places)))
        for name, e in sorted(events().items())
    )  # fmt: skip
    return table(("event", "level", "fields", "written by"), rows)


def events() -> dict[str, LogEvent]:
    """The vocabulary of the log: calls of `_log`, and of `tell`, with a name of an event."""
    found: dict[str, LogEvent] = {}
    for module, tree in trees():
        for level, call in log_calls(tree):
            if said := event_of(call):
                name, fields = said
                event = found.setdefault(name, LogEvent())
                event.levels.add(level)
                event.places.add(module)
                event.fields |= fields
    return found


def event_of(call: ast.Call) -> tuple[str, set[str]] | None:
    """The event that a call logs, with its fields: named at once, or beside a sentence
    (`extra={"ours": {"event": ...}}`). None where it is none.
    """
    if (name := _name(call.args[0])) is not None:
        given = {word.arg for word in call.keywords if word.arg}
        return name, {"error" if one == "exc_info" else one for one in given}
    extra = next((word.value for word in call.keywords if word.arg == "extra"), None)
    ours = _entries(_entries(extra).get("ours"))
    name = _name(ours.get("event"))
    return None if name is None else (name, set(ours) - {"event"})


def _name(node: ast.AST | None) -> str | None:
    if isinstance(node, ast.Constant) and _EVENT.fullmatch(str(node.value)):
        return str(node.value)
    return None


def _entries(node: ast.AST | None) -> dict[str, ast.expr]:
    """A literal mapping, by its literal keys."""
    if not isinstance(node, ast.Dict):
        return {}
    pairs = zip(node.keys, node.values, strict=True)
    return {str(key.value): value for key, value in pairs if isinstance(key, ast.Constant)}


def log_calls(tree: ast.AST) -> Iterator[tuple[str, ast.Call]]:
    """What a module logs, each call with its level."""
    for node in ast.walk(tree):
        if not isinstance(node, ast.Call) or not node.args:
            continue
        called = node.func
        if isinstance(called, ast.Name) and called.id == "tell":  # handed to `_log.warning`
            yield "warning", node
        if (
            isinstance(called, ast.Attribute)
            and called.attr in _LEVELS
            and isinstance(called.value, ast.Name)
            and called.value.id == "_log"
        ):
            yield called.attr, node


@cache
def trees() -> tuple[tuple[str, ast.AST], ...]:
    """(module, its syntax) of everything that an operator can meet."""
    files = [p for p in sorted(ROOT.rglob("*.py")) if p.relative_to(ROOT).parts[0] not in OFFLINE]
    return tuple(
        (p.relative_to(ROOT).as_posix(), ast.parse(p.read_text(encoding="utf-8"))) for p in files
    )
