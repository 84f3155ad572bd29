"""A rod in two guides that hold its ends by forces of either sign (Painlevé and Klein): its equation of moments."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route


def guide_forces(case: Case) -> list[float]:
    """Forces N of the lower guide on the rod, upwards (-N at the upper one), that balance moments and forces, for either sign."""
    n = case.numbers()
    s, c = math.sin(n["theta_0"]), math.cos(n["theta_0"])
    found = []
    for sign in (1, -1):
        # ends at r (c, -s) and r (-c, s), friction against a slip forwards; moments about the centre
        lower = n["r"] * (c - s * n["mu_1"] * sign)
        upper = n["r"] * (c + s * n["mu_2"] * sign)
        force = -n["T"] / (lower + upper)
        if force * sign > 0:
            found.append(force)
    return found


def moments(case: Case, force: float) -> float:
    """What is left of the moments for a force of the guides, from cross products."""
    n = case.numbers()
    arm = n["r"] * np.array([math.cos(n["theta_0"]), -math.sin(n["theta_0"])])
    lower = np.array([-n["mu_1"] * abs(force), force])
    upper = np.array([-n["mu_2"] * abs(force), -force])
    turn = lambda a, f: a[0] * f[1] - a[1] * f[0]  # noqa: E731
    return turn(arm, lower) + turn(-arm, upper) + n["T"]


@route("klein_rod_slides", "sign by sign")
def _(case: Case) -> float:
    (force,) = guide_forces(case)
    assert abs(moments(case, force)) < 1e-12
    return 1 + 6 - 1.1 * abs(force)


@route("klein_rod_slides", "closed form")
def _(case: Case) -> float:
    load = 1 / (1 - 0.9 * math.sqrt(0.75))
    return 7 - 1.1 * load


@route("klein_rod_without_force", "sign by sign", within=0)
def _(case: Case) -> float:
    assert guide_forces(case) == []
    return 0.0


@route("klein_rod_without_force", "closed form", within=0)
def _(case: Case) -> float:
    """The moments are linear for either sign of the force: largest at its change, where the torque alone is left."""
    left = [moments(case, force) for force in (-1e3, -1.0, 0.0, 1.0, 1e3)]
    assert max(left) == left[2] < 0
    return 0.0
