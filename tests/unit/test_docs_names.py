"""What the guide calls by name is there: files of code, settings, metrics, events of the log."""

import re
from pathlib import Path

import pytest

from stream_deid.config import Settings
from stream_deid.config.declare import declared
from stream_deid.operations.reference import records, source

ROOT = Path(__file__).parents[2]
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]
CODE = "\n".join(path.read_text("utf-8") for path in (ROOT / "stream_deid").rglob("*.py"))
FILES = {path.relative_to(ROOT).as_posix()
         for folder in ("stream_deid", "tests", "bench", "tools", "corpora")
         for path in (ROOT / folder).rglob("*.py")}  # fmt: skip
SETTINGS = {one.path for one in declared(Settings)}
SECTIONS = {path.partition(".")[0] for path in SETTINGS}


def named(page: Path) -> list[str]:
    return re.findall(r"`([^`\n]+)`", page.read_text("utf-8"))


def is_setting(name: str) -> bool:
    """Whether a dotted name is a setting or stands below one that is a table."""
    return any(name == path or name.startswith(f"{path}.") or path.startswith(f"{name}.")
               for path in SETTINGS)  # fmt: skip


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_file_of_code_that_is_named_exists(page):
    names = [name for name in named(page) if re.fullmatch(r"[\w/]+\.py", name)]
    assert [n for n in names if not any(f"/{file}".endswith(f"/{n}") for file in FILES)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_setting_that_is_named_exists(page):
    """Dotted names of a section are settings, or codes of errors (which have a test)."""
    names = [n for n in named(page) if re.fullmatch(r"[a-z_0-9]+\.[a-z_0-9]+", n)]
    names = [n for n in names if not n.endswith(".py")]
    mine = [n for n in names if n.partition(".")[0] in SECTIONS and f'"{n}' not in CODE]
    assert [name for name in mine if not is_setting(name)] == []


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_every_metric_that_is_named_exists(page):
    """The names in the code lack the prefix, and what the client library puts behind them."""
    if page.name == "reference.md":  # made from the code
        return
    names = {name for name in named(page) if re.fullmatch(r"stream_deid_[a-z_]+", name)}
    ends = r"^stream_deid_|_(?:total|count|sum|bucket|info)$"
    plain = {name: re.sub(ends, "", name) for name in names}
    made = {name for name, own in plain.items() if re.search(rf'"(?:\{{name\}}_)?{own}', CODE)}
    assert names - made == set()


OPERATING = ("deployment", "operations", "changes", "mllp", "records", "replay", "trials", "keys")
KAFKAS = {"sasl_ssl", "read_committed"}


def fields(schema: object) -> set[str]:
    """The names of all properties of a schema."""
    if isinstance(schema, list):
        return set().union(*map(fields, schema))
    if not isinstance(schema, dict):
        return set()
    return {*schema.get("properties", {}), *fields([*schema.values()])}


@pytest.mark.parametrize("page", OPERATING)
def test_every_event_of_the_log_that_is_named_is_one(page):
    """Names with an underscore that are nothing else: settings, models, fields of records."""
    named_ = {n for n in named(ROOT / f"docs/{page}.md") if re.fullmatch(r"[a-z]+(?:_[a-z]+)+", n)}
    models = {path.name for path in (ROOT / "triton_models").iterdir()}
    stated = set().union(*(fields(records.schema(name)) for name in ("note-in", "audit")))
    settings = {path.rpartition(".")[2] for path in SETTINGS}
    others = KAFKAS | models | stated | settings
    assert {
        n for n in named_ - others if not n.startswith("stream_deid_")
    } <= source.events().keys()
