"""MJCF, MuJoCo's format, written from the neutral description."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

import numpy as np

from . import rotation
from .solids import Solid, solids
from .world import Body, Pair, Plane, World
from .xml import tag

GEOM = {"ball": "sphere", "box": "box", "cylinder": "cylinder", "capsule": "capsule"}
FEATURES = frozenset(
    ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed"]
    + ["bodies in contact", "friction of pairs", "no contact"]
)


def write(world: World, options: Mapping[str, Any] | None = None, of_pair: Mapping[str, Any] | None = None) -> str:
    """MJCF of the bodies at their start, with contact pairs named one by one so that no rule combines their friction.

    `options` are attributes of `<option>`, `of_pair` of every `<pair>`.
    """
    gravity = {"gravity": world.gravity, **(options or {})}
    body_lines = [line for plane in world.planes for line in [_plane(plane)]]
    body_lines += [line for body in world.bodies for line in _body(body)]
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
            "  <keyframe>",
            "    " + tag("key", {"name": "start", **_start(world)}),
            "  </keyframe>",
            "</mujoco>",
            "",
        ]
    )


def _plane(plane: Plane) -> str:
    turn = rotation.towards(plane.normal)
    return tag("geom", {"name": plane.name, "type": "plane", "size": [1, 1, 1], "pos": plane.point, "quat": turn})


def _body(body: Body) -> list[str]:
    inside = [] if body.fixed else ["<freejoint/>", _inertia(body)]
    inside += [_geom(solid) for solid in solids(body)]
    head = tag("body", {"name": body.name, "pos": body.position, "quat": body.quaternion}).replace("/>", ">")
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


def _start(world: World) -> dict[str, Any]:
    moving = world.moving()
    places = [np.concatenate([body.position, body.quaternion]) for body in moving]
    rates = [
        np.concatenate([body.velocity, rotation.rotate(rotation.conjugate(body.quaternion), body.omega)])
        for body in moving
    ]
    return {"qpos": np.concatenate(places), "qvel": np.concatenate(rates)} if moving else {}


def can(world: World) -> bool:
    """All that its features allow."""
    return True
