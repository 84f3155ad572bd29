"""A world that is turned, in other units or in another order is the same world."""

import numpy as np
from mechan_conformance.builder import build_world
from mechan_conformance.restated import restated, taken_back
from mechan_conformance.rotation import rotate
from mechan_conformance.trajectory import State, Trajectory

DATA = {
    "bodies": [
        {"name": "a", "box": [1, 2, 3], "mass": 2, "position": [1, 2, 3], "velocity": [1, 0, 0], "omega": [0, 1, 2]},
        {"name": "b", "ball": 1, "mass": 1, "position": [4, 0, 0]},
    ],
    "planes": [{"point": [0, 0, -5]}],
    "joints": [
        {"kind": "hinge", "bodies": ["a", "b"], "point": [1, 1, 1], "friction": 3},
        {"kind": "slider", "bodies": ["world", "b"], "friction": 3},
    ],
    "forces": [{"body": "a", "force": [1, 0, 0], "torque": [0, 0, 1], "point": [0, 1, 0]}],
    "springs": [{"bodies": ["world", "b"], "points": [[0, 0, 9], [0, 1, 0]], "stiffness": 5, "length": 2}],
    "duration": 1,
    "read": {"what": "energy"},
    "turn": {"axis": [1, 2, 3], "angle": 0.7},
    "length": 1000,
}


def starts(world):
    return {
        body.name: State(
            *(np.array([part] * 2) for part in (body.position, body.quaternion, body.velocity, body.omega))
        )
        for body in world.bodies
    }


def test_what_comes_back_is_what_went_out():
    world = build_world(DATA, {})
    other = restated(world)
    forces = {("a", "ground"): np.array([rotate(world.turn, [0, 0, 2000.0])] * 2)}
    back = taken_back(world, Trajectory(np.array([0.0, 1.0]), starts(other), forces))
    for name, state in starts(world).items():
        for found, wanted in zip(back.bodies[name], state, strict=True):
            np.testing.assert_allclose(found, wanted, atol=1e-12)
    np.testing.assert_allclose(back.forces["a", "ground"][0], [0, 0, 2], atol=1e-12)


def test_forces_and_lengths_scale_as_their_units():
    world = build_world(DATA, {})
    other = restated(world)
    np.testing.assert_allclose(other.gravity, 1000 * rotate(world.turn, world.gravity))
    np.testing.assert_allclose(np.linalg.norm(other.forces[0].torque), 1e6)
    np.testing.assert_allclose(other.forces[0].point, [0, 1000, 0])  # in body axes
    assert [joint.friction for joint in other.joints] == [3e6, 3e3]
    np.testing.assert_allclose(other.springs[0].points[0], 1000 * rotate(world.turn, [0, 0, 9]))
    np.testing.assert_allclose(other.springs[0].points[1], [0, 1000, 0])
    assert (other.springs[0].stiffness, other.springs[0].length) == (5, 2000)
    np.testing.assert_allclose(other.bodies[0].inertia, 1e6 * world.bodies[0].inertia)


def test_order():
    names = [body.name for body in build_world({**DATA, "reversed": True}, {}).bodies]
    assert names == ["b", "a"]


def test_nothing_changes_without_a_wish():
    world = build_world({key: value for key, value in DATA.items() if key not in ("turn", "length")}, {})
    assert restated(world) is world
