"""Joints as a tree of bodies, as engines in joint coordinates want them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from . import rotation
from .engine import Cannot
from .world import Body, Joint, World


class Link(NamedTuple):
    """A body that hangs on another (`world` is none) by a joint."""

    body: Body
    parent: str
    joint: Joint


def links(world: World) -> dict[str, Link]:
    """Links by their body, parents first."""
    open_joints, found = list(world.joints), {}
    known = {"world"} | {body.name for body in world.bodies if body.fixed}
    while open_joints:
        joint = next((one for one in open_joints if set(one.bodies) & known), None)
        if joint is None:  # a chain that hangs on nothing: its first body is free
            known.add(open_joints[0].bodies[0])
            continue
        open_joints.remove(joint)
        parent, child = joint.bodies if joint.bodies[0] in known else joint.bodies[::-1]
        if child in known:
            raise Cannot("not said by this adapter: bodies that are joined in a loop")
        found[child] = Link(world.body(child), parent, joint)
        known.add(child)
    return found


def place_of(world: World, name: str) -> tuple[np.ndarray, np.ndarray]:
    """Position and quaternion of a body or of the world at the start."""
    if name == "world":
        return np.zeros(3), np.array([1.0, 0, 0, 0])
    body = world.body(name)
    return body.position, body.quaternion


def seen_from(
    place: tuple[np.ndarray, np.ndarray], point: np.ndarray, turn: np.ndarray
) -> tuple[np.ndarray, np.ndarray]:
    """A point and a rotation in the axes of a place."""
    back = rotation.conjugate(place[1])
    return rotation.rotate(back, point - place[0]), rotation.multiply(back, turn)


def start_rates(world: World, link: Link) -> tuple[np.ndarray, np.ndarray]:
    """Velocity of the joint's point and angular velocity at the start, of the body less those of its parent, in world axes."""
    rates = [_rates(world, name, link.joint.point) for name in (link.body.name, link.parent)]
    return rates[0][0] - rates[1][0], rates[0][1] - rates[1][1]


def _rates(world: World, name: str, point: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    if name == "world":
        return np.zeros(3), np.zeros(3)
    body = world.body(name)
    return body.velocity + np.cross(body.omega, point - body.position), body.omega
