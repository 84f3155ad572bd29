"""Ladders, tables and bricks: statics, and equations of motion by hand, integrated in double precision and with 30 digits."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .motions import integrate, integrate_long


def ladder(theta: float, rate: float, mu: float, lib: object = math) -> tuple[float, float, float]:
    """Acceleration of the angle and normal forces of foot and head of a ladder (m = 1, l = 3) that slips down on both ends."""
    half, inertia, g = 3 / lib.mpf(2) if hasattr(lib, "mpf") else 1.5, 9 / 12, 9.81
    g = lib.mpf("9.81") if hasattr(lib, "mpf") else g
    s, c = lib.sin(theta), lib.cos(theta)
    # accelerations: x = half cos, y = half sin. With a = theta'':
    # head - mu foot = x'' ; foot + mu head - g = y'' ; -inertia a = half (c - mu s) foot - half (s + mu c) head
    x0, y0 = -half * c * rate**2, -half * s * rate**2  # without a
    xa, ya = -half * s, half * c
    # foot (1 + mu^2) = y'' + g - mu x'' ; head = x'' + mu foot
    f0, fa = (y0 + g - mu * x0) / (1 + mu**2), (ya - mu * xa) / (1 + mu**2)
    h0, ha = x0 + mu * f0, xa + mu * fa
    k, n = half * (c - mu * s), half * (s + mu * c)
    a = -(k * f0 - n * h0) / (inertia + k * fa - n * ha)
    return a, f0 + fa * a, h0 + ha * a


@route("ladder_slips", "integration")
def _(case: Case) -> float:
    mu = case.numbers()["mu"]
    _, (theta, rate) = integrate(lambda t, y: [y[1], ladder(y[0], y[1], mu)[0]], [math.pi / 3, 0.0], 1)
    assert rate < 0 and min(ladder(theta, rate, mu)[1:]) > 0, "it slips, and both ends touch"
    return 1.5 * (math.cos(theta) - 0.5)


@route("ladder_slips", "integration with 30 digits", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        mu = mpmath.tan(mpmath.pi / 12) - mpmath.mpf("0.02")
        theta, _ = integrate_long(lambda t, y: [y[1], ladder(y[0], y[1], mu, mpmath)[0]], [mpmath.pi / 3, 0], 1)
        return mpmath.mpf("1.5") * (mpmath.cos(theta) - mpmath.mpf("0.5"))


@route("ladder_stands", "statics", within=0)
def _(case: Case) -> float:
    """Forces inside the cones: friction at the head as large as friction at the foot allows, and less than mu."""
    mu = case.numbers()["mu"]
    share = np.linspace(0, mu, 1000)[:-1]  # of the head: up over normal force
    head = 9.81 / (2 * math.tan(math.pi / 3) + 2 * share)  # moments about the foot: g/2 c = head (s + share c)
    foot = 9.81 - share * head
    assert (head < mu * foot).any(), "the floor's friction balances the wall's normal force"
    return 0.0


@route("ladder_stands", "integration", within=0)
def _(case: Case) -> float:
    """Slip from rest would be turned back at once: both ends slip together, and with their friction it is the wrong way."""
    mu = case.numbers()["mu"]
    assert ladder(math.pi / 3, 0.0, mu)[0] > 0
    assert ladder(math.pi / 3, 0.0, -mu)[0] < 0, "nor does it slip up"
    return 0.0


def bricks_balance(case: Case) -> list[float]:
    """How far the centre of what lies above each edge lies behind it, from the top down."""
    n, half = case.numbers(), 0.1
    behind, centre = [], 0.0  # of the centre of what lies above, from the centre of the lowest of it
    for count, name in enumerate(("o_1", "o_2", "o_3"), start=1):
        behind.append(half - n[name] - centre)
        centre = (centre + n[name]) * count / (count + 1)
    return behind


@route("bricks_stand", "statics", within=0)
def _(case: Case) -> float:
    assert min(bricks_balance(case)) > 0
    return 0.0


@route("bricks_stand", "rigid rotation", within=0)
def _(case: Case) -> float:
    """Each group above an edge would be turned back by its weight."""
    n = case.numbers()
    right = 0.0
    centres = []
    for name in ("o_3", "o_2", "o_1"):  # from the table's edge upwards
        right += n[name]
        centres.append(right - 0.1)
    edges = [0.0, n["o_3"], n["o_3"] + n["o_2"]]
    assert all(np.mean(centres[i:]) < edges[i] for i in range(3))
    return 0.0


def stack(case: Case) -> tuple[list[float], list[float], float]:
    """Centre of the three bricks from the table's edge, and their moment of inertia about it over their mass."""
    n, h = case.numbers(), 0.03
    x = [n["o_3"] - 0.1, n["o_3"] + n["o_2"] - 0.1, n["o_3"] + n["o_2"] + n["o_1"] - 0.1]
    y = [h, 3 * h, 5 * h]
    inertia = sum((0.01 + h * h) / 3 + a * a + b * b for a, b in zip(x, y, strict=True)) / 3
    return x, y, inertia


@route("bricks_tip", "integration")
def _(case: Case) -> float:
    x, y, inertia = stack(case)
    assert min(bricks_balance(case)[:2]) > 0 > bricks_balance(case)[2]
    a, b = np.mean(x), np.mean(y)
    _, (angle, _) = integrate(
        lambda t, z: [z[1], 9.81 * (a * math.cos(z[0]) + b * math.sin(z[0])) / inertia], [0.0, 0.0], 0.3
    )
    return angle


@route("bricks_tip", "integration with 30 digits", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        o1, o2, o3, h, a = (mpmath.mpf(one) for one in ("0.096", "0.048", "0.039", "0.03", "0.1"))
        x, y = [o3 - a, o3 + o2 - a, o3 + o2 + o1 - a], [h, 3 * h, 5 * h]
        inertia = a**2 + h**2 + sum(p * p + q * q for p, q in zip(x, y, strict=True))
        g = mpmath.mpf("9.81")
        angle, _ = integrate_long(
            lambda t, z: [z[1], g * (sum(x) * mpmath.cos(z[0]) + sum(y) * mpmath.sin(z[0])) / inertia],
            [0, 0],
            mpmath.mpf("0.3"),
        )
        return angle


@route("table_leg_load", "closed form")
def _(case: Case) -> float:
    """Moments about the line of the two other feet."""
    a, b, c = np.array([0.5, 0.1]), np.array([-0.3, 0.4]), np.array([-0.2, -0.45])
    side = c - b
    area = lambda p: side[0] * (p - b)[1] - side[1] * (p - b)[0]  # noqa: E731
    return 12 * 9.81 * area(np.zeros(2)) / area(a)


@route("table_leg_load", "linear equations")
def _(case: Case) -> float:
    feet = np.array([[0.5, 0.1], [-0.3, 0.4], [-0.2, -0.45]])
    return np.linalg.solve(np.vstack([np.ones(3), feet.T]), [12 * 9.81, 0, 0])[0]


def roll_apart(beta: float, rate: float, mu: float, lib: object = math) -> tuple[float, float]:
    """Acceleration of the angle between vertical and line of centres, and normal force above, of a cylinder (m = 1, R = 0.1)
    that slips down between two which roll."""
    long = hasattr(lib, "mpf")
    g, radius = (lib.mpf("9.81"), lib.mpf("0.1")) if long else (9.81, 0.1)
    s, c = lib.sin(beta), lib.cos(beta)
    # x = 2 R sin beta of the right one, y = 2 R cos beta of the upper one
    push = s - mu * (c + 1)  # 3/2 x'' = push N
    lift = 2 * (c + mu * s)  # y'' = lift N - g
    # N from x'': 3 R (c a - s w^2) = push N; into y'': -2 R (s a + c w^2) = lift N - g
    a = (g * push + rate**2 * radius * (3 * lift * s - 2 * push * c)) / (radius * (3 * lift * c + 2 * push * s))
    return a, 3 * radius * (c * a - s * rate**2) / push


@route("cylinders_part", "integration")
def _(case: Case) -> float:
    mu, start = case.numbers()["mu"], math.asin(0.55)
    _, (beta, rate) = integrate(lambda t, y: [y[1], roll_apart(y[0], y[1], mu)[0]], [start, 0.0], 0.3)
    for angle, speed in ((start, 0.0), (beta, rate)):
        a, force = roll_apart(angle, speed, mu)
        roll = mu * force + 0.1 * (math.cos(angle) * a - math.sin(angle) * speed**2)  # friction of the floor
        floor = 9.81 + force * (math.cos(angle) + mu * math.sin(angle))
        assert force > 0 and abs(roll) < mu * floor, "it touches, and the lower ones roll"
    return 0.2 * math.sin(beta) - 0.11


@route("cylinders_part", "integration with 30 digits", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        mu, start = mpmath.mpf("0.27"), mpmath.asin(mpmath.mpf("0.55"))
        beta, _ = integrate_long(
            lambda t, y: [y[1], roll_apart(y[0], y[1], mu, mpmath)[0]], [start, 0], mpmath.mpf("0.3")
        )
        return mpmath.sin(beta) / 5 - mpmath.mpf("0.11")


@route("cylinders_stay", "statics", within=0)
def _(case: Case) -> float:
    """Force and torque on the right cylinder with unknown normal and tangential forces above and on the floor."""
    mu, beta = case.numbers()["mu"], math.asin(0.55)
    s, c = math.sin(beta), math.cos(beta)
    # above: N (s, -c) - T (c, s); floor: (F, P); the upper cylinder: 2 (N c + T s) = m g
    equations = np.array([[s, -c, 1, 0], [-c, -s, 0, 1], [0, 1, 1, 0], [2 * c, 2 * s, 0, 0]])
    normal, tangential, friction, floor = np.linalg.solve(equations, [0, 9.81, 0, 9.81])
    assert abs(tangential) < mu * normal and abs(friction) < mu * floor
    return 0.0


@route("cylinders_stay", "equation of slip", within=0)
def _(case: Case) -> float:
    assert roll_apart(math.asin(0.55), 0.0, case.numbers()["mu"])[0] < 0, "slip is turned back at once"
    return 0.0
