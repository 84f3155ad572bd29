"""Beads and discs that lie on each other: statics, and how a bead rolls over two."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mechan_conformance.case import Case
from scipy.optimize import linprog

from . import route
from .hinged import angle_by_energy
from .motions import integrate
from .statics import Balance, Support

G = 9.81

# A bead (R = 0.1) on three fixed ones: lines of centres are edges of a regular tetrahedron.

CENTRES = 0.1 * np.array([[-2 / math.sqrt(3), 0, 0], [1 / math.sqrt(3), 1, 0], [1 / math.sqrt(3), -1, 0]])
POCKET = np.array([0, 0, 0.2 * math.sqrt(2 / 3)])


def pocket_loads(alpha: float) -> np.ndarray:
    """Normal forces that balance a unit of weight without friction."""
    return np.linalg.solve(((POCKET - CENTRES) / 0.2).T, [-math.sin(alpha), 0, math.cos(alpha)])


@route("bead_stays_in_pocket", "statics", within=0)
def _(case: Case) -> float:
    assert pocket_loads(case.numbers()["alpha"]).min() > 0
    limit = math.atan(1 / (2 * math.sqrt(2)))
    assert pocket_loads(limit - 1e-9).min() > 0 > pocket_loads(limit + 1e-9).min()
    return 0.0


@route("bead_stays_in_pocket", "energy", within=0)
def _(case: Case) -> float:
    """No displacement that keeps or widens all distances lowers the weight; to second order none at all."""
    alpha = case.numbers()["alpha"]
    down = np.array([math.sin(alpha), 0, -math.cos(alpha)])
    found = linprog(-down, -(POCKET - CENTRES), np.zeros(3), bounds=(-1, 1))
    assert abs(found.fun) < 1e-12 and abs(np.linalg.det(POCKET - CENTRES)) > 1e-6
    return 0.0


def out_of_pocket(q: Any, lib: Any = math) -> Any:
    """Way along x of a bead that has turned from -asin(1/3) to q about the line of two centres."""
    radius = lib.mpf("0.1") if lib is not math else 0.1
    return radius / lib.sqrt(3) + lib.sqrt(3) * radius * lib.sin(q)


@route("bead_rolls_out_of_pocket", "energy", within=1e-12)
def _(case: Case) -> float:
    """It turns about the contacts, at half its distance, twice as fast as its centre about the line of centres."""
    import mpmath

    with mpmath.workdps(30):
        alpha, radius, start = mpmath.mpf("0.37"), mpmath.mpf("0.1"), -mpmath.asin(mpmath.mpf(1) / 3)
        inertia = radius**2 * (3 + mpmath.mpf(8) / 5)
        height = lambda q: mpmath.sqrt(3) * radius * mpmath.cos(q + alpha)  # noqa: E731
        drop = lambda a: mpmath.mpf("9.81") * (height(start) - height(start + a))  # noqa: E731
        angle = angle_by_energy(lambda a: inertia, drop, mpmath.mpf("0.4"), mpmath.mpf("0.3"))
        return out_of_pocket(start + angle, mpmath)


@route("bead_rolls_out_of_pocket", "equations of motion")
def _(case: Case) -> float:
    """Forces of both contacts together, towards the centre and across; the torque of the latter turns the bead."""
    alpha, mu = case.numbers()["alpha"], case.numbers()["mu"]
    assert pocket_loads(alpha)[0] < 0, "it leaves the first contact"
    far = math.sqrt(3) * 0.1

    def across(q: float) -> float:
        """Friction F: far q'' = g sin(q + alpha) - F, and 0.004 (2 q'') = F far/2."""
        return G * math.sin(q + alpha) * 0.016 / (far**2 + 0.016)

    def rate(t: float, y: np.ndarray) -> list[float]:
        pressed = G * math.cos(y[0] + alpha) - far * y[1] ** 2
        assert pressed > 0 and across(y[0]) / 2 < mu * pressed / (2 * math.sqrt(0.75)), "it rolls"
        return [y[1], (G * math.sin(y[0] + alpha) - across(y[0])) / far]

    _, (q, _) = integrate(rate, [-math.asin(1 / 3), 0.0], 0.4)
    return out_of_pocket(q)


# Discs in a channel: W = 0.32, from disc to disc 0.12 across and 0.16 up.


def channel(mu: float) -> Balance:
    """Unknown forces of floor, walls from below, and pairs from below."""
    x, y = [0.1, 0.22, 0.1, 0.22], [0.1 + 0.16 * k for k in range(4)]
    supports = [Support((0.1, 0), (0, 1), 0, 0)]
    supports += [Support((0.32 * (k % 2), y[k]), ((-1) ** k, 0), mu, k) for k in range(4)]
    for k in range(3):
        middle = ((x[k] + x[k + 1]) / 2, (y[k] + y[k + 1]) / 2)
        supports.append(Support(middle, ((x[k + 1] - x[k]) / 0.2, 0.8), 0, k + 1, k))
    return Balance(list(zip(x, y, strict=True)), [(0, -G)] * 4, supports)


@route("discs_press_on_walls", "closed form")
def _(case: Case) -> float:
    return 5 * G * 0.12 / 0.16


@route("discs_press_on_walls", "linear programme", within=1e-6)
def _(case: Case) -> float:
    low, high = channel(0.0).normal_range([2])
    assert high - low < 1e-6
    return low


@route("floor_bears_all_discs", "closed form")
def _(case: Case) -> float:
    return 4 * G


@route("floor_bears_all_discs", "linear programme", within=1e-6)
def _(case: Case) -> float:
    low, high = channel(case.numbers()["mu"]).normal_range([0])
    assert high - low < 1e-6
    return low


# The pyramid: rows of 4, 3, 2, 1 discs with R = 0.1 in a box of the width 0.8.


def pyramid() -> tuple[list[tuple[float, float]], list[Support]]:
    """Centres, and contacts without friction."""
    places = [(0.1 * (2 * i + 1 + row), 0.1 + 0.1 * math.sqrt(3) * row) for row in range(4) for i in range(4 - row)]
    supports = [Support((places[k][0], 0), (0, 1), 0, k) for k in range(4)]
    supports += [Support((0, 0.1), (1, 0), 0, 0), Support((0.8, 0.1), (-1, 0), 0, 3)]
    for a, p in enumerate(places):
        for b, q in enumerate(places[:a]):
            way = np.subtract(p, q)
            if np.linalg.norm(way) < 0.2 + 1e-9:
                supports.append(Support(tuple(np.add(p, q) / 2), tuple(way / 0.2), 0, a, b))
    return places, supports


@route("pyramid_fills_box", "sum of heights", within=1e-6)
def _(case: Case) -> float:
    return G * sum(y for _, y in pyramid()[0])


@route("pyramid_fills_box", "linear programme", within=1e-6)
def _(case: Case) -> float:
    """Equilibrium without friction, no way down, and no way that keeps all distances."""
    places, supports = pyramid()
    pile = Balance(places, [(0, -G)] * 10, supports)
    assert pile.balances() and abs(pile.slides_down()) < 1e-9
    moves = np.delete(pile.equations[:, ::2], np.s_[2::3], axis=0)
    assert np.linalg.matrix_rank(moves) == 20
    return G * float(np.sum(places, axis=0)[1])


@route("brick_column_stands", "sum of heights", within=1e-9)
def _(case: Case) -> float:
    """The n-th joint from above bears a centre between the bricks' middles, at most half the way to and fro from its own."""
    shifts = [0.05 * (k % 2) for k in range(6)]
    for k in range(5):
        above, left = np.mean(shifts[k + 1 :]), max(shifts[k], shifts[k + 1]) - 0.1
        assert left < above < min(shifts[k], shifts[k + 1]) + 0.1
    return G * sum(0.05 + 0.1 * k for k in range(6))


@route("brick_column_stands", "linear programme", within=1e-9)
def _(case: Case) -> float:
    places = [(0.05 * (k % 2), 0.05 + 0.1 * k) for k in range(6)]
    supports = [Support((x, 0), (0, 1), 0.5, 0) for x in (-0.1, 0.1)]
    supports += [Support((x, 0.1 * k), (0, 1), 0.5, k, k - 1) for k in range(1, 6) for x in (-0.05, 0.1)]
    column = Balance(places, [(0, -G)] * 6, supports)
    assert column.balances() and abs(column.falls()) < 1e-9
    return G * float(np.sum(places, axis=0)[1])
