"""Springs, hinges and guides with dry friction: half swing by half swing, and integration."""

from __future__ import annotations

import math

from mechan_conformance.case import Case

from . import route
from .motions import integrate


def spring_swings(case: Case) -> tuple[float, float]:
    """Time and place at which the block stops, by integration of half swings."""
    n = case.numbers()
    k, grip, place, total, way = n["k"], n["mu"] * n["g"], n["x0"], 0.0, -1.0
    while k * abs(place) > grip:
        t, (place, _) = integrate(
            lambda t, y, way=way: [y[1], -k * y[0] - way * grip],
            [place, 0.0],
            5,
            lambda t, y, way=way: way * y[1] if t > 1e-3 else 1.0,
        )
        total, way = total + t, -way
    return total, place


@route("spring_block_rests_off_middle", "integration")
def _(case: Case) -> float:
    return spring_swings(case)[1]


@route("spring_block_stop_time", "integration")
def _(case: Case) -> float:
    return spring_swings(case)[0]


@route("spring_block_rests_off_middle", "closed form")
def _(case: Case) -> float:
    """Work of friction: k (a^2 - b^2)/2 = mu m g (a + b)."""
    amplitude, loss, sign = 0.5, 2 * 0.2 * 9.81 / 40, 1
    while amplitude > loss / 2:
        amplitude, sign = amplitude - loss, -sign
    return sign * amplitude


@route("spring_block_stop_time", "closed form")
def _(case: Case) -> float:
    swings = math.ceil((0.5 - 0.2 * 9.81 / 40) / (2 * 0.2 * 9.81 / 40))
    return swings * math.pi / math.sqrt(40)


@route("pendulum_with_hinge_friction", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    angle, way = n["theta0"], -1.0
    while 9.81 * 0.5 * abs(math.sin(angle)) > n["T"]:
        _, (angle, _) = integrate(
            lambda t, y, way=way: [y[1], (-9.81 * 0.5 * math.sin(y[0]) - way * n["T"]) * 3],
            [angle, 0.0],
            5,
            lambda t, y, way=way: way * y[1] if t > 1e-3 else 1.0,
        )
        way = -way
    return angle - n["theta0"]


@route("pendulum_with_hinge_friction", "energy", within=1e-12)
def _(case: Case) -> float:
    """m g l (cos b - cos a) = T (a + b) for turning points a and -b of one half swing."""
    import mpmath

    with mpmath.workdps(30):
        weight, torque = mpmath.mpf("9.81") / 2, mpmath.mpf("0.4")
        a, sign = mpmath.mpf(1), 1
        while weight * mpmath.sin(a) > torque:
            lost = lambda b, a=a: weight * (mpmath.cos(b) - mpmath.cos(a)) - torque * (a + b)  # noqa: E731
            a, sign = mpmath.findroot(lost, a - 2 * torque / weight), -sign
        return sign * a - 1


def push(case: Case) -> float:
    """Acceleration of the carriage while its shoes slip forward."""
    n = case.numbers()
    normal = 10 * n["a"] / 0.25
    return (10 - 2 * n["mu"] * normal) / 2


@route("carriage_jams", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    t, (place, _) = integrate(lambda t, y: [y[1], push(case)], [0.0, n["v0"]], 1, lambda t, y: y[1])
    assert t < 1
    return place


@route("carriage_jams", "closed form")
def _(case: Case) -> float:
    """Work: the friction less the push, along the way, is the kinetic energy."""
    return 0.1**2 / (10 * (0.26 / 0.25 - 1))


@route("carriage_slides", "integration")
def _(case: Case) -> float:
    return integrate(lambda t, y: [y[1], push(case)], [0.0, 0.0], 1)[1][0]


@route("carriage_slides", "closed form")
def _(case: Case) -> float:
    return (10 - 10 * 0.24 / 0.25) / 2 / 2
