"""A grammar stands beside the expressions that implement it: `name = what it is made of`."""

import ast
import re
from pathlib import Path

import pytest

import stream_deid

PACKAGE = Path(stream_deid.__file__).parent
ROOMS = ("detect/patterns", "detect/quantities", "surrogate/dates")
WITHOUT = {
    "detect/patterns/base.py": "runs the expressions of others",
}
MAKERS = {"Pattern", "Context", "compiled", "compile"}
_RULE = re.compile(r"^ *\w+ += +\S", re.MULTILINE)


def has_expressions(tree):
    """Whether a module makes a pattern or compiles an expression."""
    calls = (node.func for node in ast.walk(tree) if isinstance(node, ast.Call))
    return any(getattr(f, "id", getattr(f, "attr", "")) in MAKERS for f in calls)


def lacks_grammar(source):
    tree = ast.parse(source)
    return has_expressions(tree) and not _RULE.search(ast.get_docstring(tree) or "")


@pytest.mark.parametrize("room", ROOMS)
def test_expressions_have_their_grammar(room):
    files = sorted((PACKAGE / room).rglob("*.py"))
    found = {
        path.relative_to(PACKAGE).as_posix()
        for path in files
        if lacks_grammar(path.read_text("utf-8"))
    }
    assert found == {path for path in WITHOUT if path.startswith(room)}


def test_a_grammar_that_lacks_is_seen():
    made = "import re\nA = re.compile('a')\n"
    assert lacks_grammar(f'"""Letters."""\n{made}')
    assert not lacks_grammar(f'"""Letters.\n\nletter = "a"\n"""\n{made}')
    assert not lacks_grammar('"""Letters, without an expression."""\n')
