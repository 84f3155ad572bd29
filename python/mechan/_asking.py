"""Arguments as the library wants them."""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from typing import Any, Optional, Union

import numpy as np

from .errors import UsageError

#: What a parameter, a coordinate or a velocity may be set to: a number, or an expression.
Value = Union[float, int, str, Any]


def expression(name: str, value: Value) -> str:
    """A value as an expression of the format, to the last bit."""
    if isinstance(value, str):
        return value
    if type(value).__module__.split(".")[0] == "sympy":
        return str(value).replace("**", "^")
    if isinstance(value, (bool, np.bool_)):
        raise UsageError(f"{name} is {value!r}, expected a number or an expression")
    try:
        number = float(value)
    except (TypeError, ValueError):
        raise UsageError(f"{name} is {value!r}, expected a number or an expression") from None
    if not math.isfinite(number):
        raise UsageError(f"{name} is {number!r}, expected a finite number")
    return repr(number)


def overrides(given: Optional[Mapping[str, Value]], more: Mapping[str, Value]) -> list[str]:
    """`name=expression` of everything that is set."""
    if given is not None and not isinstance(given, Mapping):
        raise UsageError(f"set is {given!r}, expected a dictionary such as {{'dot(x)': 1.0}}")
    both = sorted(set(given or ()) & set(more))
    if both:
        raise UsageError(f"{both[0]} is set twice")
    return [f"{name}={expression(name, value)}" for name, value in {**(given or {}), **more}.items()]


def names(given: Union[None, str, Iterable[str]]) -> list[str]:
    """One name or several."""
    if given is None:
        return []
    return [given] if isinstance(given, str) else list(given)


def axis(what: str, given: Any) -> str:
    """`name=LO:HI:N` of a text, or of a tuple (name, lo, hi, n) or (name, lo, hi, n, "log")."""
    if isinstance(given, str):
        return given
    try:
        name, lo, hi, points, *scale = given
    except (TypeError, ValueError):
        raise UsageError(f"{what} is {given!r}, expected (name, lo, hi, points) or 'name=LO:HI:N'") from None
    if scale not in ([], ["log"], ["linear"]):
        raise UsageError(f"{what} has scale {scale[0]!r}, expected 'log' or 'linear'")
    log = "log:" if scale == ["log"] else ""
    return f"{name}={log}{expression(what, lo)}:{expression(what, hi)}:{int(points)}"


def ranges(what: str, given: Any, points: bool) -> list[str]:
    """Ranges of an ensemble: a dictionary name -> (lo, hi) or (lo, hi, n), with "log" at the end for orders of magnitude."""
    if given is None:
        return []
    if isinstance(given, str):
        return [given]
    if not isinstance(given, Mapping):
        return [str(text) for text in given]
    found = []
    for name, ends in given.items():
        wanted = "(lo, hi, points)" if points else "(lo, hi)"
        try:
            ends = tuple(ends)
        except TypeError:
            raise UsageError(f"{what}[{name!r}] is {ends!r}, expected {wanted}") from None
        log = "log:" if ends[-1:] == ("log",) else ""
        numbers = ends[:-1] if log else ends
        if len(numbers) != (3 if points else 2):
            raise UsageError(f"{what}[{name!r}] is {ends!r}, expected {wanted}, and 'log' after it if you like")
        parts = [expression(name, x) for x in numbers[:2]] + [str(int(n)) for n in numbers[2:]]
        found.append(f"{name}={log}" + ":".join(parts))
    return found
