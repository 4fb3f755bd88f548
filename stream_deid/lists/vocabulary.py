"""Word lists by name, read once: `data/<subject>.toml`, those of patterns in `data/patterns`.

A list is words between blanks. A word may be a piece of an expression ("weeks?", "day[ ]?case"): a
blank inside of it stands in brackets.
"""

from __future__ import annotations

import re
import tomllib
from importlib.resources import files

_PIECE = re.compile(r"(?:\[[^\]]*\]|\S)+")


class Vocabulary:
    """The lists of one subject: `lists["units"]` is an expression, any of its words."""

    __slots__ = ("_lists",)

    def __init__(self, subject: str, folder: str = "patterns") -> None:
        file = files("stream_deid.lists").joinpath("data", folder, f"{subject}.toml")
        read = tomllib.loads(file.read_text("utf-8"))
        self._lists = {name: tuple(_PIECE.findall(text)) for name, text in read.items()}

    def __getitem__(self, name: str) -> str:
        return "|".join(self._lists[name])

    def words(self, name: str) -> frozenset[str]:
        return frozenset(self._lists[name])
