"""Numbers out of trajectories whose numbers are known."""

import math

import numpy as np
import pytest
from mechan_conformance import rotation
from mechan_conformance.builder import build_world
from mechan_conformance.engine import Never
from mechan_conformance.read import _force, read_answer
from mechan_conformance.trajectory import State, Trajectory

T = np.linspace(0, 2, 2001)


def world(read):
    return build_world(
        {
            "bodies": [{"name": "ball", "ball": 1, "mass": 2, "inertia": [1, 2, 3]}],
            "planes": [{"name": "ground"}],
            "duration": 2,
            "read": read,
        },
        {"g": 9.81},
    )


def spinning():
    """Uniform motion along x, falling along z, turning about z at 4 rad/s."""
    zero = np.zeros_like(T)
    turn = np.array([rotation.from_axis([0, 0, 1], 4 * t) for t in T])
    place = np.stack([3 * T, zero, -9.81 * T**2 / 2], axis=1)
    rate = np.stack([3 + zero, zero, -9.81 * T], axis=1)
    force = np.stack([zero, zero, 5 + T], axis=1)
    state = State(place, turn, rate, np.stack([zero, zero, 4 + zero], axis=1))
    return Trajectory(T, {"ball": state}, {("ball", "ground"): force})


@pytest.mark.parametrize(
    ("read", "expected"),
    [
        ({"body": "ball", "what": "position", "along": [2, 0, 0]}, 6),
        ({"body": "ball", "what": "position", "along": [1, 0, 0], "point": [1, 0, 0], "at": 1}, 3 + math.cos(4)),
        ({"body": "ball", "what": "velocity", "along": [0, 1, 0], "point": [1, 0, 0]}, 4 * math.cos(8)),
        ({"body": "ball", "what": "distance", "at": 1}, math.hypot(3, 9.81 / 2)),
        ({"body": "ball", "what": "speed", "at": 0}, 3),
        ({"body": "ball", "what": "angle", "along": [0, 0, 1]}, 8),
        ({"body": "ball", "what": "omega", "along": [0, 0, -1]}, -4),
        ({"body": "ball", "what": "spin"}, 4),
        ({"what": "kinetic", "at": 0}, 9 + 24),
        ({"what": "energy"}, 9 + 24),
        ({"what": "momentum", "along": [1, 0, 0]}, 6),
        ({"what": "angular_momentum", "along": [0, 0, 1]}, 12),
        ({"body": "ball", "what": "force", "along": [0, 0, 1], "by": "ground", "take": "mean"}, 6),
        ({"body": "ball", "what": "position", "along": [1, 0, 0], "take": "range", "between": [1, 2]}, 3),
        ({"body": "ball", "what": "velocity", "along": [0, 0, 1], "take": "min"}, -2 * 9.81),
        ({"what": "time", "at": {"body": "ball", "what": "position", "along": [1, 0, 0], "rises": 1.5}}, 0.5),
        (
            {
                "body": "ball",
                "what": "angle",
                "along": [0, 0, 1],
                "at": {"body": "ball", "what": "velocity", "along": [0, 0, 1], "falls": "-g"},
            },
            4,
        ),
    ],
)
def test_quantity(read, expected):
    assert read_answer(world(read), spinning()).value == pytest.approx(expected, abs=1e-9)


def test_impacts_between_samples_are_found():
    first = 0.3337  # between samples
    t = T[::10]
    height = np.abs(first - t)
    state = State(
        np.stack([0 * t, 0 * t, height], axis=1),
        np.tile([1.0, 0, 0, 0], (len(t), 1)),
        np.stack([0 * t, 0 * t, np.sign(t - first)], axis=1),
        np.zeros((len(t), 3)),
    )
    read = {"what": "time", "at": {"body": "ball", "what": "position", "along": [0, 0, 1], "minimum": 0}}
    assert read_answer(world(read), Trajectory(t, {"ball": state})).value == pytest.approx(first, abs=1e-12)
    with pytest.raises(Never):
        read["at"]["minimum"] = 1
        read_answer(world(read), Trajectory(t, {"ball": state}))


def test_trajectory_that_ends_early_is_an_error():
    motion = spinning()
    short = Trajectory(T[:100], {"ball": State(*(part[:100] for part in motion.bodies["ball"]))})
    with pytest.raises(ValueError, match="ends at"):
        read_answer(world({"body": "ball", "what": "speed"}), short)


def test_force_on_a_body_is_that_on_its_shapes():
    read = {"body": "table", "what": "force", "along": [0, 0, 1], "by": "ground"}
    up = np.array([[0.0, 0, 1], [0, 0, 1]])
    forces = {("table.a", "ground"): 2 * up, ("ground", "table.b"): -3 * up, ("table.b", "block.0"): 7 * up}
    motion = Trajectory(np.array([0.0, 1]), {}, forces)
    assert _force(motion, read)[0, 2] == 5
    assert _force(motion, {**read, "shape": "b"})[0, 2] == 3
    assert _force(motion, {"body": "table"})[0, 2] == 12
    assert _force(motion, {"body": "block", "by": "table"})[0, 2] == -7
