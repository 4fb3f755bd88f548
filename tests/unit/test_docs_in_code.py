"""What docstrings, comments and pages name in backticks is there: modules, functions, files."""

import ast
import io
import re
import tokenize
from collections import defaultdict
from functools import cache
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
FOLDERS = ("stream_deid", "bench", "tools")
CODE = sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py"))
STATED = ("triton_models", "stream_deid")
DATA = {".toml", ".json", ".yaml", ".yml", ".pbtxt", ".conf"}
OTHERS = {
    # words of notes and names of people
    "a12", "abri", "azaroak", "cjo", "drsmith", "jsmith", "josmith", "js", "karenhuang", "obrien",
    "pdm09", "peruana", "smithj82", "tjw", "urriaren", "wu",
    # of senders who err, and of other programs
    "baggage", "default_queue_policy", "firstName", "histogram_quantile", "ignore_index",
    "kafka_group", "noteDate", "ombCategory", "tracestate",
}  # fmt: skip
SIGNS = {tokenize.OP, tokenize.NEWLINE, tokenize.NL, tokenize.INDENT, tokenize.DEDENT}
NAME = re.compile(r"[a-z_]\w*(?:\.[a-z_]\w*)*(?:\(\))?")
FILE = re.compile(r"[\w./-]+\.(?:py|toml|tsv|txt|json|md)")


@cache
def parsed(source):
    return ast.parse(source)


BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")


def statements(node):
    for held in (getattr(node, name, None) for name in BLOCKS):
        for one in held if isinstance(held, list) else ():
            yield one
            yield from statements(one)


def docstrings(source):
    """Strings that are statements, by where they begin."""
    for node in statements(parsed(source)):
        value = node.value if isinstance(node, ast.Expr) else None
        if isinstance(value, ast.Constant) and isinstance(value.value, str):
            yield (value.lineno, value.col_offset), value.value


@cache
def read(source):
    """`(prose, words)` of a module: its docstrings and comments, and what stands in its code."""
    stated = dict(docstrings(source))
    prose, words = list(stated.values()), set()
    for token in tokenize.generate_tokens(io.StringIO(source).readline):
        if token.type == tokenize.COMMENT:
            prose.append(token.string)
        elif token.type == tokenize.NAME:
            words.add(token.string)
        elif token.type not in SIGNS and token.start not in stated:
            words.update(re.findall(r"\w+", token.string))
            words.update(re.findall(r"\w+\.\w+", token.string))
    return prose, words


def defined(tree):
    """The names that the body of a module gives to something or imports."""
    for node in tree.body:
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            yield node.name
        targets = getattr(node, "targets", [getattr(node, "target", None)])
        yield from (one.id for one in targets if isinstance(one, ast.Name))
        if isinstance(node, ast.ImportFrom):
            yield from (one.asname or one.name for one in node.names)


@cache
def homes():
    """Where each name of a module's own is defined: stems of modules."""
    found = defaultdict(set)
    for path in CODE:
        stem = path.parent.name if path.stem == "__init__" else path.stem
        for name in defined(parsed(path.read_text("utf-8"))):
            found[name].add(stem)
    return found


@cache
def known():
    """Every word of code and of data that is read by its keys, names of files and folders."""
    words = set().union(*(read(path.read_text("utf-8"))[1] for path in CODE))
    for folder in (*FOLDERS, "tests", "docs", "deploy"):
        words.update(part for path in (ROOT / folder).rglob("*") for part in (path.stem, path.name))
    for path in (path for folder in STATED for path in (ROOT / folder).rglob("*")):
        if path.suffix in DATA and path.stat().st_size < 300_000:
            words.update(re.findall(r"\w+", path.read_text("utf-8")))
    return words


@cache
def files():
    found = (path for path in ROOT.iterdir() if path.is_file())
    within = (path for top in (*FOLDERS, "tests", "docs", "deploy", "corpora", "triton_models")
              for path in (ROOT / top).rglob("*.*"))  # fmt: skip
    return "".join(f"/{path.relative_to(ROOT).as_posix()}\n" for path in (*found, *within))


def gone(prose):
    """What a text names in backticks and nothing is called by."""
    for name in re.findall(r"`([^`\n]+)`", prose):
        if NAME.fullmatch(name):
            parts = name.removesuffix("()").split(".")
            there = all(part in known() or part in OTHERS for part in parts)
            if not there or (len(parts) > 1 and not homed(*parts[-2:])):
                yield name
        elif FILE.fullmatch(name) and "/" in name and f"/{name}\n" not in files():
            yield name


def homed(holder, name):
    """Whether a function is where it is said to be. Names of one word are those of fields too, and
    two words may be a code of errors.
    """
    mine = homes().get(name) if "_" in name else None
    return not mine or holder in mine or f"{holder}.{name}" in known()


@pytest.mark.parametrize("folder", FOLDERS)
def test_what_prose_in_code_names_is_there(folder):
    found = {
        (path.relative_to(ROOT).as_posix(), name)
        for path in CODE
        if path.is_relative_to(ROOT / folder)
        for prose in read(path.read_text("utf-8"))[0]
        for name in gone(prose)
    }
    assert found == set(), "mend the name; a word of notes or of another program goes to OTHERS"


PAST = {"merges.md", "models-history.md"}
METRIC = re.compile(r"_\w+|stream_deid_\w+")
PAGES = [*sorted((ROOT / "docs").glob("*.md")), ROOT / "README.md", ROOT / "CONTRIBUTING.md"]


@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_what_a_page_names_is_there(page):
    """Metrics and endings have a test beside (`test_docs_names`); two pages tell of the past."""
    if page.name not in PAST:
        found = {name for name in gone(page.read_text("utf-8")) if "_" in name}
        assert {name for name in found if not METRIC.fullmatch(name)} == set()


@pytest.mark.parametrize(
    "prose",
    ["as in `dates_read`", "(`organization_names`)", "`no_such.read`", "`read.first_free`",
     "`detect/gone.py`", "`lists/data/gone.toml`", "`no_such_function()`"],
)  # fmt: skip
def test_a_name_of_nothing_is_noticed(prose):
    assert list(gone(prose))
