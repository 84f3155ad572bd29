"""Forces on bodies at a time, for engines that are told them step by step."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from . import rotation
from .trajectory import State
from .world import Force, Spring, World

StateOf = Callable[[str], State]
Load = tuple[np.ndarray, np.ndarray]
"""Force, and torque about the centre of mass, in world axes."""


def loads(world: World, state: StateOf, springs: bool = True) -> dict[str, Load]:
    """What the forces of a world (and its springs, for engines that have none) do to each body that they act on."""
    total: dict[str, Load] = {}
    for force in world.forces:
        _add(total, force.body, *_of_force(force, state(force.body)))
    for spring in world.springs if springs else ():
        for body, arm, pull in _of_spring(spring, state):
            _add(total, body, pull, np.cross(arm, pull))
    return total


def _add(total: dict[str, Load], body: str, force: np.ndarray, torque: np.ndarray) -> None:
    before = total.get(body, (np.zeros(3), np.zeros(3)))
    total[body] = (before[0] + force, before[1] + torque)


def _of_force(one: Force, state: State) -> Load:
    turn = np.asarray(state.quaternion, float)
    force, torque = (rotation.rotate(turn, v) if one.axes == "body" else v for v in (one.force, one.torque))
    return force, torque + np.cross(rotation.rotate(turn, one.point), force)


def _of_spring(spring: Spring, state: StateOf) -> list[tuple[str, np.ndarray, np.ndarray]]:
    """Of each body that moves: its name, the arm from its centre, and the force."""
    ends = [_end(body, point, state) for body, point in zip(spring.bodies, spring.points, strict=True)]
    apart, rate = ends[1][0] - ends[0][0], ends[1][1] - ends[0][1]
    length = float(np.linalg.norm(apart))
    along = apart / length
    pull = (spring.stiffness * (length - spring.length) + spring.damping * float(rate @ along)) * along
    both = zip(spring.bodies, ends, (pull, -pull), strict=True)
    return [(body, arm, force) for body, (_, _, arm), force in both if body != "world"]


def _end(body: str, point: np.ndarray, state: StateOf) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Place and velocity of an end, and the arm to it."""
    if body == "world":
        return point, np.zeros(3), point
    place, turn, velocity, omega = (np.asarray(part, float) for part in state(body))
    arm = rotation.rotate(turn, point)
    return place + arm, velocity + np.cross(omega, arm), arm
