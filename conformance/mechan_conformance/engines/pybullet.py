"""PyBullet: Bullet's maximal coordinates and sequential impulses."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from .. import combine, rotation
from ..engine import Cannot, Engine, State
from ..solids import Solid, principal, solids
from ..world import Body, World

PLURALS = {
    "shapeType": "shapeTypes",
    "radius": "radii",
    "height": "lengths",
    "halfExtents": "halfExtents",
    "collisionFramePosition": "collisionFramePositions",
    "collisionFrameOrientation": "collisionFrameOrientations",
}
"""Words for one shape, and for lists of them."""

OF_BODIES = ("contactProcessingThreshold",)
"""Settings that every body has for itself."""


class Pybullet(Engine):
    """One body for each of the world's; joined mechanisms are left to Bullet's multibodies, which are not used here."""

    name = "pybullet"
    title = "PyBullet"
    made_for = "Games, films, learning and robotics: many bodies in real time, with impulses of a few iterations."
    combines = (
        "The product of two coefficients, of friction as of restitution; each thing gets the root of what the case asks, "
        "or values whose products are those of the pairs. Drag, 0.04 by default, is none in any case and set to zero."
    )
    advice = (
        "PyBullet Quickstart Guide, setPhysicsEngineParameter: more solver iterations, `enableConeFriction` instead of the "
        "pyramid, a small `solverResidualThreshold`; `restitutionVelocityThreshold` is the speed below which nothing bounces. "
        "`contactProcessingThreshold` 0, lest a contact that is still open takes away the speed that would bounce; a small "
        "`contactERP`, lest depth becomes speed. Steps from 1/240 to 1/4000 s and `contactERP` from 0.2 to 0.002 were tried."
    )
    can = frozenset(
        ["ball", "box", "cylinder", "capsule", "points", "several shapes", "plane", "fixed", "bodies in contact"]
        + ["restitution", "friction of pairs", "no contact", "force", "contact forces"]
    )
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
        pybullet.connect(pybullet.DIRECT)
        pybullet.setPhysicsEngineParameter(
            fixedTimeStep=self.h, **{key: value for key, value in settings.items() if key not in ("step", *OF_BODIES)}
        )
        pybullet.setGravity(*world.gravity)
        self.ids = {body.name: self._body(body) for body in world.bodies}
        for plane in world.planes:
            shape = pybullet.createCollisionShape(pybullet.GEOM_PLANE, planeNormal=list(plane.normal))
            self.ids[plane.name] = pybullet.createMultiBody(0, shape, basePosition=list(plane.point))
        for one in self.ids.values():
            pybullet.changeDynamics(one, -1, **{key: settings[key] for key in OF_BODIES if key in settings})
        self._laws()

    def _body(self, body: Body) -> int:
        p, shapes = self.p, [self._shape(solid) for solid in solids(body)]
        moments, turn = principal(body.inertia)
        if len(shapes) == 1:
            shape = p.createCollisionShape(**shapes[0])
        else:
            lists = {key: [one[word] for one in shapes] for word, key in PLURALS.items()}
            shape = p.createCollisionShapeArray(**lists) if shapes else -1
        one = p.createMultiBody(
            body.mass,
            shape,
            basePosition=list(body.position),
            baseOrientation=_xyzw(body.quaternion),
            baseInertialFrameOrientation=_xyzw(turn),
        )
        if not body.fixed:
            p.changeDynamics(one, -1, localInertiaDiagonal=list(moments), linearDamping=0, angularDamping=0)
            p.changeDynamics(one, -1, activationState=p.ACTIVATION_STATE_DISABLE_SLEEPING)
            p.resetBaseVelocity(one, list(body.velocity), list(body.omega))
        return one

    def _shape(self, solid: Solid) -> dict[str, Any]:
        p = self.p
        kinds = {"ball": p.GEOM_SPHERE, "box": p.GEOM_BOX, "cylinder": p.GEOM_CYLINDER, "capsule": p.GEOM_CAPSULE}
        size = [*solid.size, 0.0]
        return {
            "shapeType": kinds[solid.kind],
            "radius": size[0],
            "height": size[1],
            "halfExtents": list(solid.size / 2) if solid.kind == "box" else [1.0, 1.0, 1.0],
            "collisionFramePosition": list(solid.position),
            "collisionFrameOrientation": _xyzw(solid.quaternion),
        }

    def _laws(self) -> None:
        for what, word in (("friction", "lateralFriction"), ("restitution", "restitution")):
            values = combine.of_things("product", self.world.pairs, what)
            if values is None:
                raise Cannot(f"{what} is a product of two values, which cannot be that of every pair here")
            for thing, value in values.items():
                self.p.changeDynamics(self.ids[thing], -1, **{word: value})
        touching = {frozenset((pair.a, pair.b)) for pair in self.world.pairs}
        for a, one in self.ids.items():
            for b, two in self.ids.items():
                if a < b and frozenset((a, b)) not in touching:
                    self.p.setCollisionFilterPair(one, two, -1, -1, 0)

    def step(self) -> float:
        for force in self.world.forces:
            self._push(force)
        self.p.stepSimulation()
        self.t += self.h
        return self.t

    def _push(self, force: Any) -> None:
        at, turn = self.p.getBasePositionAndOrientation(self.ids[force.body])
        turn = _wxyz(turn)
        f, torque = (rotation.rotate(turn, v) if force.axes == "body" else v for v in (force.force, force.torque))
        torque = torque + np.cross(rotation.rotate(turn, force.point), f)
        self.p.applyExternalForce(self.ids[force.body], -1, list(f), list(at), self.p.WORLD_FRAME)
        self.p.applyExternalTorque(self.ids[force.body], -1, list(torque), self.p.WORLD_FRAME)

    def state(self, body: str) -> State:
        position, turn = self.p.getBasePositionAndOrientation(self.ids[body])
        principal_turn = principal(self.world.body(body).inertia)[1]
        velocity, omega = self.p.getBaseVelocity(self.ids[body])
        return State(position, rotation.multiply(_wxyz(turn), rotation.conjugate(principal_turn)), velocity, omega)

    def _check_forces(self) -> None:
        if "contact forces" in self.world.features and "'shape'" in repr(self.world.read):
            raise Cannot("forces on one of several shapes of a body, which the engine does not tell apart")

    def forces(self) -> Mapping[tuple[str, str], np.ndarray]:
        found: dict[tuple[str, str], np.ndarray] = {}
        for pair in self.world.pairs:
            for point in self.p.getContactPoints(self.ids[pair.a], self.ids[pair.b]):
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
        return float(np.prod([self.p.getDynamicsInfo(self.ids[thing], -1)[entry] for thing in (a, b)]))


def _xyzw(q: np.ndarray) -> list[float]:
    return [*q[1:], q[0]]


def _wxyz(q: Any) -> np.ndarray:
    return np.array([q[3], *q[:3]])
