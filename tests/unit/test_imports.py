"""The import rules of docs/architecture.md, checked on the source itself."""

import ast
import re
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

import stream_deid

ROOT = Path(stream_deid.__file__).parent
CORE = (
    "note", "labels", "errors", "outcome", "budget", "lists", "formats", "text", "detect",
    "surrogate", "audit", "seal", "pipeline",
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


def name_of(path: Path) -> str:
    parts = ("stream_deid", *path.relative_to(ROOT).with_suffix("").parts)
    return ".".join(parts).removesuffix(".__init__")


def without_hints(tree: ast.Module) -> Iterator[ast.AST]:
    """The nodes of a file but for what only type checkers read."""
    nodes: list[ast.AST] = [tree]
    while nodes:
        node = nodes.pop()
        yield node
        hints = isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"
        nodes += node.orelse if hints else ast.iter_child_nodes(node)


Needs = dict[str, set[str]]
"""What each module (or room) imports."""


def needs_of(sources: Mapping[str, str]) -> Needs:
    """What each module imports of the others, imports inside of functions included."""
    needs: Needs = {}
    for name, source in sources.items():
        found: set[str] = set()
        for node in without_hints(ast.parse(source)):
            if isinstance(node, ast.Import):
                found |= {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module:
                whole = {f"{node.module}.{alias.name}" for alias in node.names}
                found |= whole & sources.keys() or {node.module}
        needs[name] = found & sources.keys() - {name}
    return needs


def circles(needs: Needs) -> list[str]:
    """Those that import each other in the end."""
    while free := {name for name, needed in needs.items() if not needed}:
        needs = {name: needed - free for name, needed in needs.items() if name not in free}
    while asked := needs.keys() - set().union(*needs.values()):  # they only lead to a circle
        needs = {name: needed for name, needed in needs.items() if name not in asked}
    return sorted(needs)


def rooms_of(needs: Needs, folder: str) -> Needs:
    """The same among what stands in one folder: its modules, and its rooms each as a whole."""
    place = {
        name: ".".join(name.split(".")[: folder.count(".") + 2])
        for name in needs
        if name.startswith(f"{folder}.")
    }
    rooms: Needs = {room: set() for room in place.values()}
    for name, room in place.items():
        rooms[room] |= {place[one] for one in needs[name] if one in place} - {room}
    return rooms


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


COMMAND_LINE = {"stream_deid.cli", "stream_deid.cli.operation", "stream_deid.operations"}
"""The reference is written from the parser, by a command of the parser."""


def needs_of_all() -> Needs:
    return needs_of({name_of(p): p.read_text(encoding="utf-8") for p in ROOT.rglob("*.py")})


def test_no_module_needs_itself():
    assert set(circles(needs_of_all())) <= COMMAND_LINE


def test_no_room_needs_itself():
    """Of two rooms at most one imports the other, however deep in them the modules lie."""
    needs = needs_of_all()
    folders = {name.rpartition(".")[0] for name in needs} - {""}
    found = {room for folder in folders for room in circles(rooms_of(needs, folder))}
    assert found <= COMMAND_LINE


TRAINING = ("data", "scores", "models", "run", "export")
"""Rooms of training, each of which needs only those before it: models know no trainer."""


@pytest.mark.parametrize("room", TRAINING)
def test_a_room_of_training_needs_only_those_before_it(room: str) -> None:
    above = TRAINING[TRAINING.index(room) + 1 :]
    needed = {name for path in modules(f"training/{room}") for name in imports(path)}
    assert not [
        n for n in needed if n.startswith(tuple(f"stream_deid.training.{a}" for a in above))
    ]


def test_a_circle_is_seen():
    away = "def late():\n    from a import b"
    assert circles(needs_of({"a": "from c import x", "c": away, "d": "import a", "e": ""})) == [
        *("a", "c"),
    ]
    assert circles(needs_of({"a": "if TYPE_CHECKING:\n    import c", "c": "import a"})) == []


def test_a_circle_of_rooms_is_seen():
    sources = {"p.a.x": "import p.b.x", "p.b.x": "", "p.b.y": "import p.a.y", "p.a.y": ""}
    needs = needs_of(sources)
    assert circles(needs) == []
    assert circles(rooms_of(needs, "p")) == ["p.a", "p.b"]
    assert circles(rooms_of(needs, "p.a")) == []


def test_the_walk_sees_what_it_should():
    assert len(modules(*CORE)) > 20
    assert "lingua" in roots(ROOT / "text" / "language.py")


ARCHITECTURE = Path(__file__).parents[2] / "docs" / "architecture.md"
NAMED = re.compile(r"`([a-z]+)(?:/|\.py)?`")
EVERYTHING = {p.relative_to(ROOT).parts[0].removesuffix(".py") for p in ROOT.rglob("*.py")}


def allowed(says: str) -> set[str]:
    """The parts of the package that a cell of the table means."""
    named = set(NAMED.findall(says))
    if says.startswith("anything"):
        return EVERYTHING - named
    named |= {"note", "labels", "errors", "outcome", "budget"} if "vocabulary" in says else set()
    return named | (set(CORE) if "the core" in says else set())


def table() -> dict[str, set[str]]:
    """What each part may import, as docs/architecture.md says."""
    rows = [line.split("|") for line in ARCHITECTURE.read_text("utf-8").splitlines()]
    cells = [(NAMED.findall(row[1]), row[3].strip()) for row in rows if len(row) == 5]
    return {
        part: allowed(says) | (set(parts) if says == "one another" else {part})
        for parts, says in cells
        for part in parts
    }


def test_the_table_names_every_part():
    assert table().keys() == EVERYTHING - {"__init__"}


@pytest.mark.parametrize("part", sorted(table()))
def test_a_part_imports_what_the_table_says(part):
    own = {name.split(".")[1] for p in modules(part) for name in imports(p)
           if name.startswith("stream_deid.")}  # fmt: skip
    assert own - {"__version__"} <= table()[part]


OWN_VARIABLES = ("config", "rig", "training", "serving/local", "hardening.py")
"""Who may look at the environment; `config` alone reads settings of the service there."""


def test_settings_come_from_the_environment_in_one_place():
    found = {
        path.relative_to(ROOT).as_posix()
        for path in ROOT.rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.Attribute) and node.attr in {"environ", "getenv"}
    }
    assert {name for name in found if not name.startswith(OWN_VARIABLES)} == set()


@pytest.mark.parametrize("folder", ["bench", "tools"])
def test_what_is_started_by_hand_imports_what_is_there(folder: str) -> None:
    """A module that was moved is told by no other test: nothing starts these."""
    there = {name_of(path) for path in ROOT.rglob("*.py")}
    gone = {
        (path.name, node.module)
        for path in (ROOT.parent / folder).glob("*.py")
        for node in ast.walk(ast.parse(path.read_text("utf-8")))
        if isinstance(node, ast.ImportFrom)
        and (node.module or "").startswith("stream_deid.")
        and node.module not in there
    }
    assert gone == set()
