"""How the time of a step grows with the number of contacts: the beads of scenes/beads.yaml in boxes whose ground grows with them, so that they lie
equally deep.

    python3 benches/scene_sizes.py [MECHAN] [COUNT ...]

CPU seconds of one thread over steps 151 to 200, after all have come to lie, to a backward error of 1e-4; then the exponent of time against contacts, by least
squares in logarithms. Both runs of a size begin at the same checkpoint, and their difference has no start-up in it.
"""

import json
import math
import os
import resource
import subprocess
import sys
import tempfile

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
FROM, STEPS = 150, 50


def run(mechan, scene, *options):
    """CPU seconds, and what it says."""
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    command = [mechan, "run", scene, "--threads", "1", "--tolerance", "1e-4", "--format", "json", "--quiet", *options]
    said = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True).stdout
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime, json.loads(said)


def step(mechan, folder, beads, count):
    """Mean contacts, milliseconds and sweeps of a step."""
    scene, kept = os.path.join(folder, f"{count}.yaml"), os.path.join(folder, f"{count}.json")
    text = beads.replace("side: 24", f"side: {24 * math.sqrt(count / 600)!r}").replace("count: 600", f"count: {count}")
    with open(scene, "w") as file:
        file.write(text)
    run(mechan, scene, "--steps", str(FROM), "--checkpoint", kept, "--every", "1000")
    short, _ = run(mechan, scene, "--steps", str(FROM + 1), "--resume", kept)
    long, told = run(mechan, scene, "--steps", str(FROM + 1 + STEPS), "--resume", kept)
    mean = lambda name: sum(row[told["columns"].index(name)] for row in told["rows"][1:]) / STEPS
    return mean("contacts"), 1e3 * (long - short) / STEPS, mean("iterations")


def exponent(points):
    logs = [(math.log(contacts), math.log(time)) for contacts, time in points]
    x, y = (sum(point[k] for point in logs) / len(logs) for k in (0, 1))
    return sum((a - x) * (b - y) for a, b in logs) / sum((a - x) ** 2 for a, _ in logs)


def main():
    mechan = sys.argv[1] if len(sys.argv) > 1 else os.path.join(ROOT, "target", "release", "mechan")
    counts = [int(count) for count in sys.argv[2:]] or [150, 300, 600, 1200, 2400, 4800, 9600]
    with open(os.path.join(ROOT, "scenes", "beads.yaml")) as file:
        beads = file.read()
    points = []
    print("| beads | contacts | ms CPU a step | sweeps a step |\n|---|---|---|---|")
    with tempfile.TemporaryDirectory() as folder:
        for count in counts:
            contacts, time, sweeps = step(mechan, folder, beads, count)
            points.append((contacts, time))
            print(f"| {count} | {contacts:.0f} | {time:.2f} | {sweeps:.0f} |", flush=True)
    if len(points) > 1:
        print(f"\ntime ~ contacts^{exponent(points):.2f}")


main()
