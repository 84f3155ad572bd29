"""What a world may need of an engine, by name."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

from .world import World

FEATURES = {
    "ball": "a ball",
    "box": "a box",
    "cylinder": "a cylinder, its axis along z of the body",
    "capsule": "a cylinder with round ends, its axis along z of the body",
    "points": "contact points of a body, without extent",
    "several shapes": "more than one shape on a body",
    "plane": "a fixed half space",
    "fixed": "a body that does not move",
    "belt": "a half space whose surface moves along itself",
    "bodies in contact": "contact between two moving bodies",
    "restitution": "a coefficient of restitution above zero, by Newton's law",
    "restitution poisson": "Poisson's law of restitution",
    "restitution energetic": "the energetic law of restitution",
    "friction of pairs": "friction or restitution that differs from pair to pair",
    "no contact": "a pair that does not touch",
    "hinge": "a joint that leaves rotation about an axis",
    "slider": "a joint that leaves motion along an axis",
    "ball joint": "a joint that leaves all rotations",
    "weld": "a joint that leaves nothing",
    "plane joint": "a joint that leaves motion in a plane, with rotation about its normal",
    "joint friction": "dry friction in a joint",
    "force": "an applied force or torque",
    "spring": "a spring with a damper between two points",
    "contact forces": "forces of contacts, asked for",
}
JOINTS = {"hinge": "hinge", "slider": "slider", "ball": "ball joint", "weld": "weld", "plane": "plane joint"}
"""Kinds of joints, and the features that they are."""


def features_of(world: World, data: Mapping[str, Any]) -> Iterator[str]:
    """Names of all that a world needs; `data` is what its case says of it."""
    moving = world.moving()
    yield from (shape.kind for body in world.bodies for shape in body.shapes)
    rules: list[tuple[str, bool]] = [
        ("several shapes", any(len(body.shapes) > 1 for body in world.bodies)),
        ("plane", bool(world.planes)),
        ("fixed", len(moving) < len(world.bodies)),
        ("belt", any(plane.velocity.any() for plane in world.planes)),
        ("bodies in contact", any(pair.b in {body.name for body in moving} for pair in world.pairs)),
        ("restitution", any(pair.restitution > 0 for pair in world.pairs)),
        ("friction of pairs", len({(pair.friction, pair.restitution) for pair in world.pairs}) > 1),
        ("no contact", any(one.get("contact") is False for one in data.get("pairs", ()))),
        ("joint friction", any(joint.friction > 0 for joint in world.joints)),
        ("force", bool(world.forces)),
        ("spring", bool(world.springs)),
        ("contact forces", '"force"' in repr(world.read).replace("'", '"')),
    ]
    yield from (name for name, used in rules if used)
    yield from (JOINTS[joint.kind] for joint in world.joints)
    if world.restitution > 0 and world.restitution_law != "newton":
        yield f"restitution {world.restitution_law}"
