"""Blocks that friction holds or carries."""

from __future__ import annotations

import math

import numpy as np
from mechan_conformance.case import Case

from . import route
from .contacts import step_from_rest, touch
from .motions import integrate


def box_mass(mass: float, size: list[float]) -> np.ndarray:
    """Mass matrix of a box in the plane or in space."""
    if len(size) == 2:
        return np.diag([mass, mass, mass * (size[0] ** 2 + size[1] ** 2) / 12])
    squares = np.square(size)
    return np.diag([mass] * 3 + [mass * (squares.sum() - one) / 12 for one in squares])


def feet(size: list[float], mu: float) -> list:
    """Contacts of the lower corners of a box with the ground."""
    if len(size) == 2:
        return [touch([x * size[0] / 2, -size[1] / 2], [0, 1], mu) for x in (-1, 1)]
    half = np.array(size) / 2
    return [touch([x * half[0], y * half[1], -half[2]], [0, 0, 1], mu) for x in (-1, 1) for y in (-1, 1)]


@route("block_pinched_stays", "force balance", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    assert n["m"] * 9.81 / 2 < n["mu"] * n["press"], "each face bears half of the weight, within its cone"
    assert n["m"] * 9.81 / 2 > 0.98 * n["mu"] * n["press"], "and is near its limit"
    return 0.0


@route("block_pinched_stays", "time step")
def _(case: Case) -> float:
    n, w, h = case.numbers(), 0.1, 0.2
    mass = np.zeros((4, 4))
    mass[:3, :3], mass[3, 3] = box_mass(n["m"], [w, h]), n["M"]
    sides = [touch([side * w / 2, y * h / 2], [-side, 0], n["mu"]) for side in (-1, 1) for y in (-1, 1)]
    # the plate's distance from the wall is the fourth coordinate
    sides = [
        one._replace(normal=np.append(one.normal, float(one.normal[0] < 0)), slip=np.pad(one.slip, ((0, 0), (0, 1))))
        for one in sides
    ]
    return -2 * float(step_from_rest(mass, np.array([0, -n["m"] * n["g"], 0, -n["press"]]), sides)[1])


@route("block_carried_by_belt", "closed form")
def _(case: Case) -> float:
    """Mean speed while it slips is half of the belt's."""
    n = case.numbers()
    time = 1.3 / (9.81 * math.cos(0.25) * (0.45 - math.tan(0.25)))
    assert math.tan(n["alpha"]) < n["mu"], "it stays on the belt"
    return 1.3 * time / 2 + 1.3 * (2 - time)


@route("block_carried_by_belt", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    pull, grip = n["g"] * math.sin(n["alpha"]), n["mu"] * n["g"] * math.cos(n["alpha"])
    t, (s, v) = integrate(lambda t, y: [y[1], grip - pull], [0.0, 0.0], 2, lambda t, y: n["belt"] - y[1])
    assert pull < grip
    return s + (2 - t) * v


@route("block_on_belt_with_spring", "closed form")
def _(case: Case) -> float:
    """By amplitudes in the plane of place and velocity over rate."""
    rate = math.sqrt(30 / 1.5)
    middle = 1.5 * 9.81 * (0.4 * math.cos(0.1) - math.sin(0.1)) / 30
    height = 0.5 / rate
    assert height < middle, "it is caught"
    caught = middle - math.sqrt(middle**2 - height**2)
    time = math.acos(1 - caught / middle) / rate + (middle - caught) / 0.5
    angle = rate * (0.9 - time)
    assert 0 < angle < 2 * math.pi, "it slips, and is not caught again"
    return middle + height * math.sin(angle)


@route("block_on_belt_with_spring", "integration")
def _(case: Case) -> float:
    n = case.numbers()
    pull, grip = n["g"] * math.sin(n["alpha"]), n["mu"] * n["g"] * math.cos(n["alpha"])

    def slip(t: float, y: list[float]) -> list[float]:
        return [y[1], grip - pull - n["k"] / n["m"] * y[0]]

    first, (s, v) = integrate(slip, [0.0, 0.0], 0.9, lambda t, y: n["belt"] - y[1])
    second, (s, v) = integrate(
        lambda t, y: [y[1], 0.0], [s, v], 0.9 - first, lambda t, y: grip - pull - n["k"] / n["m"] * y[0]
    )
    third, (s, v) = integrate(slip, [s, v], 0.9 - first - second)
    assert v < n["belt"]
    return s


def pulls(case: Case) -> list[float]:
    """Force of spring and weight along the incline on the block, over a swing."""
    n = case.numbers()
    weight = (n["m"] + n["M"]) * n["g"] * math.sin(n["alpha"])
    return [weight + n["k"] * n["swing"] * math.cos(angle) for angle in np.linspace(0, 2 * math.pi, 33)]


@route("block_holds_swinging_sled", "force balance", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    share = [pull / (n["mu"] * n["m"] * n["g"] * math.cos(n["alpha"])) for pull in pulls(case)]
    assert abs(max(share) - 0.98) < 1e-12
    assert 0 < min(share) < 0.05
    return 0.0


@route("block_holds_swinging_sled", "time step", within=1e-8)
def _(case: Case) -> float:
    n, size = case.numbers(), [0.2, 0.1]
    down = n["m"] * n["g"] * math.cos(n["alpha"])
    return 4 * sum(
        abs(float(step_from_rest(box_mass(n["m"], size), np.array([pull, -down, 0]), feet(size, n["mu"]))[0]))
        for pull in pulls(case)
    )


@route("block_pushed_across_slope_stays", "force balance", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    along, across = n["m"] * 9.81 * math.sin(n["alpha"]), n["push"]
    limit = n["mu"] * n["m"] * 9.81 * math.cos(n["alpha"])
    assert abs(math.hypot(along, across) - 0.99 * limit) < 1e-12
    assert along + across > limit, "a pyramid along the axes would let it go"
    assert max(along * 0.03 / 0.2, across * 0.03 / 0.16) < n["m"] * 9.81 * math.cos(n["alpha"]) / 4, "it does not tip"
    return 0.0


@route("block_pushed_across_slope_stays", "time step")
def _(case: Case) -> float:
    n, size = case.numbers(), [0.2, 0.16, 0.06]
    weight = n["m"] * n["g"]
    force = np.array([weight * math.sin(n["alpha"]), n["push"], -weight * math.cos(n["alpha"]), 0, 0, 0])
    found = step_from_rest(box_mass(n["m"], size), force, feet(size, n["mu"]))
    return 2 * math.hypot(found[0], found[1])


@route("block_on_oblique_slope_slides", "closed form")
def _(case: Case) -> float:
    """The force along the slope less friction, and its share across."""
    n = case.numbers()
    pull = math.hypot(9.81 * math.sin(0.4), n["side"])
    return 2 * (pull - 0.6 * 9.81 * math.cos(0.4)) * n["side"] / pull


@route("block_on_oblique_slope_slides", "integration", within=1e-8)
def _(case: Case) -> float:
    n = case.numbers()
    a, b, grip = n["g"] * math.sin(n["alpha"]), n["side"], n["mu"] * n["g"] * math.cos(n["alpha"])

    def rate(t: float, y: list[float]) -> list[float]:
        speed = math.hypot(y[2], y[3])
        return [y[2], y[3], a - grip * y[2] / speed, b - grip * y[3] / speed]

    # a nudge in another direction is soon forgotten: the line of descent attracts
    return float(integrate(rate, [0.0, 0.0, 1e-11, 1.1e-11], 2)[1][1])


@route("block_in_groove_stays", "force balance", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    left, right = n["left"], n["right"]
    across = np.array([[-math.sin(left), math.sin(right)], [math.cos(left), math.cos(right)]])
    loads = np.linalg.solve(across, [0, 9.81 * math.cos(n["alpha"])])
    share = 9.81 * math.sin(n["alpha"]) / (n["mu"] * loads.sum())
    assert min(loads) > 0
    assert abs(share - 0.99) < 1e-12
    return 0.0


@route("block_in_groove_stays", "time step", within=1e-8)
def _(case: Case) -> float:
    n, size = case.numbers(), [0.3, 0.1, 0.1]
    force = n["g"] * np.array([math.sin(n["alpha"]), 0, -math.cos(n["alpha"]), 0, 0, 0])
    return 2 * float(step_from_rest(box_mass(1, size), force, groove(case))[0])


def groove(case: Case) -> list:
    """Contacts of a box at the corners of the faces on either side of its groove."""
    n, half, long = case.numbers(), 0.05, 0.15
    found = []
    for side, angle in ((1, n["left"]), (-1, n["right"])):
        normal = np.array([0, -side * math.sin(angle), math.cos(angle)])
        up = np.array([0, math.cos(angle), side * math.sin(angle)])
        found += [
            touch([x * long, *(-half * normal + u * half * up)[1:]], normal, n["mu"]) for x in (-1, 1) for u in (-1, 1)
        ]
    return found
