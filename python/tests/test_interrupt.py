"""Ctrl-C ends long calls, with the threads and the process that work for them."""

import os
import signal
import sys
import threading
import time
from contextlib import contextmanager
from pathlib import Path

import numpy as np
import pytest

import mechan

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="threads are looked up in /proc"),
    # what goes on after it was interrupted says so
    pytest.mark.filterwarnings("error"),
]


@pytest.fixture(autouse=True)
def heard():
    """What a shell started in the background ignores Ctrl-C, and Python with it: here it is heard wherever the tests run."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def ours():
    """Threads of mechan in this process."""
    return [path for path in Path("/proc/self/task").glob("*/comm") if name(path) == "mechan"]


def name(path):
    """The name of a thread; none if it ends while it is asked."""
    try:
        return path.read_text().strip()
    except (FileNotFoundError, ProcessLookupError):
        return None


def threads():
    return len(list(Path("/proc/self/task").iterdir()))


@contextmanager
def interrupted(after=0.4, at_least=0.3):
    """A block that Ctrl-C has to end soon, and with it what it began."""
    before, begun = threads(), time.monotonic()
    timer = threading.Timer(after, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    try:
        with pytest.raises(KeyboardInterrupt):
            yield
    finally:
        timer.cancel()
        timer.join()
    assert time.monotonic() - begun >= at_least, "it was over before: this says nothing"
    # threads of a scope are joined before its call returns; the one of the call itself may be about to end
    until = time.monotonic() + 30
    while (ours() or threads() > before) and time.monotonic() < until:
        time.sleep(0.01)
    assert not ours() and threads() <= before


LONG = {
    "map": lambda pencil: pencil.map(("theta", 0.1, 1.4, 4000), ("mu", 0.1, 3, 4000), state="slipping_with_the_lean", threads=2),
    "ensemble": lambda pencil: pencil.ensemble("slipping", t_end=0.1, runs=10**7, random={"mu": (0.1, 0.5)}, threads=2),
    "one motion": lambda pencil: pencil.simulate("slipping", t_end=1e3, scheme="moreau", step=1e-6, samples=2, max_steps=10**12),
    "motions of long runs": lambda pencil: pencil.ensemble(
        "slipping", t_end=1e3, grid={"mu": (0.1, 0.5, 4)}, scheme="moreau", step=1e-6, max_steps=10**12, threads=2
    ),
}


@pytest.mark.parametrize("what", LONG)
def test_long_calls_end(pencil, what):
    with interrupted():
        LONG[what](pencil)


def test_a_motion_from_event_to_event_ends():
    ball = mechan.model("linear_oscillator")
    with interrupted():
        # without damping it strikes its stop for ever
        ball.simulate(t_end=1e9, max_steps=10**12, samples=2, max_events=10**9, set={"rho": 1, "c": 0})


def test_a_search_ends(pencil):
    with interrupted():
        mechan.model("rod_3d").analyze(boxes=10**9, jam=True)


def test_a_solver_ends():
    # more than it can be solved to
    generator = np.random.default_rng(1)
    half = generator.normal(size=(120, 100))
    problem = mechan.Problem(half @ half.T, generator.normal(size=120) - 1.0, np.full(40, 0.9))
    with interrupted(after=0.1, at_least=0.09):
        mechan.solve(problem, tolerance=1e-18)


def test_the_process_that_derives_ends(rod, program, tmp_path):
    # a worker that greets and never answers
    stuck = tmp_path / "mechan"
    stuck.write_text(f'#!/bin/sh\necho $$ > "{tmp_path}/pid"\n"{program}" "$@" < /dev/null 2> /dev/null | head -n 1\nexec sleep 1000\n')
    stuck.chmod(0o755)
    with interrupted(after=1.0):
        mechan.load(rod.replace("falling_rod", "stuck_rod").replace("l^2/3", "l^2/3.1")).derive(program=stuck, cache=False)
    pid = int((tmp_path / "pid").read_text())
    with pytest.raises(ProcessLookupError):
        os.kill(pid, 0)




def test_proofs_of_existence_are_interrupted():
    dice = np.random.default_rng(0)
    H = dice.normal(size=(90, 6))
    problem = mechan.Problem(H @ H.T / 6, dice.normal(size=90), [0.6] * 30)
    with interrupted():
        mechan.solve(problem)
