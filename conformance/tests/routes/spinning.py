"""Bodies in space that turn fast: Newton and Euler's equations with quaternions, beside closed forms."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
from mechan_conformance.case import Case
from scipy.integrate import solve_ivp
from scipy.optimize import linprog

from . import route
from .motions import integrate

UP = np.array([0.0, 0.0, 1.0])


def matrix(q: np.ndarray) -> np.ndarray:
    """Rotation matrix of a quaternion."""
    w, x, y, z = q / np.linalg.norm(q)
    return np.array(
        [
            [1 - 2 * (y * y + z * z), 2 * (x * y - w * z), 2 * (x * z + w * y)],
            [2 * (x * y + w * z), 1 - 2 * (x * x + z * z), 2 * (y * z - w * x)],
            [2 * (x * z - w * y), 2 * (y * z + w * x), 1 - 2 * (x * x + y * y)],
        ]
    )


def cross(a: np.ndarray) -> np.ndarray:
    """The matrix of a x b."""
    return np.array([[0, -a[2], a[1]], [a[2], 0, -a[0]], [-a[1], a[0], 0]])


class Touching:
    """A body that one point holds; `arm(turn, omega)` gives the way to it from the centre, and what its acceleration is beside
    a + alpha x arm; `rows` of the acceleration vanish."""

    def __init__(self, mass: float, moments: list[float], arm: Callable, rows: tuple[int, ...] = (0, 1, 2)) -> None:
        self.mass, self.moments, self.arm, self.rows = mass, np.diag(moments), arm, list(rows)

    def accelerate(self, y: np.ndarray) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        """Accelerations of centre and rotation, and the force of the point."""
        turn, omega = matrix(y[3:7]), y[10:]
        inertia = turn @ self.moments @ turn.T
        arm, drift = self.arm(turn, omega)
        inverse = np.linalg.inv(inertia)
        free = -9.81 * UP
        spin = -inverse @ np.cross(omega, inertia @ omega)
        give = np.eye(3) / self.mass - cross(arm) @ inverse @ cross(arm)
        rest = free + np.cross(spin, arm) + drift
        force, k = np.zeros(3), self.rows
        force[k] = -np.linalg.solve(give[np.ix_(k, k)], rest[k])
        return free + force / self.mass, spin + inverse @ np.cross(arm, force), force

    def rate(self, t: float, y: np.ndarray) -> np.ndarray:
        linear, angular, _ = self.accelerate(y)
        w, v = y[3], y[4:7]
        omega = y[10:]
        turning = np.concatenate([[-omega @ v], w * omega + np.cross(omega, v)]) / 2
        return np.concatenate([y[7:10], turning, linear, angular])

    def move(self, start: list, end: float, mu: float) -> object:
        """The motion; the point must press, inside the cone."""
        y0 = np.concatenate([np.asarray(one, float) for one in start])
        done = solve_ivp(self.rate, (0, end), y0, method="DOP853", rtol=1e-12, atol=1e-14, dense_output=True)
        for y in done.y.T:
            force = self.accelerate(y)[2]
            assert force[2] > 0 and math.hypot(*force[:2]) <= mu * force[2]
        return done


def tilted(angle: float) -> list[float]:
    """Quaternion of a rotation about x."""
    return [math.cos(angle / 2), math.sin(angle / 2), 0.0, 0.0]


def top(case: Case, rows: tuple[int, ...], velocity: list[float], omega: list[float]) -> tuple[Touching, list]:
    """The top and its start; its round tip rolls, or stays on the floor."""
    n = case.numbers()

    def arm(matrix: np.ndarray, omega: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        to_tip = -n["l"] * matrix[:, 2]
        return to_tip - n["r"] * UP, np.cross(omega, np.cross(omega, to_tip))

    start = [[0, 0, n["l"] * math.cos(n["theta0"]) + n["r"]], tilted(n["theta0"]), velocity, omega]
    return Touching(n["m"], [n["A"], n["A"], n["C"]], arm, rows), start


@route("top_precesses", "integration", within=1e-8)
def _(case: Case) -> float:
    n = case.numbers()
    s, c = math.sin(n["theta0"]), math.cos(n["theta0"])
    spin = [0, -n["spin"] * s, n["turn"] + n["spin"] * c]
    body, start = top(case, (0, 1, 2), [n["speed"], 0, 0], spin)
    return float(body.move(start, 2, n["mu"]).y[0, -1])


@route("top_precesses", "closed form")
def _(case: Case) -> float:
    """Moments about the centre, across the axis: of weight and centrifugal force against the change of angular momentum."""
    s, c, m, length, radius, rate = math.sin(0.5), math.cos(0.5), 0.5, 0.06, 0.005, 4.0

    def moment(spin: float) -> float:
        speed = (rate * length - spin * radius) * s
        momentum = 0.001 * (spin + rate * c) * s - 0.0006 * rate * c * s
        return m * 9.81 * length * s + m * rate * speed * (length * c + radius) - rate * momentum

    spin = -moment(0) / (moment(1) - moment(0))
    return (length - spin * radius / rate) * s * math.sin(rate * 2)


@route("top_nods_on_smooth_floor", "integration", within=1e-7)
def _(case: Case) -> float:
    s, c = math.sin(0.5), math.cos(0.5)
    body, start = top(case, (2,), [0, 0, 0], [0, -40 * s, 40 * c])
    done = body.move(start, 1, 0.0)
    assert np.abs(done.y[0]).max() < 1e-12, "the centre goes straight down"
    return float(done.sol(np.linspace(0, 1, 20001))[2].min())


@route("top_nods_on_smooth_floor", "closed form")
def _(case: Case) -> float:
    """Between greatest and least height the rate of theta vanishes: energy less that of precession and weight."""
    from scipy.optimize import brentq

    u0, k = math.cos(0.5), (0.001 * 40) ** 2 / (2 * 0.0006)
    left = lambda u: 0.5 * 9.81 * 0.06 * (u0 - u) - k * (u0 - u) ** 2 / (1 - u * u)  # noqa: E731
    return 0.005 + 0.06 * brentq(left, -0.9, u0 - 1e-6, xtol=1e-15)


@route("coin_rolls_in_circle", "integration", within=1e-7)
def _(case: Case) -> float:
    n = case.numbers()

    def arm(turn: np.ndarray, omega: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        """To the lowest point of the lower face's edge, which changes its place on the coin: d/dt (v + omega x arm) = 0."""
        axis = turn[:, 1]
        rising = axis[2]
        moves = np.cross(omega, axis)
        out = UP - rising * axis
        size = np.linalg.norm(out)
        out_rate = -moves[2] * axis - rising * moves
        unit_rate = (out_rate - (out @ out_rate) * out / size**2) / size
        way = -n["h"] * axis - n["R"] * out / size
        return way, np.cross(omega, -n["h"] * moves - n["R"] * unit_rate)

    coin = Touching(n["m"], [n["A"], n["C"], n["A"]], arm)
    s, c = math.sin(n["lean"]), math.cos(n["lean"])
    spin = [0, n["spin"] * c, n["turn"] + n["spin"] * s]
    start = [[0, 0, n["height"]], tilted(n["lean"]), [n["speed"], 0, 0], spin]
    return float(coin.move(start, 3, n["mu"]).y[0, -1])


@route("coin_rolls_in_circle", "closed form")
def _(case: Case) -> float:
    """Moments about the point of contact: weight and centrifugal force against the change of angular momentum."""
    s, c, radius, half, rate = math.sin(0.3), math.cos(0.3), 0.1, 0.005, -1.5
    reach, height = radius * s - half * c, radius * c + half * s
    across, along = radius**2 / 4 + half**2 / 3, radius**2 / 2  # per mass

    def moment(spin: float) -> float:
        speed = spin * (height * c + reach * s) + rate * reach
        momentum = along * (spin + rate * s) * c - across * rate * c * s  # horizontal part, about the centre
        return 9.81 * reach + rate * (speed * height + momentum)

    spin = -moment(0) / (moment(1) - moment(0))
    speed = spin * (height * c + reach * s) + rate * reach
    return speed / rate * math.sin(3 * rate)


@route("disc_on_six_feet_stops", "closed form")
def _(case: Case) -> float:
    return 0.005 * 20 / (0.25 * 9.81 * 0.12)


@route("disc_on_six_feet_stops", "load by load")
def _(case: Case) -> float:
    """The torque of friction for loads at corners of all that statics admits, friction's moment on the feet included."""
    n = case.numbers()
    angles = np.arange(6) * math.pi / 3
    feet = n["r"] * np.array([np.cos(angles), np.sin(angles)])
    friction = n["mu"] * np.array([np.sin(angles), -np.cos(angles)])  # of a unit of load
    # height of the centre times friction is balanced by the loads' moment
    tilt = feet + n["c"] * friction
    equations, sums = np.vstack([np.ones(6), tilt]), [n["m"] * n["g"], 0, 0]
    torques = []
    for seed in range(20):
        aim = np.random.default_rng(seed).normal(size=6)
        load = linprog(aim, None, None, equations, sums, (0, None)).x
        assert np.abs(friction @ load).max() < 1e-6, "no force"
        torques.append((feet[0] * friction[1] - feet[1] * friction[0]) @ load)
    assert np.ptp(torques) < 1e-9
    return integrate(lambda t, y: [torques[0] / n["J"]], [n["omega0"]], 1, lambda t, y: y[0])[0]


@route("ball_with_side_spin_curves", "closed form")
def _(case: Case) -> float:
    """Rolling has 5/7 of the velocity and 2/7 of that which spin would roll with; on the way the mean of both counts."""
    slip, grip = np.array([2 + 0.05 * 20, -0.05 * 60]), 0.2 * 9.81
    aside = -2 / 7 * slip[1]  # final velocity
    end = 2 / 7 * math.hypot(*slip) / grip
    return aside * end / 2 + aside * (1 - end)


@route("ball_with_side_spin_curves", "integration")
def _(case: Case) -> float:
    n = case.numbers()

    def slip(y: np.ndarray) -> np.ndarray:
        return np.array([y[2] - n["R"] * y[5], y[3] + n["R"] * y[4]])

    def rate(t: float, y: np.ndarray) -> list[float]:
        force = -n["mu"] * 9.81 * slip(y) / np.linalg.norm(slip(y))
        turn = 1 / (0.4 * n["R"])
        return [y[2], y[3], *force, force[1] * turn, -force[0] * turn]

    start = [0, 0, n["v0"], 0, n["wx"], n["wy"]]
    first = slip(np.array(start))
    t, y = integrate(rate, start, 1, lambda t, y: slip(y) @ first - 1e-9)
    assert t < 1
    return y[1] + (1 - t) * y[3]


@route("ball_spins_on", "closed form", within=0)
def _(case: Case) -> float:
    """The slip of the point of contact is that of the centre and of spin about level axes, all zero: so are friction and torque."""
    slip = np.cross([0, 0, 50.0], [0, 0, -0.05])
    assert not slip.any()
    return 50.0


@route("ball_spins_on", "ring that shrinks")
def _(case: Case) -> float:
    """Spin after two seconds on a ring of feet, extrapolated to a point."""
    n = case.numbers()
    radii = np.array([1e-4, 2e-4])
    left = [
        integrate(lambda t, y, r=r: [-n["mu"] * 9.81 * r / (0.4 * n["R"] ** 2)], [n["wz"]], 2)[1][0] for r in radii
    ]
    return 2 * left[0] - left[1]
