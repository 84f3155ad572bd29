"""Rapier, by its authors' Python binding: impulses of a few iterations in substeps, in single precision."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import combine, rotation
from ..engine import ALL_JOINTS, MOST, NEWTON_ALONE, Cannot, Engine, State
from ..joined import place_of
from ..loads import loads
from ..solids import Solid, principal, solids
from ..world import Body, Joint, Plane, Spring, World

ALONG_Z = np.array([np.sqrt(0.5), np.sqrt(0.5), 0.0, 0.0])
"""Cylinders of Rapier lie along y."""
GAIN = 1e6
"""Of the motor that stands for dry friction in a joint: how steeply its force grows with speed up to the limit."""
RULES = {"arithmetic": "AVERAGE", "smaller": "MIN"}


class Rapier(Engine):
    """One rigid body for each of the world's, with colliders without mass."""

    name = "rapier"
    title = "Rapier"
    made_for = "Games and robotics in real time: fast, with small substeps and warm starts."
    combines = (
        "By a rule that colliders name: here the mean, as by default, or the smaller of two coefficients where the mean cannot give "
        "those of all pairs; restitution by the mean."
    )
    advice = (
        "The documentation of IntegrationParameters: more `num_solver_iterations` and smaller steps for accuracy, and the friction "
        "model `COULOMB`, one constraint of friction for each point, instead of the faster and less accurate `SIMPLIFIED`. "
        "Bodies that rest do not fall asleep."
    )
    limits = "The binding has single precision, and tells impulses of friction without their directions."
    can = MOST | ALL_JOINTS | {"belt", "joint friction", "restitution", "spring"}
    lacks = NEWTON_ALONE | {"contact forces": "the binding gives impulses of friction without their directions"}
    settings = {
        "default": {"step": 1 / 60},
        "best": {"step": 1 / 1000, "num_solver_iterations": 16, "friction_model": "COULOMB", "sleep": False},
    }

    def version(self) -> str:
        import rapier3d

        return rapier3d.__version__

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import rapier3d

        if len(world.bodies) + len(world.planes) > 31:
            raise Cannot("not said by this adapter: more than 31 things that are told apart")
        self.world, self.r, self.steps, self.h = world, rapier3d, 0, settings["step"]
        self.scene = rapier3d.PhysicsWorld(gravity=tuple(world.gravity))
        self._parameters(settings)
        self.rules = {what: self._rule(what) for what in ("friction", "restitution")}
        self.colliders: dict[str, Any] = {}
        self.handles = {plane.name: self._plane(plane) for plane in world.planes}
        self.handles |= {body.name: self._body(body, settings.get("sleep", True)) for body in world.bodies}
        if world.joints or world.springs:
            self.handles["world"] = self.scene.add_body(rapier3d.RigidBody.fixed())
        for joint in world.joints:
            self._join(joint)
        for spring in world.springs:
            self._spring(spring)
        if "belt" in world.features:
            self.scene.physics_hooks = _Belts({plane.name: plane for plane in world.planes}, self.colliders)

    def _parameters(self, settings: Mapping[str, Any]) -> None:
        parameters = self.scene.integration_parameters
        parameters.dt = self.h
        for key, value in settings.items():
            if key == "friction_model":
                parameters.friction_model = getattr(self.r.FrictionModel, value)
            elif key.endswith("contact_softness"):
                setattr(parameters, key, self.r.SpringCoefficients(*value))
            elif key not in ("step", "sleep"):
                setattr(parameters, key, value)

    def _rule(self, what: str) -> tuple[Any, dict[str, float]]:
        for rule, word in RULES.items():
            values = combine.of_things(rule, self.world.pairs, what)
            if values is not None:
                return getattr(self.r.CoefficientCombineRule, word), values
        raise Cannot(f"{what} is the mean or an extreme of two values, which cannot be that of every pair here")

    def _plane(self, plane: Plane) -> Any:
        one = self.scene.add_body(self.r.RigidBody.fixed(translation=tuple(plane.point)))
        shape = self.r.SharedShape.halfspace(tuple(plane.normal))
        self._collider(plane.name, shape, one, np.zeros(3), np.array([1.0, 0, 0, 0]))
        return one

    def _body(self, body: Body, sleep: bool) -> Any:
        kind = self.r.RigidBody.fixed() if body.fixed else self.r.RigidBody.dynamic()
        builder = kind.position(self._place(body.position, body.quaternion)).can_sleep(sleep)
        if not body.fixed:
            moments, turn = principal(body.inertia)
            mass = self.r.MassProperties((0, 0, 0), body.mass, tuple(moments), self._turn(turn))
            builder = builder.linvel(tuple(body.velocity)).angvel(tuple(body.omega)).additional_mass_properties(mass)
        one = self.scene.add_body(builder)
        for solid in solids(body):
            turn = rotation.multiply(solid.quaternion, ALONG_Z) if solid.kind == "cylinder" else solid.quaternion
            self._collider(body.name, self._shape(solid), one, solid.position, turn)
        return one

    def _collider(self, name: str, shape: Any, body: Any, position: np.ndarray, turn: np.ndarray) -> None:
        builder = self.r.Collider.new(shape).density(0.0).position(self._place(position, turn))
        for what, (rule, values) in self.rules.items():
            builder = getattr(builder, what)(values.get(name, 0.0))
            builder = getattr(builder, f"{what}_combine_rule")(rule)
        hooks = self.r.ActiveHooks.MODIFY_SOLVER_CONTACTS if "belt" in self.world.features else self.r.ActiveHooks.NONE
        one = self.scene.add_collider(builder.collision_groups(self._groups(name)).active_hooks(hooks), body)
        self.colliders.setdefault(name, one)

    def _shape(self, solid: Solid) -> Any:
        size, shapes = [float(length) for length in solid.size], self.r.SharedShape
        if solid.kind == "box":
            return shapes.cuboid(*(length / 2 for length in size))
        if solid.kind == "ball":
            return shapes.ball(size[0])
        return (shapes.cylinder if solid.kind == "cylinder" else shapes.capsule_z)(size[1] / 2, size[0])

    def _groups(self, name: str) -> Any:
        names = [thing.name for thing in (*self.world.planes, *self.world.bodies)]
        others = [pair.b if pair.a == name else pair.a for pair in self.world.pairs if name in (pair.a, pair.b)]
        bits = sum(1 << names.index(other) for other in set(others))
        return self.r.InteractionGroups(self.r.Group(1 << names.index(name)), self.r.Group(bits))

    def _turn(self, q: np.ndarray) -> Any:
        return self.r.Rotation3.from_quaternion(*map(float, q))

    def _place(self, position: np.ndarray, quaternion: np.ndarray) -> Any:
        return self.r.Isometry3(tuple(map(float, position)), self._turn(quaternion))

    def _join(self, joint: Joint) -> None:
        ends = [self._end(name, joint) for name in joint.bodies]
        if joint.kind in ("hinge", "slider"):
            kind = self.r.RevoluteJointBuilder if joint.kind == "hinge" else self.r.PrismaticJointBuilder
            builder = kind(ends[0][1]).local_axis1(ends[0][1]).local_axis2(ends[1][1])
            if joint.friction:
                builder = builder.motor_model(self.r.MotorModel.FORCE_BASED).motor_velocity(0.0, GAIN)
                builder = builder.motor_max_force(joint.friction)
        elif joint.friction:
            raise Cannot("not said by this adapter: dry friction in a joint that is no hinge or slider")
        else:
            builder = self.r.SphericalJointBuilder() if joint.kind == "ball" else self.r.FixedJointBuilder()
        if joint.kind == "weld":
            builder = builder.local_frame1(ends[0][2]).local_frame2(ends[1][2])
        else:
            builder = builder.local_anchor1(ends[0][0]).local_anchor2(ends[1][0])
        bodies = (self.handles[name] for name in joint.bodies)
        self.scene.impulse_joints.insert(*bodies, builder.contacts_enabled(True).build())

    def _spring(self, spring: Spring) -> None:
        builder = self.r.SpringJointBuilder(spring.length, spring.stiffness, spring.damping)
        builder = builder.local_anchor1(tuple(spring.points[0])).local_anchor2(tuple(spring.points[1]))
        builder = builder.spring_model(self.r.MotorModel.FORCE_BASED).contacts_enabled(True)
        bodies = (self.handles[name] for name in spring.bodies)
        self.scene.impulse_joints.insert(*bodies, builder.build())

    def _end(self, name: str, joint: Joint) -> tuple[Any, Any, Any]:
        """Anchor and axis of a joint in the axes of a body, and the frame that is the world's at the joint's point."""
        position, quaternion = place_of(self.world, name)
        back = rotation.conjugate(quaternion)
        along = joint.axis / np.linalg.norm(joint.axis)
        anchor, axis = (rotation.rotate(back, v) for v in (joint.point - position, along))
        return tuple(anchor), tuple(axis), self._place(anchor, back)

    def step(self) -> float:
        told = loads(self.world, self.state, springs=False)
        for name, (force, torque) in told.items():
            body = self.scene.rigid_bodies[self.handles[name]]
            body.reset_forces()
            body.reset_torques()
            body.add_force(tuple(force))
            body.add_torque(tuple(torque))
        self.scene.step()
        self.steps += 1
        return self.steps * self.h

    def state(self, body: str) -> State:
        one = self.scene.rigid_bodies[self.handles[body]]
        place, turn, rate, omega = one.translation, one.rotation, one.linvel, one.angvel
        q = np.array([turn.w, turn.i, turn.j, turn.k])
        return State(_three(place), q / np.linalg.norm(q), _three(rate), _three(omega))

    def friction(self, a: str, b: str) -> float:
        return self._pair(a, b, "friction")

    def restitution(self, a: str, b: str) -> float:
        return self._pair(a, b, "restitution")

    def _pair(self, a: str, b: str, what: str) -> float:
        both = [self.scene.colliders[self.colliders[thing]] for thing in (a, b)]
        word = {value: key for key, value in RULES.items()}[
            str(getattr(both[0], f"{what}_combine_rule")).split(".")[-1]
        ]
        return combine.combined(word, *(getattr(one, what) for one in both))


class _Belts:
    """Gives contacts with belts the velocity of the surface."""

    def __init__(self, planes: Mapping[str, Plane], colliders: Mapping[str, Any]) -> None:
        self.speeds = {handle: planes[name].velocity for name, handle in colliders.items() if name in planes}

    def modify_solver_contacts(self, context: Any) -> None:
        for one, sign in ((context.collider1, 1), (context.collider2, -1)):
            if one in self.speeds:
                context.set_tangent_velocity(tuple(sign * self.speeds[one]))


def _three(v: Any) -> np.ndarray:
    return np.array([v.x, v.y, v.z])
