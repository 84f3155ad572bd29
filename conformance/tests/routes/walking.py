"""A wheel of eight spokes that walks down a slope: l = 0.3, inertia half of m l^2, slope 0.2."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mechan_conformance.case import Case

from . import route
from .hinged import Rigid
from .motions import integrate

HALF = math.pi / 8


def stance(angle: float, rate: float, chi: float) -> np.ndarray:
    """Acceleration of the angle from the slope's normal, and force of the foot along and normal to the slope (m = 1)."""
    wheel, length, g = Rigid(1, 0.5 * 0.3**2, (0, 0.3)), 0.3, 9.81
    arm = length * np.array([math.sin(angle), math.cos(angle)])  # from the foot to the hub
    ahead = np.array([arm[1], -arm[0]])
    matrix = np.zeros((3, 3))
    matrix[:2, 0], matrix[:2, 1:] = ahead, -np.eye(2)
    matrix[2] = wheel.inertia, arm[1], -arm[0]  # torque of the foot's force, clockwise: turn about the hub
    load = np.array([g * math.sin(chi), -g * math.cos(chi)]) + rate**2 * arm
    return np.linalg.solve(matrix, [*load, 0])


def strike(rate: float) -> float:
    """Rate after the next foot has struck, by impulses at that foot alone; they must lie inside the cone, and the other foot must rise."""
    length = 0.3
    before = rate * length * np.array([math.cos(HALF), -math.sin(HALF)])  # of the hub
    arm = length * np.array([-math.sin(HALF), math.cos(HALF)])  # from the new foot to the hub
    ahead = np.array([arm[1], -arm[0]])
    # hub: v = before + P; turn about it: w = rate + torque; the new foot rests: v = w ahead
    torque = np.array([-arm[1], arm[0]]) / 0.045
    matrix = np.zeros((3, 3))
    matrix[:2, 0], matrix[:2, 1:] = ahead, -np.eye(2)
    matrix[2] = 1, *-torque
    after, along, up = np.linalg.solve(matrix, [*before, rate])
    assert up > 0 and abs(along) < 0.8 * up, "it sticks"
    assert after > 0, "the other foot rises"
    return after


@route("rimless_wheel_walks", "integration", within=1e-8)
def _(case: Case) -> float:
    n, t, angle, rate, turned = case.numbers(), 0.0, 0.0, case.numbers()["rate"], 0.0
    while t < 1.5:

        def move(_: float, y: np.ndarray) -> list[float]:
            spin, along, up = stance(y[0], y[1], n["chi"])
            assert up > 0 and abs(along) < n["mu"] * up, "the foot sticks"
            return [y[1], spin]

        start = angle
        passed, (angle, rate) = integrate(move, [angle, rate], 1.5 - t, lambda t, y: HALF - y[0])
        t, turned = t + passed, turned + angle - start
        if t < 1.5 - 1e-12:
            angle, rate = -HALF, strike(rate)
    return turned


@route("rimless_wheel_walks", "energy", within=1e-12)
def _(case: Case) -> float:
    """Rate over the angle by energy, time as its integral; a strike leaves (cos(pi/4) + j)/(1 + j) of the rate."""
    import mpmath

    with mpmath.workdps(30):
        g, length, share, chi = (mpmath.mpf(one) for one in ("9.81", "0.3", "0.5", "0.2"))
        half = mpmath.pi / 8
        keep = (mpmath.cos(2 * half) + share) / (1 + share)

        def square(angle: Any, start: Any, rate: Any) -> Any:
            return rate**2 + 2 * g / (length * (1 + share)) * (mpmath.cos(start + chi) - mpmath.cos(angle + chi))

        def time(end: Any, start: Any, rate: Any) -> Any:
            return mpmath.quad(lambda angle: 1 / mpmath.sqrt(square(angle, start, rate)), [start, end])

        left, start, rate, turned = mpmath.mpf("1.5"), mpmath.mpf(0), mpmath.mpf(3), mpmath.mpf(0)
        while time(half, start, rate) < left:
            left -= time(half, start, rate)
            turned += half - start
            start, rate = -half, keep * mpmath.sqrt(square(half, start, rate))
        end = mpmath.findroot(lambda angle: time(angle, start, rate) - left, (start + left * rate, start + left * rate / 2))
        return turned + end - start
