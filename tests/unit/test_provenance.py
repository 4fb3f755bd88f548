"""The release names whatever decides an output: `__version__` stood still over 83 commits."""

import ast
import sys
import tomllib
from pathlib import Path

import pytest

from stream_deid import provenance
from stream_deid.provenance import BESIDE, ENGINES, LIBRARIES, ROOT

NAMED = provenance.files()
SHIPPED = tomllib.loads((ROOT.parent / "pyproject.toml").read_text())["tool"]["setuptools"]
DECIDE_ALL_THE_SAME = {"stream_deid.config", "stream_deid.exits", "stream_deid.provenance"}
"""Modules beside that the deciding ones may import: settings, statuses, the name itself."""


def module_of(path):
    return ".".join(path.relative_to(ROOT.parent).with_suffix("").parts).removesuffix(".__init__")


def imported(path):
    for node in ast.walk(ast.parse(path.read_text("utf-8"))):
        if isinstance(node, ast.Import):
            yield from (one.name for one in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield from (node.module, *(f"{node.module}.{one.name}" for one in node.names))


def test_whatever_the_package_ships_is_named_or_stands_beside_with_a_reason():
    patterns = ["*.py", *SHIPPED["package-data"]["*"]]
    shipped = {path for pattern in patterns for path in ROOT.rglob(pattern)}
    beside = {path for path in shipped if path.relative_to(ROOT).parts[0] in BESIDE}
    assert shipped - beside == set(NAMED)
    assert all((ROOT / name).exists() and why for name, why in BESIDE.items())


@pytest.mark.parametrize(
    "file",
    ["detect/pairs/data/en.json", "detect/neural/data/crf_es.crfsuite", "records.py", "registry.py",
     "assembly.py", "lists/data/names.tsv", "formats/hl7/data/fields.toml", "surrogate/engine.py"],
)  # fmt: skip
def test_another_byte_in_a_file_is_another_release(file, monkeypatch):
    before, read = provenance.code.__wrapped__(), Path.read_bytes
    changed = ROOT / file
    monkeypatch.setattr(Path, "read_bytes", lambda path: read(path) + b"#" * (path == changed))
    assert provenance.code.__wrapped__() != before


@pytest.mark.parametrize("library", sorted(LIBRARIES.values()))
def test_another_version_of_a_library_is_another_release(library, monkeypatch):
    before = provenance.code.__wrapped__()
    versions = provenance.version
    monkeypatch.setattr(
        provenance, "version", lambda name: "0.0.1" if name == library else versions(name)
    )
    assert provenance.code.__wrapped__() != before


def test_no_library_is_used_that_is_neither_named_nor_stands_beside():
    used = {
        name.partition(".")[0] for path in NAMED if path.suffix == ".py" for name in imported(path)
    }
    own = {"stream_deid", *sys.stdlib_module_names}
    assert used - own - set(LIBRARIES) - set(ENGINES) == set()
    assert not set(LIBRARIES) & set(ENGINES)


def test_what_decides_imports_nothing_from_beside_but_settings():
    core = [path for path in NAMED if "serving" not in path.parts and path.suffix == ".py"]
    beside = {f"stream_deid.{name.removesuffix('.py')}" for name in BESIDE} - DECIDE_ALL_THE_SAME
    found = {
        (module_of(path), name)
        for path in core
        for name in imported(path)
        if ".".join(name.split(".")[:2]) in beside
    }
    assert found == set()
