"""Texts within code."""

from __future__ import annotations

import ast


def pattern(node: ast.AST) -> str:
    """What a text says; `*` for what is only known when it runs ("units_*")."""
    match node:
        case ast.Constant(value=str(text)):
            return text
        case ast.JoinedStr(values=values):
            return "".join(str(v.value) if isinstance(v, ast.Constant) else "*" for v in values)
    return "*"
