"""The package as it is installed, beside the program."""

import json
import os
import subprocess
from pathlib import Path

import hypothesis
import pytest

import mechan

ROOT = Path(__file__).resolve().parents[2]

hypothesis.settings.register_profile("suite", deadline=None, max_examples=40, derandomize=True)
hypothesis.settings.load_profile("suite")


@pytest.fixture(scope="session")
def pencil():
    return mechan.model("falling_pencil")


@pytest.fixture(scope="session")
def program():
    found = mechan.find_program()
    assert found and os.access(found, os.X_OK), "the wheel brings the program along"
    return found


@pytest.fixture(scope="session")
def cli(program):
    """What the command line prints as JSON."""

    def run(*arguments, status=0):
        done = subprocess.run([program, *arguments, "--format", "json"], capture_output=True, text=True)
        assert done.returncode == status, done.stderr
        return json.loads(done.stdout)

    return run


ROD = """
mechan: 1
name: falling_rod
space: plane
parameters: {m: 1, l: 1, g: 9.81, I: m*l^2/3, mu: 0.5}
coordinates: [x, y, theta]
gravity: [0, -g]
bodies:
  rod: {mass: m, inertia: I, position: [x, y], rotation: theta}
contacts:
  tip: {point: [x + l*sin(theta), y - l*cos(theta)], surface: {point: [0, 0], normal: [0, 1]}, friction: mu}
states:
  leaning: {q: {theta: pi/6, y: l*cos(theta)}, v: {x: 1}}
"""


@pytest.fixture
def rod():
    return ROD
