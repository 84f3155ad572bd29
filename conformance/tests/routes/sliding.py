"""Blocks, tripods and sledges that slide."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .contacts import sliding, touch
from .motions import extrapolate, integrate
from .sticking import box_mass, groove


def path(case: Case, end: float) -> np.ndarray:
    """Place of a block on a slope, by Newton's law along and across it."""
    n = case.numbers()
    pull, grip = n["g"] * math.sin(n["alpha"]), n["mu"] * n["g"] * math.cos(n["alpha"])

    def rate(t: float, y: list[float]) -> list[float]:
        speed = math.hypot(y[2], y[3])
        return [y[2], y[3], pull - grip * y[2] / speed, -grip * y[3] / speed]

    start = [0.0, 0.0, n["v0"] * math.cos(n["psi0"]), n["v0"] * math.sin(n["psi0"])]
    return integrate(rate, start, end, lambda t, y: math.hypot(y[2], y[3]) - 1e-6)[1][:2]


@route("block_launched_across_slope_stops", "integration")
def _(case: Case) -> float:
    return float(path(case, 1)[0])


@route("block_launched_across_slope_stops", "closed form")
def _(case: Case) -> float:
    """The way downhill as an integral over tan(psi/2), term by term."""
    ratio, first = 0.6 / math.tan(0.4), math.tan(0.85)
    assert ratio > 1, "it stops"
    scale = 2 * math.sin(1.7) * first**-ratio
    powers = [(0.25, 2 * ratio - 2), (-0.25, 2 * ratio + 2)]
    return scale**2 / (9.81 * math.sin(0.4)) * sum(c * first**p / p for c, p in powers)


@route("block_launched_across_slope_drifts", "integration")
def _(case: Case) -> float:
    return float(path(case, 1)[1])


@route("block_launched_across_slope_drifts", "closed form", within=1e-15)
def _(case: Case) -> float:
    """Time as a closed form in tan(psi/2), solved for its value at one second; the way across in the same."""
    from mpmath import findroot, mpf, sin, tan, workdps

    with workdps(40):
        alpha, v0, psi0 = mpf("0.4"), mpf("1.5"), mpf("1.7")
        pull, ratio, first = mpf("9.81") * sin(alpha), mpf("0.35") / tan(alpha), tan(psi0 / 2)
        scale = v0 * sin(psi0) / first**ratio

        def between(low: mpf, power: mpf) -> mpf:
            return (first**power - low**power) / power

        last = findroot(
            lambda x: scale / (2 * pull) * (between(x, ratio - 1) + between(x, ratio + 1)) - 1,
            (mpf("1e-8"), mpf(1)),
            solver="anderson",
        )
        across = scale**2 / (2 * pull) * (between(last, 2 * ratio - 1) + between(last, 2 * ratio + 1))
        assert abs(across - mpf(case.data["exact"])) < mpf("1e-25")
        return float(across)


def up_and_down(case: Case, end: float) -> float:
    """Up a slope until it stops, then down if friction does not hold it."""
    n = case.numbers()
    pull, grip = n["g"] * math.sin(n["alpha"]), n["mu"] * n["g"] * math.cos(n["alpha"])
    t, (s, _) = integrate(lambda t, y: [y[1], pull + grip], [0.0, n["v0"]], end, lambda t, y: -y[1])
    return s if pull <= grip else float(integrate(lambda t, y: [y[1], pull - grip], [s, 0.0], end - t)[1][0])


@route("block_slides_up_and_stays", "integration")
def _(case: Case) -> float:
    return up_and_down(case, 3)


@route("block_slides_up_and_returns", "integration")
def _(case: Case) -> float:
    return up_and_down(case, 1.5)


@route("block_slides_up_and_stays", "closed form")
def _(case: Case) -> float:
    """Kinetic energy is the work of weight and friction."""
    assert math.tan(0.4) < case.numbers()["mu"]
    return -(2**2 / 2) / (9.81 * math.sin(0.4) * 2.01)


@route("block_slides_up_and_returns", "closed form")
def _(case: Case) -> float:
    up, down = math.sin(0.4) + 0.3 * math.cos(0.4), math.sin(0.4) - 0.3 * math.cos(0.4)
    height = 2**2 / (2 * 9.81 * up)
    return 9.81 * down * (1.5 - height) ** 2 / 2 - height  # up at a mean speed of 1 m/s


@route("block_in_groove_stops", "closed form")
def _(case: Case) -> float:
    """Sides at right angles to each other press with the parts of the weight along their normals."""
    brake = 9.81 * (0.3 * math.cos(0.15) * (math.cos(0.6) + math.sin(0.6)) - math.sin(0.15))
    return 1.5**2 / 2 / brake


@route("block_in_groove_stops", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    force = n["g"] * np.array([math.sin(n["alpha"]), 0, -math.cos(n["alpha"]), 0, 0, 0])
    # a contact slips along the groove: its first direction
    touches = [one._replace(mu=n["mu"]) for one in groove(case)]
    found, _ = sliding(box_mass(1, [0.3, 0.1, 0.1]), force, touches, [np.array([1.0, 0])] * len(touches))
    t, (s, _) = integrate(lambda t, y: [y[1], found[0]], [0.0, n["v0"]], 1.5, lambda t, y: y[1])
    assert t < 1.5
    assert math.tan(n["alpha"]) < n["mu"], "it stays where it stops"
    return s


def feet(case: Case, yaw: float) -> list:
    """Contacts of a tripod that has turned."""
    n = case.numbers()
    angles = [yaw + 2 * math.pi * k / 3 for k in range(3)]
    return [touch([n["r"] * math.cos(a), n["r"] * math.sin(a), -n["c"]], [0, 0, 1], n["mu"]) for a in angles]


def tripod_rate(case: Case, y: np.ndarray) -> list[float]:
    """Rates of place, yaw, velocity and yaw rate of a tripod that slips on all feet, from its equations in space."""
    n = case.numbers()
    touches, velocity = feet(case, y[2]), np.array([y[3], y[4], 0, 0, 0, y[5]])
    mass = np.diag([n["m"]] * 3 + [0.6 * n["J"], 0.6 * n["J"], n["J"]])
    force = np.array([0, 0, -n["m"] * n["g"], 0, 0, 0])
    found, loads = sliding(mass, force, touches, [one.slip @ velocity for one in touches])
    assert loads.min() > 0
    assert np.abs(found[2:5]).max() < 1e-9, "it stays upright"
    return [*y[3:], found[0], found[1], found[5]]


@route("tripod_spins_and_stops", "closed form")
def _(case: Case) -> float:
    """Angular momentum over the torque of three thirds of the weight."""
    torque = 3 * 0.3 * (9.81 / 3) * 0.12
    return 0.005 * 30 / torque


@route("tripod_spins_and_stops", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    start = [0.0, 0.0, 0.0, 0.0, 0.0, n["omega0"]]
    t, y = integrate(lambda t, y: tripod_rate(case, y), start, 1, lambda t, y: y[5] - 1e-9)
    return t - y[5] / tripod_rate(case, y)[5]


@route("tripod_slides_and_spins", "integration in space")
def _(case: Case) -> float:
    n = case.numbers()
    start = [0.0, 0.0, 0.0, n["v0"], 0.0, n["omega0"]]
    return float(integrate(lambda t, y: tripod_rate(case, y), start, 0.3)[1][0])


@route("tripod_slides_and_spins", "extrapolation", within=1e-15)
def _(case: Case) -> float:
    """Motion in the plane alone, with the loads of the feet from the balance of weight and moments, to many digits."""
    from mpmath import cos, hypot, lu_solve, matrix, mpf, pi, sin, workdps

    with workdps(30):
        mu, weight, moment, radius, height = mpf("0.3"), mpf("9.81"), mpf("0.005"), mpf("0.12"), mpf("0.05")

    def rate(t: mpf, y: matrix) -> list:
        arms = [(radius * cos(y[2] + 2 * pi * k / 3), radius * sin(y[2] + 2 * pi * k / 3)) for k in range(3)]
        slips = [(y[3] - y[5] * b, y[4] + y[5] * a) for a, b in arms]
        ways = [(u / hypot(u, v), v / hypot(u, v)) for u, v in slips]
        lever = [[arm[i] - height * mu * way[i] for arm, way in zip(arms, ways, strict=True)] for i in (0, 1)]
        loads = lu_solve(matrix([[1, 1, 1], *lever]), matrix([weight, 0, 0]))
        force = [-mu * sum(loads[k] * ways[k][i] for k in range(3)) for i in (0, 1)]
        torque = -mu * sum(loads[k] * (arms[k][0] * ways[k][1] - arms[k][1] * ways[k][0]) for k in range(3))
        return [y[3], y[4], y[5], *force, torque / moment]

    with workdps(30):
        start = [mpf(0), mpf(0), mpf(0), mpf("0.9"), mpf(0), mpf(9)]
        place = extrapolate(rate, start, "0.3", 8)[0]
        assert abs(place - mpf(case.data["exact"])) < mpf("1e-20")
        return float(place)


def brake(case: Case) -> tuple[np.ndarray, np.ndarray]:
    """Acceleration and loads of a sledge that slides forward; rear foot first."""
    n = case.numbers()
    mass = np.diag([n["m"], n["m"], n["J"]])
    touches = [touch([-n["b"], -n["c"]], [0, 1], n["mu_rear"]), touch([n["a"], -n["c"]], [0, 1], n["mu_front"])]
    return sliding(mass, np.array([0, -n["m"] * n["g"], 0]), touches, [np.array([1.0])] * 2)


@route("sledge_brakes_on_unequal_feet", "closed form")
def _(case: Case) -> float:
    """Moments about where the lines of both forces meet the height of the centre give the loads."""
    rear = (0.3 - 0.2 * 0.5) / (0.8 + 0.2 * (0.2 - 0.5))
    return 2**2 / 2 / (9.81 * (0.2 * rear + 0.5 * (1 - rear)))


@route("sledge_brakes_on_unequal_feet", "integration")
def _(case: Case) -> float:
    found, loads = brake(case)
    assert loads.min() > 0
    t, (s, _) = integrate(lambda t, y: [y[1], found[0]], [0.0, case.numbers()["v0"]], 1, lambda t, y: y[1])
    return s


@route("sledge_front_load", "closed form")
def _(case: Case) -> float:
    """Moments about the rear foot: weight, and inertia at the height of the centre."""
    return 1.4 * 9.81 * (0.5 + 0.46 * 0.25) / 0.8


@route("sledge_front_load", "integration")
def _(case: Case) -> float:
    found, loads = brake(case)
    assert case.numbers()["v0"] + 0.4 * found[0] > 0, "it still slides"
    return float(loads[1])
