"""Arches, cards, tables and stacks: statics by hand beside linear programmes, and how they fall."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from mechan_conformance.case import Case

from . import route
from .hinged import Pin, Rigid, angle_by_energy, turned
from .motions import integrate, integrate_long
from .statics import Balance, Support

G = 9.81

# Cards: L = 0.4, edges of radius 0.01; the angle a from the floor.


def cards(a: Any, rate: Any, mu: Any, lib: Any = math) -> Any:
    """Acceleration of the angle of two cards that slip apart, from the left one, whose foot is held by mu N to the right."""
    long = lib is not math
    length, r, g = (lib.mpf("0.4"), lib.mpf("0.01"), lib.mpf("9.81")) if long else (0.4, 0.01, G)
    s, c, half = lib.sin(a), lib.cos(a), length / 2
    # centre: x'' = half (s A + c w^2), y'' = half (c A - s w^2); N = g + y'', top push H = mu N - x''
    lever = -half * c + mu * (half * s + r)  # of N and its friction about the centre; H acts at half s above
    torque = lambda turn: (  # noqa: E731
        (g + half * (c * turn - s * rate**2)) * (lever + mu * half * s) - half * s * half * (s * turn + c * rate**2)
    )
    rest = torque(0)
    return rest / (length**2 / 12 - (torque(1) - rest))


@route("cards_slip", "integration")
def _(case: Case) -> float:
    mu, start = case.numbers()["mu"], math.pi / 3
    _, (a, _) = integrate(lambda t, y: [y[1], cards(y[0], y[1], mu)], [start, 0.0], 0.5)
    return 0.2 * (math.cos(a) - math.cos(start))


@route("cards_slip", "integration with 30 digits", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        mu, start = mpmath.mpf("0.27"), mpmath.pi / 3
        a, _ = integrate_long(lambda t, y: [y[1], cards(y[0], y[1], mu, mpmath)], [start, 0], mpmath.mpf("0.5"))
        return (mpmath.cos(a) - mpmath.cos(start)) / 5


@route("cards_stand", "statics", within=0)
def _(case: Case) -> float:
    """Forces at foot and upper edge of each card, without one above along the edge; and all forces by a linear programme."""
    mu, s, c = case.numbers()["mu"], math.sin(math.pi / 3), math.cos(math.pi / 3)
    assert mu > 0.4 * c / (2 * (0.4 * s + 0.01))
    x, y = 0.01 + 0.2 * c, 0.01 + 0.2 * s
    feet = [Support((sign * (0.01 + 0.4 * c), 0), (0, 1), mu, k) for k, sign in enumerate((-1, 1))]
    top = Support((0, 0.01 + 0.4 * s), (-1, 0), mu, 0, 1)
    assert Balance([(-x, y), (x, y)], [(0, -G)] * 2, [*feet, top]).balances()
    return 0.0


@route("cards_stand", "equation of slip", within=0)
def _(case: Case) -> float:
    mu = case.numbers()["mu"]
    assert cards(math.pi / 3, 0.0, mu) > 0, "slip apart is turned back at once"
    assert cards(math.pi / 3, 0.0, -mu) < 0, "nor does it slip together"
    return 0.0


# The arch: four stones of mass 1, R = 1; joints at multiples of pi/4 from the right springing.


class Arch:
    """Numbers of the arch of thickness t, and its right half's stones and hinges."""

    def __init__(self, t: Any, lib: Any = math) -> None:
        self.inner, self.outer = 1 - t / 2, 1 + t / 2
        part = lib.sin(lib.pi / 8) / (lib.pi / 8)
        self.out = 2 * (self.outer**3 - self.inner**3) / (3 * (self.outer**2 - self.inner**2)) * part
        self.inertia = (self.outer**2 + self.inner**2) / 2 - self.out**2
        self.centres = [(self.out * lib.cos(k * lib.pi / 8), self.out * lib.sin(k * lib.pi / 8)) for k in (1, 3, 5, 7)]

    def supports(self, mu: float) -> list[Support]:
        found = []
        for joint in range(5):
            c, s = math.cos(joint * math.pi / 4), math.sin(joint * math.pi / 4)
            normal, body = ((-s, c), joint) if joint < 4 else ((s, -c), 3)
            under = joint - 1 if 0 < joint < 4 else None
            found += [Support((r * c, r * s), normal, mu, body, under) for r in (self.inner, self.outer)]
        return found

    def thrust_fits(self, push: float, height: float, mu: float) -> bool:
        """Whether the line of thrust from the crown, at this height, with this horizontal push, is inside joints and cones."""
        if not self.inner <= height <= self.outer:
            return False
        weight, moment = 0.0, 0.0
        for k in (1, 0):  # joints at pi/4 and 0, below the second and the first stone
            x, _ = self.centres[k]
            weight, moment = weight + G, moment + G * x
            c, s = math.cos(k * math.pi / 4), math.sin(k * math.pi / 4)
            # forces on the part above: push at the crown, weights, and (-push, weight) at the radius r of the joint
            pressed, slip = push * s + weight * c, push * c - weight * s
            r = (push * height + moment) / pressed
            if not (self.inner <= r <= self.outer and abs(slip) <= mu * pressed):
                return False
        return True

    def has_thrust(self, mu: float) -> bool:
        return any(
            self.thrust_fits(push, height, mu)
            for height in np.linspace(self.inner, self.outer, 201)
            for push in np.linspace(0.1 * G, G, 901)
        )


@route("arch_stands", "line of thrust", within=0)
def _(case: Case) -> float:
    mu, t = case.numbers()["mu"], case.numbers()["t_0"]
    assert Arch(t).has_thrust(mu)
    assert Arch(0.102).has_thrust(mu) and not Arch(0.1).has_thrust(mu)
    return 0.0


@route("arch_stands", "linear programme", within=0)
def _(case: Case) -> float:
    mu = case.numbers()["mu"]

    def arch(t: float) -> Balance:
        one = Arch(t)
        return Balance(one.centres, [(0, -G)] * 4, one.supports(mu))

    assert arch(case.numbers()["t_0"]).balances()
    assert arch(0.1009).balances() and not arch(0.1008).balances()
    return 0.0


@route("arch_falls", "equations of motion")
def _(case: Case) -> float:
    """The right half, whose crown sinks between its fellow and itself; its hinges must hold inside their cones."""
    arch, mu = Arch(case.numbers()["t_0"]), case.numbers()["mu"]
    bodies = [Rigid(1, arch.inertia, centre) for centre in arch.centres[:2]]
    haunch = arch.inner * math.sqrt(0.5)
    pins = [Pin((arch.outer, 0.0), 0), Pin((haunch, haunch), 1, 0), Pin((0.0, arch.outer), 1, None, (0,))]
    end, _, forces = turned(bodies, pins, 0.3)
    for x, y, across, up, push in forces:
        assert y > 0 and abs(x) < mu * y, "the springing holds"
        pressed, slip = (up - across) * math.sqrt(0.5), (across + up) * math.sqrt(0.5)
        assert pressed > 0 and abs(slip) < 0.8 * mu * pressed, "the haunch holds, though it turns a little"
        assert push > 0
    assert end[2] < 0 < end[5], "the other edges open"
    return -end[2]


@route("arch_falls", "energy", within=1e-12)
def _(case: Case) -> float:
    import mpmath

    with mpmath.workdps(30):
        arch = Arch(mpmath.mpf("0.09"), mpmath)
        haunch, foot = arch.inner * mpmath.sqrt(mpmath.mpf(1) / 2), mpmath.mpc(arch.outer)
        ray = mpmath.mpc(haunch, haunch)
        bar = mpmath.mpc(0, arch.outer) - ray
        centres = [mpmath.mpc(*one) for one in arch.centres[:2]]

        def places(a: Any) -> tuple:
            """Centres of both stones, and the angle of the second, when the first has turned outwards by a."""
            turn = mpmath.exp(mpmath.mpc(0, -a))
            knee = foot + turn * (ray - foot)
            crown = mpmath.mpc(0, knee.imag + mpmath.sqrt(abs(bar) ** 2 - knee.real**2))
            second = (crown - knee) / bar
            return foot + turn * (centres[0] - foot), knee + second * (centres[1] - ray), mpmath.arg(second)

        def inertia(a: Any) -> Any:
            first, second, angle = (mpmath.diff(lambda b, k=k: places(b)[k], a) for k in range(3))
            return abs(first) ** 2 + abs(second) ** 2 + arch.inertia * (1 + angle.real**2)

        drop = lambda a: mpmath.mpf("9.81") * sum((centres[k] - places(a)[k]).imag for k in (0, 1))  # noqa: E731
        return angle_by_energy(inertia, drop, mpmath.mpf("0.3"), mpmath.mpf("0.05"))


# Bricks with a counterweight, and a box on a light one.


def bricks(case: Case) -> Balance:
    n = case.numbers()
    x = [n["front"], n["back"], n["low"]]
    supports = [
        Support((x[0] - 0.1, 0.06), (0, 1), 0.5, 0, 2),
        Support((x[2] + 0.1, 0.06), (0, 1), 0.5, 0, 2),
        Support((x[2] - 0.1, 0.06), (0, 1), 0.5, 1, 2),
        Support((x[1] + 0.04, 0.06), (0, 1), 0.5, 1, 2),
        Support((x[2] - 0.1, 0), (0, 1), 0.5, 2),
        Support((0, 0), (0, 1), 0.5, 2),
    ]
    weights = [(0, -G), (0, -n["M"] * G), (0, -G)]
    return Balance([(x[0], 0.09), (x[1], 0.09), (x[2], 0.03)], weights, supports)


@route("brick_with_counterweight_leans_out", "statics", within=0)
def _(case: Case) -> float:
    """Each stone's weight passes between its supports, and that of all behind the table's edge."""
    n = case.numbers()
    assert n["low"] - 0.1 < n["back"] < n["back"] + 0.04 < n["front"] - 0.1 < n["front"] < n["low"] + 0.1
    assert n["front"] + n["low"] + n["M"] * n["back"] < 0
    assert n["front"] + 0.1 > 0.2 * 11 / 12
    return 0.0


@route("brick_with_counterweight_leans_out", "linear programme", within=0)
def _(case: Case) -> float:
    stack = bricks(case)
    assert stack.balances() and abs(stack.falls()) < 1e-9
    return 0.0


@route("heavy_box_on_light_box", "statics", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    slope = math.tan(n["alpha"])
    assert slope < n["mu"] and 0.15 * slope < 0.1
    return 0.0


@route("heavy_box_on_light_box", "linear programme", within=0)
def _(case: Case) -> float:
    n = case.numbers()
    pull = np.array([math.sin(n["alpha"]), -math.cos(n["alpha"])]) * G
    edges = [Support((x, y), (0, 1), n["mu"], k, u) for x in (-0.1, 0.1) for y, k, u in ((0.1, 0, 1), (0.0, 1, None))]
    boxes = Balance([(0, 0.15), (0, 0.05)], [n["m"] * pull, n["M"] * pull], edges)
    assert boxes.balances() and abs(boxes.falls()) < 1e-9
    return 0.0


# Loads of ladders and tables that are not unique.


@route("ladder_wall_load", "closed form")
def _(case: Case) -> float:
    mu, s, c = case.numbers()["mu"], math.sin(math.pi / 3), math.cos(math.pi / 3)
    low, high = (G * c / (2 * (s + share * c)) for share in (mu, -mu))
    assert high < mu * (G + mu * high), "the foot can bear it"
    assert abs((high - low) / 2 - case.error_bound) < 1e-9
    return (low + high) / 2


@route("ladder_wall_load", "linear programme", within=1e-6)
def _(case: Case) -> float:
    mu, x, y = case.numbers()["mu"], 1.5 * math.cos(math.pi / 3), 1.5 * math.sin(math.pi / 3)
    ends = [Support((2 * x, 0), (0, 1), mu, 0), Support((0, 2 * y), (1, 0), mu, 0)]
    low, high = Balance([(x, y)], [(0, -G)], ends).normal_range([1])
    assert abs((high - low) / 2 - case.error_bound) < 1e-6
    return (low + high) / 2


def legs(case: Case) -> tuple[float, float]:
    """Shares of the load that the front and the side of positive y bear."""
    n = case.numbers()
    return (1 + n["cx"] / n["p"]) / 2, (1 + n["cy"] / n["q"]) / 2


def leg_range(case: Case, chosen: list[int]) -> tuple[float, float]:
    """Least and greatest load of these legs; friction of feet at one height bears nothing."""
    from scipy.optimize import linprog

    n = case.numbers()
    feet = np.array([[x - n["cx"], y - n["cy"]] for x in (n["p"], -n["p"]) for y in (n["q"], -n["q"])])
    what = np.isin(np.arange(4), chosen).astype(float)
    equations, load = np.vstack([np.ones(4), feet.T]), [n["m"] * G, 0, 0]
    low, high = (sign * linprog(sign * what, None, None, equations, load, (0, None)).fun for sign in (1, -1))
    return float(low), float(high)


@route("table_front_legs_load", "closed form")
def _(case: Case) -> float:
    return 12 * G * legs(case)[0]


@route("table_front_legs_load", "linear programme", within=1e-6)
def _(case: Case) -> float:
    low, high = leg_range(case, [0, 1])
    assert high - low < 1e-6
    return low


@route("table_of_four_leg_load", "closed form")
def _(case: Case) -> float:
    front, side = legs(case)
    low, high = front + side - 1, min(front, side)
    assert low > 0 and abs((high - low) / 2 * 12 * G - case.error_bound) < 1e-9
    return 12 * G * (low + high) / 2


@route("table_of_four_leg_load", "linear programme", within=1e-6)
def _(case: Case) -> float:
    low, high = leg_range(case, [0])
    assert abs((high - low) / 2 - case.error_bound) < 1e-6
    return (low + high) / 2
