"""MJCF, MuJoCo's format, written from the neutral description. Joints, springs and belts are in `mjcf_joints`."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import mjcf_joints, rotation
from .joined import Link, links, place_of, seen_from
from .solids import Solid, solids
from .world import Body, Pair, Plane, World
from .xml import tag

GEOM = {"ball": "sphere", "box": "box", "cylinder": "cylinder", "capsule": "capsule"}
FEATURES = frozenset(
    ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed"]
    + ["bodies in contact", "friction of pairs", "no contact"]
)
FEATURES |= mjcf_joints.FEATURES


def write(world: World, options: Mapping[str, Any] | None = None, of_pair: Mapping[str, Any] | None = None) -> str:
    """MJCF of the bodies at their start, with contact pairs named one by one so that no rule combines their friction.

    `options` are attributes of `<option>`, `of_pair` of every `<pair>`.
    """
    gravity = {"gravity": world.gravity, **(options or {})}
    body_lines = [line for plane in world.planes for line in [_plane(plane)]]
    hanging = links(world)
    for body in world.bodies:
        if body.name not in hanging:
            body_lines += _body(world, body, hanging)
    for link in hanging.values():
        if link.parent == "world":
            body_lines += _body(world, link.body, hanging)
    ends = [line for spring in world.springs for line in mjcf_joints.sites(spring)]
    body_lines += [line for body, line in ends if body == "world"]
    return "\n".join(
        [
            '<mujoco model="case">',
            '  <compiler angle="radian"/>',
            "  " + tag("option", gravity),
            '  <default><geom contype="0" conaffinity="0"/></default>',
            "  <worldbody>",
            *("    " + line for line in body_lines),
            "  </worldbody>",
            "  <contact>",
            *("    " + tag("pair", one) for one in _pairs(world, of_pair or {})),
            "  </contact>",
            *mjcf_joints.tendons(world),
            "  <keyframe>",
            "    " + tag("key", {"name": "start", **_start(world, hanging)}),
            "  </keyframe>",
            "</mujoco>",
            "",
        ]
    )


def _plane(plane: Plane) -> str:
    turn = rotation.towards(plane.normal)
    place = {"name": plane.name, "type": "plane", "size": [1, 1, 1], "pos": plane.point, "quat": turn}
    return tag("geom", place | mjcf_joints.belt(plane))


def _body(world: World, body: Body, hanging: dict[str, Link]) -> list[str]:
    """A body with those that hang on it."""
    link = hanging.get(body.name)
    inside = [] if body.fixed else [*(mjcf_joints.joints(link) if link else ["<freejoint/>"]), _inertia(body)]
    inside += [_geom(solid) for solid in solids(body)]
    inside += [line for spring in world.springs for name, line in mjcf_joints.sites(spring) if name == body.name]
    inside += [line for one in hanging.values() if one.parent == body.name for line in _body(world, one.body, hanging)]
    place = (
        seen_from(place_of(world, link.parent), body.position, body.quaternion)
        if link
        else (body.position, body.quaternion)
    )
    head = tag("body", {"name": body.name, "pos": place[0], "quat": place[1]}).replace("/>", ">")
    return [head, *("  " + line for line in inside), "</body>"]


def _inertia(body: Body) -> str:
    moments: dict[str, Any] = {"diaginertia": body.inertia}
    if body.inertia.ndim == 2:
        full = body.inertia
        moments = {"fullinertia": [full[0, 0], full[1, 1], full[2, 2], full[0, 1], full[0, 2], full[1, 2]]}
    return tag("inertial", {"pos": [0, 0, 0], "mass": body.mass, **moments})


def _geom(solid: Solid) -> str:
    """MuJoCo has half lengths."""
    size = solid.size * {"box": [0.5, 0.5, 0.5], "ball": [1]}.get(solid.kind, [1, 0.5])
    place = {"pos": solid.position, "quat": solid.quaternion}
    return tag("geom", {"name": solid.name, "type": GEOM[solid.kind], "size": size, **place, "mass": 0})


def _pairs(world: World, of_pair: Mapping[str, Any]) -> Iterable[dict[str, Any]]:
    for pair in world.pairs:
        for first in geoms_of(world, pair.a):
            for second in geoms_of(world, pair.b):
                yield {"geom1": first, "geom2": second, **_law(pair), **of_pair}


def _law(pair: Pair) -> dict[str, Any]:
    """A pair without friction has one direction of force, since coefficients of zero are raised a little in MuJoCo."""
    return {"condim": 3, "friction": [pair.friction, pair.friction, 0, 0, 0]} if pair.friction > 0 else {"condim": 1}


def geoms_of(world: World, thing: str) -> list[str]:
    """Names of the geoms of a body or plane."""
    if thing in (plane.name for plane in world.planes):
        return [thing]
    return [solid.name for solid in solids(world.body(thing))]


def _start(world: World, hanging: dict[str, Link]) -> dict[str, Any]:
    """Coordinates and speeds, body by body in the order of the file."""
    parts = [_coordinates(world, name, hanging) for name in _order(world, hanging)]
    return {key: np.concatenate([part[i] for part in parts]) for i, key in enumerate(("qpos", "qvel"))} if parts else {}


def _order(world: World, hanging: dict[str, Link]) -> list[str]:
    free = [body.name for body in world.bodies if body.name not in hanging]
    roots = [*free, *(name for name, link in hanging.items() if link.parent == "world")]

    def below(name: str) -> list[str]:
        return [name, *(one for other, link in hanging.items() if link.parent == name for one in below(other))]

    return [one for root in roots for one in below(root) if not world.body(one).fixed]


def _coordinates(world: World, name: str, hanging: dict[str, Link]) -> tuple[np.ndarray, np.ndarray]:
    if name in hanging:
        return mjcf_joints.start(world, hanging[name])
    body = world.body(name)
    turned = rotation.rotate(rotation.conjugate(body.quaternion), body.omega)
    return np.concatenate([body.position, body.quaternion]), np.concatenate([body.velocity, turned])
