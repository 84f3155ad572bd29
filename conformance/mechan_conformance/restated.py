"""The same world said otherwise: turned, in other units of length, with its bodies in another order."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from .rotation import conjugate, multiply, rotate
from .trajectory import State, Trajectory
from .world import Body, Force, Joint, Plane, Spring, World

TORQUE_JOINTS = ("hinge", "ball")
"""Joints whose friction is a torque, not a force."""


def restated(world: World) -> World:
    """The world as an engine gets it, with `turn` and `length` carried out."""
    if world.length == 1 and world.turn[0] == 1:
        return world
    return replace(
        world,
        gravity=_vector(world, world.gravity),
        bodies=tuple(_body(world, one) for one in world.bodies),
        planes=tuple(_plane(world, one) for one in world.planes),
        joints=tuple(_joint(world, one) for one in world.joints),
        forces=tuple(_force(world, one) for one in world.forces),
        springs=tuple(_spring(world, one) for one in world.springs),
    )


def taken_back(world: World, motion: Trajectory) -> Trajectory:
    """What an engine returned for the restated world, in axes and units of the world itself."""
    if world.length == 1 and world.turn[0] == 1:
        return motion
    back, size = conjugate(world.turn), 1 / world.length

    def vectors(values: np.ndarray) -> np.ndarray:
        return rotate(np.broadcast_to(back, (len(values), 4)), values)

    bodies = {
        name: State(
            size * vectors(one.position),
            multiply(np.broadcast_to(back, one.quaternion.shape), one.quaternion),
            size * vectors(one.velocity),
            vectors(one.omega),
        )
        for name, one in motion.bodies.items()
    }
    return Trajectory(motion.t, bodies, {pair: size * vectors(force) for pair, force in motion.forces.items()})


def _vector(world: World, vector: np.ndarray) -> np.ndarray:
    return world.length * rotate(world.turn, vector)


def _body(world: World, body: Body) -> Body:
    size = world.length
    shapes = (replace(s, size=size * s.size, points=size * s.points, position=size * s.position) for s in body.shapes)
    return replace(
        body,
        shapes=tuple(shapes),
        inertia=size**2 * body.inertia,
        position=_vector(world, body.position),
        quaternion=multiply(world.turn, body.quaternion),
        velocity=_vector(world, body.velocity),
        omega=rotate(world.turn, body.omega),
    )


def _plane(world: World, plane: Plane) -> Plane:
    normal = rotate(world.turn, plane.normal)
    return replace(plane, point=_vector(world, plane.point), normal=normal, velocity=_vector(world, plane.velocity))


def _joint(world: World, joint: Joint) -> Joint:
    power = 2 if joint.kind in TORQUE_JOINTS else 1
    axis = rotate(world.turn, joint.axis)
    return replace(joint, point=_vector(world, joint.point), axis=axis, friction=world.length**power * joint.friction)


def _force(world: World, force: Force) -> Force:
    turn = world.turn if force.axes == "world" else np.array([1.0, 0, 0, 0])
    size = world.length
    return replace(
        force,
        force=size * rotate(turn, force.force),
        torque=size**2 * rotate(turn, force.torque),
        point=size * force.point,
    )


def _spring(world: World, spring: Spring) -> Spring:
    """Its stiffness and damping are forces by lengths, which stay."""
    points = tuple(
        _vector(world, point) if body == "world" else world.length * point
        for body, point in zip(spring.bodies, spring.points, strict=True)
    )
    return replace(spring, points=points, length=world.length * spring.length)
