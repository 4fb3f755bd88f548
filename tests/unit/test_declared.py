"""Every library that the package imports is declared by it, by its own name."""

import ast
import re
import sys
import tomllib
from importlib.metadata import packages_distributions
from pathlib import Path

import stream_deid

PACKAGE = Path(stream_deid.__file__).parent
PROJECT = tomllib.loads((PACKAGE.parent / "pyproject.toml").read_text("utf-8"))["project"]
BROUGHT = {
    "mode": "faust-streaming is built on it, and hands its classes out",
    "triton_python_backend_utils": "Triton gives it to a model's process",
}


def plain(name):
    return re.sub(r"[-_.]+", "-", name).lower()


def declared():
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    return {plain(re.match(r"[\w.-]+", one)[0]) for group in groups for one in group}


def imported(source):
    """The packages that a module imports, at its head or within a function."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (one.name.partition(".")[0] for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0]


def undeclared(names, said):
    """Those that no declared distribution brings; one that isn't installed goes by its name."""
    known = packages_distributions()
    for name in set(names) - sys.stdlib_module_names - {"stream_deid"}:
        if not {plain(one) for one in known.get(name, [name])} & said:
            yield name


def test_what_is_imported_is_declared():
    names = {name for path in PACKAGE.rglob("*.py") for name in imported(path.read_text("utf-8"))}
    assert {"re2", "orjson", "torch", "confluent_kafka"} <= names
    assert set(undeclared(names, declared())) == set(BROUGHT)


def test_an_import_that_is_not_declared_is_seen():
    names = list(imported("def f():\n    import pluggy, numpy\n    from iniconfig import x\n"))
    assert set(undeclared(names, declared())) == {"pluggy", "iniconfig"}
