"""The neutral description of bodies and obstacles, for engines that do not read mechanisms. SI units."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

import numpy as np

Vector = np.ndarray


class WorldError(ValueError):
    """A description that means nothing, with the reason."""


@dataclass(frozen=True)
class Shape:
    """A shape on a body: `size` is [radius] of a ball, full lengths of a box, [radius, length] of a cylinder or capsule."""

    kind: str
    size: Vector
    points: Vector
    position: Vector
    quaternion: Vector
    name: str


@dataclass(frozen=True)
class Body:
    """A rigid body; `velocity` of its centre of mass and `omega` are in world axes, `inertia` in its own, about its centre."""

    name: str
    shapes: tuple[Shape, ...]
    mass: float
    inertia: Vector
    position: Vector
    quaternion: Vector
    velocity: Vector
    omega: Vector
    fixed: bool


@dataclass(frozen=True)
class Plane:
    """A fixed half space below a plane; its surface moves with `velocity` if it is a belt."""

    name: str
    point: Vector
    normal: Vector
    velocity: Vector


@dataclass(frozen=True)
class Pair:
    """Two things that may touch, and the law of their contact; `a` is a body that moves."""

    a: str
    b: str
    friction: float
    restitution: float


@dataclass(frozen=True)
class Joint:
    """A joint of two bodies (`world` is none) at a point with an axis, both in world axes at the start."""

    name: str
    kind: str
    bodies: tuple[str, str]
    point: Vector
    axis: Vector
    friction: float


@dataclass(frozen=True)
class Force:
    """A constant force at a point of a body and a torque; in world axes, or in the body's (`axes: body`)."""

    body: str
    force: Vector
    torque: Vector
    point: Vector
    axes: str


@dataclass(frozen=True)
class Spring:
    """A spring with a damper between points of two bodies (`world` is none), in their axes."""

    bodies: tuple[str, str]
    points: tuple[Vector, Vector]
    stiffness: float
    length: float
    damping: float


@dataclass(frozen=True)
class World:
    """Everything that an engine needs to know; `read` says which number is asked for."""

    gravity: Vector
    bodies: tuple[Body, ...]
    planes: tuple[Plane, ...]
    pairs: tuple[Pair, ...]
    joints: tuple[Joint, ...]
    forces: tuple[Force, ...]
    springs: tuple[Spring, ...]
    friction: float
    restitution: float
    restitution_law: str
    duration: float
    samples: int
    read: Mapping[str, Any]
    turn: Vector = field(default_factory=lambda: np.array([1.0, 0, 0, 0]))
    """How everything is turned before an engine gets it; what it returns is turned back."""
    length: float = 1.0
    """Units of length per metre that an engine gets."""
    features: frozenset[str] = field(default_factory=frozenset)

    @property
    def times(self) -> Vector:
        """Sample times; an engine may give its own instead, as long as they are about as dense and end with the last."""
        return np.linspace(0, self.duration, self.samples + 1)

    def body(self, name: str) -> Body:
        return next(body for body in self.bodies if body.name == name)

    def moving(self) -> list[Body]:
        return [body for body in self.bodies if not body.fixed]
