"""What a call of `stepper.advance` costs beside the step: python python/benches/stepper.py [MECHANISM STATE]

One call of N steps of 1 ms against N calls of one, from the same state, median of some repetitions; then what a control loop adds.
"""

import statistics
import sys
import time

import mechan

STEPS, REPEATS = 1000, 15


def seconds(run):
    begun = time.perf_counter()
    run()
    return time.perf_counter() - begun


def measured(home, run):
    return statistics.median(seconds(lambda: run(home.copy())) for _ in range(REPEATS)) / STEPS * 1e6


def together(motion):
    motion.advance(to=STEPS * 1e-3)


def one_by_one(motion):
    for k in range(1, STEPS + 1):
        motion.advance(to=k * 1e-3)


def pushed(motion):
    force = [0.0] * len(motion.q)
    for k in range(1, STEPS + 1):
        force[0] = -motion.q[0] - 0.1 * motion.v[0]
        motion.forces = force
        motion.advance(to=k * 1e-3)


def main(name="standing_biped", state="nudged"):
    for scheme in ("moreau", "schatzman-paoli"):
        home = mechan.model(name).stepper(state, scheme=scheme, step=1e-3)
        step, calls, control = (measured(home, run) for run in (together, one_by_one, pushed))
        print(f"{name} {scheme}: step {step:.2f} us, call {calls - step:.2f} us beside it, with control {control - step:.2f} us")


if __name__ == "__main__":
    main(*sys.argv[1:])
