"""Impacts: impulse by impulse, in small parts with Coulomb's law for each, beside closed forms."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .motions import integrate


def strike(matrix: np.ndarray, u: float, v: float, mu: float, e: float) -> tuple[float, float]:
    """Impulses (T, N) of one contact with tip velocity (u, v < 0): darboux-keller over the normal impulse.

    `matrix` gives the change of (u, v) by (T, N). Newton's law ends the impact at -e v.
    """
    tangential, normal, end = 0.0, 0.0, -e * v

    def direction(u: float) -> float:
        """Impulse of friction for a unit of normal impulse."""
        if u != 0:
            return -math.copysign(mu, u)
        hold = -matrix[0, 1] / matrix[0, 0]
        return max(-mu, min(mu, hold))

    for _ in range(10):
        ratio = direction(u)
        du, dv = matrix @ [ratio, 1.0]
        part = (end - v) / dv
        stops = u != 0 and u * du < 0 and -u / du < part
        part = -u / du if stops else part
        tangential, normal = tangential + ratio * part, normal + part
        u, v = (0.0 if stops else u + du * part), v + dv * part
        if not stops and u == 0 and du != 0:
            u = du * part
        if v >= end - 1e-15:
            break
    return tangential, normal


def ball_after(case: Case) -> tuple[float, float]:
    """Speed along the floor and spin of the ball after its first impact, which integration of its fall finds."""
    n, radius = case.numbers(), 0.1
    _, (_, fall) = integrate(lambda t, y: [y[1], -n["g"]], [n["height"], 0.0], 5, lambda t, y: y[0])
    spin = n.get("spin", 0.0)
    tangential, _ = strike(np.diag([3.5, 1.0]), n["v0"] - radius * spin, fall, n["mu"], n["e"])
    return n["v0"] + tangential, spin - tangential / (0.4 * radius)


@route("ball_oblique_impact_slips", "impulse by impulse")
def _(case: Case) -> float:
    return ball_after(case)[0]


@route("ball_with_backspin_bounces_back", "impulse by impulse")
def _(case: Case) -> float:
    speed, spin = ball_after(case)
    assert abs(speed - 0.1 * spin) < 1e-12, "it rolls after the impact"
    return speed


@route("ball_oblique_impact_slips", "closed form")
def _(case: Case) -> float:
    fall = math.sqrt(2 * 9.81 * 0.5)
    assert 3 > 3.5 * 0.1 * 1.6 * fall, "it slips to the end"
    return 3 - 0.16 * fall


@route("ball_with_backspin_bounces_back", "closed form")
def _(case: Case) -> float:
    momentum = 0.1 * 1 + 0.004 * -40  # about the point of contact
    return momentum / (0.1 + 0.004 / 0.1)


def rod_matrix(theta: float) -> np.ndarray:
    """Change of the velocity of a rod's lower left end (m = 1, l = 1/2) by an impulse on it."""
    arm = 0.5 * np.array([-math.cos(theta), -math.sin(theta)])
    turn = np.array([-arm[1], arm[0]])  # velocity of the end by rotation, and torque of an impulse
    return np.eye(2) + np.outer(turn, turn) * 12


@route("rod_tip_impact", "closed form")
def _(case: Case) -> float:
    c, fall = math.cos(0.6), math.sqrt(2 * 9.81 * 0.3)
    impulse = 1.6 * fall / (1 + (0.5 * c) ** 2 * 12)
    return impulse * 0.5 * c * 12


@route("rod_tip_impact", "impulse by impulse")
def _(case: Case) -> float:
    n = case.numbers()
    _, (_, fall) = integrate(lambda t, y: [y[1], -n["g"]], [n["height"], 0.0], 5, lambda t, y: y[0])
    matrix = rod_matrix(n["theta0"])
    _, normal = strike(matrix, 0.0, fall, 0.0, n["e"])
    return 12 * 0.5 * math.cos(n["theta0"]) * normal


@route("rod_slip_reverses_in_impact", "closed form")
def _(case: Case) -> float:
    s, c = math.sin(0.6), math.cos(0.6)
    toward, back = 3 * s * c + 0.3 * (1 + 3 * s * s), 3 * s * c - 0.3 * (1 + 3 * s * s)
    assert back > 0, "friction cannot hold the end where slip ends"
    first = 1 / toward
    second = (3 - first * (1 + 3 * c * c + 0.9 * s * c)) / (1 + 3 * c * c - 0.9 * s * c)
    assert second > 0, "slip ends before the approach does"
    return 1 + 0.3 * (second - first)


@route("rod_slip_reverses_in_impact", "impulse by impulse", within=1e-5)
def _(case: Case) -> float:
    n, parts = case.numbers(), 200000
    matrix, u, v, total = rod_matrix(n["theta0"]), n["v0"], -n["w0"], n["v0"]
    part = n["w0"] / parts
    while v < 0:
        friction = -math.copysign(n["mu"], u) * part
        u += matrix[0, 0] * friction + matrix[0, 1] * part
        v += matrix[1, 0] * friction + matrix[1, 1] * part
        total += friction
    return total


@route("ball_bounces_come_to_an_end", "closed form")
def _(case: Case) -> float:
    fall = math.sqrt(2 * 0.5 / 9.81)
    return fall + 2 * fall * 0.7 / (1 - 0.7)


@route("ball_bounces_come_to_an_end", "bounce by bounce")
def _(case: Case) -> float:
    n = case.numbers()
    speed = math.sqrt(2 * 9.81 * n["height"])
    total = speed / 9.81
    while speed > 1e-13:
        speed *= n["e"]
        total += 2 * speed / 9.81
    return total


@route("block_falls_flat", "closed form")
def _(case: Case) -> float:
    fall = math.sqrt(2 * 9.81 * 0.2)
    return 2.5 * fall / 9.81 + (2.5 - 0.4 * fall) ** 2 / (0.8 * 9.81)


@route("block_falls_flat", "impulse by impulse")
def _(case: Case) -> float:
    n = case.numbers()
    t, (_, fall) = integrate(lambda t, y: [y[1], -n["g"]], [n["height"], 0.0], 5, lambda t, y: y[0])
    # normal impulses of both ends: they stop the fall of the centre and give no rotation
    sum_and_torque = np.array([[1.0, 1.0], [-0.1 + n["mu"] * -0.05, 0.1 + n["mu"] * -0.05]])
    normal = np.linalg.solve(sum_and_torque, [-fall, 0.0])
    assert (normal > 0).all()
    speed = n["v0"] - n["mu"] * normal.sum()
    _, (slide, _) = integrate(lambda t, y: [y[1], -n["mu"] * n["g"]], [0.0, speed], 5, lambda t, y: y[1])
    return n["v0"] * t + slide
