"""Numbers as decimals or expressions: `evaluate("sqrt(2*h/g)", {"h": 1, "g": 9.81})`."""

from __future__ import annotations

import ast
import math
import operator
from collections.abc import Mapping
from typing import Any

FUNCTIONS = [
    "sin",
    "cos",
    "tan",
    "asin",
    "acos",
    "atan",
    "atan2",
    "sinh",
    "cosh",
    "tanh",
    "asinh",
    "acosh",
    "atanh",
    "sqrt",
    "exp",
    "log",
    "hypot",
    "abs",
    "min",
    "max",
    "floor",
    "ceil",
]
OPERATORS = {
    ast.Add: operator.add,
    ast.Sub: operator.sub,
    ast.Mult: operator.mul,
    ast.Div: operator.truediv,
    ast.Pow: operator.pow,
    ast.USub: operator.neg,
    ast.UAdd: operator.pos,
}
BUILT_IN = {"abs": abs, "min": min, "max": max}


class ExpressionError(ValueError):
    """An expression that cannot be evaluated, with the reason."""


def evaluate(text: Any, names: Mapping[str, Any] | None = None, library: Any = math) -> Any:
    """Value of a number or an expression in `names`; `library` gives functions (math, numpy, mpmath)."""
    if isinstance(text, bool) or text is None:
        raise ExpressionError(f"found {text!r}, expected a number or an expression")
    if isinstance(text, (int, float)):
        return text
    try:
        tree = ast.parse(str(text).strip().replace("^", "**"), mode="eval").body
    except SyntaxError as fault:
        raise ExpressionError(f"`{text}` is no expression: {fault.msg}") from None
    return _Evaluation(names or {}, library).value(tree)


class _Evaluation:
    """A walk over the tree of an expression; nothing else than arithmetic is possible in it."""

    def __init__(self, names: Mapping[str, Any], library: Any) -> None:
        self.names, self.library = names, library

    def value(self, node: ast.expr) -> Any:
        written = ast.unparse(node)
        if written in self.names:  # `x`, `dot(x)`, `tip.N`
            return self.names[written]
        if isinstance(node, ast.Constant) and type(node.value) in (int, float):
            return self.constant(node.value)
        if isinstance(node, ast.Name) and node.id == "pi":
            return self.library.pi
        if isinstance(node, ast.BinOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](self.value(node.left), self.value(node.right))
        if isinstance(node, ast.UnaryOp) and type(node.op) in OPERATORS:
            return OPERATORS[type(node.op)](self.value(node.operand))
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id in FUNCTIONS:
            return self.function(node.func.id)(*map(self.value, node.args))
        raise ExpressionError(f"`{written}` is not known; known names: {', '.join(self.names) or 'none'}")

    def constant(self, number: Any) -> Any:
        """A number in the arithmetic of the library, from its shortest text where that is mpmath's."""
        return self.library.mpf(repr(number)) if hasattr(self.library, "mpf") else number

    def function(self, name: str) -> Any:
        return BUILT_IN[name] if name in BUILT_IN else getattr(self.library, name)


def numbers(given: Mapping[str, Any], before: Mapping[str, Any] | None = None, library: Any = math) -> dict[str, Any]:
    """Values of named expressions, each of which may use those before it."""
    known = dict(before or {})
    for name, text in given.items():
        known[name] = evaluate(text, known, library)
    return known
