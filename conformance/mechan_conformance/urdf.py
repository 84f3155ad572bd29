"""URDF of one body, or of bodies that joints make one tree: masses, shapes, joints and their dry friction.

The format knows no half spaces, no start, no springs, no contact laws, and in a robot no second tree beside the first.
"""

from __future__ import annotations

import numpy as np

from . import rotation
from .engine import Cannot
from .joined import Link, links, place_of, seen_from
from .solids import Solid, matrix_of, solids
from .world import Body, World
from .xml import element, tag

FEATURES = frozenset(
    ["ball", "box", "cylinder", "points", "several shapes", "plane", "belt", "bodies in contact", "friction of pairs"]
    + ["no contact", "hinge", "slider", "weld", "plane joint", "joint friction"]
)
"""What a world may have beside; the bodies have the same masses and shapes on a belt."""
TYPES = {"hinge": "continuous", "slider": "prismatic", "weld": "fixed", "plane": "planar"}
NO_LIMIT = {"lower": -1000, "upper": 1000, "effort": 1e9, "velocity": 1e9}
"""Limits of a slider, which the format wants."""

Place = tuple[np.ndarray, np.ndarray]
"""Origin and quaternion of a frame."""


def write(world: World) -> str:
    """The tree, each link with its origin at its joint; that of a free body is its centre of mass."""
    hanging = links(world)
    roots = {"world" for link in hanging.values() if link.parent == "world"}
    roots |= {body.name for body in world.bodies if body.name not in hanging}
    if len(roots) != 1:
        raise Cannot("a robot of URDF is one tree of links")
    lines = ['<link name="world"/>'] if "world" in roots else []
    frames = {"world": place_of(world, "world")}
    for body in world.bodies:
        frames[body.name] = (hanging[body.name].joint.point if body.name in hanging else body.position, body.quaternion)
        lines += _link(body, frames[body.name][0])
    for link in hanging.values():
        lines += _joint(link, frames)
    return "\n".join([*element("robot", lines, {"name": "case"}), ""])


def _link(body: Body, origin: np.ndarray) -> list[str]:
    centre = rotation.rotate(rotation.conjugate(body.quaternion), body.position - origin)
    full = matrix_of(body.inertia)
    moments = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2), "iyz": (1, 2)}
    inertia = tag("inertia", {key: full[at] for key, at in moments.items()})
    inside = [
        *element("inertial", [tag("origin", {"xyz": centre}), tag("mass", {"value": body.mass}), inertia]),
        *(line for solid in solids(body) for line in _collision(solid, centre)),
    ]
    return element("link", inside, {"name": body.name})


def _collision(solid: Solid, centre: np.ndarray) -> list[str]:
    shapes = {
        "ball": ("sphere", ["radius"]),
        "cylinder": ("cylinder", ["radius", "length"]),
    }
    if solid.kind == "box":
        shape = tag("box", {"size": solid.size})
    else:
        name, words = shapes[solid.kind]
        shape = tag(name, dict(zip(words, solid.size, strict=True)))
    origin = tag("origin", {"xyz": centre + solid.position, "rpy": _angles(solid.quaternion)})
    return element("collision", [origin, *element("geometry", [shape])], {"name": solid.name})


def _joint(link: Link, frames: dict[str, Place]) -> list[str]:
    joint, child = link.joint, frames[link.body.name]
    if joint.friction and joint.kind not in ("hinge", "slider"):
        raise Cannot("dry friction in a joint that is no hinge or slider")
    at, turn = seen_from(frames[link.parent], *child)
    inside = [tag("parent", {"link": link.parent}), tag("child", {"link": link.body.name})]
    inside.append(tag("origin", {"xyz": at, "rpy": _angles(turn)}))
    if joint.kind != "weld":
        axis = rotation.rotate(rotation.conjugate(child[1]), joint.axis / np.linalg.norm(joint.axis))
        inside.append(tag("axis", {"xyz": axis}))
    inside += [tag("limit", NO_LIMIT)] if joint.kind == "slider" else []
    inside += [tag("dynamics", {"friction": joint.friction})] if joint.friction else []
    return element("joint", inside, {"name": joint.name, "type": TYPES[joint.kind]})


def _angles(q: np.ndarray) -> list[float]:
    """Roll, pitch and yaw about fixed axes."""
    w, x, y, z = q
    return [
        np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        np.arcsin(np.clip(2 * (w * y - z * x), -1, 1)),
        np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    ]
