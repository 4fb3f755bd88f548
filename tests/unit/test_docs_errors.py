"""docs/errors.md names every code that the service can give, and no other."""

import ast
import re
from pathlib import Path

import stream_deid

ROOT = Path(stream_deid.__file__).parent
TABLES = Path(__file__).parents[2] / "docs" / "errors.md"
ERRORS = {"NoteRejected", "Halt", "Unavailable", "Dead"}
OFFLINE = ("attack", "training")  # what only a laboratory meets is not for operators
CODE = re.compile(r"[a-z0-9]+\.[a-z0-9_-]+")


def codes_of(tree: ast.AST) -> set[str]:
    """Literal codes in calls of the error families, and in constants that are handed to them."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.args:
            first = node.args[0]
            if node.func.id in ERRORS and isinstance(first, ast.Constant):
                found.add(str(first.value))
    return found


def in_code() -> set[str]:
    files = [p for p in ROOT.rglob("*.py") if p.relative_to(ROOT).parts[0] not in OFFLINE]
    return {c for p in files for c in codes_of(ast.parse(p.read_text())) if CODE.fullmatch(c)}


def in_tables() -> list[str]:
    rows = [line for line in TABLES.read_text().splitlines() if line.startswith("| `")]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_every_code_is_in_the_tables() -> None:
    assert sorted(in_code() - set(in_tables())) == []


def test_every_code_of_the_tables_is_in_the_code() -> None:
    source = "".join(p.read_text() for p in ROOT.rglob("*.py"))
    made = {"kafka.unreachable", "kafka.topic_missing", "defect"}  # put together, or one word
    given = re.compile(r"\"([a-z0-9]+)\.([a-z0-9_-]+)[\":]").findall(source)
    said = {f"{family}.{name}" for family, name in given} | {f"{family}.*" for family, _ in given}
    assert sorted(set(in_tables()) - made - said) == []


def test_no_code_is_told_twice() -> None:
    assert len(in_tables()) == len(set(in_tables()))


def test_the_search_sees_codes() -> None:
    assert codes_of(ast.parse('raise Halt("a.b", "c")')) == {"a.b"}
    assert len(in_code()) > 60
