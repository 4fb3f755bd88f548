"""The import rules of docs/architecture.md, checked on the source itself."""

import ast
from pathlib import Path

import pytest

import stream_deid

ROOT = Path(stream_deid.__file__).parent
CORE = (
    "note", "labels", "errors", "outcome", "lists", "formats", "text", "detect", "surrogate",
    "audit", "pipeline",
)  # fmt: skip
IO_MODULES = {
    "asyncio", "concurrent", "confluent_kafka", "faust", "http", "io",
    "multiprocessing", "os", "pathlib", "random", "secrets", "shutil", "socket", "subprocess",
    "tempfile", "threading", "time", "torch", "tritonclient", "urllib",
}  # fmt: skip
TRAINING_ONLY = {"torch", "transformers", "pycrfsuite", "stream_deid.training"}


def modules(*parts: str) -> list[Path]:
    found: list[Path] = []
    for part in parts:
        file = ROOT / f"{part}.py"
        found += [file] if file.exists() else sorted((ROOT / part).rglob("*.py"))
    return found


def imports(path: Path) -> set[str]:
    names: set[str] = set()
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            names |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            names |= {node.module or "", *(f"{node.module}.{a.name}" for a in node.names)}
    return names


def roots(path: Path) -> set[str]:
    return {name.split(".")[0] for name in imports(path)}


@pytest.mark.parametrize("path", modules(*CORE), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_does_no_io(path):
    assert not roots(path) & IO_MODULES
    own = {name for name in imports(path) if name.startswith("stream_deid.")}
    outside = {name for name in own if name.split(".")[1] not in CORE}
    assert not outside, "the core imports only the core"


CLOCKS = {"now", "today", "utcnow", "localtime", "perf_counter", "monotonic"}


def clock_readings(source: str) -> list[str]:
    called = [node.func for node in ast.walk(ast.parse(source)) if isinstance(node, ast.Call)]
    return [f.attr for f in called if isinstance(f, ast.Attribute) and f.attr in CLOCKS]


@pytest.mark.parametrize("path", modules(*CORE), ids=lambda p: str(p.relative_to(ROOT)))
def test_the_core_reads_no_clock(path):
    assert clock_readings(path.read_text(encoding="utf-8")) == []


def test_a_reading_of_the_clock_is_seen():
    assert clock_readings("date.today(); datetime.now(UTC)") == ["today", "now"]


@pytest.mark.parametrize(
    "path", modules("serving", "streaming"), ids=lambda p: str(p.relative_to(ROOT))
)
def test_serving_and_streaming_never_import_torch(path):
    names = imports(path)
    assert not {n for n in names for bad in TRAINING_ONLY if n == bad or n.startswith(f"{bad}.")}


@pytest.mark.parametrize("path", modules("serving"), ids=lambda p: str(p.relative_to(ROOT)))
def test_serving_knows_nothing_of_kafka(path):
    assert not {"stream_deid.streaming", "faust", "confluent_kafka"} & imports(path)


def test_the_walk_sees_what_it_should():
    assert len(modules(*CORE)) > 20
    assert "lingua" in roots(ROOT / "text" / "language.py")
