"""PyBullet: Bullet's maximal coordinates and sequential impulses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import combine, rotation
from ..engine import ALL_JOINTS, MOST, NEWTON_ALONE, Cannot, Engine, State
from ..joined import Link, links, place_of, seen_from, start_rates
from ..loads import loads
from ..solids import Solid, principal, solids
from ..world import Body, Plane, World

PLURALS = {
    "shapeType": "shapeTypes",
    "radius": "radii",
    "height": "lengths",
    "halfExtents": "halfExtents",
    "collisionFramePosition": "collisionFramePositions",
    "collisionFrameOrientation": "collisionFrameOrientations",
}
"""Words for one shape, and for lists of them."""

OF_LINKS = (
    "linkMasses",
    "linkCollisionShapeIndices",
    "linkVisualShapeIndices",
    "linkPositions",
    "linkOrientations",
    "linkInertialFramePositions",
    "linkInertialFrameOrientations",
    "linkParentIndices",
    "linkJointTypes",
    "linkJointAxis",
)
"""Words of createMultiBody for links."""
BELT = 1e3
"""Kilograms of a belt."""

OF_BODIES = ("contactProcessingThreshold",)
"""Settings that every body has for itself."""


class Pybullet(Engine):
    """A multibody for each of the world's bodies with those that hang on it by joints."""

    name = "pybullet"
    title = "PyBullet"
    made_for = "Games, films, learning and robotics: many bodies in real time, with impulses of a few iterations."
    combines = (
        "The product of two coefficients, of friction as of restitution; each thing gets the root of what the case asks, "
        "or values whose products are those of the pairs. Drag, 0.04 by default, is none in any case and set to zero."
    )
    advice = (
        "PyBullet Quickstart Guide, setPhysicsEngineParameter: small steps, more solver iterations, a small `solverResidualThreshold`, the "
        "implicit cone of friction, as by default (the guide holds it worth trying the pyramid, `enableConeFriction` 0, against artifacts); "
        "`restitutionVelocityThreshold` is the speed below which nothing bounces. Of changeDynamics `contactProcessingThreshold` 0, lest a "
        "contact that is still open takes away the speed that would bounce; a small `contactERP`, lest depth becomes speed."
    )
    limits = "The guide: made for speed; contacts are solved by a few sweeps of sequential impulses."
    can = MOST | ALL_JOINTS | {"belt", "contact forces", "joint friction", "restitution", "spring"}
    lacks = NEWTON_ALONE
    settings = {
        "default": {"step": 1 / 240},
        "best": {
            "step": 1 / 4000,
            "numSolverIterations": 1000,
            "solverResidualThreshold": 1e-16,
            "enableConeFriction": 1,
            "restitutionVelocityThreshold": 1e-3,
            "contactProcessingThreshold": 0,
            "contactERP": 0.01,
        },
    }

    def version(self) -> str:
        from importlib.metadata import version

        return version("pybullet")

    def build(self, world: World, settings: Mapping[str, Any]) -> None:
        import pybullet

        self.world, self.p, self.t, self.h = world, pybullet, 0.0, settings["step"]
        self._check_forces()
        if pybullet.isConnected():  # a case that runs again: the world of the first run would still be there
            pybullet.disconnect()
        pybullet.connect(pybullet.DIRECT)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=self.h, **{key: value for key, value in settings.items() if key not in ("step", *OF_BODIES)}
        )
        pybullet.setGravity(*world.gravity)
        self.ids: dict[str, tuple[int, int]] = {}  # multibody and link of each thing
        hanging = links(world)
        roots = [(body.name, _below(body.name, hanging)) for body in world.bodies if body.name not in hanging]
        roots += [
            ("world", _below(name, hanging, itself=True)) for name, one in hanging.items() if one.parent == "world"
        ]
        for root, below in roots:
            self._multibody(root, below)
        for plane in world.planes:
            self._plane(plane)
        for one, link in self.ids.values():
            pybullet.changeDynamics(one, link, **{key: settings[key] for key in OF_BODIES if key in settings})
        self._laws()

    def _multibody(self, root: str, below: list[Link]) -> None:
        """A root, which is a body or stands still without a shape, and its links; a link's frame is at its joint."""
        p, base = self.p, None if root == "world" else self.world.body(root)
        parents = {root: 0} | {link.body.name: i + 1 for i, link in enumerate(below)}
        corners = {root: np.zeros(3) if base is None else base.position}
        for link in below:
            corners[link.body.name] = link.joint.point
        parts: dict[str, list[Any]] = {key: [] for key in OF_LINKS}
        for link in below:
            body, joint, (_, turn) = link.body, link.joint, place_of(self.world, link.parent)
            place = seen_from((corners[link.parent], turn), joint.point, body.quaternion)
            back = rotation.conjugate(body.quaternion)
            centre = rotation.rotate(back, body.position - joint.point)
            moments = (list(centre), _xyzw(principal(body.inertia)[1]))
            kinds = {
                "hinge": p.JOINT_REVOLUTE,
                "slider": p.JOINT_PRISMATIC,
                "ball": p.JOINT_SPHERICAL,
                "weld": p.JOINT_FIXED,
            }
            axis = rotation.rotate(back, joint.axis / np.linalg.norm(joint.axis))
            values = (body.mass, self._collision(body, centre), -1, list(place[0]), _xyzw(place[1]), *moments)
            values += (parents[link.parent], kinds[joint.kind], list(axis))
            for key, value in zip(OF_LINKS, values, strict=True):
                parts[key].append(value)
        one = p.createMultiBody(
            base.mass if base else 0,
            self._collision(base, np.zeros(3)) if base else -1,
            basePosition=list(base.position) if base else [0, 0, 0],
            baseOrientation=_xyzw(base.quaternion) if base else [0, 0, 0, 1],
            baseInertialFrameOrientation=_xyzw(principal(base.inertia)[1]) if base else [0, 0, 0, 1],
            flags=p.URDF_USE_SELF_COLLISION_INCLUDE_PARENT if below else 0,
            **parts if below else {},
        )
        if base:
            self._start(base, one)
        for i, link in enumerate(below):
            self._dynamics(link.body, one, i)
            self._joint(link, one, i)

    def _start(self, body: Body, one: int) -> None:
        self._dynamics(body, one, -1)
        if not body.fixed:
            self.p.changeDynamics(one, -1, activationState=self.p.ACTIVATION_STATE_DISABLE_SLEEPING)
            self.p.resetBaseVelocity(one, list(body.velocity), list(body.omega))

    def _dynamics(self, body: Body, one: int, link: int) -> None:
        self.ids[body.name] = (one, link)
        if not body.fixed:
            moments = list(principal(body.inertia)[0])
            self.p.changeDynamics(
                one, link, localInertiaDiagonal=moments, linearDamping=0, angularDamping=0, jointDamping=0
            )

    def _joint(self, link: Link, one: int, index: int) -> None:
        """A joint's rate at the start, and its dry friction: a motor of no speed with the largest force, as Bullet says it."""
        p, joint = self.p, link.joint
        velocity, omega = start_rates(self.world, link)
        axis = joint.axis / np.linalg.norm(joint.axis)
        if joint.kind in ("hinge", "slider"):
            p.resetJointState(one, index, 0, float((omega if joint.kind == "hinge" else velocity) @ axis))
            p.setJointMotorControl2(one, index, p.VELOCITY_CONTROL, targetVelocity=0, force=joint.friction)
        elif joint.friction:
            raise Cannot("not said by this adapter: dry friction in a joint that is no hinge or slider")
        if joint.kind == "ball":
            turned = rotation.rotate(rotation.conjugate(link.body.quaternion), omega)
            p.resetJointStateMultiDof(one, index, [0, 0, 0, 1], list(turned))
            still = {"targetPosition": [0, 0, 0, 1], "positionGain": 0, "velocityGain": 0, "force": [0, 0, 0]}
            p.setJointMotorControlMultiDof(one, index, p.POSITION_CONTROL, **still)

    def _plane(self, plane: Plane) -> None:
        """A half space; one that moves along itself is a belt: it hangs on a guide with a motor that keeps its speed."""
        p, place = self.p, list(plane.point)
        shape = p.createCollisionShape(p.GEOM_PLANE, planeNormal=list(plane.normal))
        if not plane.velocity.any():
            self.ids[plane.name] = (p.createMultiBody(0, shape, basePosition=place), -1)
            return
        speed = float(np.linalg.norm(plane.velocity))
        still = ([0, 0, 0], [0, 0, 0, 1])
        values = (BELT, shape, -1, *still, *still, 0, p.JOINT_PRISMATIC, list(plane.velocity / speed))
        parts = {key: [value] for key, value in zip(OF_LINKS, values, strict=True)}
        one = p.createMultiBody(0, -1, basePosition=place, **parts)
        p.changeDynamics(one, 0, localInertiaDiagonal=[BELT] * 3, linearDamping=0, angularDamping=0, jointDamping=0)
        p.resetJointState(one, 0, 0, speed)
        p.setJointMotorControl2(one, 0, p.VELOCITY_CONTROL, targetVelocity=speed, force=1e3 * BELT)
        self.ids[plane.name] = (one, 0)

    def _collision(self, body: Body, centre: np.ndarray) -> int:
        """The shape of a body whose centre is there in the frame of its link."""
        p, shapes = self.p, [self._shape(solid, centre) for solid in solids(body)]
        if len(shapes) == 1:
            return p.createCollisionShape(**shapes[0])
        lists = {key: [one[word] for one in shapes] for word, key in PLURALS.items()}
        return p.createCollisionShapeArray(**lists) if shapes else -1

    def _shape(self, solid: Solid, centre: np.ndarray) -> dict[str, Any]:
        p = self.p
        kinds = {"ball": p.GEOM_SPHERE, "box": p.GEOM_BOX, "cylinder": p.GEOM_CYLINDER, "capsule": p.GEOM_CAPSULE}
        size = [*solid.size, 0.0]
        return {
            "shapeType": kinds[solid.kind],
            "radius": size[0],
            "height": size[1],
            "halfExtents": list(solid.size / 2) if solid.kind == "box" else [1.0, 1.0, 1.0],
            "collisionFramePosition": list(centre + solid.position),
            "collisionFrameOrientation": _xyzw(solid.quaternion),
        }

    def _laws(self) -> None:
        for what, word in (("friction", "lateralFriction"), ("restitution", "restitution")):
            values = combine.of_things("product", self.world.pairs, what)
            if values is None:
                raise Cannot(f"{what} is a product of two values, which cannot be that of every pair here")
            for thing, value in values.items():
                self.p.changeDynamics(*self.ids[thing], **{word: value})
        touching = {frozenset((pair.a, pair.b)) for pair in self.world.pairs}
        for a, one in self.ids.items():
            for b, two in self.ids.items():
                if a < b and frozenset((a, b)) not in touching:
                    self.p.setCollisionFilterPair(one[0], two[0], one[1], two[1], 0)
                elif a < b:
                    self.p.setCollisionFilterPair(one[0], two[0], one[1], two[1], 1)

    def step(self) -> float:
        for name, (force, torque) in loads(self.world, self.state).items():
            at = self.state(name).position
            self.p.applyExternalForce(*self.ids[name], list(force), list(at), self.p.WORLD_FRAME)
            self.p.applyExternalTorque(*self.ids[name], list(torque), self.p.WORLD_FRAME)
        self.p.stepSimulation()
        self.t += self.h
        return self.t

    def state(self, body: str) -> State:
        one, link = self.ids[body]
        if link < 0:
            (position, turn), (velocity, omega) = self.p.getBasePositionAndOrientation(one), self.p.getBaseVelocity(one)
        else:
            found = self.p.getLinkState(one, link, computeLinkVelocity=1, computeForwardKinematics=1)
            position, turn, velocity, omega = found[0], found[1], found[6], found[7]
        principal_turn = principal(self.world.body(body).inertia)[1]
        whole = rotation.multiply(_wxyz(turn), rotation.conjugate(principal_turn))
        return State(np.array(position), whole, np.array(velocity), np.array(omega))

    def _check_forces(self) -> None:
        if "contact forces" in self.world.features and "'shape'" in repr(self.world.read):
            raise Cannot("forces on one of several shapes of a body, which the engine does not tell apart")

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        found: dict[tuple[str, str], np.ndarray] = {}
        for pair in self.world.pairs:
            (a, first), (b, second) = self.ids[pair.a], self.ids[pair.b]
            for point in self.p.getContactPoints(a, b, first, second):
                parts = [
                    point[9] * np.array(point[7]),
                    point[10] * np.array(point[11]),
                    point[12] * np.array(point[13]),
                ]
                found[pair.a, pair.b] = found.get((pair.a, pair.b), np.zeros(3)) + np.sum(parts, axis=0)
        return found

    def friction(self, a: str, b: str) -> float:
        return self._product(a, b, 1)

    def restitution(self, a: str, b: str) -> float:
        return self._product(a, b, 5)

    def _product(self, a: str, b: str, entry: int) -> float:
        return float(np.prod([self.p.getDynamicsInfo(*self.ids[thing])[entry] for thing in (a, b)]))


def _below(root: str, hanging: dict[str, Link], itself: bool = False) -> list[Link]:
    """Links that hang on a body, parents first; with its own link if it hangs on something itself."""
    names, found = {root}, [hanging[root]] if itself else []
    for name, link in hanging.items():
        if link.parent in names and name not in names:
            names.add(name)
            found.append(link)
    return found


def _xyzw(q: np.ndarray) -> list[float]:
    return [*q[1:], q[0]]


def _wxyz(q: Any) -> np.ndarray:
    return np.array([q[3], *q[:3]])
