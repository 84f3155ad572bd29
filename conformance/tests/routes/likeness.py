"""The same motion said otherwise: both runs by hand, and their difference."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .motions import integrate


def dragged(case: Case, order: int = 1) -> float:
    """How far the lower of two blocks comes in half a second; unknowns of the equations in the given order."""
    n = case.numbers()
    up, down = 2.0, 1.0
    drag, floor = n["mu"] * up * 9.81, n["nu"] * (up + down) * 9.81
    slip = np.array([-drag / up, (drag - floor) / down])[::order]

    def stop(t: float, y: np.ndarray) -> float:
        speeds = y[2:][::order]
        return speeds[0] - speeds[1]

    t1, state = integrate(lambda t, y: [*y[2:], *slip], [0.0, 0.0, *np.array([n["v0"], 0.0])[::order]], 0.5, stop)
    assert t1 < 0.5
    _, state = integrate(lambda t, y: [*y[2:], -floor / (up + down), -floor / (up + down)], list(state), 0.5 - t1)
    return float(state[:2][::order][1])


@route("block_drags_the_one_below", "integration")
def _(case: Case) -> float:
    return dragged(case)


@route("block_drags_the_one_below", "closed form")
def _(case: Case) -> float:
    pull, g = 0.4 * 9.81, 9.81
    t1 = 2 / (0.5 * g + pull)
    speed, left = pull * t1, 0.5 - t1
    assert speed > 0.2 * g * left, "both still move"
    return speed * t1 / 2 + left * (speed + speed - 0.2 * g * left) / 2


@route("order_of_bodies", "integration", within=1e-12)
def _(case: Case) -> float:
    return dragged(case, -1) - dragged(case)


@route("order_of_bodies", "closed form", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    assert n["mu"] * 2 > n["nu"] * 3, "the lower block moves, by forces that nothing but the law determines"
    return 0.0


@route("turned_world", "closed form", within=1e-14)
def _(case: Case) -> float:
    """Deceleration by the tangential part of forces in turned axes."""
    ways = []
    for beta in (0.0, 0.9):
        along, normal = np.array([math.cos(beta), math.sin(beta)]), np.array([-math.sin(beta), math.cos(beta)])
        gravity = -9.81 * normal
        force = gravity - (gravity @ normal) * normal - 0.4 * 9.81 * along
        ways.append(2.0**2 / (2 * -(force @ along)))
    return ways[1] - ways[0]


@route("turned_world", "integration", within=1e-12)
def _(case: Case) -> float:
    ways = []
    for beta in (0.0, 0.9):
        along = np.array([math.cos(beta), math.sin(beta)])
        rate = lambda t, y, along=along: [*y[2:], *(-0.4 * 9.81 * along)]  # noqa: E731
        _, end = integrate(rate, [0, 0, *(2 * along)], 1, lambda t, y, along=along: y[2:] @ along)
        ways.append(end[:2] @ along)
    return float(ways[1] - ways[0])


@route("lengths_in_millimetres", "closed form", within=1e-14)
def _(case: Case) -> float:
    return 2000.0**2 / (2 * 0.4 * 9810) / 1000 - 2.0**2 / (2 * 0.4 * 9.81)


@route("lengths_in_millimetres", "integration", within=1e-11)
def _(case: Case) -> float:
    ways = [
        integrate(lambda t, y, size=size: [y[1], -0.4 * 9.81 * size], [0.0, 2.0 * size], 1, lambda t, y: y[1])[1][0] / size
        for size in (1, 1000)
    ]
    return ways[1] - ways[0]


@route("same_run_twice", "by definition", within=0)
def _(case: Case) -> float:
    assert case.second().data == {key: value for key, value in case.data.items() if key != "again"}
    return 0.0


@route("same_run_twice", "time steps twice", within=0)
def _(case: Case) -> float:
    from .conserved import box_in_steps

    return box_in_steps(case)[1] - box_in_steps(case)[1]
