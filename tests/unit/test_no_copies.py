"""Nothing stands in two modules of the package, its benches and tools: no function but for the
names of its variables, no constant.

What does so all the same is in `TWICE`, with the reason.
"""

import ast
from collections import defaultdict
from pathlib import Path

import stream_deid

PACKAGE = Path(stream_deid.__file__).parent
SMALLEST = 14
"""Nodes of a function's body; below it are one call, one property."""
SHORTEST = 14
"""Letters of a constant's words, for what has less than four of them."""
ALONE = "it runs alone (`python -I`, or within Triton) and may import nothing of the package"
TWICE = {
    ("serving/local/confinement.py _libc", "serving/local/fence.py _libc"): ALONE,
    (
        "serving/local/backend/model.py LIFELINE_VARIABLE",
        "serving/local/supervisor.py LIFELINE_VARIABLE",
    ): ALONE,
}


class Nameless(ast.NodeTransformer):
    """A function without its name, its words, its types and the names of what is its own."""

    def __init__(self, own):
        self.own = own
        self.names = {}

    def name(self, name):
        return self.names.setdefault(name, f"v{len(self.names)}") if name in self.own else name

    def visit_Name(self, node):
        node.id = self.name(node.id)
        return node

    def visit_arg(self, node):
        node.arg, node.annotation = self.name(node.arg), None
        return node

    def visit_AnnAssign(self, node):
        node.annotation = ast.Constant(None)
        return self.generic_visit(node)

    def visit_FunctionDef(self, node):
        node.name, node.returns, node.decorator_list = "", None, []
        if ast.get_docstring(node) is not None:
            node.body = node.body[1:]
        return self.generic_visit(node)

    visit_AsyncFunctionDef = visit_FunctionDef  # noqa: N815 - the name that ast asks for


def own_names(function):
    """The parameters of a function and what it assigns."""
    for node in ast.walk(function):
        if isinstance(node, ast.arg):
            yield node.arg
        elif isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            yield node.id


def functions(tree):
    """The functions and methods of a module: (name, shape)."""
    bodies = [tree.body, *(node.body for node in tree.body if isinstance(node, ast.ClassDef))]
    for node in (node for body in bodies for node in body):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            name = node.name
            bare = Nameless(set(own_names(node))).visit(node)
            if sum(1 for one in bare.body for _ in ast.walk(one)) >= SMALLEST:
                yield name, ast.dump(bare)


def constants(tree):
    """The constants of a module that are made of words or of imported ones: (name, value)."""
    for node in tree.body:
        match node:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AnnAssign(target=ast.Name(id=name), value=ast.expr() as value):
                pass
            case _:
                continue
        parts = list(ast.walk(value))
        words = [n.value for n in parts if isinstance(n, ast.Constant) and isinstance(n.value, str)]
        private = any(isinstance(n, ast.Name) and n.id.startswith("_") for n in parts)
        long = len(words) >= 4 or sum(map(len, words)) >= SHORTEST
        drawn = isinstance(value, ast.DictComp | ast.SetComp | ast.ListComp)
        if (name != "__all__" and not private and (long or drawn)) or (
            isinstance(value, ast.Call) and ast.unparse(value.func) == "ctypes.CDLL"
        ):
            yield name, ast.dump(value)


def twice(modules, found):
    """The places of what stands in more than one of some modules (name: source)."""
    places = defaultdict(list)
    for module, source in modules.items():
        for name, shape in found(ast.parse(source)):
            places[shape].append((module, name))
    return {
        tuple(f"{module} {name}" for module, name in sorted(some))
        for some in places.values()
        if len({module for module, _ in some}) > 1
    }


def test_nothing_stands_in_two_modules():
    folders = PACKAGE, *(PACKAGE.parent / name for name in ("bench", "tools"))
    modules = {
        path.relative_to(PACKAGE if folder == PACKAGE else PACKAGE.parent).as_posix(): source
        for folder in folders
        for path in sorted(folder.rglob("*.py"))
        if (source := path.read_text("utf-8"))
    }
    assert any(name.startswith("bench/") for name in modules)
    assert twice(modules, functions) | twice(modules, constants) == set(TWICE)


ONE = """
def f(a: int, *, sep: str) -> int:
    "Words."
    b = sep.join(a)
    return [b[0], b.strip(), b.lower()]
"""
OTHER = """
class C:
    def g(x, *, by):
        made = by.join(x)
        return [made[0], made.strip(), made.lower()]
"""


def test_a_copy_is_seen_under_other_names():
    assert twice({"one": ONE, "other": OTHER}, functions) == {("one f", "other g")}
    assert twice({"one": ONE, "other": OTHER.replace("strip", "lower")}, functions) == set()


def test_a_copied_constant_is_seen():
    one, other = "A = ('one', 'two', 'three', 'four')", "_B: X = ('one', 'two', 'three', 'four')"
    assert twice({"one": one, "other": other}, constants) == {("one A", "other _B")}
