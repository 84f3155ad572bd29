"""Chains of links in space: M and h of mechan and of Pinocchio, values and times side by side, in one run.

Needs Pinocchio (`pin` of PyPI) and a `mechan` that derives; the crate needs neither this script nor Pinocchio.

    python3 benches/compare_chains.py [--mechan PROGRAM] [--links 8,16,30]

The links turn about x, y and z in turns. Pinocchio's times are those of `crba` and `nonLinearEffects` as called from Python,
and the same less those of calls that do nothing, which is the least that the call costs. Each program is timed before and
after the other; times are medians.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile
import time

import numpy as np
import pinocchio as pin

MASS, LENGTH, THICK, LONG, GRAVITY = 1.0, 0.3, 0.002, 0.01, 9.81
AXES = "yzx"


def description(links):
    """The mechanism file of a chain."""
    coordinates = [f"q{i}" for i in range(1, links + 1)]
    lines = [
        "mechan: 1", f"name: chain_{links}", "space: space",
        f"parameters: {{m: {MASS}, l: {LENGTH}, a: {THICK}, b: {LONG}, g: {GRAVITY}, mu: 0.5}}",
        f"coordinates: [{', '.join(coordinates)}]", "gravity: [0, 0, -g]", "frames:",
    ]
    for i in range(1, links + 1):
        parent = "" if i == 1 else f"parent: f{i - 1}, origin: [l, 0, 0], "
        lines.append(f"  f{i}: {{{parent}rotation: [{{axis: {AXES[i % 3]}, angle: q{i}}}]}}")
    lines.append("bodies:")
    lines += [f"  b{i}: {{mass: m, inertia: [a, b, b], frame: f{i}, centre: [l/2, 0, 0]}}" for i in range(1, links + 1)]
    lines += [
        "contacts:",
        f"  tip: {{point: {{frame: f{links}, at: [l, 0, 0]}}, surface: {{point: [0, 0, -1], normal: [0, 0, 1]}}, friction: mu}}",
    ]
    return "\n".join(lines) + "\n"


def pinocchio_model(links):
    model = pin.Model()
    model.gravity.linear = np.array([0.0, 0.0, -GRAVITY])
    joints = {"x": pin.JointModelRX, "y": pin.JointModelRY, "z": pin.JointModelRZ}
    parent, place = 0, pin.SE3.Identity()
    for i in range(1, links + 1):
        parent = model.addJoint(parent, joints[AXES[i % 3]](), place, f"q{i}")
        inertia = pin.Inertia(MASS, np.array([LENGTH / 2, 0.0, 0.0]), np.diag([THICK, LONG, LONG]))
        model.appendBodyToJoint(parent, inertia, pin.SE3.Identity())
        place = pin.SE3(np.eye(3), np.array([LENGTH, 0.0, 0.0]))
    return model


def median(work, count=300, repetitions=31):
    """Nanoseconds of one call, by the clock of the process."""
    times = []
    for _ in range(repetitions):
        start = time.process_time_ns()
        for _ in range(count):
            work()
        times.append((time.process_time_ns() - start) / count)
    return float(np.median(times))


def ours(program, folder, links, q, v):
    path = pathlib.Path(folder) / f"chain_{links}.yaml"
    path.write_text(description(links))
    start = time.perf_counter()
    subprocess.run([program, "--no-cache", "analyze", str(path)], check=True, capture_output=True)
    cold = time.perf_counter() - start
    model = path.with_suffix(".json")
    subprocess.run([program, "derive", str(path), "--format", "model", "-o", str(model)], check=True, capture_output=True)
    state = ",".join(repr(float(x)) for x in [*q, *v])
    bench = ["cargo", "bench", "--quiet", "--no-default-features", "--features", "machine-code", "--bench", "chains", "--", str(model), state]
    found = subprocess.run(bench, check=True, capture_output=True, text=True).stdout
    return path.stat().st_size, cold, json.loads(found)


def main():
    arguments = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    arguments.add_argument("--mechan", default="target/release/mechan")
    arguments.add_argument("--links", default="8,16,30")
    arguments = arguments.parse_args()
    os.chdir(pathlib.Path(__file__).parent.parent)
    print("| links | file, bytes | cold analyze, s | operations | mechan, us | Pinocchio, us | without calls, us | differ by |")
    print("|---|---|---|---|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for links in map(int, arguments.links.split(",")):
            random = np.random.default_rng(links)
            q, v = random.uniform(-1.0, 1.0, links), random.uniform(-1.0, 1.0, links)
            size, cold, before = ours(arguments.mechan, folder, links, q, v)
            model = pinocchio_model(links)
            data = model.createData()
            theirs = median(lambda: (pin.crba(model, data, q), pin.nonLinearEffects(model, data, q, v)))
            calls = median(lambda: (data.M, data.nle))
            _, _, after = ours(arguments.mechan, folder, links, q, v)
            M = pin.crba(model, data, q)
            M = np.triu(M) + np.triu(M, 1).T
            expected = np.concatenate([M[np.tril_indices(links)], pin.nonLinearEffects(model, data, q, v)])
            numbers = np.array(before["numbers"])
            differ = np.abs(numbers - expected).max() / np.abs(expected).max()
            mine = (before["nanoseconds"] + after["nanoseconds"]) / 2
            print(f"| {links} | {size} | {cold:.2f} | {before['operations']} | {mine / 1e3:.2f} | {theirs / 1e3:.2f} "
                  f"| {(theirs - calls) / 1e3:.2f} | {differ:.1e} |", flush=True)


if __name__ == "__main__":
    main()
