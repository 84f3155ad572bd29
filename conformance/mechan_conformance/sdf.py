"""SDF of the bodies at their start and of the planes, with their joints. Velocities are the case's; restitution is not in all readers.

The format has friction of things, not of pairs, no surfaces that move, and springs along the axes of joints alone.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from . import rotation, sdf_joints
from .joined import links
from .solids import Solid, matrix_of, solids
from .world import Body, Plane, World
from .xml import element, text

FEATURES = frozenset(
    ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed", "bodies in contact"]
)
FEATURES |= sdf_joints.FEATURES
WORDS = {"ball": ("sphere", ["radius"]), "box": ("box", ["size"]), "cylinder": ("cylinder", ["radius", "length"])}
WORDS["capsule"] = ("capsule", ["radius", "length"])


def write(world: World) -> str:
    """A world of models; each has the friction of the case, so that means, extremes and 2ab/(a+b) give it to the pair."""
    hanging = links(world)
    sdf_joints.check_springs(world, hanging)
    models = [line for plane in world.planes for line in _plane(plane, world.friction)]
    for names in sdf_joints.models(world, hanging):
        bodies = [world.body(name) for name in names]
        joints = [line for name in names if name in hanging for line in sdf_joints.joint(world, hanging[name])]
        models += _joined(bodies, joints, world.friction) if joints else _single(*bodies, world.friction)
    inside = [*element("gravity", text(world.gravity)), *models]
    lines = element("sdf", element("world", inside, {"name": "case"}), {"version": "1.9"})
    return "\n".join(['<?xml version="1.0"?>', *lines, ""])


def _plane(plane: Plane, friction: float) -> list[str]:
    shape = element("plane", [*element("normal", "0 0 1"), *element("size", "100 100")])
    collision = element("collision", [*element("geometry", shape), *_law(friction)], {"name": plane.name})
    link = element("link", collision, {"name": plane.name})
    inside = [*element("static", "true"), *_pose(plane.point, rotation.towards(plane.normal)), *link]
    return element("model", inside, {"name": plane.name})


def _single(body: Body, friction: float) -> list[str]:
    link = element("link", _link(body, friction), {"name": body.name})
    fixed = element("static", "true") if body.fixed else []
    return element("model", [*fixed, *_pose(body.position, body.quaternion), *link], {"name": body.name})


def _joined(bodies: list[Body], joints: list[str], friction: float) -> list[str]:
    """A model whose axes are those of the world."""
    inside = []
    for body in bodies:
        link = [*_pose(body.position, body.quaternion), *_link(body, friction)]
        inside += element("link", link, {"name": body.name})
    return element("model", [*inside, *joints], {"name": bodies[0].name})


def _link(body: Body, friction: float) -> list[str]:
    inertial = [] if body.fixed else _inertial(body)
    return inertial + [line for solid in solids(body) for line in _collision(solid, friction)]


def _inertial(body: Body) -> list[str]:
    full = matrix_of(body.inertia)
    moments = {"ixx": (0, 0), "ixy": (0, 1), "ixz": (0, 2), "iyy": (1, 1), "iyz": (1, 2), "izz": (2, 2)}
    inertia = [line for key, at in moments.items() for line in element(key, text(full[at]))]
    return element("inertial", [*element("mass", text(body.mass)), *element("inertia", inertia)])


def _collision(solid: Solid, friction: float) -> list[str]:
    shape = element(WORDS[solid.kind][0], list(_size(solid)))
    inside = [*_pose(solid.position, solid.quaternion), *element("geometry", shape), *_law(friction)]
    return element("collision", inside, {"name": solid.name})


def _size(solid: Solid) -> Iterator[str]:
    words = WORDS[solid.kind][1]
    values = [solid.size] if solid.kind == "box" else solid.size
    for word, value in zip(words, values, strict=True):
        yield from element(word, text(value))


def _law(friction: float) -> list[str]:
    ode = element("ode", [*element("mu", text(friction)), *element("mu2", text(friction))])
    return element("surface", element("friction", ode))


def _pose(position: np.ndarray, quaternion: np.ndarray) -> list[str]:
    xyzw = [*position, *quaternion[1:], quaternion[0]]
    return element("pose", text(xyzw), {"rotation_format": "quat_xyzw"})
