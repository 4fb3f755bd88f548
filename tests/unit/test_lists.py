"""The word lists agree with each other, and every file says what it is and where it is from."""

import ast
import re
import tomllib
from fnmatch import fnmatchcase
from itertools import takewhile
from pathlib import Path

import pytest
from code_texts import pattern

import stream_deid
from stream_deid.detect.patterns import Patterns
from stream_deid.lists import holidays
from stream_deid.lists.known_words import NICKNAMES
from stream_deid.lists.lexicon import load_names
from stream_deid.lists.titles import affixes, any_of, nothing_but, written
from stream_deid.lists.vocabulary import rows
from stream_deid.note import Note, Part
from stream_deid.surrogate.dates import holidays as days
from stream_deid.text.folding import fold

PACKAGE = Path(stream_deid.__file__).parent
DATA = PACKAGE / "lists" / "data"
WRITTEN = {".tsv", ".toml", ".txt"}
RECIPES = PACKAGE / "training" / "recipes"
"""What to train, not what is known: each says its sources by name."""
TABLES = [p for p in sorted(PACKAGE.rglob("*")) if p.suffix in WRITTEN and RECIPES not in p.parents]


@pytest.mark.parametrize("file", TABLES, ids=lambda path: path.relative_to(PACKAGE).as_posix())
def test_every_list_opens_with_what_it_holds_and_where_it_is_from(file):
    head = list(takewhile(lambda line: line.startswith("#"), file.read_text("utf-8").splitlines()))
    assert any("Source" in line for line in head)


def page(line):
    """Whether a line has no more than a page's width."""
    return len(line) <= 120


@pytest.mark.parametrize("kind", ["py", "toml"])
def test_no_line_runs_off_the_page(kind):
    for path in sorted(DATA.parents[1].rglob(f"*.{kind}")):
        assert [line for line in path.read_text("utf-8").splitlines() if not page(line)] == [], path


MOST_OF_AN_EXPRESSION, MOST_OF_A_PIECE = 270, 120
"""Letters of what stands between two names within an expression, or in one of a list's words."""
EXPRESSION = re.compile(r"\\[bdsw]|\(\?")


def written_expressions(source):
    """(line, letters) of each expression of a module, without what it takes by name."""
    for node in ast.walk(ast.parse(source)):
        match node:
            case ast.Constant(value=str(written)):
                yield node.lineno, written
            case ast.JoinedStr(values=parts):
                texts = [one.value for one in parts if isinstance(one, ast.Constant)]
                yield node.lineno, "".join(texts)


@pytest.mark.parametrize("room", ["detect", "formats", "lists", "surrogate", "text"])
def test_an_expression_is_built_of_named_pieces(room):
    for path in sorted((PACKAGE / room).rglob("*.py")):
        written = written_expressions(path.read_text("utf-8"))
        long = [line for line, text in written
                if len(text) > MOST_OF_AN_EXPRESSION and EXPRESSION.search(text)]  # fmt: skip
        assert long == [], path


def test_an_expression_that_nobody_can_read_is_seen():
    far = "x = rf'" + r"\\d{{a}}" * 99 + "'"
    assert [len(text) > MOST_OF_AN_EXPRESSION for _, text in written_expressions(far)][:1] == [True]


@pytest.mark.parametrize("file", sorted(PACKAGE.rglob("*.toml")), ids=lambda path: path.name)
def test_no_word_of_a_list_is_an_expression_that_nobody_can_read(file):
    words = [word for body in values(tomllib.loads(file.read_text("utf-8")))
             for word in PIECE.findall(body)]  # fmt: skip
    assert [word for word in words if len(word) > MOST_OF_A_PIECE] == []


PIECE = re.compile(r"(?:\[[^\]]*\]|\S)+")


def values(body):
    """All texts of a TOML file."""
    match body:
        case str():
            yield body
        case dict():
            yield from (text for one in body.values() for text in values(one))
        case list():
            yield from (text for one in body for text in values(one))


@pytest.mark.parametrize("file", sorted(DATA.rglob("*.toml")), ids=lambda path: path.name)
def test_no_piece_of_an_expression_is_broken_over_two_lines(file):
    assert "[\n]" not in file.read_text("utf-8")


def test_a_nickname_that_surrogates_know_is_looked_for_too():
    for full, short in load_names().short.items():
        assert set(map(fold, short)) <= set(NICKNAMES[full])


def test_every_affix_says_what_it_is_and_who_takes_it_for_that():
    table = [row[:3] for row in rows("titles")[1]]
    assert len({(word, kind) for word, kind, _ in table}) == len(table)
    assert {kind for _, kind, _ in table} == {"title", "credential", "suffix", "particle"}
    takers = {taker for *_, who in table for taker in who.split("|")}
    assert takers == set(asked_takers())


def asked_takers():
    """The takers that the code asks the table for."""
    for path in DATA.parents[1].rglob("*.py"):
        for node in ast.walk(ast.parse(path.read_text("utf-8"))):
            match node:
                case ast.Call(func=ast.Name(id="affixes" | "any_of" | "written"), args=[who, *_]):
                    yield from (who.value,) if isinstance(who, ast.Constant) else ()
                case ast.Call(func=ast.Name(id="nothing_but"), args=[_, *takers]):
                    yield from (who.value for who in takers)


def test_affixes_by_kind_and_as_they_are_written():
    assert {"don", "dona"} <= affixes("borne", "title")
    assert affixes("borne", "title").isdisjoint(affixes("borne", "credential"))
    assert any_of("initials") == "mr|mrs|ms"
    assert {"Mr", "Sister"} <= set(written("prose", "title").split("|"))
    assert {"PA-C", r"M\.?D"} <= set(written("search").split("|"))


def test_a_structured_field_of_titles_alone():
    assert nothing_but("Dr., MD/PhD", "hl7")
    assert nothing_but("Lady", "hl7", "fhir")
    assert not nothing_but("Lady", "hl7")
    assert not nothing_but("Dr. Keller", "hl7", "fhir")


@pytest.mark.parametrize("language", ["en", "es"])
def test_patterns_find_every_holiday_that_the_list_says_they_do(language):
    cue = {"en": "since", "es": "para"}[language]
    detect = Patterns(language).detect
    for name in holidays.names(language):
        text = f"Seen {cue} {name}."
        note = Note("", "", (Part(text),), language)
        assert any(text[d.start : d.end].endswith(name) for d in detect(text, note)) or (
            "pilar" in name  # of the fauces, of a bridge
        ), name


def test_surrogates_move_every_holiday_that_has_a_day():
    for name in days.HOLIDAYS:
        assert days.holiday(name, 2024).year in {2023, 2024, 2025}, name


NAMES = {
    pattern(node)
    for path in PACKAGE.rglob("*.py")
    for node in ast.walk(ast.parse(path.read_text("utf-8")))
}
MADE = [name for name in NAMES if "*" in name and len(name.strip("*")) >= 3]
"""Names that are made: "units_*"."""


def is_asked_for(name):
    """Whether code names a list, by itself, or by a word and a language ("months", "en")."""
    parts = ((name[:at], name[at + 1 :]) for at, sign in enumerate(name) if sign == "_")
    return (
        name in NAMES
        or any(fnmatchcase(name, one) for one in MADE)
        or any(NAMES.issuperset(pair) for pair in parts)
    )


@pytest.mark.parametrize("file", sorted(DATA.rglob("*.toml")), ids=lambda path: path.name)
def test_every_list_is_asked_for(file):
    lists = tomllib.loads(file.read_text("utf-8"))
    assert [name for name in lists if not is_asked_for(name)] == []
