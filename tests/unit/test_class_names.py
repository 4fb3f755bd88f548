"""A public class of the package has a name of its own: who reads `Claim` or `Plan` knows which."""

import ast
from collections import defaultdict
from pathlib import Path

import stream_deid

PACKAGE = Path(stream_deid.__file__).parent


def shared(modules):
    """The public classes that stand in more than one of `modules` (path to source), with these."""
    found = defaultdict(list)
    for path, source in modules.items():
        for node in ast.parse(source).body:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                found[node.name].append(path)
    return {name: paths for name, paths in found.items() if len(paths) > 1}


def test_no_two_public_classes_share_a_name():
    modules = {
        path.relative_to(PACKAGE).as_posix(): path.read_text("utf-8")
        for path in sorted(PACKAGE.rglob("*.py"))
    }
    assert not shared(modules)


def test_a_shared_name_is_seen_and_private_ones_are_not():
    one, other = "class Claim: ...\nclass _Own: ...", "class Claim(int): ...\nclass _Own: ..."
    assert shared({"one": one, "other": other}) == {"Claim": ["one", "other"]}
