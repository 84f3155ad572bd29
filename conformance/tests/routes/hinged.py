"""Bodies in the plane that turn about hinges: Newton and Euler's equations, and energy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from scipy.integrate import solve_ivp


class Rigid(NamedTuple):
    """A body: mass, moment of inertia, and its centre at the start."""

    mass: float
    inertia: float
    centre: tuple[float, float]


class Pin(NamedTuple):
    """A point, given at the start, that two bodies share, or that one body keeps (`other` is None) along `rows` of x and y."""

    point: tuple[float, float]
    body: int
    other: int | None = None
    rows: tuple[int, ...] = (0, 1)


def _rows(bodies: list[Rigid], pins: list[Pin], q: np.ndarray, v: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """J and J' v of the pins."""
    matrix, drift = [], []
    for pin in pins:
        row, rest = np.zeros((2, 3 * len(bodies))), np.zeros(2)
        for body, sign in ((pin.body, 1.0), (pin.other, -1.0)):
            if body is None:
                continue
            arm = np.subtract(pin.point, bodies[body].centre)
            c, s = math.cos(q[3 * body + 2]), math.sin(q[3 * body + 2])
            x, y = c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]
            row[:, 3 * body : 3 * body + 3] += sign * np.array([[1, 0, -y], [0, 1, x]])
            rest -= sign * v[3 * body + 2] ** 2 * np.array([x, y])
        matrix += [row[k] for k in pin.rows]
        drift += [rest[k] for k in pin.rows]
    return np.array(matrix), np.array(drift)


def accelerate(
    bodies: list[Rigid], pins: list[Pin], q: np.ndarray, v: np.ndarray, g: float = 9.81
) -> tuple[np.ndarray, np.ndarray]:
    """Accelerations, and forces of the pins on their first bodies, row by row."""
    jacobian, drift = _rows(bodies, pins, q, v)
    mass = np.diag([one for body in bodies for one in (body.mass, body.mass, body.inertia)])
    load = np.array([one for body in bodies for one in (0.0, -body.mass * g, 0.0)])
    n, k = len(mass), len(jacobian)
    full = np.block([[mass, -jacobian.T], [jacobian, np.zeros((k, k))]])
    found = np.linalg.solve(full, np.concatenate([load, -drift]))
    return found[:n], found[n:]


def turned(bodies: list[Rigid], pins: list[Pin], end: float) -> tuple[np.ndarray, np.ndarray, list[np.ndarray]]:
    """Places and velocities at the end, from rest, and the forces of the pins on the way."""
    n = 3 * len(bodies)
    start = np.array([one for body in bodies for one in (*body.centre, 0.0)])
    rate = lambda t, y: [*y[n:], *accelerate(bodies, pins, y[:n], y[n:])[0]]  # noqa: E731
    done = solve_ivp(rate, (0, end), [*start, *np.zeros(n)], method="DOP853", rtol=1e-12, atol=1e-13)
    forces = [accelerate(bodies, pins, y[:n], y[n:])[1] for y in done.y.T]
    return done.y[:n, -1], done.y[n:, -1], forces


def angle_by_energy(inertia: Callable[[Any], Any], drop: Callable[[Any], Any], end: Any, guess: Any) -> Any:
    """The angle at the end of a motion from rest with kinetic energy `inertia(a) a'^2/2`, which is the energy `drop(a)` of its fall:
    the time to an angle is an integral. In the precision of mpmath that is set."""
    import mpmath

    def time(angle: Any) -> Any:
        part = lambda u: 2 * u * mpmath.sqrt(inertia(u * u) / (2 * drop(u * u)))  # noqa: E731
        return mpmath.quad(part, [0, mpmath.sqrt(angle)], method="gauss-legendre", maxdegree=3)

    return mpmath.findroot(lambda angle: time(angle) - end, (guess, guess * mpmath.mpf("1.01")))
