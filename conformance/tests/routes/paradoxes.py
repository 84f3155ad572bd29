"""Rods and pencils on one rough contact: equations of motion by hand, mode by mode."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mechan_conformance.case import Case

from . import route
from .motions import integrate, integrate_long, time_of

# A rod (m = 1) whose tip is ahead of it and slides that way: theta is its angle from the floor, the tip at (l cos, -l sin).


def rod_slip(theta: Any, rate: Any, mu: Any, half: Any, g: Any, lib: Any = math) -> tuple[Any, Any, Any, Any]:
    """p and b of the gap's acceleration p N + b, and the accelerations of angle and slip that N = 1 and N = 0 give, as functions."""
    s, c = lib.sin(theta), lib.cos(theta)
    p, b = 1 + 3 * c * c - 3 * mu * s * c, half * s * rate**2 - g
    turn = 3 * (mu * s - c) / half
    return p, b, turn, lambda force: -mu * force - half * (s * turn * force + c * rate**2)


def rod_rates(mu: Any, half: Any, g: Any, lib: Any = math) -> Any:
    """Rates of angle, rotation and slip."""

    def rate(t: Any, y: Any) -> list:
        p, b, turn, slip = rod_slip(y[0], y[1], mu, half, g, lib)
        force = -b / p
        return [y[1], turn * force, slip(force)]

    return rate


def slowed_rates(mu: Any, g: Any, lib: Any, slips: bool = False) -> Any:
    """Rates of angle, rotation and time, and of slip if asked for, over a time that p slows down; half the rod is 1."""

    def rate(_: Any, y: Any) -> list:
        p, b, turn, slip = rod_slip(y[0], y[1], mu, 1, g, lib)
        return [p * y[1], -turn * b, p, *([p * slip(-b / p)] if slips else [])]

    return rate


@route("rod_slip_ends", "integration")
def _(case: Case) -> float:
    start = [math.atan(2), 0.0, 3.0]
    p, b, *_ = rod_slip(start[0], 0.0, 1.2, 0.5, 9.81)
    assert p > 0 > b, "slip, and nothing else"
    return integrate(rod_rates(1.2, 0.5, 9.81), start, 0.1, lambda t, y: y[2])[0]


@route("rod_slip_ends", "integration with 20 digits", within=1e-11)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(22):
        rate = rod_rates(mpmath.mpf("1.2"), mpmath.mpf("0.5"), mpmath.mpf("9.81"), mpmath)
        return time_of(rate, [mpmath.atan(2), 0, 3], 2, mpmath.mpf("0.0234"))


def stopped_rod(lib: Any = math) -> tuple[Any, Any]:
    """Angle and rotation after the impulse that stops the tip: angular momentum about it."""
    theta = lib.atan(2)
    momentum = 3 * lib.sin(theta) / 2  # of the rod at 3 m/s, half a metre long on either side
    return theta, momentum / (lib.mpf(1) / 3 if lib is not math else 1 / 3)


@route("rod_impact_without_collision", "integration")
def _(case: Case) -> float:
    """The impulse from the velocity of the tip, and the rotation about it with its friction."""
    theta = math.atan(2)
    p, b, *_ = rod_slip(theta, 0.0, 1.5, 0.5, 9.81)
    assert p < 0 and b < 0, "neither slip nor lift-off"
    arm = 0.5 * np.array([math.cos(theta), -math.sin(theta)])
    turn = np.array([-arm[1], arm[0]])
    impulse = np.linalg.solve(np.eye(2) + 12 * np.outer(turn, turn), [-3.0, 0.0])
    assert 0 < abs(impulse[0]) < 1.5 * impulse[1], "inside the cone"
    start = [theta, -12 * turn @ impulse]
    _, (end, rate) = integrate(lambda t, y: [y[1], -9.81 * 0.5 * math.cos(y[0]) * 3], start, 0.1)
    for angle, omega in ((theta, start[1]), (end, rate)):
        spin = -9.81 * 1.5 * math.cos(angle)
        across = 0.5 * (math.sin(angle) * spin + math.cos(angle) * omega**2)  # the centre is at (-cos, sin)/2
        upward = 9.81 + 0.5 * (math.cos(angle) * spin - math.sin(angle) * omega**2)
        assert abs(across) < 1.5 * upward, "it sticks"
    return end - theta


@route("rod_impact_without_collision", "integration with 30 digits", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        theta, rate = stopped_rod(mpmath)
        g = mpmath.mpf("9.81")
        end, _ = integrate_long(lambda t, y: [y[1], -g * 3 / 2 * mpmath.cos(y[0])], [theta, rate], mpmath.mpf("0.1"))
        return end - theta


@route("rod_jams", "integration over the angle", within=1e-8)
def _(case: Case) -> float:
    """The square of the rotation obeys a linear equation over the angle, singular at its end; W = rotation^2."""
    mu, g, theta0 = 1.6, 9.81, 0.52
    end = math.atan((3 * mu - math.sqrt(9 * mu**2 - 16)) / 2)  # where p vanishes

    def rate(x: float, y: list[float]) -> list[float]:
        """Over x = -log of the way that is left, of W, time and slip."""
        left = (end - theta0) * math.exp(-x)
        theta = end - left
        omega = math.sqrt(y[0])
        p, b, turn, slip = rod_slip(theta, omega, mu, 1.0, g)
        return [-2 * turn * b / p * left, left / omega, slip(-b / p) * left / omega]

    _, (w, t, slip) = integrate(rate, [1.8**2, 0.0, 9.0], 18)
    assert slip > 0, "it slips until then"
    assert abs(math.sin(end) * w - g) < 1e-4, "b vanishes, too"
    return t + (end - theta0) * math.exp(-18) / math.sqrt(w)


@route("rod_jams", "integration in slow time with 20 digits", within=1e-11)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(22):
        mu, g = mpmath.mpf("1.6"), mpmath.mpf("9.81")

        rate = slowed_rates(mu, g, mpmath)
        _, _, t = integrate_long(rate, [mpmath.mpf("0.52"), mpmath.mpf("1.8"), 0], mpmath.mpf(6))
        return t


@route("rod_slips_towards_jam", "integration")
def _(case: Case) -> float:
    return integrate(rod_rates(1.6, 1.0, 9.81), [0.52, 1.8, 9.0], 0.14)[1][2]


@route("rod_slips_towards_jam", "integration in slow time with 20 digits", within=1e-11)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(22):
        mu, g, wanted = mpmath.mpf("1.6"), mpmath.mpf("9.81"), mpmath.mpf("0.14")

        rate = slowed_rates(mu, g, mpmath, slips=True)
        start = [mpmath.mpf("0.52"), mpmath.mpf("1.8"), mpmath.mpf(0), mpmath.mpf(9)]
        motion = mpmath.odefun(rate, 0, start)
        end = mpmath.findroot(lambda s: motion(s)[2] - wanted, (mpmath.mpf("0.3"), mpmath.mpf("0.31")))
        return motion(end)[3]


# The pencil (m = l = 1), leaning to the left by theta; its tip slips to the right first.


def pencil_stick(t: Any, y: Any, lib: Any = math) -> list:
    g = lib.mpf("9.81") if lib is not math else 9.81
    return [y[1], 3 * g * lib.sin(y[0]) / 4]


def pencil_hold(y: Any, mu: Any, lib: Any = math) -> Any:
    """Room in the friction cone while the tip sticks, on the side of slip to the right."""
    g = lib.mpf("9.81") if lib is not math else 9.81
    s, c, turn = lib.sin(y[0]), lib.cos(y[0]), pencil_stick(0, y, lib)[1]
    return mu * (g - s * turn - c * y[1] ** 2) - (c * turn - s * y[1] ** 2)


def pencil_slip(mu: Any, lib: Any = math) -> Any:
    g = lib.mpf("9.81") if lib is not math else 9.81

    def rate(t: Any, y: Any) -> list:
        s, c = lib.sin(y[0]), lib.cos(y[0])
        lever = s - mu * c
        turn = lever * (g - c * y[1] ** 2) / (1 / lib.mpf(3) + s * lever if lib is not math else 1 / 3 + s * lever)
        force = g - s * turn - c * y[1] ** 2
        return [y[1], turn, c * turn - s * y[1] ** 2 - mu * force]

    return rate


@route("pencil_slip_reverses", "integration", within=1e-9)
def _(case: Case) -> float:
    mu = case.numbers()["mu"]
    first, state = integrate(pencil_stick, [0.1, 0.0], 2, lambda t, y: pencil_hold(y, mu))
    second, _ = integrate(pencil_slip(mu), [*state, 0.0], 2, lambda t, y: y[2] if t > 1e-3 else 1.0)
    return first + second


@route("pencil_slip_reverses", "integration with 20 digits", within=1e-11)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(22):
        mu = mpmath.mpf("0.3")
        motion = mpmath.odefun(lambda t, y: pencil_stick(t, y, mpmath), 0, [mpmath.mpf("0.1"), mpmath.mpf(0)])
        first = mpmath.findroot(
            lambda t: pencil_hold(motion(t), mu, mpmath), (mpmath.mpf("0.7806"), mpmath.mpf("0.7807"))
        )
        return first + time_of(pencil_slip(mu, mpmath), [*motion(first), mpmath.mpf(0)], 2, mpmath.mpf("0.303"))


def rod_lift(angular: float, mu: float) -> tuple[float, float]:
    """p and b of a rod half a metre long on either side, with tan(theta) = 2."""
    p, b, *_ = rod_slip(math.atan(2), angular, mu, 0.5, 9.81)
    return p, b


@route("rod_with_two_motions", "closed form", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    p, b = rod_lift(n["omega0"], n["mu"])
    assert p < 0 < b, "without force it lifts off, and a normal force with its friction presses it down"
    return 0.0


@route("rod_with_two_motions", "force by force", within=0)
def _(case: Case) -> float:
    """Newton and Euler by hand: lift-off without force, and the impulse without collision, which is inside the cone where it ends."""
    n = case.numbers()
    theta, mu = math.atan(2), n["mu"]
    arm = 0.5 * np.array([math.cos(theta), -math.sin(theta)])
    turn = np.array([-arm[1], arm[0]])
    give = np.eye(2) + 12 * np.outer(turn, turn)
    free = np.array([0, -9.81]) - n["omega0"] ** 2 * arm
    assert free[1] > 0, "the gap opens without force"
    while_slips = give @ [-mu, 1.0]
    assert while_slips[1] < 0 and while_slips[0] < 0, "a normal impulse ends the slip, and closes the gap"
    until = -n["v0"] / while_slips[0]
    down = until * while_slips[1]  # normal velocity where slip ends; the rest is stick
    hold = np.linalg.solve(give, [0, -down])
    assert hold[1] > 0 and abs(hold[0]) < mu * hold[1], "the end sticks until it does not approach any more"
    return 0.0


JAM = "0.1410064444923146"


@route("rod_force_grows_towards_jam", "integration over the angle", within=1e-6)
def _(case: Case) -> float:
    """As for rod_jams, with the time that is left as an unknown, from close to the jam backwards."""
    mu, g, theta0 = 1.6, 9.81, 0.52
    end = math.atan((3 * mu - math.sqrt(9 * mu**2 - 16)) / 2)
    from scipy.integrate import solve_ivp
    from scipy.optimize import brentq

    def force(left: float, omega: float) -> float:
        p, b, *_ = rod_slip(end - left, omega, mu, 1.0, g)
        return -b / p

    def rate(x: float, y: np.ndarray) -> list[float]:
        left = (end - theta0) * math.exp(-x)
        omega = math.sqrt(y[0])
        turn = rod_slip(end - left, omega, mu, 1.0, g)[2]
        return [2 * turn * force(left, omega) * left, -left / omega]

    done = solve_ivp(rate, (0, 20), [1.8**2, float(JAM)], method="DOP853", rtol=1e-13, atol=1e-16, dense_output=True)

    def power(rest: float) -> float:
        x = brentq(lambda x: done.sol(x)[1] - done.sol(20)[1] - rest, 0, 20, xtol=1e-14)
        return math.log(force((end - theta0) * math.exp(-x), math.sqrt(done.sol(x)[0]))) / math.log(100)

    return power(1e-5) - power(1e-3)


@route("rod_force_grows_towards_jam", "integration in slow time with 20 digits", within=1e-10)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(22):
        mu, g = mpmath.mpf("1.6"), mpmath.mpf("9.81")

        rate = slowed_rates(mu, g, mpmath)
        motion = mpmath.odefun(rate, 0, [mpmath.mpf("0.52"), mpmath.mpf("1.8"), mpmath.mpf(0)])

        def power(rest: str) -> Any:
            """The time that is left falls almost exponentially."""
            left = lambda t: mpmath.log(mpmath.mpf(JAM + "143950859") - t)  # noqa: E731
            wanted = left(mpmath.mpf(JAM) - mpmath.mpf(rest))
            s = mpmath.findroot(lambda s: left(motion(s)[2]) - wanted, (mpmath.mpf(1) / 2, mpmath.mpf(1)), tol=1e-30)
            p, b, *_ = rod_slip(*motion(s)[:2], mu, 1, g, mpmath)
            return mpmath.log(-b / p) / mpmath.log(100)

        return power("1e-5") - power("1e-3")
