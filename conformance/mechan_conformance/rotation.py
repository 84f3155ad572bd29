"""Quaternions `[w, x, y, z]` and what rotations do to vectors; arrays of them have the last axis of four."""

from __future__ import annotations

import numpy as np

Array = np.ndarray


def multiply(p: Array, q: Array) -> Array:
    """Product of quaternions."""
    p, q = np.asarray(p, float), np.asarray(q, float)
    w = p[..., :1] * q[..., :1] - np.sum(p[..., 1:] * q[..., 1:], axis=-1, keepdims=True)
    v = p[..., :1] * q[..., 1:] + q[..., :1] * p[..., 1:] + np.cross(p[..., 1:], q[..., 1:])
    return np.concatenate([w, v], axis=-1)


def conjugate(q: Array) -> Array:
    """The inverse of a unit quaternion."""
    return np.asarray(q, float) * np.array([1.0, -1, -1, -1])


def rotate(q: Array, vector: Array) -> Array:
    """A vector of body axes in those of the world."""
    q, vector = np.asarray(q, float), np.asarray(vector, float)
    twice = 2 * np.cross(q[..., 1:], np.broadcast_to(vector, q.shape[:-1] + (3,)))
    return vector + q[..., :1] * twice + np.cross(q[..., 1:], twice)


def from_axis(axis: Array, angle: float) -> Array:
    """Rotation by an angle about an axis of any length."""
    axis = np.asarray(axis, float)
    return np.concatenate([[np.cos(angle / 2)], np.sin(angle / 2) * axis / np.linalg.norm(axis)])


def from_matrix(matrix: Array) -> Array:
    """Quaternion of a rotation matrix whose columns are the body's axes."""
    m = np.asarray(matrix, float)
    k = np.array(  # its largest eigenvector is the quaternion [x, y, z, w]
        [
            [m[0, 0] - m[1, 1] - m[2, 2], 0, 0, 0],
            [m[0, 1] + m[1, 0], m[1, 1] - m[0, 0] - m[2, 2], 0, 0],
            [m[0, 2] + m[2, 0], m[1, 2] + m[2, 1], m[2, 2] - m[0, 0] - m[1, 1], 0],
            [m[2, 1] - m[1, 2], m[0, 2] - m[2, 0], m[1, 0] - m[0, 1], m[0, 0] + m[1, 1] + m[2, 2]],
        ]
    )
    q = np.linalg.eigh(k)[1][[3, 0, 1, 2], 3]
    return -q if q[0] < 0 else q


def towards(normal: Array) -> Array:
    """A rotation that takes the z axis to a normal."""
    z, n = np.array([0.0, 0, 1]), np.asarray(normal, float) / np.linalg.norm(normal)
    if n[2] < -1 + 1e-12:
        return np.array([0.0, 1, 0, 0])
    q = np.concatenate([[1 + n[2]], np.cross(z, n)])
    return q / np.linalg.norm(q)


def angle_about(q: Array, axis: Array) -> Array:
    """How far each rotation of a sequence has turned about an axis since the first, without jumps of 2 pi."""
    axis = np.asarray(axis, float) / np.linalg.norm(axis)
    turned = multiply(q, conjugate(q[0]))
    return np.unwrap(2 * np.arctan2(turned[..., 1:] @ axis, turned[..., 0]), period=2 * np.pi)
