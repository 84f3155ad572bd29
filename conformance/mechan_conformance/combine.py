"""Coefficients of single things from which an engine's rule of combination gives what a case asks of each pair."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

import numpy as np

from .world import Pair

Value = Callable[[float], float]
SAME: Value = lambda value: value
MEANS: dict[str, tuple[Value, Value]] = {
    "product": (np.log, lambda mean: np.exp(mean / 2)),
    "geometric": (np.log, np.exp),
    "harmonic": (lambda mu: 1 / mu, lambda mean: 1 / mean),
    "arithmetic": (SAME, SAME),
}
"""What of the pair is the mean of two values, and the coefficient of a thing that has such a value."""


def combined(rule: str, a: float, b: float) -> float:
    """The pair's coefficient by `smaller`, `larger`, `product`, `geometric`, `harmonic` 2ab/(a+b) or `arithmetic`."""
    if rule in ("smaller", "larger"):
        return min(a, b) if rule == "smaller" else max(a, b)
    if rule == "arithmetic":
        return (a + b) / 2
    product = a * b
    if rule == "harmonic":
        return 2 * product / (a + b) if product > 0 else 0.0
    return product if rule == "product" else float(np.sqrt(product))


def of_things(rule: str, pairs: Iterable[Pair], what: str = "friction") -> dict[str, float] | None:
    """A coefficient for each thing, so that every pair has its own, or None if the rule does not allow it."""
    wanted = {(pair.a, pair.b): float(getattr(pair, what)) for pair in pairs}
    if not wanted:
        return {}
    if len(set(wanted.values())) == 1:
        one = next(iter(wanted.values()))
        found = dict.fromkeys((name for pair in wanted for name in pair), np.sqrt(one) if rule == "product" else one)
    elif rule in ("smaller", "larger"):
        found = _extremes(rule, wanted)
    else:
        found = _by_mean(rule, wanted)
    fits = all(abs(combined(rule, found[a], found[b]) - mu) < 1e-9 * (1 + mu) for (a, b), mu in wanted.items())
    return {name: float(value) for name, value in found.items()} if fits else None


def _extremes(rule: str, wanted: dict[tuple[str, str], float]) -> dict[str, float]:
    outer: Any = max if rule == "smaller" else min
    names = {name for pair in wanted for name in pair}
    return {name: outer(mu for pair, mu in wanted.items() if name in pair) for name in names}


def _by_mean(rule: str, wanted: dict[tuple[str, str], float]) -> dict[str, float]:
    """Least squares of the means; things that only slide without friction have zero."""
    function, inverse = MEANS[rule]
    names = sorted({name for pair in wanted for name in pair})
    zero_matters = rule != "arithmetic"
    smooth = {n for n in names if zero_matters and all(mu == 0 for pair, mu in wanted.items() if n in pair)}
    rows = {pair: mu for pair, mu in wanted.items() if mu > 0 or not zero_matters}
    matrix = [[(name in pair) / 2 for name in names] for pair in rows]
    means = np.linalg.lstsq(np.array(matrix), np.array([function(mu) for mu in rows.values()]), rcond=None)[0]
    return {n: 0.0 if n in smooth else float(inverse(mean)) for n, mean in zip(names, means, strict=True)}
