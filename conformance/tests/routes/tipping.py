"""Boxes and rods that stand, tip, topple and rock."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .contacts import Turning, after, sliding, step_from_rest, turn_about
from .motions import integrate
from .sticking import box_mass, feet


def fallen(start: str, rate: tuple[str, ...], end: str) -> float:
    """Angle from its upright of a pendulum let go near it: theta'' = p^2 sin(theta); p^2 the product of `rate`."""
    from mpmath import acos, cos, ellipfun, mpf, sqrt

    square = mpf(1)
    for factor in rate:
        square *= mpf(factor)
    k = cos(mpf(start) / 2)
    return 2 * acos(k * ellipfun("cd", sqrt(square) * mpf(end), m=k**2))


def same(case: Case, value: object) -> float:
    """The number, which has all the digits of the case."""
    from mpmath import mpf

    assert abs(value - mpf(case.data["exact"])) < mpf("1e-25")
    return float(value)


def box_turns(case: Case, end: float, push: float = 0.0) -> Turning:
    """The box about its front corner, from rest on both corners."""
    n = case.numbers()
    w, h, m, g, alpha = n["w"], n["h"], n.get("m", 1.0), n["g"], n.get("alpha", 0.0)
    tilt = n.get("tilt", 0.0)

    def load(theta: float) -> tuple[np.ndarray, float]:
        lever = math.sin(theta) * -w / 2 + math.cos(theta) * (n.get("c", 0.0) - h / 2)  # height of the push
        return np.array([m * g * math.sin(alpha) + push, -m * g * math.cos(alpha)]), -push * lever

    stop = -1e-13 if tilt else None
    found = turn_about([w / 2, -h / 2], m, m * (w**2 + h**2) / 12, load, -tilt, end, stop)
    assert found.grip < n["mu"], "the corner stays"
    return found


@route("pushed_box_slides", "closed form")
def _(case: Case) -> float:
    n = case.numbers()
    inside = (n["push"] * (n["c"] - n["h"] / 2) + n["mu"] * n["m"] * 9.81 * n["h"] / 2) / (n["m"] * 9.81)
    assert abs(inside - 0.98 * n["w"] / 2) < 1e-12, "the floor bears it inside the base"
    return 0.32 * (n["push"] / 1.7 - 0.3 * 9.81)


@route("pushed_box_slides", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    size = [n["w"], n["h"]]
    force = np.array([n["push"], -n["m"] * n["g"], -n["push"] * (n["c"] - n["h"] / 2)])
    found, loads = sliding(box_mass(n["m"], size), force, feet(size, n["mu"]), [np.array([1.0])] * 2)
    assert loads.min() > 0, "both corners bear"
    return float(integrate(lambda t, y: [y[1], found[0]], [0.0, 0.0], 0.8)[1][0])


@route("pushed_box_tips", "Jacobi's functions", within=1e-15)
def _(case: Case) -> float:
    """Push and weight are one field whose direction is fixed in the box's turning: a pendulum."""
    from mpmath import atan2, hypot, mpf, workdps

    with workdps(40):
        weight, w, h, c = mpf("1.7") * mpf("9.81"), mpf("0.2"), mpf("0.5"), mpf("0.4")
        push = mpf("1.02") * weight * w / (2 * c)
        level, upright = push * w + weight * h / 2, push * c - weight * w / 2
        inertia = mpf("1.7") * (w**2 + h**2) / 3
        start = atan2(upright, level)
        return same(case, fallen(start, (hypot(level, upright) / inertia,), "0.8") - start)


@route("pushed_box_tips", "integration")
def _(case: Case) -> float:
    return -box_turns(case, 0.8, case.numbers()["push"]).angle


@route("box_on_slope_topples", "Jacobi's functions", within=1e-15)
def _(case: Case) -> float:
    from mpmath import mpf, sqrt, workdps

    with workdps(40):
        half = sqrt(mpf("0.2") ** 2 + mpf("0.5") ** 2) / 2
        return same(case, fallen("0.01", (3 * mpf("9.81") / (4 * half),), "0.9") - mpf("0.01"))


@route("box_on_slope_topples", "integration")
def _(case: Case) -> float:
    return -box_turns(case, 0.9).angle


@route("box_on_slope_stands", "force balance", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    inside = math.tan(n["alpha"]) * n["h"] / 2
    assert abs(inside - 0.98 * n["w"] / 2) < 1e-12
    assert math.tan(n["alpha"]) < n["mu"]
    return 0.0


@route("box_on_slope_stands", "time step")
def _(case: Case) -> float:
    n = case.numbers()
    size, force = [n["w"], n["h"]], n["g"] * np.array([math.sin(n["alpha"]), -math.cos(n["alpha"]), 0])
    return -2 * float(step_from_rest(box_mass(1, size), force, feet(size, n["mu"]))[2])


@route("rocking_block_strikes", "elliptic integral", within=1e-15)
def _(case: Case) -> float:
    from mpmath import asin, atan, cos, ellipf, ellipk, mpf, sqrt, workdps

    with workdps(40):
        w, h, tilt = mpf("0.2"), mpf("0.5"), mpf("0.2")
        flat, rate = atan(w / h), sqrt(3 * mpf("9.81") / (2 * sqrt(w**2 + h**2)))
        k = cos((flat - tilt) / 2)
        return same(case, (ellipk(k**2) - ellipf(asin(cos(flat / 2) / k), k**2)) / rate)


@route("rocking_block_strikes", "integration")
def _(case: Case) -> float:
    return box_turns(case, 0.6).t


@route("rocking_block_loses_energy", "closed form")
def _(case: Case) -> float:
    """Angular momentum about the new edge: that of the centre's motion, less twice the part across."""
    w, h, tilt = 0.2, 0.5, 0.2
    spin, arm = (w**2 + h**2) / 12, (w**2 + h**2) / 4
    share = ((spin + arm - 2 * (w / 2) ** 2) / (spin + arm)) ** 2
    return -9.81 * (w / 2 * math.sin(tilt) - h / 2 * (1 - math.cos(tilt))) * (1 - share)


@route("rocking_block_loses_energy", "impact with impulses")
def _(case: Case) -> float:
    n = case.numbers()
    found = box_turns(case, 0.6)
    size = [n["w"], n["h"]]
    mass = box_mass(n["m"], size)
    before = found.rate * np.array([-n["h"] / 2, -n["w"] / 2, 1])
    behind = after(mass, before, feet(size, n["mu"]))
    assert behind[2] > 0
    assert feet(size, n["mu"])[1].normal @ behind > 0, "the old edge lifts"
    # rocking up to rest and back takes longer than the time of the question
    assert found.t < 0.4 < 2 * found.t + 0.05
    return float(behind @ mass @ behind - before @ mass @ before) / 2


@route("rod_falls_over_its_foot", "Jacobi's functions", within=1e-15)
def _(case: Case) -> float:
    from mpmath import mpf, workdps

    with workdps(40):
        return same(case, fallen("0.05", (3 * mpf("9.81") / mpf("1.6"),), "0.8") - mpf("0.05"))


@route("rod_falls_over_its_foot", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    gravity = np.array([0, -n["m"] * n["g"]])
    found = turn_about(
        [0, -n["l"] / 2], n["m"], n["m"] * n["l"] ** 2 / 12, lambda theta: (gravity, 0.0), -n["tilt"], 0.8
    )
    assert found.grip < n["mu"], "the foot stays"
    return -found.angle - n["tilt"]
