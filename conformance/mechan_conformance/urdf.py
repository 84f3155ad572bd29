"""URDF of a single body: its mass and shapes. The format knows no half spaces, no start and no contact laws."""

from __future__ import annotations

import numpy as np

from .solids import Solid, matrix_of, solids
from .world import World
from .xml import element, tag

FEATURES = frozenset(["ball", "box", "cylinder", "points", "several shapes", "plane", "belt"])
"""What a world may have beside; the body has the same mass and shapes on a belt."""


def can(world: World) -> bool:
    """One body; others would have to be joined to it."""
    return len(world.bodies) == 1


def write(world: World) -> str:
    """The body with its centre of mass at the origin of its link."""
    (body,) = world.bodies
    full = matrix_of(body.inertia)
    moments = {"ixx": (0, 0), "iyy": (1, 1), "izz": (2, 2), "ixy": (0, 1), "ixz": (0, 2), "iyz": (1, 2)}
    inertia = tag("inertia", {key: full[at] for key, at in moments.items()})
    link = [
        *element("inertial", [tag("origin", {"xyz": [0, 0, 0]}), tag("mass", {"value": body.mass}), inertia]),
        *(line for solid in solids(body) for line in _collision(solid)),
    ]
    return "\n".join([*element("robot", element("link", link, {"name": body.name}), {"name": "case"}), ""])


def _collision(solid: Solid) -> list[str]:
    shapes = {
        "ball": ("sphere", ["radius"]),
        "cylinder": ("cylinder", ["radius", "length"]),
    }
    if solid.kind == "box":
        shape = tag("box", {"size": solid.size})
    else:
        name, words = shapes[solid.kind]
        shape = tag(name, dict(zip(words, solid.size, strict=True)))
    origin = tag("origin", {"xyz": solid.position, "rpy": _angles(solid.quaternion)})
    return element("collision", [origin, *element("geometry", [shape])], {"name": solid.name})


def _angles(q: np.ndarray) -> list[float]:
    """Roll, pitch and yaw about fixed axes."""
    w, x, y, z = q
    return [
        np.arctan2(2 * (w * x + y * z), 1 - 2 * (x * x + y * y)),
        np.arcsin(np.clip(2 * (w * y - z * x), -1, 1)),
        np.arctan2(2 * (w * z + x * y), 1 - 2 * (y * y + z * z)),
    ]
