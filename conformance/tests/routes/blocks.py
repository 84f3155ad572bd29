"""Blocks on slopes: Newton's law by hand, and integration with friction as what stops slip."""

from __future__ import annotations

import math

from mechan_conformance.case import Case

from . import route
from .motions import integrate


def slide(case: Case, end: float) -> tuple[float, float, float]:
    """Time at which it stops (or the end), distance and speed of a block; it moves on only if gravity exceeds friction."""
    n = case.numbers()
    pull, grip = n["g"] * math.sin(n.get("alpha", 0)), n["mu"] * n["g"] * math.cos(n.get("alpha", 0))
    speed = n.get("v0", 0.0)
    if speed == 0 and pull <= grip:
        return 0.0, 0.0, 0.0
    t, (s, v) = integrate(lambda t, y: [y[1], pull - grip], [0.0, speed], end, lambda t, y: y[1] if t > 0 else 1.0)
    return t, s, v


@route("block_below_friction_angle", "integration")
def _(case: Case) -> float:
    return slide(case, 2)[1]


@route("block_above_friction_angle", "integration")
def _(case: Case) -> float:
    return slide(case, 2)[1]


@route("block_stop_distance", "integration")
def _(case: Case) -> float:
    return slide(case, 1)[1]


@route("block_stop_time", "integration")
def _(case: Case) -> float:
    return slide(case, 1)[0]


@route("block_below_friction_angle", "closed form", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    assert math.tan(n["alpha"]) < n["mu"], "the force that balances gravity lies within the cone"
    assert 0.1 / 0.2 > n["mu"] / 2, "its line of action meets the base: the block does not tip"
    return 0.0


@route("block_above_friction_angle", "closed form")
def _(case: Case) -> float:
    n = case.numbers()
    slope = math.tan(n["alpha"])
    return 2 * 9.81 * (slope - 0.6) / math.sqrt(1 + slope**2)


@route("block_stop_distance", "closed form")
def _(case: Case) -> float:
    energy = 2.0**2 / 2
    return energy / (0.4 * 9.81)


@route("block_stop_time", "closed form")
def _(case: Case) -> float:
    return 2 / (0.4 * 9.81)
