"""What an engine returns: the motion of each body at sample times, and forces of contacts if it has them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

import numpy as np


class State(NamedTuple):
    """A body at one time: centre of mass, quaternion `[w, x, y, z]`, and velocities, all in world axes."""

    position: np.ndarray
    quaternion: np.ndarray
    velocity: np.ndarray
    omega: np.ndarray


@dataclass
class Trajectory:
    """Times (n), of each body a `State` of arrays (n, 3) and (n, 4), and forces on the first of two things (n, 3)."""

    t: np.ndarray
    bodies: dict[str, State]
    forces: dict[tuple[str, str], np.ndarray] = field(default_factory=dict)


class Recorder:
    """Collects states step by step into a trajectory."""

    def __init__(self) -> None:
        self.t: list[float] = []
        self.states: list[Mapping[str, State]] = []
        self.contacts: list[Mapping[tuple[str, str], np.ndarray]] = []

    def add(self, t: float, states: Mapping[str, State], forces: Mapping[tuple[str, str], np.ndarray]) -> None:
        """One sample; arrays are copied, because engines give views of what they change."""
        self.t.append(float(t))
        self.states.append({name: State(*(np.array(part, float) for part in one)) for name, one in states.items()})
        self.contacts.append({pair: np.array(force, float) for pair, force in forces.items()})

    def trajectory(self) -> Trajectory:
        names = self.states[0].keys()
        bodies = {name: State(*map(np.array, zip(*(one[name] for one in self.states), strict=True))) for name in names}
        pairs = {pair for one in self.contacts for pair in one}
        forces = {pair: np.array([one.get(pair, np.zeros(3)) for one in self.contacts]) for pair in pairs}
        return Trajectory(np.array(self.t), bodies, forces)
