"""Times the fall of the pencil, from omega_0 = 1e-3 until it lies flat, here and by SciPy, in one run.

Needs NumPy, SciPy and a `mechan` that derives. The crate needs none of them but for this comparison.

    cargo bench --no-default-features --features program --bench simulate --no-run
    python3 benches/compare_scipy.py [--mechan PROGRAM] [--bench PROGRAM] > table.md

SciPy's `solve_ivp` (DOP853, rtol 1e-10, atol 1e-12, events) follows the same phases: stick until the friction cone is left,
slip against the force that held, until the slip ends, which is a reversal, or the pencil lies flat. Its right-hand
side is the NumPy function that `mechan derive --format python` writes with the contact forces by Cramer's rule, or
the two equations that are left of it written out by hand in scalars. A machine changes its speed: short turns of each
follow one another, times are medians over all turns, and ratios medians of the ratios within a turn. Times of events must
agree to 1e-9.
"""

import argparse
import importlib.util
import json
import math
import statistics
import subprocess
import tempfile
import time
from pathlib import Path

import numpy as np
from scipy.integrate import solve_ivp

MODEL = "benches/models/falling_pencil.json"
BUILD = ["cargo", "bench", "--quiet", "--no-default-features", "--features", "program", "--bench", "simulate", "--"]
TURNS = 15
MILLISECONDS = "30"
G = 9.81


class Numpy:
    """The derived equations: y = q, v."""

    start = np.array([0.0, 0.0, 0.0, 0.0, 0.0, 1e-3])
    angle, slip_place = 2, 3

    def __init__(self, module, mu):
        self.equations, self.mu = module.falling_pencil_equations, mu
        self.parameters = module.falling_pencil_parameters(mu=mu)

    def solve(self, t, y, slip):
        """Acceleration and forces; slip 0 is stick."""
        e = self.equations(t, y[:3], y[3:], self.parameters)
        rows = np.vstack([e["W_N"], e["W_T"]])
        solved = np.linalg.solve(e["M"], np.column_stack([-e["h"], rows.T]))
        free = rows @ solved[:, 0] + np.array([e["drift_N"][0], e["drift_T"][0]])
        delassus = rows @ solved[:, 1:]
        if slip == 0:
            forces = np.linalg.solve(delassus, -free)
        else:
            normal = -free[0] / (delassus[0, 0] - slip * self.mu * delassus[0, 1])
            forces = np.array([normal, -slip * self.mu * normal])
        return solved[:, 0] + solved[:, 1:] @ forces, forces

    def rate(self, t, y, slip):
        return np.concatenate([y[3:], self.solve(t, y, slip)[0]])

    def forces(self, t, y, slip):
        return self.solve(t, y, slip)[1]


class Scalar:
    """The same by hand, m = l = 1: y = theta, theta_dot, tip, its velocity."""

    start = np.array([0.0, 1e-3, 0.0, 0.0])
    angle, slip_place = 0, 3

    def __init__(self, mu):
        self.mu = mu

    def solve(self, y, slip):
        s, c, w = math.sin(y[0]), math.cos(y[0]), y[1]
        if slip == 0:
            turn = 0.75 * G * s
            return turn, 0.0, G - s * turn - c * w * w, s * w * w - c * turn
        arm = 3.0 * (s - slip * self.mu * c)
        normal = (G - c * w * w) / (1.0 + s * arm)
        turn = arm * normal
        tangential = -slip * self.mu * normal
        return turn, tangential + c * turn - s * w * w, normal, tangential

    def rate(self, _t, y, slip):
        turn, pull, _, _ = self.solve(y, slip)
        return [y[1], turn, y[3], pull]

    def forces(self, _t, y, slip):
        return self.solve(y, slip)[2:]


def phase(system, t, y, slip):
    """One phase to its end: times, state, and whether the pencil lies flat."""

    def flat(_t, y):
        return math.pi / 2 - y[system.angle]

    def end(t, y):
        if slip != 0:
            return slip * y[system.slip_place]
        normal, tangential = system.forces(t, y, 0)
        return system.mu * normal - abs(tangential)

    flat.terminal = end.terminal = True
    flat.direction = end.direction = -1
    found = solve_ivp(
        lambda t, y: system.rate(t, y, slip), [t, 10], y, method="DOP853", rtol=1e-10, atol=1e-12, events=[flat, end]
    )
    return found.t[-1], found.y[:, -1], len(found.t_events[0]) > 0


def fall(system):
    """The times of the events."""
    t, y, slip, times = 0.0, system.start, 0, []
    while True:
        t, y, lies = phase(system, t, y, slip)
        times.append(t)
        if lies:
            return times
        held = system.forces(t, y, 0)
        y[system.slip_place] = 0.0
        slip = -math.copysign(1.0, held[1])


def seconds(call):
    begin = time.process_time()
    call()
    return time.process_time() - begin


def derived(mechan):
    text = subprocess.run(
        [mechan, "derive", MODEL, "--format", "python"], check=True, capture_output=True, text=True
    ).stdout
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "pencil.py"
        path.write_text(text)
        spec = importlib.util.spec_from_file_location("pencil", path)
        module = importlib.util.module_from_spec(spec)
        spec.loader.exec_module(module)
    return module


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--mechan", default="mechan", help="a mechan that derives")
    arguments.add_argument("--bench", help="the built bench `simulate`, if cargo is not to build it")
    asked = arguments.parse_args()
    module = derived(asked.mechan)
    bench = (BUILD if asked.bench is None else [asked.bench]) + [MILLISECONDS]
    turns = [turn(module, bench) for _ in range(TURNS)]
    print("| mu | ours, ms | NumPy, ms | ratio | scalars, ms | ratio | events agree to |")
    print("|---|---|---|---|---|---|---|")
    for of_mu in zip(*turns, strict=True):
        median = lambda of: statistics.median(map(of, of_mu))
        cells = [f"{of_mu[0][0]}", f"{1e3 * median(lambda x: x[1][0]):.4f}"]
        for k in (1, 2):
            cells += [f"{1e3 * median(lambda x: x[1][k]):.1f}", f"{median(lambda x: x[1][k] / x[1][0]):.0f}"]
        print("| " + " | ".join(cells) + f" | {max(missed for _, _, missed in of_mu):.1e} |")


def turn(module, bench):
    """Each friction once: friction, seconds of ours, of NumPy and of scalars, and by what the events differ."""
    lines = subprocess.run(bench, check=True, capture_output=True, text=True).stdout.splitlines()
    found = []
    for ours in map(json.loads, lines):
        systems = [Numpy(module, ours["mu"]), Scalar(ours["mu"])]
        times = [ours["seconds"]] + [seconds(lambda: fall(system)) for system in systems]
        missed = max(abs(a - b) for system in systems for a, b in zip(ours["events"], fall(system), strict=True))
        assert missed < 1e-9, (ours, [fall(system) for system in systems])
        found.append((ours["mu"], times, missed))
    return found


if __name__ == "__main__":
    main()
