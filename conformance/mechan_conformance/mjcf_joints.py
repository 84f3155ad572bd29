"""Joints, springs and belts in MJCF."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy as np

from . import rotation
from .engine import Cannot
from .joined import Link, start_rates
from .world import Plane, Spring, World
from .xml import tag

FEATURES = frozenset(["hinge", "slider", "ball joint", "weld", "plane joint", "joint friction", "spring", "belt"])
TYPES = {"hinge": ["hinge"], "slider": ["slide"], "ball": ["ball"], "weld": [], "plane": ["slide", "slide", "hinge"]}
"""Joints of MuJoCo that leave what a joint leaves."""
WITH_FRICTION = ("hinge", "slider")
"""Joints of one coordinate, whose friction has one bound."""


def joints(link: Link) -> Iterator[str]:
    """Elements of the joints between a body and its parent, in the axes of the body."""
    joint, body = link.joint, link.body
    if joint.friction and joint.kind not in WITH_FRICTION:
        raise Cannot("not said by this adapter: dry friction in a joint that is no hinge or slider")
    back = rotation.conjugate(body.quaternion)
    at = rotation.rotate(back, joint.point - body.position)
    for kind, axis in zip(TYPES[joint.kind], _axes(link), strict=True):
        friction = {"frictionloss": joint.friction} if joint.friction else {}
        along = {} if kind == "ball" else {"axis": rotation.rotate(back, axis)}
        yield tag("joint", {"type": kind, "pos": at, **along, **friction})


def _axes(link: Link) -> list[np.ndarray]:
    """Axes of a joint's coordinates, in world axes."""
    axis = link.joint.axis / np.linalg.norm(link.joint.axis)
    if link.joint.kind != "plane":
        return [axis] * len(TYPES[link.joint.kind])
    turn = rotation.towards(axis)
    return [rotation.rotate(turn, unit) for unit in np.eye(3)]


def start(world: World, link: Link) -> tuple[np.ndarray, np.ndarray]:
    """Coordinates of a joint at the start, and their rates."""
    velocity, omega = start_rates(world, link)
    if link.joint.kind == "ball":
        return np.array([1.0, 0, 0, 0]), rotation.rotate(rotation.conjugate(link.body.quaternion), omega)
    kinds = TYPES[link.joint.kind]
    rates = [(velocity if kind == "slide" else omega) @ axis for kind, axis in zip(kinds, _axes(link), strict=True)]
    return np.zeros(len(kinds)), np.array(rates)


def belt(plane: Plane) -> dict[str, Any]:
    """Velocity of a surface, in its own axes."""
    if not plane.velocity.any():
        return {}
    along = rotation.rotate(rotation.conjugate(rotation.towards(plane.normal)), plane.velocity)
    return {"surfacevel": [*along, 0, 0, 0]}


def sites(spring: Spring) -> Iterator[tuple[str, str]]:
    """The body of each end of a spring, and the element that marks it there."""
    for i, (body, point) in enumerate(zip(spring.bodies, spring.points, strict=True)):
        yield body, tag("site", {"name": _site(spring, i), "pos": point, "size": [0.001]})


def _site(spring: Spring, end: int) -> str:
    return "-".join([*spring.bodies, *(format(float(x), ".12g") for point in spring.points for x in point), str(end)])


def tendons(world: World) -> Iterator[str]:
    """Springs as tendons between two sites."""
    if not world.springs:
        return
    yield "  <tendon>"
    for spring in world.springs:
        law = {"stiffness": spring.stiffness, "springlength": [spring.length] * 2, "damping": spring.damping}
        ends = "".join(tag("site", {"site": _site(spring, i)}) for i in range(2))
        yield "    " + tag("spatial", law).replace("/>", ">") + ends + "</spatial>"
    yield "  </tendon>"
