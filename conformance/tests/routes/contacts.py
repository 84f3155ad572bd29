"""Bodies on contact points, from their equations alone: a time step, slip at all contacts, turning about a point."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import NamedTuple

import numpy as np
from scipy.integrate import solve_ivp


class Touch(NamedTuple):
    """A contact: rates of its gap and of its slip per velocity, and its friction."""

    normal: np.ndarray
    slip: np.ndarray
    mu: float


def touch(arm: list[float], normal: list[float], mu: float) -> Touch:
    """A contact point at `arm` from the centre of a body in the plane (velocity and rate) or in space (and rates)."""
    n = np.asarray(normal, float)
    if len(arm) == 2:
        return Touch(_row(arm, n), np.array([_row(arm, [n[1], -n[0]])]), mu)
    first = np.array([1.0, 0, 0])
    return Touch(_row(arm, n), np.array([_row(arm, first), _row(arm, np.cross(n, first))]), mu)


def _row(arm: list[float], direction: list[float]) -> np.ndarray:
    if len(arm) == 2:
        return np.array([*direction, arm[0] * direction[1] - arm[1] * direction[0]])
    return np.concatenate([direction, np.cross(arm, direction)])


def after(mass: np.ndarray, free: np.ndarray, touches: list[Touch], rounds: int = 200_000) -> np.ndarray:
    """Velocity after impulses without rebound, found one contact after the other until nothing changes."""
    inverse = np.linalg.inv(mass)
    velocity = np.array(free, float)
    normal = np.zeros(len(touches))
    tangent = [np.zeros(len(one.slip)) for one in touches]
    for _ in range(rounds):
        before = velocity.copy()
        for i, one in enumerate(touches):
            push = max(0.0, normal[i] - one.normal @ velocity / (one.normal @ inverse @ one.normal))
            velocity += inverse @ one.normal * (push - normal[i])
            normal[i] = push
            grip = one.slip @ inverse @ one.slip.T
            pull = tangent[i] - one.slip @ velocity / np.linalg.eigvalsh(grip)[-1]
            pull *= min(1.0, one.mu * push / max(np.linalg.norm(pull), 1e-300))
            velocity += inverse @ one.slip.T @ (pull - tangent[i])
            tangent[i] = pull
        if np.abs(velocity - before).max() <= 1e-17 * max(1.0, np.abs(free).max()):
            break
    return velocity


def step_from_rest(mass: np.ndarray, force: np.ndarray, touches: list[Touch]) -> np.ndarray:
    """Acceleration of the first time step of bodies at rest."""
    step = 1e-3
    return after(mass, step * np.linalg.solve(mass, force), touches) / step


def sliding(
    mass: np.ndarray, force: np.ndarray, touches: list[Touch], slips: list[np.ndarray]
) -> tuple[np.ndarray, np.ndarray]:
    """Acceleration and normal forces while every contact stays closed and slips in its direction."""
    closed = np.array([one.normal for one in touches])
    pushes = np.array(
        [one.normal - one.mu * one.slip.T @ (s / np.linalg.norm(s)) for one, s in zip(touches, slips, strict=True)]
    )
    n, k = len(mass), len(touches)
    matrix = np.block([[mass, -pushes.T], [closed, np.zeros((k, k))]])
    found = np.linalg.lstsq(matrix, np.concatenate([force, np.zeros(k)]), rcond=1e-12)[0]
    assert np.abs(closed @ found[:n]).max() < 1e-10, "all contacts stay closed"
    return found[:n], found[n:]


class Turning(NamedTuple):
    """How a body turned about a point: time, angle and rate at the end, and the largest friction over normal force."""

    t: float
    angle: float
    rate: float
    grip: float


def turn_about(
    arm: list[float],
    mass: float,
    inertia: float,
    load: Callable[[float], tuple[np.ndarray, float]],
    angle: float,
    end: float,
    stop: float | None = None,
) -> Turning:
    """A body in the plane, from rest, counter-clockwise; `arm` leads from its centre to the point in body axes."""

    def forces(theta: float, omega: float) -> np.ndarray:
        c, s = math.cos(theta), math.sin(theta)
        r = np.array([c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]])
        force, torque = load(theta)
        # unknown: acceleration of the centre, angular acceleration, force at the point
        matrix = np.zeros((5, 5))
        matrix[0, [0, 3]] = mass, -1
        matrix[1, [1, 4]] = mass, -1
        matrix[2, [2, 3, 4]] = inertia, r[1], -r[0]
        matrix[3, [0, 2]] = 1, -r[1]
        matrix[4, [1, 2]] = 1, r[0]
        return np.linalg.solve(matrix, [*force, torque, *(omega**2 * r)])

    def arrives(t: float, y: np.ndarray) -> float:
        return y[0] - (stop if stop is not None else 1e9)

    arrives.terminal = True  # type: ignore[attr-defined]
    done = solve_ivp(
        lambda t, y: [y[1], forces(*y)[2]],
        (0, end),
        [angle, 0.0],
        method="DOP853",
        rtol=1e-12,
        atol=1e-14,
        events=arrives,
    )
    held = [forces(*y)[3:] for y in done.y.T]
    assert all(normal > 0 for _, normal in held), "the point is pressed down"
    grip = max(abs(tangent) / normal for tangent, normal in held)
    return Turning(float(done.t[-1]), *(float(v) for v in done.y[:, -1]), grip)
