"""Collisions and free rotation: what they keep."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .impacts import strike
from .motions import integrate


def collide(case: Case) -> dict[str, np.ndarray | float]:
    """Velocities, spins and places of two balls (1 kg, 2 kg) when they touch, before and after the impulses."""
    n, off = case.numbers(), 0.12
    normal = -np.array([math.sqrt(0.25**2 - off**2), -off]) / 0.25  # from the second to the first
    along = np.array([-normal[1], normal[0]])  # the tangent
    v, spin = np.array([n["v0"], 0.0]), n.get("spin", 0.0)
    matrix = np.diag([3.5 * (1 + 1 / 2), 1 + 1 / 2])
    turn = 0.1 * spin * np.array([normal[1], -normal[0]])  # of the first one's surface at -0.1 normal
    slip = (v + turn) @ along
    tangential, pressed = strike(matrix, slip, v @ normal, n["mu"], n["e"])
    impulse = tangential * along + pressed * normal
    first, second = v + impulse, -impulse / 2
    cross = lambda p, q: p[0] * q[1] - p[1] * q[0]  # noqa: E731
    return {
        "first": first,
        "second": second,
        "a": spin + cross(-0.1 * normal, impulse) / 0.004,
        "b": cross(0.15 * normal, -impulse) / 0.018,
        "place": 0.25 * normal,
    }


@route("elastic_balls_keep_energy", "impulse by impulse")
def _(case: Case) -> float:
    after = collide(case)
    return after["first"] @ after["first"] / 2 + after["second"] @ after["second"] - 4.5


@route("elastic_balls_keep_energy", "closed form", within=1e-12)
def _(case: Case) -> float:
    """Along the line of centres each reflects the velocity about that of the common centre."""
    c = math.sqrt(0.25**2 - 0.12**2) / 0.25
    common = 3 * c / 3
    before = 3 * c
    return ((2 * common - before) ** 2 / 2 + (2 * common) ** 2) - before**2 / 2


@route("elastic_ball_is_deflected", "impulse by impulse")
def _(case: Case) -> float:
    return collide(case)["first"][1]


@route("elastic_ball_is_deflected", "closed form")
def _(case: Case) -> float:
    angle = math.asin(0.12 / 0.25)
    return 2 * 2 / 3 * 3 * math.cos(angle) * math.sin(angle)


@route("rough_balls_keep_angular_momentum", "impulse by impulse")
def _(case: Case) -> float:
    after = collide(case)
    x, y = after["place"]
    assert abs(after["b"]) > 1, "friction acts"
    return x * after["first"][1] - y * after["first"][0] + 0.004 * after["a"] + 0.018 * after["b"]


@route("rough_balls_keep_angular_momentum", "closed form")
def _(case: Case) -> float:
    return 0.004 * 20 - 0.12 * 3


MOMENTS, RATES = (0.01, 0.02, 0.03), (0.1, 5.0, 0.1)


def euler(t: float, w: np.ndarray) -> list[float]:
    """Free rotation in body axes."""
    a, b, c = MOMENTS
    return [(b - c) / a * w[1] * w[2], (c - a) / b * w[2] * w[0], (a - b) / c * w[0] * w[1]]


def jacobi(t: object) -> list:
    """The same by elliptic functions, for 2 B E > L^2, in the precision of mpmath that is set."""
    import mpmath

    a, b, c = (mpmath.mpf(one) / 100 for one in (1, 2, 3))
    w = [mpmath.mpf(1) / 10, mpmath.mpf(5), mpmath.mpf(1) / 10]
    energy = a * w[0] ** 2 + b * w[1] ** 2 + c * w[2] ** 2  # twice
    momentum = (a * w[0]) ** 2 + (b * w[1]) ** 2 + (c * w[2]) ** 2  # squared
    if momentum < energy * b:  # about the axis of the smallest moment: name the axes the other way round
        a, c, w = c, a, [w[2], w[1], w[0]]
        sign = -1
    else:
        sign = 1
    # omega_1 = p cn, omega_2 = q sn, omega_3 = r dn, with a < b < c or a > b > c
    p = mpmath.sqrt((energy * c - momentum) / (a * (c - a)))
    q = mpmath.sqrt((energy * c - momentum) / (b * (c - b)))
    r = mpmath.sqrt((momentum - energy * a) / (c * (c - a)))
    rate = mpmath.sqrt((c - b) * (momentum - energy * a) / (a * b * c))
    m = (b - a) * (energy * c - momentum) / ((c - b) * (momentum - energy * a))
    start = mpmath.asin(w[1] / q)  # amplitude at the start, both w[0] and w[2] being positive
    phase = mpmath.ellipf(start, m)
    # w[1]' = (c - a)/b w[2] w[0] in the first naming: it grows at the start, falls in the second
    u = phase + rate * t
    sn, cn, dn = (mpmath.ellipfun(name, u, m=m) for name in ("sn", "cn", "dn"))
    found = [p * cn, q * sn, r * dn]
    return found if sign == 1 else found[::-1]


@route("tumbling_turns_over", "elliptic functions", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        return mpmath.sqrt(sum(one**2 for one in jacobi(9)))


@route("tumbling_turns_over", "integration", within=1e-8)
def _(case: Case) -> float:
    return float(np.linalg.norm(integrate(euler, list(RATES), 9)[1]))


def energy_gain(rates: object) -> float:
    return sum(float(i) * (float(w) ** 2 - v**2) for i, w, v in zip(MOMENTS, rates, RATES, strict=True)) / 2


@route("tumbling_keeps_energy", "integration", within=1e-9)
def _(case: Case) -> float:
    return energy_gain(integrate(euler, list(RATES), 10)[1])


@route("tumbling_keeps_energy", "elliptic functions", within=1e-12)
def _(case: Case) -> float:
    return energy_gain(jacobi(10))


@route("thrown_box_gains_no_energy", "work", within=0)
def _(case: Case) -> float:
    """Power of friction is -mu N |u| <= 0, that of normal forces zero; a plastic impact is a projection in kinetic energy's metric
    but for friction, whose impulse opposes slip. The largest gain is that of the start itself."""
    n = case.numbers()
    assert n["mu"] >= 0 and "e" not in n
    return 0.0


@route("thrown_box_gains_no_energy", "time steps", within=1e-4)
def _(case: Case) -> float:
    return box_in_steps(case)[0]


def box_in_steps(case: Case) -> tuple[float, float]:
    """Greatest gain of energy and way of a thrown box in its first second: Moreau's steps, impulses by sweeps over the corners."""
    n, h = case.numbers(), 2e-4
    w, tall, inertia, g = 0.2, 0.1, 0.05 / 12, 9.81
    corners = 0.5 * np.array([[-w, -tall], [w, -tall], [-w, tall], [w, tall]])
    q, v = np.array([0.0, 0.05 + n["height"], n["theta0"]]), np.array([n["v0"], 0.0, n["omega0"]])
    minv = np.array([1.0, 1.0, 1 / inertia])
    energy = lambda: (v @ (v / minv)) / 2 + g * q[1]  # noqa: E731
    start, most = energy(), 0.0
    for _ in range(int(1 / h)):
        q = q + h / 2 * v
        c, s = math.cos(q[2]), math.sin(q[2])
        arms = corners @ np.array([[c, s], [-s, c]])
        v = v + h * np.array([0, -g, 0])
        rows = []
        for x, y in arms[q[1] + arms[:, 1] <= 0]:
            rows.append((np.array([0.0, 1.0, x]), np.array([1.0, 0.0, -y])))
        pressed = np.zeros((len(rows), 2))
        for _ in range(60 if len(rows) > 1 else 20 * len(rows)):
            for k, (up, along) in enumerate(rows):
                new = max(0.0, pressed[k, 0] - (up @ v) / (up @ (minv * up)))
                v = v + (new - pressed[k, 0]) * minv * up
                slip = pressed[k, 1] - (along @ v) / (along @ (minv * along))
                held = max(-n["mu"] * new, min(n["mu"] * new, slip))
                v = v + (held - pressed[k, 1]) * minv * along
                pressed[k] = new, held
        q = q + h / 2 * v
        most = max(most, energy() - start)
    return most, q[0]
