"""The rooms of the package with their figures: the table in `docs/architecture.md`.

    python tools/rooms.py          # what the table should say
    python tools/rooms.py --write  # `make rooms`: say it there

A room is a folder of modules without those in its folders. Lines are counted as they stand in the
file, those of a function from `def` to its end.
"""

from __future__ import annotations

import ast
import re
import sys
from dataclasses import dataclass
from pathlib import Path
from statistics import median

ROOT = Path(__file__).parents[1]
PACKAGE = ROOT / "stream_deid"
PAGE = ROOT / "docs" / "architecture.md"
HEAD = "| room | files | median | largest | largest function |\n|---|---:|---:|---|---|\n"
TABLE = re.compile(rf"{re.escape(HEAD)}(?:\|.*\|\n)+")


@dataclass(frozen=True, slots=True)
class Counted:
    """Something with a name and so many lines."""

    lines: int
    name: str

    def __str__(self) -> str:
        return f"{self.lines} `{self.name}`"


@dataclass(frozen=True, slots=True)
class Room:
    """A folder and its modules; `functions` of all of them."""

    name: str
    files: tuple[Counted, ...]
    functions: tuple[Counted, ...]

    @property
    def median(self) -> float:
        """Lines of its files; 0 where it has only rooms of its own."""
        return median([file.lines for file in self.files] or [0])

    def row(self) -> str:
        depth = "&nbsp;" * 4 * self.name.count("/")
        shown = f"{depth}`{self.name.rpartition('/')[2]}/`"
        largest = max(self.functions, key=lambda one: one.lines, default="")
        most = max(self.files, key=lambda one: one.lines, default="")
        return f"| {shown} | {len(self.files)} | {round(self.median)} | {most} | {largest} |\n"


def functions(source: str) -> list[Counted]:
    return [
        Counted((node.end_lineno or node.lineno) - node.lineno + 1, node.name)
        for node in ast.walk(ast.parse(source))
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
    ]


def room(folder: Path) -> Room:
    """The room of a folder; without files where it only holds other rooms."""
    files, within = [], []
    for path in sorted(folder.glob("*.py")):
        source = path.read_text("utf-8")
        if path.name != "__init__.py" or source.count("\n") > 1:
            files.append(Counted(source.count("\n"), path.name))
            within += functions(source)
    name = folder.relative_to(PACKAGE.parent).as_posix()
    return Room(name, tuple(files), tuple(within))


def rooms() -> list[Room]:
    folders = sorted({path.parent for path in PACKAGE.rglob("*.py")})
    return [room(folder) for folder in folders]


def table() -> str:
    return HEAD + "".join(one.row() for one in rooms())


def main() -> None:
    if "--write" in sys.argv[1:]:
        page = PAGE.read_text("utf-8")
        PAGE.write_text(TABLE.sub(lambda _: table(), page), "utf-8")
    else:
        sys.stdout.write(table())


if __name__ == "__main__":
    main()
