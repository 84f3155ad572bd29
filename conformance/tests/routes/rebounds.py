"""Impacts with rebound: by the three laws, of several contacts at once, and bounce by bounce."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mechan_conformance.case import Case

from . import route
from .impacts import rod_matrix
from .motions import integrate

# A rod's end (theta = 0.6, mu = 0.3, e = 0.6) strikes with 3 m/s while it moves with 1 m/s.


def rod_phases() -> tuple[float, float, float, float]:
    """Normal impulses until slip ends and until the approach ends, and what a unit of it gives before and after."""
    s, c, mu = math.sin(0.6), math.cos(0.6), 0.3
    before, after = 1 + 3 * c * c + 3 * mu * s * c, 1 + 3 * c * c - 3 * mu * s * c
    first = 1 / (3 * s * c + mu * (1 + 3 * s * s))
    assert 3 * s * c > mu * (1 + 3 * s * s), "friction cannot hold the end where slip ends"
    second = (3 - first * before) / after
    assert second > 0, "slip ends before the approach does"
    return first, second, before, after


def rod_in_parts(case: Case, law: str, parts: int = 100_000) -> float:
    """Speed of the rod's centre upwards, by small impulses with Coulomb's law for each."""
    n = case.numbers()
    matrix, u, v, total, e = rod_matrix(n["theta0"]), n["v0"], -n["w0"], 0.0, n["e"]
    part, at_rest, work, taken = n["w0"] / parts, None, 0.0, 0.0

    def goes_on() -> bool:
        if at_rest is None:
            return True
        if law == "newton":
            return v < e * n["w0"]
        return total < (1 + e) * at_rest if law == "poisson" else work + e * e * taken > taken

    while goes_on():
        friction = -math.copysign(n["mu"], u) * part
        before = v
        u += matrix[0, 0] * friction + matrix[0, 1] * part
        v += matrix[1, 0] * friction + matrix[1, 1] * part
        total, work = total + part, work - (before + v) / 2 * part
        if at_rest is None and v >= 0:
            at_rest, taken = total, work
    return total - n["w0"]


@route("rod_rebounds_newton", "closed form")
def _(case: Case) -> float:
    first, second, _, after = rod_phases()
    return first + second + 0.6 * 3 / after - 3


@route("rod_rebounds_poisson", "closed form")
def _(case: Case) -> float:
    first, second, _, _ = rod_phases()
    return 1.6 * (first + second) - 3


@route("rod_rebounds_energetic", "closed form")
def _(case: Case) -> float:
    """Energy taken by the normal force: the area under its speed of approach over the impulse."""
    first, second, before, after = rod_phases()
    taken = 3 * first - before * first**2 / 2 + after * second**2 / 2
    return first + second + math.sqrt(2 * 0.36 * taken / after) - 3


for law in ("newton", "poisson", "energetic"):
    route(f"rod_rebounds_{law}", "impulse by impulse", within=1e-4)(lambda case, law=law: rod_in_parts(case, law))


@route("ball_strikes_two_at_once", "closed form")
def _(case: Case) -> float:
    """Impulse p at both contacts, at 30 degrees: (v - 2 p c) c - p = -e v c."""
    c = math.sqrt(3) / 2
    impulse = 2 * c * 2 / (1 + 2 * c * c)
    return 2 - 2 * impulse * c


def break_velocities(case: Case, order: tuple[int, int] = (0, 1)) -> np.ndarray:
    """Velocities of all three balls after impulses at the two contacts that strike, in the given order, by Newton's law."""
    n, c = case.numbers(), math.sqrt(3) / 2
    gaps = np.array([[-c, -0.5, c, 0.5, 0, 0], [-c, 0.5, 0, 0, c, -0.5], [0, 0, 0, 1, 0, -1]])
    before = np.array([n["v0"], 0, 0, 0, 0, 0])
    rates = gaps @ before
    # the two at rest: their contact opens by the others' impulses alone
    struck = gaps[list(order)]
    impulses = np.linalg.solve(struck @ struck.T, -(1 + n["e"]) * rates[list(order)])
    after = before + struck.T @ impulses
    assert (impulses > 0).all() and gaps[2] @ after > 0
    return after


@route("ball_strikes_two_at_once", "momentum and energy")
def _(case: Case) -> float:
    after = break_velocities(case)
    assert abs(after[::2].sum() - 2) < 1e-12 and abs(after @ after - 4) < 1e-12
    return after[0]


@route("order_of_contacts", "closed form", within=0)
def _(case: Case) -> float:
    """Mirrored at the line of flight the case is itself, and its impact has one solution: the matrix of its impulses is regular."""
    c = math.sqrt(3) / 2
    assert np.linalg.eigvalsh([[2, c * c - 0.25], [c * c - 0.25, 2]]).min() > 0
    return 0.0


@route("order_of_contacts", "momentum and energy", within=1e-12)
def _(case: Case) -> float:
    return break_velocities(case, (1, 0))[1] - break_velocities(case)[1]


@route("block_rebounds_flat", "closed form")
def _(case: Case) -> float:
    fall = math.sqrt(2 * 0.3 / 9.81)
    left = 0.45 - fall
    assert 3 > 0.3 * 1.5 * 9.81 * fall, "it slips to the end of the impact"
    return 0.5 * 9.81 * fall * left - 9.81 * left**2 / 2 - 0.3


@route("block_rebounds_flat", "impulse by impulse")
def _(case: Case) -> float:
    n = case.numbers()
    t, (_, fall) = integrate(lambda t, y: [y[1], -n["g"]], [n["height"], 0.0], 5, lambda t, y: y[0])
    # rates of both gaps by normal impulses with friction of the slip forward; rear and front
    arms, inertia = np.array([-0.1, 0.1]), 0.05 / 12
    torque = arms + n["mu"] * -0.05
    matrix = 1 + np.outer(arms, torque) / inertia
    impulses = np.linalg.solve(matrix, [-(1 + n["e"]) * fall] * 2)
    assert (impulses > 0).all() and n["v0"] > n["mu"] * impulses.sum()
    assert abs(torque @ impulses) < 1e-12, "it does not turn"
    rise = fall + impulses.sum()
    _, (height, _) = integrate(lambda t, y: [y[1], -n["g"]], [0.0, rise], 0.45 - t)
    return height - n["height"]


@route("ball_bounces_down_slope", "closed form")
def _(case: Case) -> float:
    return 9.81 * 1.5 * (math.sin(0.7) - 0.1 * math.cos(0.7))


@route("ball_bounces_down_slope", "bounce by bounce")
def _(case: Case) -> float:
    n = case.numbers()
    across, along = n["g"] * math.cos(n["alpha"]), n["g"] * math.sin(n["alpha"])
    t = math.sqrt(2 * n["height"] / across)
    speed, slip, normal = along * t, along * t, across * t
    while normal > 1e-13:
        kick = n["mu"] * (1 + n["e"]) * normal
        speed, slip, normal = speed - kick, slip - 3.5 * kick, n["e"] * normal
        assert slip > 0, "it slips downhill through the impact"
        flight = 2 * normal / across
        t, speed, slip = t + flight, speed + along * flight, slip + along * flight
    assert t < 1.5
    return speed + (along - n["mu"] * across) * (1.5 - t)


@route("dimer_bounces_on_one_ball", "energy", within=1e-12)
def _(case: Case) -> float:
    """(1 + cos^2) l a'^2/2 = g (sin of the greatest angle - sin a); with sin a = s (1 - u^2) the integrand is smooth."""
    import mpmath

    with mpmath.workdps(30):
        length, g, e = mpmath.mpf("0.2"), mpmath.mpf("9.81"), mpmath.mpf("0.7")

        def fall(s: Any) -> Any:
            def part(u: Any) -> Any:
                sine = s * (1 - u * u)
                return 2 * mpmath.sqrt(s * length * (2 - sine**2) / (2 * g * (1 - sine**2)))

            return mpmath.quad(part, [0, 1])

        s = mpmath.sin(mpmath.mpf("0.5"))
        return fall(s) + 2 * fall(e**2 * s) + 2 * fall(e**4 * s)


@route("dimer_bounces_on_one_ball", "integration")
def _(case: Case) -> float:
    n, total, angle, rate = case.numbers(), 0.0, case.numbers()["theta0"], 0.0
    length = n["l"]

    def turn(a: float, w: float) -> float:
        """From the normal force N on the resting ball: l^2 a'' = -N l cos a, l (sin a)'' = N - g."""
        s, c = math.sin(a), math.cos(a)
        force = (9.81 - length * s * w**2) / (1 + c * c)
        assert force > 0, "the resting ball stays on the floor"
        return -force * c / length

    for _ in range(3):
        t, (_, rate) = integrate(
            lambda t, y: [y[1], turn(y[0], y[1])], [angle, rate], 2, lambda t, y: y[0] if t > 1e-6 else 1.0
        )
        total, angle, rate = total + t, 0.0, -n["e"] * rate
    return total


def on_plate(t: Any, angle: Any, rate: Any, lib: Any = math) -> tuple[Any, Any]:
    """Acceleration of the angle of a dimer with one ball on the shaken plate, and the plate's force on it (m = 1)."""
    long = lib is not math
    length, g, d, w = (lib.mpf(one) for one in ("0.2", "9.81", "0.01", "25")) if long else (0.2, 9.81, 0.01, 25.0)
    s, c = lib.sin(angle), lib.cos(angle)
    weight = g - d * w**2 * lib.sin(w * t)
    force = (weight - length * s * rate**2) / (1 + c * c)
    return -force * c / length, force


@route("dimer_on_shaken_plate", "integration")
def _(case: Case) -> float:
    n, t, angle, rate = case.numbers(), 0.0, case.numbers()["theta0"], 0.0
    for _ in range(3):

        def turn(time: float, y: list[float], t: float = t) -> list[float]:
            spin, force = on_plate(t + time, y[0], y[1])
            assert force > 0, "the resting ball stays on the plate"
            return [y[1], spin]

        passed, (_, rate) = integrate(turn, [angle, rate], 2, lambda t, y: y[0] if t > 1e-6 else 1.0)
        t, angle, rate = t + passed, 0.0, -n["e"] * rate
    return t


@route("dimer_on_shaken_plate", "integration with 30 digits", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        t, angle, rate = mpmath.mpf(0), mpmath.mpf("0.3"), mpmath.mpf(0)
        for near in ("0.191", "0.234", "0.102"):
            motion = mpmath.odefun(
                lambda time, y, t=t: [y[1], on_plate(t + time, y[0], y[1], mpmath)[0]], 0, [angle, rate]
            )
            guess = mpmath.mpf(near)
            passed = mpmath.findroot(lambda time, motion=motion: motion(time)[0], (guess, guess * mpmath.mpf("1.001")))
            t, angle, rate = t + passed, mpmath.mpf(0), -mpmath.mpf("0.7") * motion(passed)[1]
        return t
