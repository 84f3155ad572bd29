"""Single time steps and heaps: few equations, by hand."""

from __future__ import annotations

import json

import numpy as np
from mechan_conformance.case import Case

from . import route


def load(case: Case) -> tuple[np.ndarray, ...]:
    """M, H, q and b of a problem, M v = H r + q, u = H^T v + b."""
    data = json.loads(case.path("problem").read_text())

    def matrix(one: dict) -> np.ndarray:
        full = np.zeros((one["nrows"], one["ncols"]))
        full[one["rows"], one["cols"]] = one["vals"]
        return full

    return matrix(data["M"]), matrix(data["H"]), np.array(data["q"], float), np.array(data["b"], float)


def condensed(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """W and c of u = W r + c."""
    mass, h, q, b = load(case)
    return h.T @ np.linalg.solve(mass, h), h.T @ np.linalg.solve(mass, q) + b


@route("step_without_solution", "mode by mode", within=0)
def _(case: Case) -> float:
    """Take-off, stick and slip of the one contact (mu = 1), each with what contradicts it."""
    w, c = condensed(case)
    assert c[0] < 0, "take-off: penetrates"
    for slip in (1, -1):
        force = -c[0] / (w[0, 0] - slip * w[0, 1])  # r_T = -slip r_N
        rate = (w[1, 0] - slip * w[1, 1]) * force + c[1]
        assert force < 0 or slip * rate < 0, "slip: pulls, or goes the other way"
    # stick: W r = -c, where W has rank one
    assert abs(np.linalg.det(w)) < 1e-12 and abs(w[0, 0] * c[1] - w[1, 0] * c[0]) > 1e-3
    return 0.0


@route("step_without_solution", "all forces", within=0)
def _(case: Case) -> float:
    """Slip has one direction for every force that prevents penetration, and its friction presses the contact further down."""
    w, c = condensed(case)
    ratio = np.linspace(-1, 1, 20001)
    push = w[0, 0] + w[0, 1] * ratio
    can = push > 0
    force = -c[0] / push[can]  # the gap's rate is zero
    rate = w[1, 1] * ratio[can] * force + w[1, 0] * force + c[1]
    assert (rate > 0).all(), "it slips forward by every such force"
    assert not can[0], "with the friction of that slip no force prevents penetration"
    return 0.0


def modes(case: Case) -> list[float]:
    """Normal impulses of the solutions of one contact in the plane that takes off, slips either way, or sticks."""
    w, c = condensed(case)
    mu = json.loads(case.path("problem").read_text())["mu"][0]
    found = [0.0] if c[0] > 0 else []
    for slip in (1, -1):
        force = -c[0] / (w[0, 0] - slip * mu * w[0, 1])  # r_T = -slip mu r_N
        rate = (w[1, 0] - slip * mu * w[1, 1]) * force + c[1]
        if force >= 0 and slip * rate > 0:
            found.append(force)
    # stick: W r = -c, where W has rank one
    assert abs(np.linalg.det(w)) < 1e-12 and abs(w[0, 0] * c[1] - w[1, 0] * c[0]) > 1e-3
    return found


def solutions(case: Case) -> list[float]:
    """The same from the bar's one velocity: it vanishes with the normal velocity, so that the table's motion alone is the slip."""
    mass, h, q, b = load(case)
    mu = json.loads(case.path("problem").read_text())["mu"][0]
    found = []
    free = h.T @ (q / mass[0, 0]) + b
    if free[0] > 0:
        found.append(0.0)
    for ratio in (-mu, mu):
        push = h[0, 0] + h[0, 1] * ratio
        if ratio * b[1] < 0 and -q[0] / push > 0:
            found.append(-q[0] / push)
    assert b[0] == 0 and b[1] != 0
    return found


@route("step_with_two_solutions", "mode by mode", within=0)
def _(case: Case) -> float:
    return len(modes(case))


@route("step_with_two_solutions", "all forces", within=0)
def _(case: Case) -> float:
    return len(solutions(case))


@route("step_close_to_paradox", "mode by mode")
def _(case: Case) -> float:
    (force,) = modes(case)
    return force


@route("step_close_to_paradox", "all forces")
def _(case: Case) -> float:
    (force,) = solutions(case)
    return force


@route("step_slips_askew", "root with 30 digits", within=1e-14)
def _(case: Case) -> float:
    """The angle of slip at which the tangential velocity has its direction, when the normal velocity vanishes."""
    import mpmath

    with mpmath.workdps(30):
        number = mpmath.mpf
        mass = mpmath.matrix([["2", "0.5", "-0.4"], ["0.5", "1", "0.3"], ["-0.4", "0.3", "1.5"]])
        w, mu = mass**-1, number("0.6")
        c = w * mpmath.matrix(["-1.8", "0.45", "1.39"])

        def step(angle: object) -> tuple:
            way = mpmath.matrix([1, -mu * mpmath.cos(angle), -mu * mpmath.sin(angle)])
            force = -c[0] / (w * way)[0]
            return force, w * way * force + c

        def askew(angle: object) -> object:
            u = step(angle)[1]
            return u[1] * mpmath.sin(angle) - u[2] * mpmath.cos(angle)

        return step(mpmath.findroot(askew, number("1.2776")))[0]


@route("step_slips_askew", "all directions", within=1e-8)
def _(case: Case) -> float:
    """Every direction in turn: one alone is that of its slip, and neither take-off nor stick satisfies the laws."""
    w, c = condensed(case)
    assert c[0] < 0, "take-off: penetrates"
    stick = np.linalg.solve(w, -c)
    assert np.hypot(*stick[1:]) > 0.6 * stick[0], "stick: outside the cone"
    angle = np.linspace(-np.pi, np.pi, 2_000_001)
    way = np.array([np.ones_like(angle), -0.6 * np.cos(angle), -0.6 * np.sin(angle)])
    force = -c[0] / (w[0] @ way)
    u = w[1:] @ way * force + c[1:, None]
    off = u[0] * np.sin(angle) - u[1] * np.cos(angle)
    along = u[0] * np.cos(angle) + u[1] * np.sin(angle)
    (at,) = np.nonzero((off[:-1] * off[1:] <= 0) & (along[:-1] > 0) & (force[:-1] > 0))[0]
    share = off[at] / (off[at] - off[at + 1])
    return float(force[at] + share * (force[at + 1] - force[at]))


@route("step_of_sliding_block", "closed form", within=1e-12)
def _(case: Case) -> float:
    """Moments about the rear corner: m g dt w/2 + mu m g dt h/2 = r w."""
    return 0.0981 * (0.1 + 0.4 * 0.05) / 0.2


@route("step_of_sliding_block", "linear equations", within=1e-12)
def _(case: Case) -> float:
    w, c = condensed(case)
    friction = np.array([[1, 0], [-0.4, 0], [0, 1], [0, -0.4]])  # both slip forward
    normal = np.linalg.solve((w @ friction)[::2], -c[::2])
    after = w @ friction @ normal + c
    assert (normal > 0).all() and (after[1::2] > 0).all()
    return normal[1]


@route("beads_stand_in_tube", "closed form", within=1e-4)
def _(case: Case) -> float:
    """The mean height of n beads is n R."""
    return 5 * 9.81 * 5 * 0.05


@route("beads_stand_in_tube", "sum of heights", within=1e-3)
def _(case: Case) -> float:
    """With the beads in opposite corners of the tube, which is the lowest that they can be."""
    aside = 2 * 0.0001**2 * 4  # square of the way between two centres across the tube
    rise = np.sqrt(0.1**2 - aside)
    return 9.81 * sum(0.05 + k * rise for k in range(5))
