"""Balls that roll, slip and bounce."""

from __future__ import annotations

import math

from mechan_conformance.case import Case

from . import route
from .motions import integrate


@route("ball_rolls_down_slope", "closed form")
def _(case: Case) -> float:
    """Energy: m g s sin(alpha) = (1 + 2/5) m v^2/2, and v = 2 s/t of uniform acceleration."""
    return 9.81 * math.sin(0.3) * 1**2 / (2 * (1 + 2 / 5))


@route("ball_rolls_down_slope", "integration", within=1e-6)
def _(case: Case) -> float:
    """Newton and Euler with a friction that grows with slip up to mu N, so stiff that slip is as good as none."""
    n, radius, stiff = case.numbers(), 0.1, 1e7
    g, alpha, mu = n["g"], n["alpha"], n["mu"]

    def rate(t: float, y: list[float]) -> list[float]:
        slip = y[1] - radius * y[2]
        friction = -mu * g * math.cos(alpha) * max(-1.0, min(1.0, stiff * slip))
        return [y[1], g * math.sin(alpha) + friction, -friction / (0.4 * radius)]

    from scipy.integrate import solve_ivp

    return float(solve_ivp(rate, (0, 1), [0, 0, 0], method="Radau", rtol=1e-9, atol=1e-11).y[0, -1])


@route("billiard_ball_from_slip_to_roll", "closed form")
def _(case: Case) -> float:
    """Angular momentum about a point of the table: m v0 R = (m R + 2/5 m R) v."""
    return 2 / (1 + 2 / 5)


@route("billiard_ball_from_slip_to_roll", "integration")
def _(case: Case) -> float:
    n, radius = case.numbers(), 0.1
    force = n["mu"] * n["g"]
    t, (v, _) = integrate(
        lambda t, y: [-force, force / (0.4 * radius)], [n["v0"], 0.0], 1, lambda t, y: y[0] - radius * y[1]
    )
    assert t < 1, "it rolls before the time of the question"
    return v


@route("ball_third_impact", "closed form")
def _(case: Case) -> float:
    fall = math.sqrt(2 * 0.5 / 9.81)
    return fall + 2 * 0.7 * fall + 2 * 0.49 * fall


@route("ball_third_impact", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    total, height, speed = 0.0, n["height"], 0.0
    for _ in range(3):
        t, (_, speed) = integrate(
            lambda t, y: [y[1], -n["g"]], [height, speed], 2, lambda t, y: y[0] if t > 1e-6 else 1.0
        )
        total, height, speed = total + t, 0.0, -n["e"] * speed
    return total


@route("struck_ball_keeps_energy", "closed form")
def _(case: Case) -> float:
    speed = 2 / (1 + 2 / 5)
    return speed**2 * (1 + 2 / 5) / 2


@route("struck_ball_keeps_energy", "integration")
def _(case: Case) -> float:
    """Kinetic energy less the work of friction on the slip, until that ends."""
    force, radius = 0.2 * 9.81, 0.05
    t, (v, _, energy) = integrate(
        lambda t, y: [-force, force / (0.4 * radius), -force * (y[0] - radius * y[1])],
        [2.0, 0.0, 2.0],
        1,
        lambda t, y: y[0] - radius * y[1],
    )
    assert t < 1 and abs(energy - 0.7 * v**2) < 1e-9
    return energy
