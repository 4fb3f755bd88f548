"""Each list of words is read in one place, so that everybody sees it folded alike."""

import ast
import re
from collections import defaultdict
from fnmatch import fnmatchcase
from pathlib import Path

import pytest
from code_texts import pattern

import stream_deid
from stream_deid.lists import people
from stream_deid.lists.lexicon import cities, load_census, load_names, load_places, towns_us
from stream_deid.lists.people import is_listed_name
from stream_deid.text.canonical import canonical
from stream_deid.text.folding import fold, without_accents

PACKAGE = Path(stream_deid.__file__).parent
DATA = PACKAGE / "lists" / "data"
LISTS = sorted(path.name for path in DATA.iterdir() if path.suffix in {".tsv", ".txt"})
HERE = "stream_deid.lists"
PARSERS = {"lists/vocabulary.py", "lists/lexicon.py"}
"""Where the parsers are: what they ask each other for is asked in a list's name too."""
SUFFIX = {"rows": ".tsv", "load_list": ".tsv", "lines": "", "listed": ""}
KEPT = "load_list"
"""It keeps what it has read, and its lists are taken by their kind."""


def local_names(tree, place):
    """What a module calls the parsers and the modules that hold them."""
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(HERE):
            yield from ((alias.asname or alias.name, alias.name) for alias in node.names)
    if place in PARSERS:
        yield from ((one.name, one.name) for one in tree.body if hasattr(one, "name"))


def parser(call, known):
    """The parser that is called, or nothing."""
    match call.func:
        case ast.Name(id=name):
            return known.get(name, "") if known.get(name) in SUFFIX else ""
        case ast.Attribute(value=ast.Name(id=owner), attr=name) if owner in known:
            return name if name in SUFFIX else ""
    return ""


def elsewhere(call):
    """Whether a call asks for the lists of another package."""
    named = [*call.args[1:], *(one.value for one in call.keywords)]
    return bool(named) and pattern(named[0]) != HERE


def readings(source, place):
    """(list file, where it is read) of a module."""
    tree = ast.parse(source)
    known, named = dict(local_names(tree, place)), set()
    for node in (node for node in ast.walk(tree) if isinstance(node, ast.Call) and node.args):
        if name := parser(node, known):
            named.add(id(node.args[0]))
            if not elsewhere(node):
                file = pattern(node.args[0]) + SUFFIX[name]
                yield file, KEPT if name == KEPT else f"{place}:{node.lineno}"
        elif getattr(node.func, "id", "") == "files" and pattern(node.args[0]) == HERE:
            yield "*", f"{place}:{node.lineno}"
    for node in ast.walk(tree):
        if id(node) not in named and isinstance(node, ast.Constant) and node.value in LISTS:
            own = (PACKAGE / place).with_name(node.value)
            if not own.exists():
                yield node.value, f"{place}:{node.lineno}"


def everywhere():
    found = defaultdict(set)
    for path in sorted(PACKAGE.rglob("*.py")):
        place = path.relative_to(PACKAGE).as_posix()
        for file, where in readings(path.read_text("utf-8"), place):
            found[file].add(where)
    return found


READ = everywhere()


@pytest.mark.parametrize("file", LISTS)
def test_a_list_is_read_in_one_place(file):
    places = {w for asked, where in READ.items() if asked[0] != "*" and fnmatchcase(file, asked)
              for w in where}  # fmt: skip
    assert len(places) == 1, places


OWNED = [
    (path, module)
    for path in sorted(DATA.rglob("*.*"))
    for module in re.findall(r"^# Words of ([\w/]+\.py)", path.read_text("utf-8"))
]
"""Lists that say at their head whose they are."""


@pytest.mark.parametrize(("path", "module"), OWNED, ids=lambda one: str(one).rpartition("/")[2])
def test_a_list_is_read_by_whom_it_names(path, module):
    assert f'"{path.stem}' in (PACKAGE / module).read_text("utf-8")


def test_only_the_parsers_take_a_list_by_a_name_that_they_are_given():
    asked = {where for file, places in READ.items() if file[0] == "*" for where in places}
    assert {where.partition(":")[0] for where in asked - {KEPT}} <= PARSERS, asked


@pytest.mark.parametrize(
    ("source", "file"),
    [
        ("from stream_deid.lists.vocabulary import rows\nx = rows('names')[1]", "names.tsv"),
        ("from stream_deid.lists.vocabulary import lines\nx = lines('names.tsv')", "names.tsv"),
        ("from stream_deid.lists import vocabulary\nx = vocabulary.rows('names')", "names.tsv"),
        (
            "from stream_deid.lists.vocabulary import lines as r\nr('names.tsv', '" + HERE + "')",
            "names.tsv",
        ),
        ("x = HERE / 'data' / 'names.tsv'", "names.tsv"),
        ("from importlib.resources import files\nfiles('stream_deid.lists')", "*"),
        ("from stream_deid.lists.vocabulary import rows\nfor n in ('a', 'b'): rows(n)", "*.tsv"),
    ],
)
def test_a_second_reader_is_found(source, file):
    assert [asked for asked, _ in readings(source, "x.py")] == [file]


def test_names_are_found_without_their_accents_and_in_capitals():
    for name in (row[3] for row in people.names_table()[1]):
        assert is_listed_name(name), name
        assert is_listed_name(without_accents(name).upper()), name
        assert fold(without_accents(name)) in people.most_borne()
    for kind, names in people.names_by_kind():
        keys = people.surnames() if kind == "family" else people.listed_names()
        assert {canonical(without_accents(name)) for name in names} <= keys


def test_everybody_sees_the_same_names_and_towns():
    assert load_census().family <= people.surnames()
    assert people.given_names("hispanic") < people.given_names() < people.most_borne()
    assert set(map(canonical, people.given_names())) == set(load_names().sex)
    assert {fold(town.name) for town in (*cities(), *towns_us())} == set(load_places().named)
