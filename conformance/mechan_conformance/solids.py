"""Bodies as most engines want them: solids alone, and moments of inertia along principal axes."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import product
from typing import NamedTuple

import numpy as np

from . import rotation
from .world import Body, Shape

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


def touching_points(body: Body) -> Iterator[tuple[np.ndarray, float]] | None:
    """Where a body can touch a half space: centres and radii of balls, corners and points with radius 0; or None."""
    if any(shape.kind not in ("ball", "box", "points") for shape in body.shapes):
        return None
    return (
        (shape.position + rotation.rotate(shape.quaternion, at), r) for shape in body.shapes for at, r in _ends(shape)
    )


def _ends(shape: Shape) -> Iterator[tuple[np.ndarray, float]]:
    if shape.kind == "ball":
        yield np.zeros(3), float(shape.size[0])
        return
    corners = [np.array(signs) * shape.size / 2 for signs in product((-1, 1), repeat=3)] if shape.kind == "box" else []
    yield from ((point, 0.0) for point in [*corners, *shape.points])


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
