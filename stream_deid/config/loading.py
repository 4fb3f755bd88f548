"""From file and environment to settings, with the origin of every value and every mistake.

A key of the file `[kafka] group = "x"` is overridden by `STREAM_DEID_KAFKA__GROUP=x`. The text of
a variable is taken as it is where the setting is text; numbers, truth values, lists and tables are
written as in TOML (`STREAM_DEID_MODELS__EN='["bert_en"]'`). Unknown keys are mistakes.
"""

from __future__ import annotations

import math
import os
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace
from pathlib import Path
from typing import Any, get_args, get_origin, get_type_hints

from stream_deid.config.checking import check, check_value
from stream_deid.config.declare import (
    ENVIRONMENT_PREFIX,
    declared,
    environment_name,
    is_section,
    meta_of,
    type_name,
)
from stream_deid.config.environment import NOT_SETTINGS
from stream_deid.config.problems import Problem, nearest
from stream_deid.config.settings import Settings
from stream_deid.errors import Halt

DEFAULT = "default"
_SERVICE_LINK = "tcp://"


@dataclass(slots=True)
class Examined:
    """What was read. `settings` is None where there are problems; `draft` is what could be read all
    the same, with the default where a value is wrong (`wrong` names the paths).

    `origins`: for each path that was set, where ("file PATH", "environment NAME"); entries of
    tables such as `kafka.security.sasl.password` have paths of their own.
    """

    settings: Settings | None = None
    draft: Settings = field(default_factory=Settings)
    wrong: tuple[str, ...] = ()
    problems: list[Problem] = field(default_factory=list)
    origins: dict[str, str] = field(default_factory=dict)

    def origin(self, path: str) -> str:
        """Where the value of a path comes from: its own origin, or that of the table around it."""
        while path:
            if path in self.origins:
                return self.origins[path]
            path = path.rpartition(".")[0]
        return DEFAULT


def load(path: Path | None = None, environ: Mapping[str, str] | None = None) -> Settings:
    """Read settings from `path` (or `$STREAM_DEID_CONFIG`, or none) and the environment.

    Raises `Halt("config.invalid")` with every mistake in its detail.
    """
    found = examine(path, environ)
    if found.settings is None:
        raise Halt("config.invalid", "; ".join(str(problem) for problem in found.problems))
    return found.settings


def named(path: Path | None, environ: Mapping[str, str] | None = None) -> Path | None:
    """The file that settings are read from: `path`, or `$STREAM_DEID_CONFIG`, or none."""
    env = os.environ if environ is None else environ
    return path or (Path(env["STREAM_DEID_CONFIG"]) if env.get("STREAM_DEID_CONFIG") else None)


def examine(path: Path | None = None, environ: Mapping[str, str] | None = None) -> Examined:
    """Read settings as `load` does, and keep where they come from and all that is wrong."""
    env = os.environ if environ is None else environ
    path = named(path, env)
    found = Examined()
    table = _read(path, found) if path else {}
    _overlay(table, env, found)
    settings: Settings = _Builder(found).build(Settings, table, "")
    found.draft = settings
    found.wrong = tuple(problem.path for problem in found.problems if problem.path)
    for problem in check(settings):
        if not any(path in problem.what for path in found.wrong):  # checked with the default
            found.problems.append(replace(problem, where=found.origin(problem.path)))
    found.settings = None if found.problems else settings
    return found


def _read(path: Path, found: Examined) -> dict[str, Any]:
    try:
        table = tomllib.loads(path.read_text(encoding="utf-8-sig"))
    except OSError as error:
        remedy = "name a file that can be read with --config or STREAM_DEID_CONFIG"
        found.problems.append(Problem("", f"{path}: {error.strerror}", remedy))
    except ValueError as error:  # no TOML, no UTF-8, a number of thousands of digits
        remedy = "mend the place that is named; text is written in quotes"
        found.problems.append(Problem("", f"{path}: not TOML: {error}", remedy))
    else:
        _remember(table, "", f"file {path}", found.origins)
        return table
    return {}


def _remember(value: Any, path: str, origin: str, origins: dict[str, str]) -> None:
    """Note the origin of a value, or of each entry of a table."""
    if isinstance(value, dict) and value:
        for key, inner in value.items():
            _remember(inner, f"{path}.{key}" if path else key, origin, origins)
    else:
        origins[path] = origin


def _overlay(table: dict[str, Any], env: Mapping[str, str], found: Examined) -> None:
    """Put the environment's settings over those of the file; outer tables come first."""
    for name in sorted(env):
        if not name.startswith(ENVIRONMENT_PREFIX) or name in NOT_SETTINGS:
            continue
        keys = _keys(name)
        path, origin = ".".join(keys), f"environment {name}"
        place: Any = table
        for key in keys[:-1]:
            place = place.setdefault(key, {}) if isinstance(place, dict) else None
        if not isinstance(place, dict):
            remedy = "set the whole table there, or its entries, not both"
            found.problems.append(Problem(path, f"{name}: it lies in no table", remedy))
            continue
        value = _from_text(_hint_of(keys), env[name])
        place[keys[-1]] = value
        for inner in [p for p in found.origins if p == path or p.startswith(f"{path}.")]:
            del found.origins[inner]
        _remember(value, path, origin, found.origins)


def _keys(name: str) -> list[str]:
    """The keys that a variable names. Options of a client have dots, which a shell's variables
    can't have: `..._SASL_PASSWORD` is `sasl.password` as well.
    """
    *outer, last = name.removeprefix(ENVIRONMENT_PREFIX).lower().split("__")
    options = {item.path for item in declared(Settings) if item.meta.kind == "options"}
    return [*outer, last.replace("_", ".") if ".".join(outer) in options else last]


def _hint_of(keys: list[str]) -> Any:
    """The type of the setting that a variable names; text where it names none."""
    hint: Any = Settings
    for key in keys:
        if is_section(hint):
            hint = get_type_hints(hint).get(key, str)
        elif get_origin(hint) is dict:
            hint = get_args(hint)[1]
    return hint


def _from_text(hint: Any, text: str) -> Any:
    """The value of a variable: as it is for text, else as TOML where it is TOML."""
    if hint is str:
        return text
    try:
        return tomllib.loads(f"value = {text}")["value"]
    except ValueError:
        return text


class _Builder:
    """Makes dataclasses of tables; what does not fit is a problem."""

    def __init__(self, found: Examined) -> None:
        self._found = found
        self._known = [item.path for item in declared(Settings)]
        self._sections = {item.name for item in fields(Settings)}

    def build(self, cls: type, table: Mapping[str, Any], prefix: str) -> Any:
        """An instance of `cls`; what does not fit is a problem, and has its default there."""
        hints = get_type_hints(cls)
        known = {item.name: item for item in fields(cls)}
        for key in sorted(set(table) - set(known)):
            self._unknown(f"{prefix}{key}", table[key])
        values = {}
        for name, item in known.items():
            if name not in table:
                continue
            path, before = f"{prefix}{name}", len(self._found.problems)
            value = self._value(hints[name], table[name], path)
            if not is_section(hints[name]) and len(self._found.problems) == before:
                where = self._found.origin(path)
                told = check_value(path, value, meta_of(item))
                self._found.problems += [Problem(path, *one, where) for one in told]
            if (is_section(hints[name]) and value is not None) or len(
                self._found.problems
            ) == before:
                values[name] = value
        return cls(**values)

    def _unknown(self, path: str, value: Any) -> None:
        where = self._origin(path, value)
        meant = nearest(path, self._known) or nearest(path, self._sections)
        remedy = f"take it out; {self._all_of(path)}"
        if meant:
            from_environment = where.startswith("environment")
            spelled = environment_name(meant) if from_environment else meant
            remedy = f"did you mean {spelled}?"
        if isinstance(value, str) and value.startswith(_SERVICE_LINK):
            remedy = "a Kubernetes service link: set enableServiceLinks: false for the pod"
        self._found.problems.append(Problem(path, f"unknown setting {path}", remedy, where))

    def _all_of(self, path: str) -> str:
        section = path.rpartition(".")[0]
        if section:
            names = [p.removeprefix(f"{section}.") for p in self._known if p.startswith(section)]
            return f"[{section}] has {', '.join(names)}"
        return f"there are {', '.join(sorted(self._sections))}"

    def _origin(self, path: str, value: Any) -> str:
        if isinstance(value, dict):
            inner = [o for p, o in self._found.origins.items() if p.startswith(f"{path}.")]
            return inner[0] if inner else self._found.origin(path)
        return self._found.origin(path)

    def _value(self, hint: Any, value: Any, path: str) -> Any:
        """`value` as the type `hint` wants it; a value of another type is a problem."""
        if isinstance(value, dict) and is_section(hint):
            return self.build(hint, value, f"{path}.")
        if isinstance(value, dict) and get_origin(hint) is dict:
            inner = get_args(hint)[1]
            return {k: self._value(inner, v, f"{path}.{k}") for k, v in value.items()}
        if isinstance(value, list) and get_origin(hint) is tuple:
            inner = get_args(hint)[0]
            return tuple(self._value(inner, item, f"{path}[]") for item in value)
        if hint is Any or type(value) is hint:
            return self._finite(value, path)
        if (hint is float or hint is str) and type(value) is int:
            return self._converted(hint, value, path)
        what = f"{path} must be {type_name(hint)}, not {_kind(value)}"
        where = self._origin(path, value)
        remedy = _in_quotes(path, value) if isinstance(value, dict) else _written(hint)
        self._found.problems.append(Problem(path, what, remedy, where))
        return None

    def _converted(self, hint: Any, value: int, path: str) -> Any:
        try:
            return hint(value)
        except (OverflowError, ValueError):  # more digits than a number, or a text, can have
            what = f"{path} must be {type_name(hint)}: this one has too many digits"
            self._found.problems.append(Problem(path, what, where=self._found.origin(path)))
            return None

    def _finite(self, value: Any, path: str) -> Any:
        if type(value) is not float or math.isfinite(value):
            return value
        what = f"{path} must be a finite number"
        self._found.problems.append(Problem(path, what, where=self._found.origin(path)))
        return None


def _kind(value: Any) -> str:
    names = {
        str: "text", bool: "a truth value", int: "a whole number", float: "a number",
        list: "a list", dict: "a table",
    }  # fmt: skip
    return names.get(type(value), f"a {type(value).__name__}")


def _in_quotes(path: str, value: Mapping[str, Any]) -> str:
    """How a name with dots is written, which without quotes makes tables in each other."""
    name = path.rpartition(".")[2]
    while isinstance(value, dict) and value:
        key, value = next(iter(value.items()))
        name = f"{name}.{key}"
    return f'write the whole name in quotes: "{name}" = ...'


def _written(hint: Any) -> str:
    """How a value of this type is written, in a file or in the environment."""
    if hint is str:
        return 'write it in quotes: "..."'
    if get_origin(hint) is tuple:
        return 'write it as ["a", "b"]'
    if get_origin(hint) is dict or is_section(hint):
        return 'write it as {name = "value"}'
    return {bool: "write true or false", int: "write it as 12", float: "write it as 1.5"}[hint]
