"""Statics in the plane: what forces in Coulomb's cones balance weights, by linear programmes."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from scipy.optimize import linprog


class Support(NamedTuple):
    """A contact: place, normal (towards `body`), friction, and what is under it (None: the floor)."""

    point: tuple[float, float]
    normal: tuple[float, float]
    mu: float
    body: int
    under: int | None = None


class Balance:
    """Equations of equilibrium of bodies with centres and weights (vectors of force); unknown N and T of each support in turn."""

    def __init__(self, centres: list, weights: list, supports: list[Support]) -> None:
        self.supports = supports
        self.equations = np.zeros((3 * len(centres), 2 * len(supports)))
        self.load = np.zeros(3 * len(centres))
        for k, weight in enumerate(weights):
            self.load[3 * k : 3 * k + 2] = -np.asarray(weight)
        for i, one in enumerate(supports):
            normal = np.asarray(one.normal, float)
            for column, direction in ((2 * i, normal), (2 * i + 1, np.array([normal[1], -normal[0]]))):
                for body, sign in ((one.body, 1.0), (one.under, -1.0)):
                    if body is not None:
                        x, y = np.subtract(one.point, centres[body])
                        torque = x * direction[1] - y * direction[0]
                        self.equations[3 * body : 3 * body + 3, column] += sign * np.array([*direction, torque])

    def extreme(self, what: np.ndarray) -> float | None:
        """The least value of a sum of forces, or None if nothing balances."""
        cones = []
        for i, one in enumerate(self.supports):
            for sign in (1, -1):
                row = np.zeros(2 * len(self.supports))
                row[2 * i : 2 * i + 2] = -one.mu, sign
                cones.append(row)
        bounds = [(0, None), (None, None)] * len(self.supports)
        found = linprog(what, np.array(cones), np.zeros(len(cones)), self.equations, self.load, bounds)
        return float(found.fun) if found.status == 0 else None

    def balances(self) -> bool:
        return self.extreme(np.zeros(2 * len(self.supports))) is not None

    def normal_range(self, chosen: list[int]) -> tuple[float, float]:
        """Least and greatest sum of the normal forces of these supports."""
        what = np.zeros(2 * len(self.supports))
        what[[2 * i for i in chosen]] = 1
        least, greatest = self.extreme(what), self.extreme(-what)
        assert least is not None and greatest is not None, "nothing balances"
        return least, -greatest

    def falls(self) -> float:
        """Greatest power of the weights in velocities (at most 1) that open or keep every contact and do not slip: zero if there is
        no way of falling."""
        slips = self.equations[:, 1::2].T
        return self._power(slips, np.zeros(len(slips)))

    def slides_down(self) -> float:
        """The same of bodies whose contacts may slip as they like."""
        return self._power(None, None)

    def _power(self, held: np.ndarray | None, rates: np.ndarray | None) -> float:
        normals = self.equations[:, ::2].T
        return -float(linprog(self.load, -normals, np.zeros(len(normals)), held, rates, (-1, 1)).fun)
