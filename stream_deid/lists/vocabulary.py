"""Word lists by name: those of patterns in `data/patterns`, of surrogates in `data/surrogates`;
plain ones.

A list is words between blanks. A word may be a piece of an expression ("weeks?", "day[ ]?case"): a
blank inside of it stands in brackets. Lists of phrases are arrays; a table has a word for each of
its words. A plain list is a text file; `#` begins a remark.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Mapping
from functools import cache
from importlib.resources import files
from types import MappingProxyType
from typing import Any

from stream_deid.errors import Halt

_HERE = "stream_deid.lists"
_PIECE = re.compile(r"(?:\[[^\]]*\]|\S)+")


def lines(file: str, package: str = _HERE) -> list[str]:
    """The lines of a package's `data/<file>` that are neither empty nor remarks."""
    text = files(package).joinpath("data", file).read_text("utf-8")
    return [line.strip() for line in text.splitlines() if line.strip() and line[0] != "#"]


def listed(file: str, package: str = _HERE) -> frozenset[str]:
    """All words of such a file."""
    return frozenset(word for line in lines(file, package) for word in line.split())


@cache
def ordinary() -> frozenset[str]:
    """Words that stand in small letters often, and hardly ever as identifiers."""
    return listed("small_words.txt")


@cache
def results() -> frozenset[str]:
    """Words of results."""
    return listed("results.txt")


@cache
def genera() -> frozenset[str]:
    """Organisms by their genus."""
    return listed("genera.txt")


def rows(name: str) -> tuple[str, list[list[str]]]:
    """(version, rows) of a data file; raises `Halt("surrogate.data")` for a broken one."""
    text = files(_HERE).joinpath("data", f"{name}.tsv").read_text("utf-8")
    lines = text.splitlines()
    head = lines[0].split() if lines else []
    if len(head) != 3 or head[0] != "#" or head[1] != name:
        raise Halt("surrogate.data", f"data file {name} lacks its version line")
    return head[2], [line.split("\t") for line in lines[1:] if line and not line.startswith("#")]


def toml(subject: str, package: str = _HERE, folder: str = "") -> dict[str, Any]:
    """What a package's `data/<folder>/<subject>.toml` says."""
    file = files(package).joinpath("data", folder, f"{subject}.toml")
    return tomllib.loads(file.read_text("utf-8"))


class Vocabulary:
    """The lists of one subject: `lists["units"]` is an expression, any of its words."""

    __slots__ = ("_lists", "_tables")

    def __init__(self, subject: str, folder: str = "patterns", package: str = _HERE) -> None:
        read = toml(subject, package, folder)
        self._tables = {name: body for name, body in read.items() if isinstance(body, dict)}
        self._lists = {
            name: tuple(_PIECE.findall(body) if isinstance(body, str) else body)
            for name, body in read.items()
            if name not in self._tables
        }

    def __getitem__(self, name: str) -> str:
        return "|".join(self._lists[name])

    def ordered(self, name: str) -> tuple[str, ...]:
        return self._lists[name]

    def words(self, name: str) -> frozenset[str]:
        return frozenset(self._lists[name])

    def table(self, name: str) -> Mapping[str, str]:
        return MappingProxyType(self._tables[name])
