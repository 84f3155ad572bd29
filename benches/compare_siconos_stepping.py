"""Times Siconos' Moreau-Jean time-stepping and ours on the same motions, in one run.

Needs Debian's python3-siconos (4.4). The crate needs neither this script nor Siconos.

    cargo bench --no-default-features --features program --bench stepping --no-run
    /usr/bin/python3 benches/compare_siconos_stepping.py [--bench PROGRAM] > table.md

The ball of [A09, example 1] and the woodpecker toy, theta = 1/2. Siconos is driven from Python step by step, as its manual shows,
without keeping rows; ours is a whole `simulate`, with all rows. A machine changes its speed: short turns of each follow one another, ours before and after
Siconos; times are medians over all turns, and ratios medians of the ratios within a turn. Within a turn ours is the least time of the motions of twice 60 ms, which
others on the machine do not interrupt, and Siconos' is its processor time.
"""

import argparse
import json
import os
import statistics
import subprocess
import time

# threads of its linear algebra would wait for work at the cost of both
os.environ.update(OPENBLAS_NUM_THREADS="1", OMP_NUM_THREADS="1")

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn

BUILD = ["cargo", "bench", "--quiet", "--no-default-features", "--features", "program", "--bench", "stepping", "--"]
TURNS = 15
MILLISECONDS = "60"


def ball():
    ds = sk.LagrangianLinearTIDS([1.0, 0.0], [0.0, 0.0], np.eye(2))
    ds.setFExtPtr(np.array([-2.0, 0.0]))
    relation = sk.LagrangianLinearTIR([[1.0, 0.0]])
    return ds, [(sk.NewtonImpactNSL(0.5), relation)], sk.LCP(), 5.0, 5e-4


def woodpecker():
    rO, rM, hM, lM, lG, hS, lS = 0.0025, 0.0031, 0.0058, 0.010, 0.015, 0.02, 0.0201
    mM, mS, JM, JS, c, g = 0.0003, 0.0045, 5e-9, 7e-7, 0.0056, 9.81
    mass = np.array([[mS + mM, mS * lM, mS * lG], [mS * lM, JM + mS * lM**2, mS * lM * lG], [mS * lG, mS * lM * lG, JS + mS * lG**2]])
    stiffness = np.array([[0, 0, 0], [0, c, -c], [0, -c, c]])
    ds = sk.LagrangianLinearTIDS([0, -0.1036, -0.2788], [-0.3411, 4.8572e-15, -7.4583], mass, stiffness, np.zeros((3, 3)))
    ds.setFExtPtr(np.array([-(mS + mM) * g, -mS * lM * g, -mS * lG * g]))
    rows = [
        (0.5, [[0, 0, -hS], [1, lM, lG - lS]], lM + lG - lS - rO),
        (0.0, [[0, hM, 0], [1, rM, 0]], rM - rO),
        (0.0, [[0, -hM, 0], [1, rM, 0]], rM - rO),
    ]
    contacts = [
        (sk.NewtonImpactFrictionNSL(e, 0.0, 0.3, 2), sk.LagrangianLinearTIR(np.array(H, float), [b, 0.0]))
        for e, H, b in rows
    ]
    return ds, contacts, sk.FrictionContact(2, sn.SICONOS_FRICTION_2D_ENUM), 0.3, 2e-5


def seconds_per_step(make):
    ds, contacts, solver, end, h = make()
    system = sk.NonSmoothDynamicalSystem(0.0, end)
    system.insertDynamicalSystem(ds)
    for law, relation in contacts:
        system.link(sk.Interaction(law, relation), ds)
    stepping = sk.TimeStepping(system, sk.TimeDiscretisation(0.0, h), sk.MoreauJeanOSI(0.5), solver)
    begin, steps = time.process_time(), 0
    while stepping.hasNextEvent():
        stepping.computeOneStep()
        stepping.nextStep()
        steps += 1
    return (time.process_time() - begin) / steps


MOTIONS = {"bouncing_ball": ball, "woodpecker": woodpecker}


def turn(bench, name):
    """Seconds a step of ours, before or after Siconos, and of Siconos; steps of a motion."""

    def ours():
        lines = subprocess.run([*bench, MILLISECONDS, name], check=True, capture_output=True, text=True).stdout
        [row] = map(json.loads, lines.splitlines())
        return row["least"] / row["steps"], row["steps"]

    before, steps = ours()
    theirs = seconds_per_step(MOTIONS[name])
    return min(before, ours()[0]), theirs, steps


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--bench", help="the built bench `stepping`, if cargo is not to build it")
    asked = arguments.parse_args()
    bench = BUILD if asked.bench is None else [asked.bench]
    print("| motion | steps | ours, ms | ours, us a step | Siconos, us a step | ratio |")
    print("|---|---|---|---|---|---|")
    for name in MOTIONS:
        turns = [turn(bench, name) for _ in range(TURNS)]
        steps = turns[0][2]
        ours, theirs = (statistics.median(turn[k] for turn in turns) for k in (0, 1))
        ratio = statistics.median(turn[1] / turn[0] for turn in turns)
        print(f"| {name} | {steps} | {1e3 * ours * steps:.2f} | {1e6 * ours:.3f} | {1e6 * theirs:.2f} | {ratio:.0f} |")


if __name__ == "__main__":
    main()
