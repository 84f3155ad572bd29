"""Wheels and balls that roll and slip."""

from __future__ import annotations

import cmath
import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .motions import integrate


def roll(case: Case, end: float) -> tuple[float, float]:
    """Way and clockwise rate of a round body, from slip to rolling if friction is enough for that."""
    n = case.numbers()
    m, radius, inertia = n["m"], n["R"], n["kappa"] * n["m"] * n["R"] ** 2
    pull = n["g"] * math.sin(n.get("alpha", 0.0))
    limit, brake = n["mu"] * m * n["g"] * math.cos(n.get("alpha", 0.0)), n.get("brake", 0.0)

    def motion(friction: float, start: np.ndarray, time: float, sign: float = 0.0) -> tuple[float, np.ndarray]:
        rates = [pull + friction / m, (-friction * radius - brake) / inertia]
        stop = (lambda t, y: sign * (y[1] - radius * y[2])) if sign else None
        return integrate(lambda t, y: [y[1], *rates], start, time, stop)

    state, t = np.array([0.0, n.get("v0", 0.0), n.get("omega0", 0.0)]), 0.0
    slip = state[1] - radius * state[2]
    if abs(slip) > 1e-12:
        t, state = motion(-math.copysign(limit, slip), state, end, math.copysign(1, slip))
    if t < end:
        # no slip: pull + F/m = -(F R + brake) R/inertia
        needed = -(pull + brake * radius / inertia) / (1 / m + radius**2 / inertia)
        _, state = motion(max(-limit, min(limit, needed)), state, end - t)
    return float(state[0]), float(state[2])


@route("ball_slips_down_steep_slope", "integration")
def _(case: Case) -> float:
    return roll(case, 1)[0]


@route("cylinder_slips_down_steep_slope", "integration")
def _(case: Case) -> float:
    return roll(case, 0.8)[1]


@route("cylinder_rolls_down_slope", "integration")
def _(case: Case) -> float:
    return roll(case, 1)[1]


@route("hollow_ball_rolls_down_slope", "integration")
def _(case: Case) -> float:
    return roll(case, 1.5)[0]


@route("ball_with_backspin_returns", "integration")
def _(case: Case) -> float:
    return roll(case, 2)[0]


@route("braked_wheel_keeps_rolling", "integration")
def _(case: Case) -> float:
    return roll(case, 0.7)[1]


@route("braked_wheel_slips", "integration")
def _(case: Case) -> float:
    return roll(case, 0.7)[1]


@route("ball_slips_down_steep_slope", "closed form")
def _(case: Case) -> float:
    assert case.numbers()["mu"] < 2 / 7 * math.tan(0.6)
    return 9.81 * math.cos(0.6) * (math.tan(0.6) - 0.13) / 2


@route("cylinder_slips_down_steep_slope", "closed form")
def _(case: Case) -> float:
    """Impulse of friction times radius over inertia."""
    assert case.numbers()["mu"] < math.tan(0.5) / 3
    impulse = 0.12 * 2 * 9.81 * math.cos(0.5) * 0.8
    return impulse * 0.08 / (2 * 0.08**2 / 2)


@route("cylinder_rolls_down_slope", "closed form")
def _(case: Case) -> float:
    """Angular momentum about a point of the slope: m g R sin(alpha) t = (m R + m R/2) R omega."""
    assert case.numbers()["mu"] > math.tan(0.5) / 3
    return 9.81 * math.sin(0.5) / (1.5 * 0.08)


@route("hollow_ball_rolls_down_slope", "closed form")
def _(case: Case) -> float:
    """Energy: m g s sin(alpha) = (1 + 2/3) m v^2/2, and v = 2 s/t of uniform acceleration."""
    assert case.numbers()["mu"] > 2 / 5 * math.tan(0.45)
    return 9.81 * math.sin(0.45) * 1.5**2 / (2 * (1 + 2 / 3))


@route("ball_with_backspin_returns", "closed form")
def _(case: Case) -> float:
    """Angular momentum about a point of the table gives the speed of rolling, the mean speed the way before it."""
    rolling = (1 - 2 / 5 * 0.1 * 50) / (7 / 5)
    time = (1 - rolling) / (0.2 * 9.81)
    return (1 + rolling) / 2 * time + rolling * (2 - time)


@route("braked_wheel_keeps_rolling", "closed form")
def _(case: Case) -> float:
    """Momentum: the only force along the road is friction."""
    n = case.numbers()
    friction = n["brake"] / (0.3 * 1.6)
    assert friction < n["mu"] * 8 * 9.81
    return (6 - friction / 8 * 0.7) / 0.3


@route("braked_wheel_slips", "closed form")
def _(case: Case) -> float:
    """Rate of slip: 1.03 (1 + kappa) - 1 parts of mu g/(kappa R)."""
    found = 6 / 0.3 - (1.03 * 1.6 - 1) * 0.7 * 9.81 / (0.6 * 0.3) * 0.7
    assert 0 < found * 0.3 < 6 - 0.7 * 9.81 * 0.7, "it slips, and still turns forward"
    return found


@route("ball_on_turntable_circles", "closed form")
def _(case: Case) -> float:
    """Places as complex numbers: acceleration is i times 2/7 of the rate times velocity."""
    turn = 2j / 7 * 7
    return (0.3j * (cmath.exp(turn * 2) - 1) / turn).imag


@route("ball_on_turntable_circles", "integration")
def _(case: Case) -> float:
    """Newton and Euler with the force that keeps slip at zero, from its rate."""
    n = case.numbers()
    m, radius, turn = n["m"], n["R"], n["turn"]
    inertia = 0.4 * m * radius**2

    def force(y: np.ndarray) -> np.ndarray:
        # slip: (vx - R wy + turn y, vy + R wx - turn x); its rate is F (1/m + R^2/inertia) + turn (vy, -vx)
        return -turn * np.array([y[3], -y[2]]) / (1 / m + radius**2 / inertia)

    def rate(t: float, y: np.ndarray) -> list[float]:
        fx, fy = force(y)
        return [y[2], y[3], fx / m, fy / m, radius * fy / inertia, -radius * fx / inertia]

    start = [n["x0"], 0.0, 0.0, n["v0"], (turn * n["x0"] - n["v0"]) / radius, 0.0]
    y = integrate(rate, start, 2)[1]
    slip = [y[2] - radius * y[5] + turn * y[1], y[3] + radius * y[4] - turn * y[0]]
    assert np.abs(slip).max() < 1e-9
    assert np.linalg.norm(force(y)) < n["mu"] * m * n["g"], "it does not slip"
    return float(y[1])
