"""Times Siconos' Moreau-Jean time-stepping and ours on the same motions, in one run.

Needs Debian's python3-siconos (4.4). The crate needs neither this script nor Siconos.

    cargo bench --no-default-features --features program --bench stepping > ours.jsonl
    /usr/bin/python3 benches/compare_siconos_stepping.py ours.jsonl

The ball of [A09, example 1] and the woodpecker toy, theta = 1/2. Siconos is driven from Python step by step, as its manual shows,
without keeping rows; ours is a whole `simulate`, with all rows. Least of five runs of each, and the ratio per step.
"""

import json
import sys
import time

import numpy as np
import siconos.kernel as sk
import siconos.numerics as sn


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
    begin, steps = time.perf_counter(), 0
    while stepping.hasNextEvent():
        stepping.computeOneStep()
        stepping.nextStep()
        steps += 1
    return (time.perf_counter() - begin) / steps


def main():
    with open(sys.argv[1]) as file:
        ours = {row["mechanism"]: row["least"] / row["steps"] for row in map(json.loads, file)}
    for name, make in [("bouncing_ball", ball), ("woodpecker", woodpecker)]:
        theirs = min(seconds_per_step(make) for _ in range(5))
        print(f"{name}: Siconos {theirs * 1e6:.2f} us a step, ours {ours[name] * 1e6:.3f} us, ratio {theirs / ours[name]:.1f}")


main()
