"""docs/errors.md names every code that the service can give, and no other."""

import ast
import re
from pathlib import Path

import stream_deid
from stream_deid.operations.reference import source

ROOT = Path(stream_deid.__file__).parent
TABLES = Path(__file__).parents[2] / "docs" / "errors.md"
ERRORS = {"NoteRejected", "Halt", "Unavailable", "Dead"}
OFFLINE = ("attack", "training")  # what only training and attacks meet is not for operators
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


def in_tables(text: str = "") -> list[str]:
    lines = (text or TABLES.read_text()).splitlines()
    rows = [line for line in lines if line.startswith("| `")]
    return [code for row in rows for code in re.findall(r"`([^`]+)`", row.split("|")[1])]


def test_every_code_is_in_the_tables() -> None:
    assert sorted(in_code() - set(in_tables())) == []


def test_every_code_of_the_tables_is_in_the_code() -> None:
    source = "".join(p.read_text() for p in ROOT.rglob("*.py"))
    made = {"kafka.unreachable", "kafka.topic_missing", "defect"}  # put together, or one word
    given = re.compile(r"\"([a-z0-9]+)\.([a-z0-9_-]+)[\":]").findall(source)
    said = {f"{family}.{name}" for family, name in given} | {f"{family}.*" for family, _ in given}
    assert sorted(set(in_tables()) - made - said) == []


FAMILIES = {
    "Dead letters": {"Dead", "NoteRejected"},
    "Answers of": {"NoteRejected", "Unavailable"},
    "Something is away": {"Unavailable", "ModelFailed"},
    "One note met": {"Halt"},
    "The installation": {"Halt"},
}


def sections() -> dict[str, set[str]]:
    """The codes of each table."""
    parts = re.split(r"^## ", TABLES.read_text(), flags=re.MULTILINE)[1:]
    return {
        next(name for name in FAMILIES if part.startswith(name)): set(in_tables(part))
        for part in parts
    }


def test_every_code_stands_where_what_follows_from_it_is_told() -> None:
    given: dict[str, set[str]] = {}
    for _, tree in source.trees():
        for family, code in source.codes_of(tree):
            given.setdefault(code, set()).add(family)
    for name, codes in sections().items():
        for code in codes & given.keys():
            assert given[code] & FAMILIES[name], (name, code)
    assert all(code.startswith(source.OF_ONE_NOTE) for code in sections()["One note met"])
    assert not any(code.startswith(source.OF_ONE_NOTE) for code in sections()["The installation"])


def test_no_code_is_told_twice() -> None:
    assert len(in_tables()) == len(set(in_tables()))


def test_the_search_sees_codes() -> None:
    assert codes_of(ast.parse('raise Halt("a.b", "c")')) == {"a.b"}
    assert len(in_code()) > 60
