"""Bodies as most engines want them: solids alone, and moments of inertia along principal axes."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

import numpy as np

from . import rotation
from .world import Body

POINT_RADIUS = 1e-6
"""Radius, in metres, of the balls that stand for contact points without extent."""


class Solid(NamedTuple):
    """A shape at a place of a body: `size` is [radius], full lengths of a box, or [radius, length]."""

    name: str
    shape: str
    kind: str
    size: np.ndarray
    position: np.ndarray
    quaternion: np.ndarray


def solids(body: Body) -> Iterator[Solid]:
    """Shapes of a body; each contact point is a very small ball. `shape` is the name of a shape as the case has it."""
    for shape in body.shapes:
        name = f"{body.name}.{shape.name}"
        if shape.kind != "points":
            yield Solid(name, name, shape.kind, shape.size, shape.position, shape.quaternion)
            continue
        for i, point in enumerate(shape.points):
            at = shape.position + rotation.rotate(shape.quaternion, point)
            yield Solid(f"{name}.{i}", name, "ball", np.array([POINT_RADIUS]), at, shape.quaternion)


def principal(inertia: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
    """Principal moments, and the rotation from principal axes to those of the body."""
    if inertia.ndim == 1:
        return inertia, np.array([1.0, 0, 0, 0])
    moments, axes = np.linalg.eigh(inertia)
    axes[:, 2] *= np.sign(np.linalg.det(axes))
    return moments, rotation.from_matrix(axes)


def matrix_of(inertia: np.ndarray) -> np.ndarray:
    """The matrix of inertia in body axes."""
    return np.diag(inertia) if inertia.ndim == 1 else inertia
