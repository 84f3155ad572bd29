"""Joints of SDF: joined bodies are the links of one model, which has friction and springs along the axes of its joints."""

from __future__ import annotations

import numpy as np

from . import rotation
from .engine import Cannot
from .joined import Link, place_of
from .world import Joint, Spring, World
from .xml import element, text

FEATURES = frozenset(["hinge", "slider", "ball joint", "weld", "joint friction", "spring"])
TYPES = {"hinge": "revolute", "slider": "prismatic", "ball": "ball", "weld": "fixed"}
OF_ONE_COORDINATE = ("hinge", "slider")


def models(world: World, hanging: dict[str, Link]) -> list[list[str]]:
    """Names of the bodies that joints make one model, model by model."""
    groups: dict[str, list[str]] = {}
    root: dict[str, str] = {}
    for body in world.bodies:
        top = body.name
        while top in hanging and hanging[top].parent != "world":
            top = hanging[top].parent
        root[body.name] = top
        groups.setdefault(top, []).append(body.name)
    if any(len(names) > 1 and world.body(name).fixed for names in groups.values() for name in names):
        raise Cannot("a body of a static model has no joint")
    if any(pair.b in root and root[pair.a] == root[pair.b] for pair in world.pairs):
        raise Cannot("links of one model do not touch")
    return list(groups.values())


def joint(world: World, link: Link) -> list[str]:
    """The element of a joint, whose parent may be the world."""
    one = link.joint
    if one.friction and one.kind not in OF_ONE_COORDINATE:
        raise Cannot("dry friction in a joint that is no hinge or slider")
    inside = [*element("parent", link.parent), *element("child", link.body.name)]
    inside += element("pose", text([*one.point, 0, 0, 0]), {"relative_to": "__model__"})
    if one.kind in OF_ONE_COORDINATE:
        inside += element("axis", _axis(world, link))
    return element("joint", inside, {"name": one.name, "type": TYPES[one.kind]})


def _axis(world: World, link: Link) -> list[str]:
    damping, stiffness, rest = _spring_of(world, link)
    law = [*element("damping", text(damping)), *element("friction", text(link.joint.friction))]
    law += [*element("spring_reference", text(rest)), *element("spring_stiffness", text(stiffness))]
    direction = text(link.joint.axis / np.linalg.norm(link.joint.axis))
    return [*element("xyz", direction, {"expressed_in": "__model__"}), *element("dynamics", law)]


def _spring_of(world: World, link: Link) -> tuple[float, float, float]:
    """Damping, stiffness and the coordinate at rest of the spring along a slider, zero at the start."""
    for spring in world.springs:
        if _lies_along(world, spring, link.joint):
            sense, length = _stretch(world, spring, link)
            return spring.damping, spring.stiffness, sense * (spring.length - length)
    return 0.0, 0.0, 0.0


def check_springs(world: World, hanging: dict[str, Link]) -> None:
    """Raises `Cannot` for springs that are not along a slider of their own."""
    said = [spring for link in hanging.values() for spring in world.springs if _lies_along(world, spring, link.joint)]
    if len(said) < len(world.springs) or len({spring.bodies for spring in said}) < len(said):
        raise Cannot("springs lie along the axes of sliders")


def _lies_along(world: World, spring: Spring, one: Joint) -> bool:
    if one.kind != "slider" or set(spring.bodies) != set(one.bodies):
        return False
    apart = np.subtract(*(_point(world, spring, i) for i in (1, 0)))
    return bool(np.linalg.norm(np.cross(apart, one.axis)) <= 1e-9 * np.linalg.norm(apart) * np.linalg.norm(one.axis))


def _stretch(world: World, spring: Spring, link: Link) -> tuple[float, float]:
    """Whether the spring grows (1) or shrinks (-1) with the coordinate of the slider, and its length at the start."""
    child = spring.bodies.index(link.body.name)
    apart = _point(world, spring, child) - _point(world, spring, 1 - child)
    return float(np.sign(apart @ link.joint.axis)), float(np.linalg.norm(apart))


def _point(world: World, spring: Spring, end: int) -> np.ndarray:
    place, turn = place_of(world, spring.bodies[end])
    return place + rotation.rotate(turn, spring.points[end])
